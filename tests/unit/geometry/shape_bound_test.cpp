// Bounds of shapes: never above the smallest gap of a pair, whatever the shapes and wherever they are, and as tight as
// the balls around them.
#include "freeplay/geometry/shapes/shape_bound.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "freeplay/geometry/shapes/enclosing_ball.h"
#include "unit/geometry/contours/cam_shapes.h"
#include "unit/geometry/spatial/spatial_gap_cases.h"

namespace freeplay::test {
namespace {

using Kind = Bound::Kind;

double smallest_gap(const std::vector<PlanarContactPoint>& points) {
  double gap = std::numeric_limits<double>::infinity();
  for (const PlanarContactPoint& p : points) gap = std::min(gap, p.gap);
  return gap;
}

// ---- planar ----

class BoundOfPlanarPair : public testing::TestWithParam<PairCase> {
 protected:
  struct Draw {
    ShapeGeometry a, b;
    PlanarPlacement at_a, at_b;
  };
  Draw draw(std::uint64_t seed, double range, double from_origin) const {
    RandomShapes random(seed);
    Draw d{random.shape(GetParam().a, GetParam().hollow_a), random.shape(GetParam().b, GetParam().hollow_b),
           random.motion(range).at(0), random.motion(range).at(0)};
    const double x = random.uniform(-from_origin, from_origin), y = random.uniform(-from_origin, from_origin);
    for (PlanarPlacement* at : {&d.at_a, &d.at_b}) {
      at->x += x;
      at->y += y;
    }
    return d;
  }
};

TEST_P(BoundOfPlanarPair, IsNeverAboveTheSmallestGap) {
  int positive = 0;
  for (const double range : {0.3, 1.5, 4.0, 20.0}) {
    for (const double from_origin : {0.0, 1e6}) {
      for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        const Draw d = draw(seed, range, from_origin);
        const double gap = smallest_gap(evaluate(d.a, d.at_a, d.b, d.at_b));
        const double bound = gap_bound(placed(bound_of(d.a), d.at_a), placed(bound_of(d.b), d.at_b));
        EXPECT_LE(bound, gap) << "seed " << seed << ", range " << range << ", " << from_origin << " m from the origin";
        EXPECT_EQ(bound, gap_bound(placed(bound_of(d.b), d.at_b), placed(bound_of(d.a), d.at_a)));
        if (bound > 0) ++positive;
      }
    }
  }
  EXPECT_GE(positive, 1000) << "the bounds leave nothing out";
}

// Half of the draws end up apart by less than a thousand times the rounding, half overlapping by as little: there a
// bound that forgets what rounding amounts to leaves out a pair that touches.
TEST_P(BoundOfPlanarPair, LeavesOutNoPairThatTouches) {
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Draw d = draw(seed, 3, seed % 2 == 0 ? 0 : 1e3);
    RandomShapes random(seed + 1);
    const auto gap = make_planar_gap(d.a, d.b);
    const auto all = evaluate(*gap, d.at_a, d.at_b);
    const PlanarContactPoint nearest = *std::min_element(
        all.begin(), all.end(), [](const auto& one, const auto& other) { return one.gap < other.gap; });
    const double left = random.uniform(-1e-13, 1e-13);
    d.at_a.x -= (nearest.gap - left) * nearest.normal.x();
    d.at_a.y -= (nearest.gap - left) * nearest.normal.y();
    const double touching = smallest_gap(evaluate(*gap, d.at_a, d.at_b));
    EXPECT_LE(gap_bound(placed(bound_of(d.a), d.at_a), placed(bound_of(d.b), d.at_b)), touching) << "seed " << seed;
  }
}

