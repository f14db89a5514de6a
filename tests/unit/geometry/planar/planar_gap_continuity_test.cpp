// No gap jumps where the nearest feature changes, and going deeper makes it smaller.
#include <gtest/gtest.h>

#include <functional>

#include "planar_gap_cases.h"

namespace freeplay::test::planar_gap_continuity_test {
namespace {

const PolygonShape kSquare{{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}};

// Along a path of the first body, from s = 0 to 1: no point of either shape moves farther than `speed` per unit of s,
// so no gap may change by more.
void expect_no_jump(const ShapeGeometry& a, const ShapeGeometry& b, double speed,
                    const std::function<PlanarPlacement(double)>& path) {
  const auto gap = make_planar_gap(a, b);
  const int steps = 20000;
  auto before = evaluate(*gap, path(0), {});
  for (int i = 1; i <= steps; ++i) {
    const double s = double(i) / steps;
    const auto now = evaluate(*gap, path(s), {});
    // Contacts of contours come and go; the nearest one cannot jump.
    if (gap->follows_contacts()) {
      ASSERT_LE(std::abs(nearest(now).gap - nearest(before).gap), speed / steps + 1e-14) << "at s = " << s;
    } else {
      for (std::size_t k = 0; k < now.size(); ++k)
        ASSERT_LE(std::abs(now[k].gap - before[k].gap), speed / steps + 1e-14) << "at s = " << s << ", point " << k;
    }
    before = now;
  }
}

// Twice around the origin in a spiral from radius `from` to radius `to`, without turning.
std::function<PlanarPlacement(double)> spiral(double from, double to) {
  return [from, to](double s) {
    const double r = from + (to - from) * s, angle = 4 * kPi * s + 0.1;
    return placement(r * std::cos(angle), r * std::sin(angle), 0);
  };
}
double spiral_speed(double from, double to) {
  return 4 * kPi * std::max(from, to) + std::abs(to - from);
}

TEST(PlanarGapContinuity, CircleAroundASquare) {
  for (const double r : {0.0, 0.3}) {
    expect_no_jump(CircleShape{{0, 0, 0}, r}, kSquare, spiral_speed(3, 0.1), spiral(3, 0.1));
  }
  expect_no_jump(PointShape{}, kSquare, spiral_speed(1.5, 1), spiral(1.5, 1));
}

TEST(PlanarGapContinuity, CircleAroundAnArc) {
  for (const double to : {1.0, 3.0, 6.0}) {
    const ArcShape arc{{0, 0, 0}, 1, 0.5, to, false};
    // Down to where its centre reaches the arc.
    expect_no_jump(CircleShape{{0, 0, 0}, 0.3}, arc, spiral_speed(3, 1), spiral(3, 1));
    expect_no_jump(PointShape{}, arc, spiral_speed(3, 1), spiral(3, 1));
  }
}

TEST(PlanarGapContinuity, CircleInABore) {
  for (const double to : {1.0, 3.0, 6.0}) {
    const ArcShape arc{{0, 0, 0}, 1, 0.5, to, true};
    expect_no_jump(CircleShape{{0, 0, 0}, 0.3}, arc, spiral_speed(0, 1), spiral(0, 1));
    // Straight through the centre, where the direction flips.
    expect_no_jump(CircleShape{{0, 0, 0}, 0.3}, arc, 1.8, [](double s) { return placement(0, 1.8 * s - 0.9, 0); });
  }
}

TEST(PlanarGapContinuity, PointThatSlidesOffAnEndOnTheArcStaysAtZero) {
  const ArcShape arc{{0, 0, 0}, 1, 0, 1, false};
  const auto gap = make_planar_gap(PointShape{}, arc);
  for (int i = -1000; i <= 0; ++i) {
    const double angle = -1e-6 * i;
    EXPECT_NEAR(nearest(evaluate(*gap, placement(std::cos(angle), std::sin(angle), 0), {})).gap, 0, 1e-15);
    // Then it is over the radial face of the sector.
    EXPECT_NEAR(nearest(evaluate(*gap, placement(std::cos(-angle), std::sin(-angle), 0), {})).gap, std::sin(angle),
                1e-15);
  }
}

TEST(PlanarGapContinuity, ArcThatTurnsOnAFloor) {
  for (const double to : {1.0, 3.0, 6.0}) {
    expect_no_jump(ArcShape{{0.2, 0.1, 0}, 1, 0.5, to, false}, LineShape{}, 4 * kPi * 1.3,
                   [](double s) { return placement(0, 1, 4 * kPi * s); });
  }
}

TEST(PlanarGapContinuity, ArcAroundAnArcAndInABore) {
  for (const double to : {1.0, 3.0, 6.0}) {
    for (const double other : {1.0, 3.0, 5.5}) {
      const ArcShape arc{{0, 0, 0}, 1, 0.5, to, false}, second{{0, 0, 0}, 0.7, -0.4, other, false};
      // Down to where full circles would touch: deeper, an end may pass behind the other arc's end.
      expect_no_jump(second, arc, spiral_speed(3, 1.7), spiral(3, 1.7));
      const ArcShape bore{{0, 0, 0}, 2, 0.5, to, true};
      expect_no_jump(second, bore, spiral_speed(0, 1.3), spiral(0, 1.3));
    }
  }
}

// A corner that enters beside the edge that the polygons face each other with jumps by the depth of the overlap, and by
// no more; outside nothing jumps.
TEST(PlanarGapContinuity, PolygonAroundAPolygon) {
  RandomShapes random(5);
  const double speed = spiral_speed(3, 1);
  const auto path = spiral(3, 1);
  for (int draw = 0; draw < 5; ++draw) {
    const auto gap = make_planar_gap(random.convex_polygon(5), kSquare);
    const int steps = 20000;
    auto before = evaluate(*gap, path(0), {});
    for (int i = 1; i <= steps; ++i) {
      const auto now = evaluate(*gap, path(double(i) / steps), {});
      double overlap = 0;
      for (const auto& list : {before, now}) {
        for (const PlanarContactPoint& point : list) overlap = std::max(overlap, -point.gap);
      }
      for (std::size_t k = 0; k < now.size(); ++k) {
        const bool is_outside = now[k].gap > 0 && before[k].gap > 0;
        ASSERT_LE(std::abs(now[k].gap - before[k].gap), speed / steps + 1e-14 + (is_outside ? 0 : overlap))
            << "step " << i << ", point " << k;
      }
      before = now;
    }
  }
}

TEST(PlanarGapContinuity, GoingDeeperMakesTheGapSmallerByAsMuch) {
  const std::vector<ShapeGeometry> movers = {PointShape{}, CircleShape{{0, 0.5, 0}, 0.5},
                                             ArcShape{{0, 0.5, 0}, 0.5, 4, 5.5, false},
                                             PolygonShape{{{0, 0, 0}, {1, 1, 0}, {-1, 1, 0}}}};
  const std::vector<ShapeGeometry> grounds = {
      LineShape{}, CircleShape{{0, -1, 0}, 1}, ArcShape{{0, -1, 0}, 1, 1, 2, false},
      ArcShape{{0, 3, 0}, 3, 4, 5.5, true}, PolygonShape{{{1, 0, 0}, {-1, 0, 0}, {-1, -1, 0}, {1, -1, 0}}}};
  for (const ShapeGeometry& a : movers) {
    for (const ShapeGeometry& b : grounds) {
      if (!planar_pair_problem(a, b).empty()) continue;
      // The lowest point of every mover is its first corner, at the origin; so is the highest point of the ground.
      for (const double y : {0.3, 1e-3, 0.0, -1e-9, -1e-3, -0.1}) {
        const PlanarContactPoint p = nearest(evaluate(a, placement(0, y, 0), b, {}));
        EXPECT_NEAR(p.gap, y, 1e-15) << shape_type_name(a) << " on " << shape_type_name(b);
        if (y != 0) {
          EXPECT_NEAR(p.normal.y(), 1, 1e-15) << shape_type_name(a) << " on " << shape_type_name(b);
        }
      }
    }
  }
}

}  // namespace
}  // namespace freeplay::test::planar_gap_continuity_test
