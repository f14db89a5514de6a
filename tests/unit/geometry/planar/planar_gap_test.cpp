// Gaps, points and normals in closed form.
#include "freeplay/geometry/pairs/planar_gap.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "planar_gap_cases.h"

namespace freeplay::test::planar_gap_test {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
const PlanarPlacement kOrigin;
const LineShape kFloor{};
const PolygonShape kSquare{{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}};

void expect_contact(const PlanarContactPoint& contact, double gap, const Vec2& point_a, const Vec2& point_b,
                    const Vec2& normal) {
  EXPECT_NEAR(contact.gap, gap, 4 * kEps);
  EXPECT_TRUE((contact.point_a - point_a).norm() < 8 * kEps) << contact.point_a.transpose();
  EXPECT_TRUE((contact.point_b - point_b).norm() < 8 * kEps) << contact.point_b.transpose();
  EXPECT_TRUE((contact.normal - normal).norm() < 8 * kEps) << contact.normal.transpose();
  EXPECT_EQ(contact.tangent, tangent_of(contact.normal));
}

TEST(PlanarGap, TangentOfAFloorPointsRight) {
  EXPECT_EQ(tangent_of(Vec2::UnitY()), Vec2(Vec2::UnitX()));
}

TEST(PlanarGap, CircleAboveAFloor) {
  const CircleShape circle{{0, 1, 0}, 0.5};
  // Turned by 90 degrees at (3, 2): the centre is at (2, 2).
  const auto points = evaluate(circle, {0, 1, 3, 2}, kFloor, kOrigin);
  ASSERT_EQ(points.size(), 1u);
  expect_contact(points[0], 1.5, {2, 1.5}, {2, 0}, {0, 1});
}

TEST(PlanarGap, PointBelowAFloorIsNegative) {
  const auto points = evaluate(PointShape{}, placement(1, -0.25, 0.3), kFloor, kOrigin);
  expect_contact(points[0], -0.25, {1, -0.25}, {1, 0}, {0, 1});
}

TEST(PlanarGap, SwappedPairHasTheOppositeNormal) {
  const auto points = evaluate(kFloor, kOrigin, CircleShape{{0, 0, 0}, 0.5}, placement(0, 2, 0));
  expect_contact(points[0], 1.5, {0, 0}, {0, 1.5}, {0, -1});
  EXPECT_EQ(points[0].tangent, Vec2(-1, 0));
}

TEST(PlanarGap, CirclesThatOverlapHaveANegativeGap) {
  // Centres 5 apart along (3, 4), radii 4 and 2.
  const auto points =
      evaluate(CircleShape{{0, 0, 0}, 4}, placement(3, 4, 1), CircleShape{{0, 0, 0}, 2}, placement(0, 0, 2));
  expect_contact(points[0], -1, {0.6, 0.8}, {1.2, 1.6}, {0.6, 0.8});
}

TEST(PlanarGap, CoincidentCentresGiveTheFullDepthAndAUnitNormal) {
  const auto points = evaluate(CircleShape{{0, 0, 0}, 1}, kOrigin, CircleShape{{0, 0, 0}, 2}, kOrigin);
  EXPECT_EQ(points[0].gap, -3);
  EXPECT_EQ(points[0].normal.norm(), 1);
  EXPECT_EQ(evaluate(PointShape{}, kOrigin, CircleShape{{0, 0, 0}, 2}, kOrigin)[0].gap, -2);
}

TEST(PlanarGap, PolygonOnALineHasOnePointPerCornerInItsOrder) {
  const auto points = evaluate(kSquare, placement(0, 1, 0), kFloor, kOrigin);
  ASSERT_EQ(points.size(), 4u);
  expect_contact(points[0], 0, {-1, 0}, {-1, 0}, {0, 1});
  expect_contact(points[1], 0, {1, 0}, {1, 0}, {0, 1});
  expect_contact(points[2], 2, {1, 2}, {1, 0}, {0, 1});
  expect_contact(points[3], 2, {-1, 2}, {-1, 0}, {0, 1});
}

TEST(PlanarGap, PolygonThatIsNotConvexStandsOnALine) {
  const PolygonShape arrow{{{-1, 0, 0}, {0, 0.5, 0}, {1, 0, 0}, {0, 2, 0}}};
  const auto points = evaluate(arrow, kOrigin, kFloor, kOrigin);
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[0].gap, 0);
  EXPECT_EQ(points[1].gap, 0.5);
  EXPECT_EQ(points[2].gap, 0);
}

