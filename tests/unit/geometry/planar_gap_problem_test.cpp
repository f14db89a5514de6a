// Pairs without a gap function are named, with a cure; the table of the file reader agrees with what exists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "freeplay/geometry/pairs/spatial_gap.h"
#include "planar_gap_cases.h"

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

TEST(PlanarPairProblem, APolygonThatIsNotConvexNamesItsReflexCorner) {
  const std::string cure = "split it into convex polygons";
  expect_problem(kArrow, CircleShape{{0, 0, 0}, 1},
                 "only a convex polygon can touch a circle: corner 3 at (1, 0.25) m is reflex", cure);
  expect_problem(kArrow, PointShape{}, "only a convex polygon can touch a point: corner 3", cure);
  expect_problem(kArrow, kTriangle, "only a convex polygon can touch a polygon: corner 3", cure);
  expect_problem(kArrow, kArrow, "corner 3", cure);
  EXPECT_TRUE(planar_pair_problem(kArrow, LineShape{}).empty());
  EXPECT_TRUE(planar_pair_problem(kTriangle, kTriangle).empty());
}

TEST(PlanarPairProblem, ABoreTouchesNoLineAndNoOtherBore) {
  expect_problem(kBore, LineShape{}, "a hollow arc cannot touch a line", "take the arc's outside");
  expect_problem(kBore, kBore, "two hollow arcs cannot touch", "take the outside of the arc that lies inside");
}

TEST(PlanarPairProblem, SomePairsAreImpossibleForGood) {
  expect_problem(PointShape{}, PointShape{}, "two points never touch", "make it a circle");
  expect_problem(LineShape{}, LineShape{}, "two lines never touch in a point", "points, circles or a polygon");
}

TEST(PlanarPairProblem, AMissingPairSaysWhatEachTypeCanTouch) {
  expect_problem(kTriangle, ArcShape{}, "there is no gap function for a", "an arc can touch: point, line, circle, arc");
  expect_problem(kTriangle, ArcShape{}, "", "a polygon can touch: point, line, circle, polygon");
  expect_problem(EllipseShape{}, LineShape{}, "an ellipse", "an ellipse has no planar gap function yet");
  expect_problem(SplineShape{}, SplineShape{}, "there is no gap function for a spline and a spline yet",
                 "a spline can touch: point, line, circle");
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

// One harmless shape of every type, in the order of ShapeGeometry.
const std::vector<ShapeGeometry> kEveryShape = {PointShape{},
                                                LineShape{},
                                                CircleShape{{0, 0, 0}, 1},
                                                ArcShape{{0, 0, 0}, 1, 0, 1, false},
                                                kTriangle,
                                                EllipseShape{},
                                                SplineShape{kTriangle.vertices_m, true},
                                                kRoundCam,
                                                SphereShape{},
                                                PlaneShape{},
                                                BoxShape{},
                                                CylinderShape{},
                                                CapsuleShape{},
                                                EllipsoidShape{}};

TEST(ShapeNames, FollowTheAlternativesOfTheGeometry) {
  std::vector<std::string> names = planar_shape_names();
  for (const std::string& name : spatial_shape_names()) names.push_back(name);
  ASSERT_EQ(names.size(), kEveryShape.size());
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(names[i], shape_type_name(kEveryShape[i]));
  EXPECT_EQ(shape_type_name(EllipseShape{}), "ellipse");
  EXPECT_EQ(shape_type_name(CapsuleShape{}), "capsule");
}

// What the file reader allows must exist, in the plane or in space.
TEST(ShapePairs, OfTheReaderAgreeWithTheGapFunctions) {
  for (const ShapeGeometry& a : kEveryShape) {
    for (const ShapeGeometry& b : kEveryShape) {
      const std::string_view type_a = shape_type_name(a), type_b = shape_type_name(b);
      const bool exists = planar_pair_problem(a, b).empty(), exists_in_space = spatial_pair_problem(a, b).empty();
      EXPECT_EQ(exists || exists_in_space, shape_pair_is_defined(type_a, type_b)) << type_a << ", " << type_b;
      EXPECT_FALSE(exists && exists_in_space) << type_a << ", " << type_b;
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
