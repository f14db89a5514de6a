// Shapes of model files that are contours, patterns of shapes, and contacts that name several shapes.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

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