// ---- arcs ----

const ArcShape kUpperHalf{{0, 0, 0}, 2, 0, kPi, false};
const ArcShape kUpperBore{{0, 0, 0}, 2, 0, kPi, true};

TEST(PlanarGap, CircleOutsideAnArcIsRadialInItsRange) {
  const auto points = evaluate(CircleShape{{0, 0, 0}, 0.5}, placement(3, 4, 1), kUpperHalf, kOrigin);
  expect_contact(nearest(points), 2.5, {2.7, 3.6}, {1.2, 1.6}, {0.6, 0.8});
}

TEST(PlanarGap, CircleInABoreIsPushedTowardsTheCentre) {
  const auto points = evaluate(CircleShape{{0, 0, 0}, 0.5}, placement(0.6, 0.8, 1), kUpperBore, kOrigin);
  expect_contact(nearest(points), 0.5, {0.9, 1.2}, {1.2, 1.6}, {-0.6, -0.8});
}

TEST(PlanarGap, CircleBeyondTheRangeTouchesTheNearestEnd) {
  // 3-4-5 from the end at (2, 0), below the range of a sector; and from the outer end of a wall's face, whose depth is
  // a tenth of the arc's length.
  expect_contact(nearest(evaluate(CircleShape{{0, 0, 0}, 1}, placement(5, -4, 0), kUpperHalf, kOrigin)), 4, {4.4, -3.2},
                 {2, 0}, {0.6, -0.8});
  const double back = 2 + 0.2 * kPi;
  EXPECT_NEAR(nearest(evaluate(CircleShape{{0, 0, 0}, 1}, placement(back + 3, -4, 0), kUpperBore, kOrigin)).gap, 4,
              8 * kEps);
}

TEST(PlanarGap, WideCircleRestsOnTheLipsOfACup) {
  // A cup of radius 1 with lips at (+-sqrt(1/2), -sqrt(1/2)), a ball of radius 2 above it.
  const ArcShape cup{{0, 0, 0}, 1, 1.25 * kPi, 1.75 * kPi, true};
  const double lip = std::sqrt(0.5);
  const double height = -lip + std::sqrt(4 - 0.5);
  EXPECT_NEAR(nearest(evaluate(CircleShape{{0, 0, 0}, 2}, placement(0, height, 0), cup, kOrigin)).gap, 0, 4 * kEps);
}

TEST(PlanarGap, RockerRollsOnItsArcAndTipsOverItsEnd) {
  const ArcShape rocker{{0, 0, 0}, 1, 1.25 * kPi, 1.75 * kPi, false};
  // Upright: the lowest point is at -90 degrees. Turned by 90 degrees the nearest end is 45 degrees off.
  expect_contact(nearest(evaluate(rocker, placement(3, 1, 0), kFloor, kOrigin)), 0, {3, 0}, {3, 0}, {0, 1});
  const double lip = std::sqrt(0.5);
  expect_contact(nearest(evaluate(rocker, placement(3, 1, kPi / 2), kFloor, kOrigin)), 1 - lip, {3 + lip, 1 - lip},
                 {3 + lip, 0}, {0, 1});
}

TEST(PlanarGap, ArcsTouchAlongTheLineOfTheirCentres) {
  const ArcShape lower{{0, 0, 0}, 1, kPi, 2 * kPi, false};
  expect_contact(nearest(evaluate(lower, placement(0, 4, 0), kUpperHalf, kOrigin)), 1, {0, 3}, {0, 2}, {0, 1});
  // The lower half of radius 1 in a lower bore of radius 2: 0.5 below its centre.
  const ArcShape bore{{0, 0, 0}, 2, kPi, 2 * kPi, true};
  expect_contact(nearest(evaluate(lower, placement(0, -0.5, 0), bore, kOrigin)), 0.5, {0, -1.5}, {0, -2}, {0, 1});
  expect_contact(nearest(evaluate(bore, kOrigin, lower, placement(0, -0.5, 0))), 0.5, {0, -2}, {0, -1.5}, {0, -1});
}

