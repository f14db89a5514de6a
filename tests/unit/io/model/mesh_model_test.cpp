// Meshes in model files, what is refused about them, and masses that follow from shapes.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cstring>
#include <numbers>

#include "freeplay/geometry/meshes/mesh_mass.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/result/tables/model_geometry.h"
#include "model_test_support.h"

namespace freeplay::test::mesh_model_test {
namespace {

using std::numbers::pi;
using testing::HasSubstr;

// A box of 10 x 20 x 30 mm from its corner at the origin. `turn`: triangles whose corners are turned around.
std::string box_obj(const std::string& corner = "10 20 30", int triangles = 12, int turned = 0) {
  std::string text = "v 0 0 0\nv 10 0 0\nv 10 20 0\nv 0 20 0\nv 0 0 30\nv 10 0 30\nv " + corner + "\nv 0 20 30\n";
  const std::array<std::array<int, 3>, 12> corners{{{1, 3, 2},
                                                    {1, 4, 3},
                                                    {5, 6, 7},
                                                    {5, 7, 8},
                                                    {1, 2, 6},
                                                    {1, 6, 5},
                                                    {3, 4, 8},
                                                    {3, 8, 7},
                                                    {2, 3, 7},
                                                    {2, 7, 6},
                                                    {4, 1, 5},
                                                    {4, 5, 8}}};
  for (int i = 0; i < triangles; ++i) {
    const auto& [a, b, c] = corners[static_cast<std::size_t>(i)];
    text += i < turned ? fmt::format("f {} {} {}\n", a, c, b) : fmt::format("f {} {} {}\n", a, b, c);
  }
  return text;
}

class MeshModel : public testing::Test {
 protected:
  static std::string text(const std::string& shape,
                          const std::string& body = "mass: 1 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]") {
    return "freeplay: 1\nspace: spatial\nbodies:\n  part:\n    {" + body + ",\n    shapes: {skin: " + shape +
           "}}\nground: {shapes: {floor: {type: plane, normal: [0, 0, 1]}}}\n"
           "contacts: {rest: {between: [part.skin, ground.floor], impact: newton, restitution: 0}}\n"
           "simulate: {duration: 1 s}\n";
  }
  ModelFile load(const std::string& model) const { return load_model(folder_.write("model.yaml", model)); }
  Diagnostic mistake(const std::string& model) const {
    try {
      load(model);
    } catch (const ModelError& error) {
      return error.diagnostics().front();
    }
    ADD_FAILURE() << "the model was accepted";
    return {};
  }
  void expect_mistake(const std::string& file, const std::string& message) const {
    const Diagnostic found = mistake(text("{type: mesh, file: " + file + ", unit: mm}"));
    EXPECT_THAT(found.message, HasSubstr(message));
    EXPECT_FALSE(found.hint.empty());
    EXPECT_EQ(found.path, "bodies.part.shapes.skin.file");
    EXPECT_EQ(found.mark.line, 6);
    EXPECT_GT(found.mark.column, 1);
  }