// A shape that turns against its body has a gap at some angle; the bound holds for all of them.
TEST_P(BoundOfPlanarPair, OfAShapeThatTurnsHoldsAtEveryAngle) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Draw d = draw(seed, 5, 0);
    RandomShapes random(seed + 1);
    const Vec3 about = random.vector(1);
    const double angle = random.uniform(-kPi, kPi);
    // x -> body (about + R(angle) (x - about))
    const PlanarPlacement turn = placement(0, 0, angle);
    const Vec2 shift = Vec2(about.x(), about.y()) - turn.direction({about.x(), about.y()});
    const PlanarPlacement turned{d.at_b.cos * turn.cos - d.at_b.sin * turn.sin,
                                 d.at_b.sin * turn.cos + d.at_b.cos * turn.sin, d.at_b.point(shift).x(),
                                 d.at_b.point(shift).y()};
    const double gap = smallest_gap(evaluate(d.a, d.at_a, d.b, turned));
    const Bound bound = turned_about(bound_of(d.b), about);
    EXPECT_LE(gap_bound(placed(bound_of(d.a), d.at_a), placed(bound, d.at_b)), gap) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(ShapeBound, BoundOfPlanarPair, testing::ValuesIn(all_pairs()),
                         [](const auto& pair) { return pair.param.name(); });

// ---- spatial ----

class BoundOfSpatialPair : public testing::TestWithParam<SpatialPair> {
 protected:
  struct Draw {
    ShapeGeometry a, b;
    Frame at_a, at_b;
  };
  Draw draw(std::uint64_t seed, double range, double from_origin) const {
    RandomSolids random(seed);
    Draw d{random.shape(GetParam().a), random.shape(GetParam().b), random.motion(range).at(0),
           random.motion(range).at(0)};
    const Vec3 shift = random.vector(from_origin);
    d.at_a.p += shift;
    d.at_b.p += shift;
    return d;
  }
};

TEST_P(BoundOfSpatialPair, IsNeverAboveTheSmallestGap) {
  int positive = 0;
  for (const double range : {0.3, 1.5, 4.0, 20.0}) {
    for (const double from_origin : {0.0, 1e6}) {
      for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const Draw d = draw(seed, range, from_origin);
        const double gap = nearest_of(evaluate(d.a, d.at_a, d.b, d.at_b)).gap;
        const double bound = gap_bound(placed(bound_of(d.a), d.at_a), placed(bound_of(d.b), d.at_b));
        EXPECT_LE(bound, gap) << "seed " << seed << ", range " << range << ", " << from_origin << " m from the origin";
        EXPECT_EQ(bound, gap_bound(placed(bound_of(d.b), d.at_b), placed(bound_of(d.a), d.at_a)));
        if (bound > 0) ++positive;
      }
    }
  }
  EXPECT_GE(positive, 1000) << "the bounds leave nothing out";
}

TEST_P(BoundOfSpatialPair, LeavesOutNoPairThatTouches) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Draw d = draw(seed, 3, seed % 2 == 0 ? 0 : 1e3);
    RandomSolids random(seed + 1);
    const auto gap = make_spatial_gap(d.a, d.b);
    const SpatialContactPoint nearest = nearest_of(evaluate(*gap, d.at_a, d.at_b));
    d.at_a.p -= (nearest.gap - random.uniform(-1e-13, 1e-13)) * nearest.normal;
    const double touching = nearest_of(evaluate(*gap, d.at_a, d.at_b)).gap;
    EXPECT_LE(gap_bound(placed(bound_of(d.a), d.at_a), placed(bound_of(d.b), d.at_b)), touching) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(ShapeBound, BoundOfSpatialPair, testing::ValuesIn(all_spatial_pairs()),
                         [](const auto& pair) { return pair.param.name(); });

// ---- how tight ----