TEST(PlanarGap, ConcentricArcsAreApartByTheirRadii) {
  const ArcShape shaft{{0, 0, 0}, 1, 3.5, 5, false}, bore{{0, 0, 0}, 1.25, kPi, 2 * kPi, true};
  EXPECT_NEAR(nearest(evaluate(shaft, kOrigin, bore, kOrigin)).gap, 0.25, 2 * kEps);
}

TEST(PlanarGap, ArcsTouchWithTheirEnds) {
  // A quarter of radius 1 with an end pointing down at (0, 4), above the top of the upper half.
  const ArcShape quarter{{1, 0, 0}, 1, kPi, 1.5 * kPi, false};
  const auto points = evaluate(quarter, placement(-1, 5, 0), kUpperHalf, kOrigin);
  expect_contact(nearest(points), 2, {0, 4}, {0, 2}, {0, 1});
}

// ---- convex polygons ----

TEST(PlanarGap, CircleBesideAPolygonTouchesAnEdgeOrACorner) {
  const CircleShape circle{{0, 0, 0}, 0.5};
  expect_contact(evaluate(circle, placement(3, 0.25, 0), kSquare, kOrigin)[0], 1.5, {2.5, 0.25}, {1, 0.25}, {1, 0});
  expect_contact(evaluate(circle, placement(4, 5, 0), kSquare, kOrigin)[0], 4.5, {3.7, 4.6}, {1, 1}, {0.6, 0.8});
}

TEST(PlanarGap, InsideAPolygonTheEdgeOfLeastDepthCounts) {
  expect_contact(evaluate(PointShape{}, placement(0.5, 0.75, 0), kSquare, kOrigin)[0], -0.25, {0.5, 0.75}, {0.5, 1},
                 {0, 1});
  expect_contact(evaluate(CircleShape{{0, 0, 0}, 2}, placement(-0.75, 0.5, 0), kSquare, kOrigin)[0], -2.25, {1.25, 0.5},
                 {-1, 0.5}, {-1, 0});
}

TEST(PlanarGap, PointOnACornerHasAUnitNormalOfOneOfItsEdges) {
  const auto point = evaluate(PointShape{}, placement(1, 1, 0), kSquare, kOrigin)[0];
  EXPECT_EQ(point.gap, 0);
  EXPECT_EQ(point.normal.norm(), 1);
  EXPECT_GE(point.normal.minCoeff(), 0);
}

// A side in five pieces whose corners are in line only up to rounding: above its middle the distance is the height.
TEST(PlanarGap, CornersOnAStraightSideDoNotDisturb) {
  const double angle = 0.7;
  const PlanarPlacement turn = placement(0, 0, angle);
  PolygonShape bar;
  for (int i = 5; i >= 0; --i) {
    const Vec2 p = turn.point({0.1 * i, 0});
    bar.vertices_m.emplace_back(p.x(), p.y(), 0);
  }
  for (const double x : {0.0, 0.5}) {
    const Vec2 p = turn.point({x, -1});
    bar.vertices_m.emplace_back(p.x(), p.y(), 0);
  }
  ASSERT_TRUE(planar_pair_problem(PointShape{}, bar).empty()) << planar_pair_problem(PointShape{}, bar).message;
  for (int i = 0; i <= 100; ++i) {
    const Vec2 above = turn.point({0.005 * i, 0.125}), below = turn.point({0.005 * i, -1e-3});
    EXPECT_NEAR(evaluate(PointShape{}, placement(above.x(), above.y(), 0), bar, kOrigin)[0].gap, 0.125, 4 * kEps);
    const double inside = evaluate(PointShape{}, placement(below.x(), below.y(), 0), bar, kOrigin)[0].gap;
    EXPECT_NEAR(inside, -std::min({1e-3, 0.005 * i, 0.5 - 0.005 * i}), 4 * kEps);
  }
}

TEST(PlanarGap, PolygonsHaveOnePointPerCornerOfBoth) {
  const PolygonShape triangle{{{0, 0, 0}, {2, 2, 0}, {-2, 2, 0}}};
  const auto points = evaluate(triangle, placement(0, 1.5, 0), kSquare, kOrigin);
  ASSERT_EQ(points.size(), 7u);
  expect_contact(points[0], 0.5, {0, 1.5}, {0, 1}, {0, 1});
  // The square's corner (1, 1) below the edge y = 1.5 + x, 1.5 / sqrt(2) away from it.
  const double h = std::sqrt(0.5);
  expect_contact(points[5], 1.5 * h, {0.25, 1.75}, {1, 1}, {-h, h});
}

