// Bodies whose faces lie on each other end on end, as the stones of an arch do: corner on corner, where rounding
// decides which corner is over which edge and what is beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "freeplay/geometry/contours/contour_shapes.h"
#include "freeplay/geometry/pairs/planar_gap.h"

namespace freeplay::test::contour_flush_test {
namespace {

using namespace freeplay::geometry;

PlanarPlacement turned(double x, double y, double angle) {
  return {std::cos(angle), std::sin(angle), x, y};
}

// The upper face from (-1, 1) to (1, 1), the lower one from (-1, -1) to (1, -1); the sides lean by `lean` to each side.
PolygonShape stone(double lean) {
  return PolygonShape{{{-1, -1, 0}, {1, -1, 0}, {1 + lean, 0, 0}, {1, 1, 0}, {-1, 1, 0}, {-1 - lean, 0, 0}}};
}

// The same as a polygon, whose corners are its contact points, and as a contour, whose contacts come and go in its
// points.
std::vector<std::unique_ptr<const PlanarGap>> gaps_of_stones(double lean) {
  const PolygonShape polygon = stone(lean);
  OutlineShape outline;
  for (const Vec3& corner : polygon.vertices_m) outline.corners.push_back({corner});
  std::vector<std::unique_ptr<const PlanarGap>> gaps;
  gaps.push_back(make_planar_gap(polygon, polygon));
  gaps.push_back(make_planar_gap(outline, outline));
  return gaps;
}

// The gap at one end of the upper stone, height above the lower one's face: exact for small tilts.
double height_at(double x, double depth, double tilt) {
  return -depth + x * tilt;
}

bool is_held(const PlanarGap& gap, const PlanarPlacement& upper, double lower_x, double end, double height,
             double tilt) {
  std::vector<PlanarContactPoint> points(static_cast<std::size_t>(gap.point_count()));
  gap.evaluate(upper, turned(lower_x, 5, 0), points);
  return std::any_of(points.begin(), points.end(), [&](const PlanarContactPoint& p) {
    return std::abs(p.point_b.x() - lower_x - end) < 1e-4 && std::abs(p.gap - height) < 1e-10 + 1e-3 * std::abs(tilt) &&
           p.normal.y() > 0.99;
  });
}

// Displacements along the face from none over rounding to what a joint creeps in a run; depths as a step leaves them.
TEST(FacesThatLieFlush, TouchAtBothEndsHoweverRoundingShiftsAndTurnsThem) {
  for (const double lean : {0.0, 0.2, -0.2}) {
    for (const auto& gap : gaps_of_stones(lean)) {
      for (const double shift : {0.0, 1e-17, -1e-17, 3e-16, -3e-16, 1e-13, -1e-13, 1e-11, -1e-11, 1e-8, -1e-8, 1e-5}) {
        for (const double depth : {0.0, 1e-16, -1e-16, 1e-13, -1e-13, 1e-9, -1e-9, 1e-5, -1e-5, 1e-3}) {
          for (const double tilt : {0.0, 1e-16, -1e-16, 1e-12, -1e-12, 1e-8, -1e-8, 1e-6, -1e-6}) {
            for (const double x : {0.0, 0.3, 77.7}) {
              for (const double end : {-1.0, 1.0}) {
                EXPECT_TRUE(
                    is_held(*gap, turned(x + shift, 5 + 2 - depth, tilt), x, end, height_at(end, depth, tilt), tilt))
                    << gap->point_count() << " points, lean " << lean << ", shift " << shift << ", depth " << depth
                    << ", tilt " << tilt << ", at " << x << ", end " << end;
              }
            }
          }
        }
      }
    }
  }
}

// No corner that lies on a corner pushes sideways: the direction between two points at one place is only rounding.
TEST(FacesThatLieFlush, PushAgainstEachOtherOnly) {
  for (const double lean : {0.0, 0.2, -0.2}) {
    for (const auto& gap : gaps_of_stones(lean)) {
      for (const double shift : {0.0, 1e-17, -1e-17, 3e-16, -3e-16, 1e-13, -1e-13, 1e-10, -1e-10}) {
        for (const double depth : {0.0, 1e-16, -1e-16, 1e-13, -1e-13, 1e-10, -1e-10}) {
          std::vector<PlanarContactPoint> points(static_cast<std::size_t>(gap->point_count()));
          gap->evaluate(turned(77.7 + shift, 5 + 2 - depth, 0), turned(77.7, 5, 0), points);
          for (const PlanarContactPoint& p : points) {
            EXPECT_TRUE(!(p.gap < 1e-6) || p.normal.y() > 0.999)
                << gap->point_count() << " points, lean " << lean << ", shift " << shift << ", depth " << depth;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace freeplay::test::contour_flush_test
