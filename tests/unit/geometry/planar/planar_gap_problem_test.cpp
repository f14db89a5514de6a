// Pairs without a gap function are named, with a cure; the table of the file reader agrees with what exists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "freeplay/geometry/meshes/mesh_builder.h"
#include "freeplay/geometry/pairs/spatial_gap.h"
#include "planar_gap_cases.h"
#include "unit/geometry/contours/contour_cases.h"
#include "unit/geometry/surfaces/surface_cases.h"

namespace freeplay::test {
namespace {

using testing::HasSubstr;

// Corner 3 is reflex.
const PolygonShape kArrow{{{-1, 0, 0}, {2, -1, 0}, {1, 0.25, 0}, {2, 1, 0}}};
const PolygonShape kTriangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
const ArcShape kBore{{0, 0, 0}, 1, 0, 1, true};

void expect_problem(const ShapeGeometry& a, const ShapeGeometry& b, const std::string& message,
                    const std::string& hint) {
  for (const PairProblem& problem : {planar_pair_problem(a, b), planar_pair_problem(b, a)}) {
    EXPECT_FALSE(problem.empty());
    EXPECT_THAT(problem.message, HasSubstr(message));
    EXPECT_THAT(problem.hint, HasSubstr(hint));
  }
}

TEST(PlanarPairProblem, HollowShapesAndPolygonsThatAreNotConvexTouchEverything) {
  for (const ShapeGeometry& hollow : {ShapeGeometry(kArrow), ShapeGeometry(kBore)}) {
    for (const ShapeGeometry& other :
         {ShapeGeometry(CircleShape{{0, 0, 0}, 1}), ShapeGeometry(PointShape{}), ShapeGeometry(LineShape{}),
          ShapeGeometry(kTriangle), ShapeGeometry(kArrow), ShapeGeometry(kBore)}) {
      EXPECT_TRUE(planar_pair_problem(hollow, other).empty());
      EXPECT_TRUE(planar_pair_problem(other, hollow).empty());
    }
  }
}

TEST(PlanarPairProblem, AContourThatIsWrongSaysWhy) {
  expect_problem(EllipseShape{}, LineShape{}, "ellipse: both semi-axes must be positive", "give two lengths");
  expect_problem(EdgeShape{}, kTriangle, "edge: the edge has no length", "give two different points");
}

TEST(PlanarPairProblem, SomePairsAreImpossibleForGood) {
  expect_problem(PointShape{}, PointShape{}, "two points never touch", "make it a circle");
  expect_problem(LineShape{}, LineShape{}, "two lines never touch in a point", "points, circles, edges or a polygon");
}

// Run through clockwise their matter lies around them. It reaches as far as that of a half-plane, and both overlap.
TEST(PlanarPairProblem, AHoleMeetsNeitherAHoleNorAHalfPlane) {
  const std::vector<Vec3> clockwise = {{0, 3, 0}, {3, 0, 0}, {0, -3, 0}, {-3, 0, 0}};
  ParametricShape oval;
  oval.x_m = expression_of_s("4 m*cos(s)");
  oval.y_m = expression_of_s("-3 m*sin(s)");
  oval.to = 2 * std::numbers::pi;
  oval.closed = true;
  OutlineShape slot;
  for (const Vec3& x : clockwise) slot.corners.push_back({x});
  const std::vector<ShapeGeometry> holes = {SplineShape{clockwise, true}, oval, slot};
  for (const ShapeGeometry& hole : holes) {
    expect_problem(hole, LineShape{}, std::string(shape_type_name(hole)) + " that runs clockwise is a hole",
                   "counter-clockwise");
    expect_problem(hole, LineShape{}, "a line is a half-plane", "`edge`");
    for (const ShapeGeometry& other : holes) expect_problem(hole, other, "they always overlap", "counter-clockwise");
    for (const ShapeGeometry& solid :
         std::vector<ShapeGeometry>{CircleShape{{0, 0, 0}, 1}, PointShape{}, kTriangle, kArrow, kBore,
                                    EdgeShape{{1, 0, 0}, {-1, 0, 0}, 0}, EllipseShape{{0, 0, 0}, 2, 1, 0}}) {
      EXPECT_TRUE(planar_pair_problem(hole, solid).empty()) << shape_type_name(hole) << " " << shape_type_name(solid);
      EXPECT_TRUE(planar_pair_problem(solid, hole).empty()) << shape_type_name(hole) << " " << shape_type_name(solid);
    }
  }
}

TEST(PlanarPairProblem, SpatialShapesDoNotFitIntoThePlane) {
  expect_problem(SphereShape{}, LineShape{}, "a sphere is a spatial shape", "use planar shapes");
  expect_problem(EllipsoidShape{}, PlaneShape{}, "is a spatial shape", "use planar shapes");
}

const CamShape kRoundCam = [] {
  CamShape cam;
  cam.period = 2 * std::numbers::pi;
  cam.radius_m = Expression::constant(1, dimensions::kLength);
  return cam;
}();

// Units are a table of their own: expressions are not parsed before the program has started.
ParametricShape arch() {
  ParametricShape curve;
  curve.x_m = expression_of_s("-1 m*s");
  curve.y_m = expression_of_s("-1 m*s^2");
  curve.from = -1;
  return curve;
}

ParametricSurfaceShape saddle() {
  return {expression_of_uv("1 m*u"), expression_of_uv("1 m*v"), expression_of_uv("0.2 m*u*v"), -1, 1, -1, 1};
}

SplinePatchShape wavy_patch() {
  SplinePatchShape patch;
  for (int i = 0; i < 4; ++i) {
    patch.points_m.emplace_back();
    for (int k = 0; k < 4; ++k) patch.points_m.back().emplace_back(i, k, 0.1 * (i % 2) + 0.05 * k);
  }
  return patch;
}

// One harmless shape of every type, in the order of ShapeGeometry.
MeshShape cube() {
  return {std::make_shared<const TriangleMesh>(mesh_of(BoxShape{Vec3::Zero(), Vec3::Ones()})), "cube.stl"};
}

std::vector<ShapeGeometry> every_shape() {
  return {PointShape{},
          LineShape{},
          CircleShape{{0, 0, 0}, 1},
          ArcShape{{0, 0, 0}, 1, 0, 1, false},
          kTriangle,
          EllipseShape{{0, 0, 0}, 2, 1, 0},
          SplineShape{kTriangle.vertices_m, true},
          kRoundCam,
          EdgeShape{{1, 0, 0}, {-1, 0, 0}, 0},
          OutlineShape{{{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}}},
          SuperellipseShape{{0, 0, 0}, 2, 1},
          arch(),
          InvoluteShape{{0, 0, 0}, 0.1, 20},
          SphereShape{},
          PlaneShape{},
          BoxShape{Vec3::Zero(), Vec3::Ones()},
          CylinderShape{Vec3::Zero(), Vec3::UnitZ(), 1, 1},
          CapsuleShape{Vec3::Zero(), Vec3::UnitZ(), 1, 1},
          EllipsoidShape{Vec3::Zero(), Vec3::Ones()},
          TorusShape{Vec3::Zero(), Vec3::UnitZ(), 2, 1},
          ConeShape{Vec3::Zero(), Vec3::UnitZ(), 1, 1},
          ParaboloidShape{Vec3::Zero(), Vec3::UnitZ(), 1, 1},
          RevolutionShape{Vec3::Zero(), Vec3::UnitZ(),
                          std::make_shared<const PlanarContour>(make_contour(CircleShape{{2, 0, 0}, 1}).contour)},
          saddle(),
          wavy_patch(),
          cube()};
}

TEST(ShapeNames, FollowTheAlternativesOfTheGeometry) {
  const std::vector<ShapeGeometry> shapes = every_shape();
  std::vector<std::string> names = planar_shape_names();
  for (const std::string& name : spatial_shape_names()) names.push_back(name);
  ASSERT_EQ(names.size(), shapes.size());
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(names[i], shape_type_name(shapes[i]));
  EXPECT_EQ(shape_type_name(EllipseShape{}), "ellipse");
  EXPECT_EQ(shape_type_name(CapsuleShape{}), "capsule");
}

// What the file reader allows must exist, in the plane or in space.
TEST(ShapePairs, OfTheReaderAgreeWithTheGapFunctions) {
  const std::vector<ShapeGeometry> shapes = every_shape();
  for (const ShapeGeometry& a : shapes) {
    for (const ShapeGeometry& b : shapes) {
      const std::string_view type_a = shape_type_name(a), type_b = shape_type_name(b);
      const bool exists = planar_pair_problem(a, b).empty(), exists_in_space = spatial_pair_problem(a, b).empty();
      EXPECT_FALSE(exists && exists_in_space) << type_a << ", " << type_b;
      if (is_planar_shape(a) != is_planar_shape(b)) {  // `parametric` is a name in both spaces
        EXPECT_FALSE(exists || exists_in_space) << type_a << ", " << type_b;
        continue;
      }
      EXPECT_EQ(exists || exists_in_space, shape_pair_is_defined(type_a, type_b)) << type_a << ", " << type_b;
      if (exists_in_space) {
        EXPECT_GE(make_spatial_gap(a, b)->point_count(), 1);
      }
      if (exists) {
        EXPECT_GE(make_planar_gap(a, b)->point_count(), 1);
      }
      const std::vector<std::string> partners = shape_partners(type_a);
      EXPECT_EQ(std::find(partners.begin(), partners.end(), type_b) != partners.end(),
                shape_pair_is_defined(type_a, type_b));
    }
  }
}

}  // namespace
}  // namespace freeplay::test