// A polygon's, a full arc's and a solid's points reach the ball around them: they lie in it, and no smaller ball holds
// them, because in every direction from its centre one of them is at least at a right angle and on its surface.
TEST(ShapeBound, BallOfAPolygonIsTheSmallest) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    RandomShapes random(seed);
    std::vector<Vec2> points;
    for (int i = random.integer(1, 30); i > 0; --i) points.push_back(random.vector(1).head<2>());
    const BoundingSphere ball = enclosing_ball(points);
    const Vec2 centre = ball.centre_m.head<2>();
    for (const Vec2& p : points) EXPECT_LE((p - centre).norm(), ball.radius_m);
    for (int k = 0; k < 360; ++k) {
      const Vec2 u(std::cos(k * kPi / 180), std::sin(k * kPi / 180));
      EXPECT_TRUE(std::any_of(
          points.begin(), points.end(),
          [&](const Vec2& p) { return (p - centre).norm() > ball.radius_m - 1e-12 && u.dot(p - centre) > -1e-6; }))
          << "seed " << seed << ": the ball can shrink while it moves towards " << k << " deg";
    }
  }
}

TEST(ShapeBound, BallOfPointsInLineAndOfEqualPointsIsTheirOwn) {
  const std::vector<Vec2> line = {{0, 0}, {1, 1}, {3, 3}, {2, 2}}, equal(5, Vec2(2, -1));
  EXPECT_NEAR(enclosing_ball(line).radius_m, 1.5 * std::sqrt(2.0), 1e-15);
  EXPECT_EQ(enclosing_ball(equal).radius_m, 0);
  EXPECT_EQ(enclosing_ball(equal).centre_m, Vec3(2, -1, 0));
}

TEST(ShapeBound, BallOfAnArcHoldsItsSectorAndIsNoWiderThanItHasToBe) {
  for (const double half_angle : {0.1, 0.5, kPi / 4, 1.0, kPi / 2, 2.0, 3.0}) {
    const ArcShape arc{{0.3, -0.2, 0}, 2, 0.7 - half_angle, 0.7 + half_angle, false};
    const Bound bound = bound_of(ShapeGeometry(arc));
    std::vector<Vec2> sector = {arc.at_m.head<2>()};
    for (int k = 0; k <= 1000; ++k) {
      const double angle = arc.from + (arc.to - arc.from) * k / 1000;
      sector.push_back(sector[0] + 2 * Vec2(std::cos(angle), std::sin(angle)));
    }
    const BoundingSphere smallest = enclosing_ball(sector);
    EXPECT_NEAR(bound.ball.radius_m, smallest.radius_m, 1e-5) << half_angle;
    EXPECT_LT((bound.ball.centre_m - smallest.centre_m).norm(), 1e-2) << half_angle;
    for (const Vec2& p : sector)
      EXPECT_LE((p - bound.ball.centre_m.head<2>()).norm(), bound.ball.radius_m + 1e-14) << half_angle;
  }
}

TEST(ShapeBound, RoundPairsHaveTheirGapAsBound) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomShapes random(seed);
    const CircleShape a{random.vector(0.5), 0.3}, b{random.vector(0.5), 0.4};
    const PlanarPlacement at_a = placement(5, random.uniform(-5, 5), 1), at_b = placement(-5, 0, 2);
    EXPECT_NEAR(gap_bound(placed(bound_of(a), at_a), placed(bound_of(b), at_b)), evaluate(a, at_a, b, at_b)[0].gap,
                1e-12);
    const LineShape floor{{0, -7, 0}, Vec3::UnitY()};
    EXPECT_NEAR(gap_bound(placed(bound_of(a), at_a), placed(bound_of(floor), placement(0, 0, 0))),
                evaluate(a, at_a, floor, placement(0, 0, 0))[0].gap, 1e-12);
  }
  // A journal in its bore, which most of the time touches nothing.
  const ArcShape bore{Vec3::Zero(), 1, -3, 3, true};
  EXPECT_NEAR(gap_bound(placed(bound_of(CircleShape{Vec3::Zero(), 0.9}), placement(0.05, 0, 0)),
                        placed(bound_of(bore), placement(0, 0, 0))),
              0.05, 1e-12);
}

// ---- contours and cams ----

CamShape cam_by_points(const std::vector<Vec3>& points) {
  CamShape cam;
  cam.points_m = points;
  return cam;
}

