// The gap function of a spatial pin in a slot: by hand, against the planar contours of the same slot, and rates against
// finite differences under any motion of both bodies.
#include "freeplay/contact/play/slot_play.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "freeplay/geometry/contours/contour_gap.h"
#include "freeplay/geometry/contours/shape_contour.h"
#include "unit/contact/moving_pair.h"

namespace freeplay::test::slot_play_test {
namespace {

using moving_pair::Draw;
using moving_pair::evaluate;
using moving_pair::expect_rates;
using moving_pair::TwoBodies;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kPin = 0.05, kClearance = 0.01, kWidth = 0.2, kHead = 0.12, kAxial = 0.02, kLength = 0.4;

SlotPlay::Size size_of(double slot_radius, bool has_left = true, bool has_right = true) {
  const std::vector<Vec2> rim = {{kHead, 0}, {0, kHead}, {-kHead, 0}, {0, -kHead}};
  return {{kLength, kPin + kClearance, slot_radius, has_left, has_right}, kPin, kClearance, kWidth, rim, kAxial};
}

// Of a pin that is off the slot's middle by d and turned.
std::vector<SpatialContactPoint> off_by(const SlotPlay::Size& size, const Vec3& d, const Mat3& turn) {
  return evaluate(SlotPlay({}, {}, size), {turn, d}, {});
}

TEST(SlotPlay, WallsAndFacesAreAsFarAwayAsThePlay) {
  const auto points = off_by(size_of(0), Vec3(0.1, 4e-3, 5e-3), Mat3::Identity());
  ASSERT_EQ(points.size(), 14u);
  for (const std::size_t left : {0u, 2u}) {
    EXPECT_NEAR(points[left].gap, kClearance - 4e-3, 1e-15);
    EXPECT_NEAR(points[left + 1].gap, kClearance + 4e-3, 1e-15);
    const double z = 5e-3 + (left == 0 ? -1 : 1) * kWidth / 2;
    EXPECT_LT((points[left].point_a - Vec3(0.1, 4e-3 + kPin, z)).norm(), 1e-15) << "on the pin";
    EXPECT_LT((points[left].point_b - Vec3(0.1, kPin + kClearance, z)).norm(), 1e-15) << "on the wall";
    EXPECT_LT((points[left].normal + Vec3::UnitY()).norm(), 1e-15) << "the wall pushes the pin back";
    EXPECT_LT((points[left + 1].normal - Vec3::UnitY()).norm(), 1e-15);
    EXPECT_LT((points[left].tangent - Vec3::UnitX()).norm(), 1e-15) << "along the slot";
  }
  for (const std::size_t end : {4u, 5u}) EXPECT_EQ(points[end].gap, kInfinite) << "the slot goes on";
  const Vec3 around[] = {Vec3::UnitX(), Vec3::UnitY(), -Vec3::UnitX(), -Vec3::UnitY()};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(points[6 + k].gap, kAxial - 5e-3, 1e-15) << "the lower head comes nearer";
    EXPECT_NEAR(points[10 + k].gap, kAxial + 5e-3, 1e-15);
    EXPECT_LT((points[6 + k].normal + Vec3::UnitZ()).norm(), 1e-15) << "the plate pushes it down";
    EXPECT_NEAR(points[10 + k].point_b.z(), kWidth / 2, 1e-15) << "the face of the plate";
    EXPECT_LT((points[10 + k].point_a - Vec3(0.1, 4e-3, kWidth / 2 + kAxial + 5e-3) - kHead * around[k]).norm(), 1e-15);
  }
}

TEST(SlotPlay, TiltsCloseOppositeWallsAndRims) {
  const double tilt = 0.03;
  // About x: the end at +z goes to -y, away from the left wall.
  const auto across = off_by(size_of(0), Vec3::Zero(), Eigen::AngleAxisd(tilt, Vec3::UnitX()).toRotationMatrix());
  EXPECT_NEAR(across[0].gap, kClearance - kWidth / 2 * std::sin(tilt), 1e-15);
  EXPECT_NEAR(across[1].gap, kClearance + kWidth / 2 * std::sin(tilt), 1e-15);
  EXPECT_NEAR(across[2].gap, kClearance + kWidth / 2 * std::sin(tilt), 1e-15);
  EXPECT_NEAR(across[3].gap, kClearance - kWidth / 2 * std::sin(tilt), 1e-15);
  // About y: x of the heads goes to -z.
  const auto along = off_by(size_of(0), Vec3::Zero(), Eigen::AngleAxisd(tilt, Vec3::UnitY()).toRotationMatrix());
  const double raised = (kWidth / 2 + kAxial) * std::cos(tilt) - kWidth / 2;
  EXPECT_NEAR(along[6].gap, raised + kHead * std::sin(tilt), 1e-15);
  EXPECT_NEAR(along[8].gap, raised - kHead * std::sin(tilt), 1e-15);
  EXPECT_NEAR(along[10].gap, raised - kHead * std::sin(tilt), 1e-15);
  EXPECT_NEAR(along[12].gap, raised + kHead * std::sin(tilt), 1e-15);
}

TEST(SlotPlay, OneWallHasNoEnds) {
  const auto left = off_by(size_of(0, true, false), Vec3(3, 4e-3, 0), Mat3::Identity());
  const auto right = off_by(size_of(0, false, true), Vec3(3, 4e-3, 0), Mat3::Identity());
  ASSERT_EQ(left.size(), 10u);
  ASSERT_EQ(right.size(), 10u);
  for (const std::size_t i : {0u, 1u}) {
    EXPECT_NEAR(left[i].gap, kClearance - 4e-3, 1e-15);
    EXPECT_NEAR(right[i].gap, kClearance + 4e-3, 1e-15);
  }
}

// The planar gap function is that of contours, which looks for the nearest points of a circle and an outline. A pin
// that stands upright has the same distances at both of its ends.
TEST(SlotPlay, IsTheSlotOfThePlane) {
  Draw draw;
  for (const double radius : {0.0, 0.5, 0.15}) {
    const SlotPlay::Size size = size_of(radius);
    ContourResult pin = make_contour(CircleShape{Vec3::Zero(), kPin});
    ContourResult walls = make_contour(slot_walls(size.slot, {}));
    ASSERT_TRUE(pin.problem.empty() && walls.problem.empty());
    const ContourGap planar(std::move(pin.contour), std::move(walls.contour));
    std::vector<PlanarContactPoint> flat(static_cast<std::size_t>(planar.point_count()));
    int at_ends = 0;
    for (int i = 0; i < 400; ++i) {
      const double along = draw(kLength / 2 + kClearance), left = draw(kClearance);
      Vec3 p(along, left, 0);
      if (radius > 0) {
        const double turn = along / radius;
        p = {(radius - left) * std::sin(turn), radius - (radius - left) * std::cos(turn), 0};
      }
      planar.evaluate({.x = p.x(), .y = p.y()}, {}, flat);
      const auto in_space = off_by(size, p, Mat3::Identity());
      const auto nearest = std::min_element(flat.begin(), flat.end(), [](auto& a, auto& b) { return a.gap < b.gap; });
      for (const std::size_t end : {0u, 1u}) {
        const SpatialContactPoint* of_space = &in_space[2 * end];
        for (const std::size_t k : {2 * end + 1, 4 + end})
          if (in_space[k].gap < of_space->gap) of_space = &in_space[k];
        EXPECT_NEAR(of_space->gap, nearest->gap, 1e-13) << p.transpose();
        EXPECT_LT((of_space->normal.head<2>() - nearest->normal).norm(), 1e-9) << p.transpose();
        at_ends += of_space == &in_space[4 + end] ? 1 : 0;
      }
    }
    EXPECT_GE(at_ends, 10);
  }
}

TEST(SlotPlay, RatesMeetFiniteDifferences) {
  Draw draw;
  for (int i = 0; i < 300; ++i) {
    const double radius = i % 3 == 0 ? 0 : 0.5;
    // Where walls are near, and around both ends.
    TwoBodies bodies(draw, 0.3, 1e-3);
    const SlotPlay gap(bodies.on_child, bodies.on_parent, size_of(radius, i % 5 != 1, i % 5 != 2));
    expect_rates(gap, bodies.child, bodies.parent, 1e-6);
  }
}

}  // namespace
}  // namespace freeplay::test::slot_play_test