  ScratchFolder folder_;
};

const TriangleMesh& mesh_in(const ModelFile& file) {
  return *std::get<MeshShape>(file.shapes.at(0).geometry).mesh;
}

TEST_F(MeshModel, IsReadFromTheModelsFolderScaledAndPlaced) {
  folder_.write("parts/box.obj", box_obj());
  const ModelFile file =
      load(text("{type: mesh, file: parts/box.obj, unit: cm, scale: 2, at: [1 m, 0, 0], rotation: {axis: [0, 0, 1], "
                "angle: 90 deg}}"));
  const SpatialMass mass = mass_properties(mesh_in(file), 1);
  EXPECT_NEAR(mass.mass_kg, 0.2 * 0.4 * 0.6, 1e-12);
  EXPECT_NEAR((mass.centre_m - Vec3(1 - 0.2, 0.1, 0.3)).norm(), 0, 1e-12);
  EXPECT_EQ(build_model(file).contacts->point_count(), 16);
}

TEST_F(MeshModel, MayBePlacedByTheCentreOfItsVolume) {
  folder_.write("box.obj", box_obj());
  const ModelFile file = load(text("{type: mesh, file: box.obj, unit: mm, origin: centroid, at: [0, 0, 1 m]}"));
  EXPECT_NEAR((mass_properties(mesh_in(file), 1).centre_m - Vec3(0, 0, 1)).norm(), 0, 1e-12);
}

TEST_F(MeshModel, TheSameFileInTheSamePlaceIsOneMesh) {
  folder_.write("box.obj", box_obj());
  const std::string mesh = "{type: mesh, file: box.obj, unit: mm}";
  const ModelFile file = load(text(mesh + ", twin: " + mesh + ", other: {type: mesh, file: box.obj, unit: cm}"));
  EXPECT_EQ(&mesh_in(file), std::get<MeshShape>(file.shapes.at(1).geometry).mesh.get());
  EXPECT_NE(&mesh_in(file), std::get<MeshShape>(file.shapes.at(2).geometry).mesh.get());
}

TEST_F(MeshModel, WhatIsWrongWithAFileIsToldWithPlaceAndCure) {
  folder_.write("hole.obj", box_obj("10 20 30", 11));
  folder_.write("inside_out.obj", box_obj("10 20 30", 12, 12));
  folder_.write("one_turned.obj", box_obj("10 20 30", 12, 1));
  folder_.write("nan.obj", box_obj("10 nan 30"));
  folder_.write("part.txt", "solid");
  expect_mistake("hole.obj", "hole");
  expect_mistake("inside_out.obj", "inwards");
  expect_mistake("one_turned.obj", "turned");
  expect_mistake("nan.obj", "not a finite number");
  expect_mistake("missing.obj", "cannot be found");
  expect_mistake("../model.obj", "cannot be found");
  expect_mistake("part.txt", "format");
}

TEST_F(MeshModel, AFileOutsideOfTheFolderIsRefusedEvenThroughALink) {
  folder_.write("box.obj", box_obj());
  const auto inner = folder_.write("inner/model.yaml", text("{type: mesh, file: ../box.obj, unit: mm}"));
  EXPECT_THROW(load_model(inner), ModelError);
  std::filesystem::create_symlink("../box.obj", folder_.path() / "inner/link.obj");
  folder_.write("inner/model.yaml", text("{type: mesh, file: link.obj, unit: mm}"));
  try {
    load_model(inner);
    ADD_FAILURE() << "the model was accepted";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.diagnostics().front().message, HasSubstr("outside the model's folder"));
  }
}

TEST_F(MeshModel, AFileOfTenMillionTrianglesIsRefusedByItsHead) {
  // A sparse file: the size that ten million triangles have, and nothing in it.
  std::string head(84, '\0');
  const std::uint32_t count = 10'000'000;
  std::memcpy(head.data() + 80, &count, 4);
  const auto file = folder_.write("huge.stl", head);
  std::filesystem::resize_file(file, 84 + 50 * std::uintmax_t{count});
  expect_mistake("huge.stl", "10000000 triangles");
}

TEST_F(MeshModel, AfterEightWrongFilesNoMoreAreLookedAt) {
  folder_.write("hole.obj", box_obj("10 20 30", 11));
  std::string shapes = "{type: mesh, file: hole.obj, unit: mm}";
  for (int i = 2; i < 12; ++i)
    shapes += fmt::format(", skin{}: {{type: mesh, file: hole.obj, unit: mm, scale: {}}}", i, i);
  try {
    load(text(shapes));
    ADD_FAILURE() << "the model was accepted";
  } catch (const ModelError& error) {
    ASSERT_EQ(error.diagnostics().size(), 11u);
    EXPECT_THAT(error.diagnostics()[7].message, HasSubstr("hole"));
    EXPECT_THAT(error.diagnostics()[8].message, HasSubstr("was not looked at"));
  }
}

TEST_F(MeshModel, OfATextInMemoryIsRefused) {
  const std::vector<Diagnostic> mistakes = mistakes_in(text("{type: mesh, file: box.obj, unit: mm}"));
  ASSERT_EQ(mistakes.size(), 1u);
  EXPECT_THAT(mistakes[0].message, HasSubstr("does not come from a file"));
}

TEST_F(MeshModel, ItsTrianglesStandInTheGeometryOfAResult) {
  folder_.write("box.obj", box_obj());
  const ModelFile file = load(text("{type: mesh, file: box.obj, unit: mm}"));
  std::filesystem::remove(folder_.path() / "box.obj");
  const std::string json = geometry_json(file);
  EXPECT_THAT(json, HasSubstr("\"vertices\":[[0.0,0.0,0.0],[0.01,0.0,0.0],[0.0,0.02,0.0]"));
  EXPECT_THAT(json, HasSubstr("\"triangles\":[["));
  EXPECT_THAT(json, HasSubstr("\"file\":\"box.obj\""));
}

// ---- inertia: from-shape ----

BodySpec body_of(const std::string& space, const std::string& body) {
  return parse_model("freeplay: 1\nspace: " + space + "\nbodies: {part: {" + body + "}}\nsimulate: {duration: 1 s}\n",
                     "model.yaml")
      .mechanism.bodies.at(0);
}
Diagnostic mistake_in(const std::string& space, const std::string& body) {
  return mistakes_in("freeplay: 1\nspace: " + space + "\nbodies: {part: {" + body + "}}\nsimulate: {duration: 1 s}\n")
      .at(0);
}
void expect_moments(const BodySpec& body, double mass, const Vec3& moments) {
  EXPECT_NEAR(body.mass_kg, mass, 1e-12 * mass);
  EXPECT_LE((body.inertia_kg_m2 - Mat3(moments.asDiagonal())).norm(), 1e-12 * moments.norm());
}

TEST(MassFromShape, OfSpatialSolidsIsThatOfTheTextbook) {
  const auto solid = [](const std::string& shape) {
    return body_of("spatial", "inertia: from-shape, density: 1000 kg/m^3, shapes: {a: " + shape + "}");
  };
  const double ball = 1000 * 4 * pi / 3 * 1e-3;
  expect_moments(solid("{type: sphere, radius: 100 mm}"), ball, Vec3::Constant(0.4 * ball * 0.01));
  expect_moments(solid("{type: box, size: [100 mm, 200 mm, 300 mm]}"), 6,
                 Vec3(0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04) * 6 / 12);
  const double rod = 1000 * pi * 0.01 * 0.4;
  expect_moments(solid("{type: cylinder, radius: 100 mm, length: 400 mm}"), rod,
                 rod * Vec3(0.03 / 12 + 0.16 / 12, 0.03 / 12 + 0.16 / 12, 0.005));
  const double egg = 1000 * 4 * pi / 3 * 0.1 * 0.2 * 0.3;
  expect_moments(solid("{type: ellipsoid, semi_axes: [100 mm, 200 mm, 300 mm]}"), egg,
                 egg / 5 * Vec3(0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04));
  // A capsule between its cylinder and the cylinder that holds it.
  const BodySpec capsule = solid("{type: capsule, radius: 100 mm, length: 400 mm}");
  EXPECT_NEAR(capsule.mass_kg, rod + ball, 1e-12);
}

TEST(MassFromShape, OfPlanarShapesIsThatOfTheTextbook) {
  const auto plate = [](const std::string& shape) {
    return body_of("planar", "inertia: from-shape, density: 1000 kg/m^3, thickness: 10 mm, shapes: {a: " + shape + "}");
  };
  const auto polar = [](const BodySpec& body) { return body.inertia_kg_m2(2, 2); };
  const double disc = 10 * pi * 0.01;
  const BodySpec circle = plate("{type: circle, radius: 100 mm}");
  EXPECT_NEAR(circle.mass_kg, disc, 1e-12);
  EXPECT_NEAR(polar(circle), disc * 0.01 / 2, 1e-13);
  const BodySpec ellipse = plate("{type: ellipse, semi_axis_x: 100 mm, semi_axis_y: 200 mm}");
  EXPECT_NEAR(ellipse.mass_kg, 2 * disc, 1e-9);
  EXPECT_NEAR(polar(ellipse), 2 * disc * (0.01 + 0.04) / 4, 1e-9);
  const BodySpec polygon =
      plate("{type: polygon, vertices: [[-0.1 m, -0.2 m], [0.1 m, -0.2 m], [0.1 m, 0.2 m], [-0.1 m, 0.2 m]]}");
  EXPECT_NEAR(polygon.mass_kg, 10 * 0.2 * 0.4, 1e-12);
  EXPECT_NEAR(polar(polygon), polygon.mass_kg * (0.04 + 0.16) / 12, 1e-13);
}

TEST(MassFromShape, AGivenMassTakesThePlaceOfTheDensity) {
  const BodySpec body =
      body_of("planar", "inertia: from-shape, mass: 2 kg, shapes: {a: {type: circle, radius: 100 mm}}");
  EXPECT_EQ(body.mass_kg, 2);
  EXPECT_NEAR(body.inertia_kg_m2(2, 2), 0.01, 1e-14);
}

// Two balls of mass m at the distances +-d from the origin: 2 m (2/5 r^2 + d^2) about the axes across.
TEST(MassFromShape, SeveralShapesAreAddedAboutTheirCommonCentre) {
  const BodySpec body =
      body_of("spatial",
              "inertia: from-shape, mass: 2 kg, shapes: {a: {type: sphere, at: [0.3 m, 0, 0], radius: "
              "100 mm}, b: {type: sphere, at: [-0.3 m, 0, 0], radius: 100 mm}, c: {type: plane, "
              "normal: [0, 0, 1]}}");
  expect_moments(body, 2, 2 * Vec3(0.004, 0.004 + 0.09, 0.004 + 0.09));
}

// Pappus: 2 pi^2 R a^2; a ball of 10 mm beside it.
TEST(MassFromShape, CurvedSolidsCountAsWell) {
  const BodySpec ring = body_of("spatial",
                                "inertia: from-shape, density: 1000 kg/m^3, shapes: {a: {type: torus, radius: 100 mm, "
                                "tube_radius: 20 mm}, hub: {type: sphere, radius: 10 mm}}");
  EXPECT_NEAR(ring.mass_kg, 1000 * (2 * pi * pi * 0.1 * 4e-4 + 4 * pi / 3 * 1e-6), 1e-12);
}

TEST(MassFromShape, ACentreBesideTheOriginIsRefusedWithTheWayBack) {
  const Diagnostic found = mistake_in(
      "spatial", "inertia: from-shape, mass: 1 kg, shapes: {a: {type: sphere, at: [1.5 mm, 0, -2 mm], radius: 10 mm}}");
  EXPECT_THAT(found.message, HasSubstr("is at [1.5 mm, 0 mm, -2 mm]"));
  EXPECT_THAT(found.hint, HasSubstr("move the shapes by [-1.5 mm, 0 mm, 2 mm]"));
}

TEST(MassFromShape, WhatIsMissingOrTooMuchIsTold) {
  const std::string disc = ", shapes: {a: {type: circle, radius: 100 mm}}";
  EXPECT_THAT(mistake_in("planar", "inertia: from-shape" + disc).message, HasSubstr("is unknown"));
  EXPECT_THAT(mistake_in("planar", "inertia: from-shape, mass: 1 kg, density: 1 kg/m^3" + disc).message,
              HasSubstr("given twice"));
  EXPECT_THAT(mistake_in("planar", "inertia: from-shape, density: 1 kg/m^3" + disc).message, HasSubstr("'thickness'"));
  EXPECT_THAT(mistake_in("planar", "inertia: from-shape, mass: 1 kg, thickness: 1 mm" + disc).message,
              HasSubstr("not needed"));
  EXPECT_THAT(mistake_in("planar", "inertia: 1 kg m^2, mass: 1 kg, density: 1 kg/m^3" + disc).message,
              HasSubstr("only where the inertia follows"));
  EXPECT_THAT(mistake_in("planar", "inertia: 1 kg m^2" + disc).message, HasSubstr("the key 'mass' is missing"));
  EXPECT_THAT(mistake_in("spatial",
                         "inertia: from-shape, mass: 1 kg, shapes: {a: {type: sphere, radius: 1 m}, skin: {type: "
                         "parametric, x: \"1 m*u\", y: \"1 m*v\", z: 0 m, u_to: 1, v_to: 1}}")
                  .message,
              HasSubstr("the shape 'skin' is a sheet"));
  EXPECT_THAT(
      mistake_in("planar", "inertia: from-shape, mass: 1 kg, shapes: {a: {type: edge, from: [1 m, 0], to: [0, 0]}}")
          .message,
      HasSubstr("no shape of the body encloses matter"));
}

}  // namespace
}  // namespace freeplay::test::mesh_model_test