TEST(ShapeBound, IsKnownOfAContourOnlyWhereItSurelyHasItsMatterInside) {
  const SplineShape round = spline_through_circle(9, 1);
  EXPECT_EQ(bound_of(round).kind, Kind::kBall);
  EXPECT_EQ(bound_of(cam_by_points(round.points_m)).kind, Kind::kBall);
  SplineShape hole = round, open = round, twice = round;
  std::reverse(hole.points_m.begin(), hole.points_m.end());
  EXPECT_EQ(bound_of(hole).kind, Kind::kEverywhere);
  open.closed = false;
  EXPECT_EQ(bound_of(open).kind, Kind::kBall) << "a wall has its matter between its front and its back";
  for (const Vec3& p : round.points_m) twice.points_m.push_back(1.5 * p);
  EXPECT_EQ(bound_of(twice).kind, Kind::kEverywhere);
  // An eight: one of its loops is turned inside out.
  const SplineShape eight{
      {{0, 0, 0}, {1, 1, 0}, {2, 0, 0}, {1, -1, 0}, {0, 0.01, 0}, {-1, 1, 0}, {-2, 0, 0}, {-1, -1, 0}}};
  EXPECT_EQ(bound_of(eight).kind, Kind::kEverywhere);
  EXPECT_EQ(bound_of(cam_by_lift(1, "0.1*sin(phi)")).kind, Kind::kEverywhere);
  EXPECT_EQ(bound_of(cam_by_radius("1 + 0.1*sin(phi)")).kind, Kind::kEverywhere);
}

// Wavy contours, as of a sprocket.
TEST(ShapeBound, OfASplineIsNeverAboveTheGap) {
  int positive = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomShapes random(seed);
    SplineShape spline = spline_through_circle(random.integer(5, 24), 1);
    for (Vec3& p : spline.points_m) p *= random.uniform(0.7, 1.3);
    const ShapeGeometry roller = CircleShape{random.vector(0.2), random.uniform(0, 0.5)};
    const auto gap = make_planar_gap(roller, spline);
    const Bound a = bound_of(roller), b = bound_of(spline);
    for (int k = 0; k < 300; ++k) {
      const PlanarPlacement at_a = random.motion(3).at(0), at_b = random.motion(1).at(0);
      const double bound = gap_bound(placed(a, at_a), placed(b, at_b));
      EXPECT_LE(bound, smallest_gap(evaluate(*gap, at_a, at_b))) << "seed " << seed;
      if (bound > 0) ++positive;
    }
  }
  EXPECT_GE(positive, 4000);
}

TEST(ShapeBound, OfAConvexSplineIsNeverAboveItsGapToALine) {
  RandomShapes random(3);
  const SplineShape spline = spline_through_circle(7, 1);
  const LineShape line{{0.1, 0, 0}, Vec3(0.6, 0.8, 0)};
  const auto gap = make_planar_gap(spline, line);
  int positive = 0;
  for (int k = 0; k < 3000; ++k) {
    const PlanarPlacement at_a = random.motion(4).at(0), at_b = random.motion(4).at(0);
    const double bound = gap_bound(placed(bound_of(spline), at_a), placed(bound_of(line), at_b));
    EXPECT_LE(bound, smallest_gap(evaluate(*gap, at_a, at_b)));
    if (bound > 0) ++positive;
  }
  EXPECT_GE(positive, 500);
}

// ---- odd input ----

TEST(ShapeBound, OfAnUndefinedPlaceIsMinusInfinity) {
  const Bound ball = bound_of(SphereShape{Vec3::Zero(), 1});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Bound there = placed(ball, frame({10, 0, 0}));
  EXPECT_GT(gap_bound(placed(ball, frame(Vec3::Zero())), there), 0);
  EXPECT_EQ(gap_bound(placed(ball, frame({nan, 0, 0})), there), -std::numeric_limits<double>::infinity());
  const Bound plane = placed(bound_of(PlaneShape{}), frame(Vec3::Zero()));
  EXPECT_EQ(gap_bound(plane, plane), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(gap_bound(plane, Bound{}), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace freeplay::test