TEST(PlanarGap, BoxOnAShiftedBoxRestsOnACornerOfEach) {
  const auto points = evaluate(kSquare, placement(0.5, 2, 0), kSquare, kOrigin);
  int closed = 0;
  for (const PlanarContactPoint& point : points) {
    EXPECT_GE(point.gap, 0);
    if (point.gap == 0) {
      ++closed;
      EXPECT_EQ(point.normal, Vec2(Vec2::UnitY()));
    }
  }
  EXPECT_EQ(closed, 2);
}

// ---- precision ----

// The gap is a small difference of large numbers; it must not be worse than their rounding.
TEST(PlanarGap, OfNearlyTouchingShapesIsExactToRoundingFarFromTheOrigin) {
  const double far = 1 << 20, gap = std::ldexp(1, -30);  // exact sums
  const PlanarPlacement a{1, 0, far, far + gap}, b{1, 0, far, far};
  const CircleShape ball{{0, 1, 0}, 1};
  EXPECT_EQ(evaluate(ball, a, kFloor, b)[0].gap, gap);
  EXPECT_EQ(evaluate(ball, a, CircleShape{{0, -2, 0}, 2}, b)[0].gap, gap);
  EXPECT_NEAR(nearest(evaluate(ball, a, ArcShape{{0, -2, 0}, 2, 1, 2, false}, b)).gap, gap, 4 * kEps);
  EXPECT_NEAR(nearest(evaluate(ball, a, ArcShape{{0, 2, 0}, 2, 4, 5, true}, b)).gap, gap, 4 * kEps);
  EXPECT_EQ(evaluate(PolygonShape{{{0, 0, 0}, {1, 1, 0}, {-1, 1, 0}}}, a, kFloor, b)[0].gap, gap);
}

// The same formulas in long double, over bodies of size 1 at most 3 from the origin.
TEST(PlanarGap, IsThatOfALongerArithmeticUpToRounding) {
  using Real = long double;
  RandomShapes random(11);
  for (int draw = 0; draw < 500; ++draw) {
    const CircleShape circle{random.vector(0.5), random.uniform(0.1, 1)};
    const Vec3 at = random.vector(0.5);
    const double radius = random.uniform(0.1, 4);
    const PlanarPlacement a = random.motion(2).at(0), b = random.motion(2).at(0);
    const auto world = [](const PlanarPlacement& body, const Vec3& p) {
      return std::pair<Real, Real>{body.x + Real(body.cos) * p.x() - Real(body.sin) * p.y(),
                                   body.y + Real(body.sin) * p.x() + Real(body.cos) * p.y()};
    };
    const auto [ax, ay] = world(a, circle.at_m);
    const auto [bx, by] = world(b, at);
    const Real distance = std::hypot(ax - bx, ay - by);
    const Real outside = distance - circle.radius_m - radius, inside = radius - distance - circle.radius_m;
    const Real height = (ax - bx) * -Real(b.sin) + (ay - by) * Real(b.cos) - circle.radius_m;
    const auto expect_equal = [&](const ShapeGeometry& shape, Real gap) {
      EXPECT_NEAR(double(nearest(evaluate(circle, a, shape, b)).gap - gap), 0, 2e-15) << shape_type_name(shape);
    };
    expect_equal(CircleShape{at, radius}, outside);
    expect_equal(LineShape{at, Vec3::UnitY()}, height);
    const PlanarContactPoint touch = evaluate(circle, a, CircleShape{at, radius}, b)[0];
    const double angle = std::atan2(touch.normal.y(), touch.normal.x()) - std::atan2(b.sin, b.cos);
    // An overlap that is deeper than the matter of an arc has left it on the other side.
    if (outside > 0) expect_equal(ArcShape{at, radius, angle - 0.1, angle + 0.1, false}, outside);
    if (inside > 0) expect_equal(ArcShape{at, radius, angle - 3, angle + 3, true}, inside);
  }
}

}  // namespace
}  // namespace freeplay::test::planar_gap_test
