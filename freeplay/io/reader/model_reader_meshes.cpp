// Meshes among the shapes, and the mass of bodies that follows from their shapes.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "freeplay/geometry/contours/contour_mass.h"
#include "freeplay/geometry/meshes/mesh_builder.h"
#include "freeplay/geometry/meshes/mesh_mass.h"
#include "freeplay/geometry/shapes/mass_properties.h"
#include "freeplay/io/mesh/mesh_file.h"
#include "freeplay/io/reader/model_reader.h"
#include "freeplay/io/yaml/folder_file.h"

namespace freeplay::io {

namespace {

// A wrong file may have hundreds of megabytes: a model with very many of them would be looked at for hours.
constexpr std::size_t kMostBadMeshes = 8;

// The body's origin may be beside the centre of mass of its shapes by this part of their radius of gyration: more than
// the digits of a typed offset and of an STL file, and less than what a motion shows.
constexpr double kCentreTolerance = 1e-5;

double metres_in(std::string_view unit) {
  using Unit = std::pair<std::string_view, double>;
  constexpr std::array kUnits = {Unit{"m", 1},     Unit{"cm", 1e-2},   Unit{"mm", 1e-3},
                                 Unit{"um", 1e-6}, Unit{"in", 0.0254}, Unit{"ft", 0.3048}};
  for (const auto& [name, metres] : kUnits) {
    if (name == unit) return metres;
  }
  return 1;  // after a report
}

// Of all shapes of a body together, about their common centre of mass; mass 0 if none encloses matter.
SpatialMass sum_of(const std::vector<SpatialMass>& parts) {
  SpatialMass sum;
  for (const SpatialMass& part : parts) {
    sum.mass_kg += part.mass_kg;
    sum.centre_m += part.mass_kg * part.centre_m;
  }
  if (!(sum.mass_kg > 0)) return {};
  sum.centre_m /= sum.mass_kg;
  for (const SpatialMass& part : parts) {
    const Vec3 arm = part.centre_m - sum.centre_m;
    sum.inertia_kg_m2 +=
        part.inertia_kg_m2 + part.mass_kg * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  return sum;
}

SpatialMass in_space(const PlanarMass& mass) {
  Mat3 inertia = Mat3::Zero();
  inertia(2, 2) = mass.inertia_kg_m2;
  return {mass.mass_kg, {mass.centre_m.x(), mass.centre_m.y(), 0}, inertia};
}

// With density 1, per volume in space and per area in the plane.
std::vector<SpatialMass> masses_of(std::span<const ShapeSpec> shapes, const std::string& body, Space space) {
  std::vector<SpatialMass> parts;
  for (const ShapeSpec& shape : shapes) {
    if (shape.body != body) continue;
    if (space == Space::kSpatial) {
      if (const std::optional<SpatialMass> mass = spatial_mass_properties(shape.geometry, 1)) parts.push_back(*mass);
    } else if (const std::optional<PlanarMass> mass = planar_mass_properties(shape.geometry, 1)) {
      parts.push_back(in_space(*mass));
    }
  }
  return parts;
}

// A surface of the body that is open and has a thickness alone; null: none.
const ShapeSpec* sheet_of(std::span<const ShapeSpec> shapes, const std::string& body) {
  for (const ShapeSpec& shape : shapes) {
    const auto* by_formula = std::get_if<ParametricSurfaceShape>(&shape.geometry);
    const auto* by_points = std::get_if<SplinePatchShape>(&shape.geometry);
    const bool is_open = (by_formula != nullptr && !(by_formula->closed_u && by_formula->closed_v)) ||
                         (by_points != nullptr && !(by_points->closed_u && by_points->closed_v));
    if (shape.body == body && is_open) return &shape;
  }
  return nullptr;
}

// "[1.5 mm, -2 mm]"
std::string point_text(const Vec3& x_m, Space space) {
  std::string text;
  for (int i = 0; i < (space == Space::kPlanar ? 2 : 3); ++i) {
    const bool is_rounding = std::abs(x_m[i]) < 1e-9 * x_m.norm();
    text += fmt::format("{}{:.8g} mm", i == 0 ? "" : ", ", is_rounding ? 0 : 1e3 * x_m[i]);
  }
  return "[" + text + "]";
}

}  // namespace

MeshShape ModelReader::read_mesh(BlockReader& block) {
  MeshShape shape{nullptr, block.text("file")};
  const double metres_per_unit = metres_in(block.word("unit")) * block.quantity("scale");
  const bool by_centroid = block.word("origin") == "centroid";
  const Vec3 at = block.vector("at");
  const Eigen::Quaterniond rotation = block.rotation("rotation").value_or(Eigen::Quaterniond::Identity());
  if (!block.ok()) return shape;
  if (folder_.empty()) {
    block.report("file", fmt::format("{} cannot name one", kNotFromFile), "save the model in the folder of the mesh");
    return shape;
  }
  const Frame place{rotation.toRotationMatrix(), at};
  std::string key = fmt::format("{} {} {}", shape.file, metres_per_unit, by_centroid);
  for (int i = 0; i < 3; ++i) key += fmt::format(" {} {}", at[i], rotation.vec()[i]);
  key += fmt::format(" {}", rotation.w());
  auto found = meshes_.find(key);
  if (found == meshes_.end())
    found = meshes_.emplace(key, load_mesh(shape.file, metres_per_unit, by_centroid, place)).first;
  const auto& [mesh, problem] = found->second;
  if (!problem.empty()) block.report(problem.key, problem.message, problem.hint);
  shape.mesh = mesh;
  return shape;
}

ModelReader::ReadMesh ModelReader::load_mesh(const std::string& file, double metres_per_unit, bool by_centroid,
                                             const Frame& place) {
  if (bad_meshes_ >= kMostBadMeshes)
    return {nullptr,
            {"file", fmt::format("the file was not looked at: {} meshes before it are wrong", bad_meshes_),
             "mend those first"}};
  MeshFile read = read_mesh_file(folder_, file, metres_per_unit);
  ReadMesh result{nullptr, read.problem};
  mesh_triangles_ += read.soup.triangles.size();
  if (result.problem.empty() && mesh_triangles_ > kMostTriangles) {
    result.problem = {"file",
                      fmt::format("the meshes of the model have more than {} triangles together", kMostTriangles),
                      "export the parts with a coarser tolerance, or reduce them in a mesh program"};
  }
  if (result.problem.empty()) {
    const Vec3 origin = by_centroid ? centre_of_volume(read.soup) : Vec3(Vec3::Zero());
    for (Vec3& x : read.soup.points_m) x = place.point(x - origin);
    MeshResult built = build_mesh(read.soup);
    result.problem = built.problem;
    if (result.problem.empty()) result.mesh = std::make_shared<const TriangleMesh>(std::move(built.mesh));
  }
  if (!result.problem.empty()) ++bad_meshes_;
  return result;
}

void ModelReader::read_mass(BlockReader& block, BodySpec& body) {
  const std::optional<double> mass = block.optional_quantity("mass"), thickness = block.optional_quantity("thickness");
  std::optional<double> density = block.optional_quantity("density");
  const YamlEntry* inertia = block.entry("inertia");
  const bool from_shape =
      inertia != nullptr && inertia->value.kind == YamlNode::Kind::kScalar && inertia->value.text == "from-shape";
  body.mass_kg = mass.value_or(0);
  if (!from_shape) {
    for (const char* key : {"density", "thickness"}) {
      if (block.has(key))
        block.report(key, "is used only where the inertia follows from the shapes",
                     "delete it, or write 'inertia: from-shape'");
    }
    if (inertia == nullptr && block.ok()) {
      values_.report(block.at(), block.path(), "the key 'inertia' is missing",
                     "add 'inertia: ...', the moment of inertia about the centre of mass, or 'inertia: from-shape'");
    }
    if (!block.has("mass") && block.ok()) {  // it may be there with a slip in its name
      values_.report(block.at(), block.path(), "the key 'mass' is missing",
                     "add 'mass: 1 kg', or 'inertia: from-shape' with 'density: 7850 kg/m^3'");
    }
    body.inertia_kg_m2 = block.inertia("inertia");
    if (space() == Space::kSpatial && block.ok()) check_inertia(block, body.inertia_kg_m2);
    return;
  }
  if (!block.ok()) return;
  const bool is_planar = space() == Space::kPlanar;
  if (const int material = read_material(block, -1); !mass && !density && material >= 0)
    density = materials_[static_cast<std::size_t>(material)].density_kg_m3;
  if (mass.has_value() == density.has_value()) {
    values_.report(block.at(), block.path(), mass ? "the mass is given twice" : "the mass of the shapes is unknown",
                   "with 'inertia: from-shape' give either 'mass' or 'density'");
    return;
  }
  if (thickness.has_value() != (is_planar && density.has_value())) {
    if (thickness)
      block.report("thickness", is_planar ? "is not needed beside 'mass'" : "is only for planar models", "delete it");
    else
      values_.report(block.at(), block.path(), "the key 'thickness' is missing",
                     "add 'thickness: 10 mm': a density is a mass per volume");
    return;
  }
  if (const ShapeSpec* sheet = sheet_of(model_.shapes, body.name)) {
    block.report("inertia",
                 fmt::format("the shape '{}' is a sheet, whose mass does not follow from its middle", sheet->name),
                 "write 'mass' and the moments of inertia, or close the surface in u and v");
    return;
  }
  const SpatialMass unit = sum_of(masses_of(model_.shapes, body.name, space()));
  if (!(unit.mass_kg > 0)) {
    block.report("inertia", "no shape of the body encloses matter",
                 "give it a closed shape, or write its moments of inertia");
    return;
  }
  const double size = std::sqrt(unit.inertia_kg_m2.trace() / unit.mass_kg);
  if (unit.centre_m.norm() > kCentreTolerance * size) {
    block.report("inertia",
                 fmt::format("the centre of mass of the shapes is at {}, but must be the body's origin",
                             point_text(unit.centre_m, space())),
                 fmt::format("move the shapes by {}{}", point_text(-unit.centre_m, space()),
                             is_planar ? "" : "; a mesh alone: write 'origin: centroid'"));
    return;
  }
  const double factor = mass ? *mass / unit.mass_kg : *density * thickness.value_or(1);
  body.mass_kg = factor * unit.mass_kg;
  body.inertia_kg_m2 = factor * unit.inertia_kg_m2;
}

}  // namespace freeplay::io
