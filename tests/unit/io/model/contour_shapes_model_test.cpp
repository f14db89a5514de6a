// Shapes of model files that are contours, patterns of shapes, and contacts that name several shapes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "freeplay/geometry/contours/shape_contour.h"
#include "freeplay/geometry/surfaces/shape_surface.h"
#include "freeplay/io/model/model_build.h"

namespace freeplay::test::contour_shapes_model_test {
namespace {

ModelFile parsed(const std::string& text) {
  return parse_model("freeplay: 1\nspace: planar\n" + text + "simulate: {duration: 1 s}\n", "model.yaml");
}

const std::string kBody =
    "bodies: {pawl: {mass: 1 kg, inertia: 1 kg m^2, initial: {y: 1 m}, shapes: {tip: {type: point}}}}\n";

TEST(ContourShapes, AnOutlineIsRepeatedAroundItsCentre) {
  const ModelFile file = parsed(
      kBody +
      "ground: {shapes: {rim: {type: outline, turns: 4, at: [1 m, 0], points: [[3 m, 0], {at: [2 m, 1 m], arc: -60 "
      "deg}]}}}\n");
  const auto& outline = std::get<OutlineShape>(file.shapes.at(1).geometry);
  ASSERT_EQ(outline.corners.size(), 8u);
  EXPECT_NEAR((outline.corners[2].at_m - Vec3(1, 2, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((outline.corners[5].at_m - Vec3(0, -1, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR(outline.corners[7].bulge, std::tan(-std::numbers::pi / 12), 1e-15);
}

TEST(ContourShapes, APatternMakesCopiesThatAreTurnedAndShifted) {
  const ModelFile turned = parsed(
      kBody +
      "ground: {shapes: {tooth: {type: circle, at: [1 m, 0], radius: 1 mm, pattern: {count: 4, turn: 90 deg}}}}\n");
  ASSERT_EQ(turned.shapes.size(), 5u);
  EXPECT_EQ(turned.shapes[2].name, "tooth_2");
  EXPECT_NEAR((std::get<CircleShape>(turned.shapes[2].geometry).at_m - Vec3(0, 1, 0)).norm(), 0, 1e-15);
  const ModelFile shifted = parsed(
      kBody +
      "ground: {shapes: {slot: {type: edge, from: [1 m, 0], to: [0, 0], pattern: {count: 8, shift: [10 mm, 0]}}}}\n");
  ASSERT_EQ(shifted.shapes.size(), 9u);
  EXPECT_NEAR(std::get<EdgeShape>(shifted.shapes[8].geometry).to_m.x(), 0.07, 1e-15);
}

TEST(ContourShapes, APatternOfACamTurnsItsFollowerAndItsPlace) {
  const ModelFile file = parsed(
      kBody +
      "ground: {shapes: {lobe: {type: cam, at: [1 m, 0], base_radius: 10 mm, lift: \"1 mm*(1 - cos(phi))\", turn: \"1 "
      "rad/s*t\", pattern: {count: 4, turn: 90 deg}}}}\n");
  ASSERT_EQ(file.shapes.size(), 5u);
  const auto& cam = std::get<CamShape>(file.shapes[2].geometry);
  EXPECT_NEAR((cam.at_m - Vec3(0, 1, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((cam.follower - Vec3(-1, 0, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((file.shapes[2].turn.value().about_m - Vec3(0, 1, 0)).norm(), 0, 1e-15);
}

// About an axis of its own, and along it.
TEST(ContourShapes, APatternInSpaceTurnsPlacesAxesAndMeshes) {
  const auto shapes = [](const std::string& shape) {
    return parse_model("freeplay: 1\nspace: spatial\nground: {shapes: {a: " + shape +
                           "}}\nbodies: {b: {mass: 1 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]}}\n"
                           "simulate: {duration: 1 s}\n",
                       "model.yaml")
        .shapes;
  };
  const std::string screw =
      ", pattern: {count: 3, turn: 90 deg, axis: [1, 0, 0], at: [0, 0, 1 m], shift: [10 mm, 0, 0]}}";
  const auto balls = shapes("{type: sphere, at: [0, 1 m, 1 m], radius: 20 mm" + screw);
  ASSERT_EQ(balls.size(), 3u);
  EXPECT_EQ(balls[2].name, "a_3");
  EXPECT_NEAR((std::get<SphereShape>(balls[1].geometry).at_m - Vec3(0.01, 0, 2)).norm(), 0, 1e-15);
  EXPECT_NEAR((std::get<SphereShape>(balls[2].geometry).at_m - Vec3(0.02, -1, 1)).norm(), 0, 1e-15);
  const auto rods = shapes("{type: cylinder, axis: [0, 1, 0], radius: 1 mm, length: 1 m" + screw);
  EXPECT_NEAR((std::get<CylinderShape>(rods[1].geometry).axis - Vec3(0, 0, 1)).norm(), 0, 1e-15);
  const auto bricks = shapes("{type: box, size: [1 m, 2 m, 3 m]" + screw);
  const Mat3 R = std::get<BoxShape>(bricks[1].geometry).rotation.toRotationMatrix();
  EXPECT_NEAR((R * Vec3::UnitY() - Vec3::UnitZ()).norm(), 0, 1e-15);
}

TEST(ContourShapes, AContactNamesAGroupByItsBeginning) {
  const ModelFile file = parsed(
      kBody +
      "ground: {shapes: {tooth: {type: circle, at: [0.5 m, 0], radius: 1 mm, pattern: {count: 12, turn: 30 deg}}, "
      "floor: {type: line, at: [0, -1 m], normal: [0, 1]}}}\n"
      "contacts: {catch: {between: [pawl.tip, ground.tooth*], impact: newton, restitution: 0}}\n");
  ASSERT_EQ(file.contacts.size(), 12u);
  EXPECT_EQ(file.contacts[9].name, "catch_10");
  EXPECT_EQ(file.contacts[9].shape_b, "tooth_10");
  EXPECT_EQ(build_model(file).contacts->point_count(), 12);
}

TEST(ContourShapes, APatternOfACurveOrSurfaceByExpressionsMovesItsPlaces) {
  const ModelFile file = parsed(
      kBody +
      "ground: {shapes: {rib: {type: parametric, x: \"1 m*s\", y: \"0.1 m*s^2\", from: -1, to: 1, pattern: {count: 3, "
      "turn: 90 deg, at: [0, 2 m], shift: [10 mm, 0]}}}}\n");
  ASSERT_EQ(file.shapes.size(), 4u);
  EXPECT_EQ(file.shapes[3].name, "rib_3");
  const auto start = [&](std::size_t i) {
    const ContourResult result = make_contour(std::get<ParametricShape>(file.shapes[i].geometry));
    EXPECT_TRUE(result.problem.empty()) << result.problem.message;
    return result.contour.elements()[0].start;
  };
  // From (-1, 0.1), which is (-1, -1.9) as seen from the centre.
  EXPECT_NEAR((start(1) - Vec2(-1, 0.1)).norm(), 0, 4e-15);
  EXPECT_NEAR((start(2) - Vec2(1.9 + 0.01, 2 - 1)).norm(), 0, 4e-15);
  EXPECT_NEAR((start(3) - Vec2(1 + 0.02, 2 + 1.9)).norm(), 0, 4e-15);
  const auto dents =
      parse_model(
          "freeplay: 1\nspace: spatial\nground: {shapes: {dent: {type: parametric, x: 1 m*u, y: 1 m*v, z: "
          "0.1 m*u*v, u_to: 1, v_to: 1, pattern: {count: 2, turn: 90 deg, axis: [1, 0, 0], shift: [0, 0, 5 "
          "m]}}}}\nbodies: {b: {mass: 1 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]}}\n"
          "simulate: {duration: 1 s}\n",
          "model.yaml")
          .shapes;
  ASSERT_EQ(dents.size(), 2u);
  // The upper face at (u, v) = (1, 1): (1, 1, 0.1) becomes (1, -0.1, 6), and its normal turns as well.
  const SurfacePlace one = make_surface(dents[0].geometry).surface.patch(0).place(1, 1);
  const SurfacePlace two = make_surface(dents[1].geometry).surface.patch(0).place(1, 1);
  EXPECT_LT((two.x - Vec3(one.x.x(), -one.x.z(), one.x.y() + 5)).norm(), 4e-15);
  EXPECT_LT((two.n - Vec3(one.n.x(), -one.n.z(), one.n.y())).norm(), 4e-15);
  EXPECT_LT((two.n_u - Vec3(one.n_u.x(), -one.n_u.z(), one.n_u.y())).norm(), 4e-15);
}

// A belt that is turned runs along itself where it is then.
TEST(ContourShapes, APatternInSpaceTurnsTheVelocityOfASurfaceWithIt) {
  const auto belts =
      parse_model(
          "freeplay: 1\nspace: spatial\nground: {shapes: {belt: {type: box, at: [2 m, 0, 0], size: [2 m, 1 m, 0.1 m], "
          "surface_velocity: [3 m/s, 0, \"1 m/s^2*t\"], pattern: {count: 3, turn: 90 deg, axis: [0, 0, 1]}}}}\n"
          "bodies: {b: {mass: 1 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]}}\nsimulate: {duration: 1 s}\n",
          "model.yaml")
          .shapes;
  ASSERT_EQ(belts.size(), 3u);
  const std::vector<Vec3> expected = {{3, 0, 2}, {0, 3, 2}, {-3, 0, 2}};
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(belts[i].surface_velocity.size(), 3u);
    const double t = 2;
    Vec3 velocity = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k)
      velocity[static_cast<Eigen::Index>(k)] = belts[i].surface_velocity[k].evaluate({&t, 1});
    EXPECT_LT((velocity - expected[i]).norm(), 4e-15) << i;
  }
}

// The first with the first: in the group each would meet each.
TEST(ContourShapes, APatternOfContactsPairsWhatIsNumberedAlike) {
  const auto contacts_of = [](const std::string& between, const std::string& pattern) {
    return parsed(
               "bodies: {wheel: {mass: 1 kg, inertia: 1 kg m^2, shapes: {tooth: {type: circle, at: [1 m, 0], radius: 1 "
               "mm, "
               "pattern: {count: 4, turn: 90 deg}}}}}\n"
               "ground: {shapes: {slot: {type: circle, at: [2 m, 0], radius: 1 mm, pattern: {count: 4, turn: 90 "
               "deg}}}}\n"
               "contacts: {mesh: {between: [" +
               between + "], impact: newton, restitution: 0, pattern: " + pattern + "}}\n")
        .contacts;
  };
  const auto alike = contacts_of("wheel.tooth_#, ground.slot_#", "{count: 4}");
  ASSERT_EQ(alike.size(), 4u);
  const auto next = contacts_of("wheel.tooth_#, ground.slot_#", "{count: 4, offset: 1}");
  const auto last = contacts_of("wheel.tooth_#, ground.slot_#", "{count: 4, offset: -1}");
  for (int k = 0; k < 4; ++k) {
    const auto at = static_cast<std::size_t>(k);
    EXPECT_EQ(alike[at].name, fmt::format("mesh_{}", k + 1));
    EXPECT_EQ(alike[at].shape_a, fmt::format("tooth_{}", k + 1));
    EXPECT_EQ(alike[at].shape_b, fmt::format("slot_{}", k + 1));
    EXPECT_EQ(next[at].shape_b, fmt::format("slot_{}", (k + 1) % 4 + 1));
    EXPECT_EQ(last[at].shape_b, fmt::format("slot_{}", (k + 3) % 4 + 1));
  }
  const auto each = contacts_of("wheel.tooth_#, ground.slot*", "{count: 2}");
  ASSERT_EQ(each.size(), 8u);
  EXPECT_EQ(each[5].name, "mesh_2_2");
  EXPECT_EQ(each[5].shape_a, "tooth_2");
  EXPECT_EQ(each[5].shape_b, "slot_2");
}

TEST(ContourShapes, TheNumberOfPointsFollowsFromTheShapesOrIsGiven) {
  const auto points = [](const std::string& more) {
    return build_model(
               parsed(kBody +
                      "ground: {shapes: {vee: {type: outline, points: [[0, 0], [-1 m, 1 m], [-1 m, -1 m], [1 m, "
                      "-1 m], [1 m, 1 m]]}}}\n"
                      "contacts: {c: {between: [pawl.tip, ground.vee], impact: newton, restitution: 0" +
                      more + "}}\n"))
        .contacts->point_count();
  };
  EXPECT_EQ(points(""), 4);
  EXPECT_EQ(points(", points: 7"), 7);
  EXPECT_THROW(
      build_model(parsed(kBody + "ground: {shapes: {floor: {type: line, normal: [0, 1]}}}\n"
                                 "contacts: {c: {between: [pawl.tip, ground.floor], impact: newton, restitution: 0, "
                                 "points: 2}}\n")),
      ModelError);
}

TEST(ContourShapes, ACurveIsGivenByTwoExpressionsOfItsParameter) {
  const ModelFile file =
      parsed(kBody + "ground: {shapes: {track: {type: parametric, x: \"-1 m*s\", y: \"1 m*s^2\", from: -1, to: 1}}}\n");
  const auto& curve = std::get<ParametricShape>(file.shapes.at(1).geometry);
  const double s = 0.5;
  EXPECT_NEAR(curve.x_m.evaluate_jet({&s, 1}).value, -0.5, 1e-15);
  EXPECT_NEAR(curve.y_m.evaluate_jet({&s, 1}).rate, 1, 1e-15);
}

}  // namespace
}  // namespace freeplay::test::contour_shapes_model_test
