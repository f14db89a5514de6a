// The points of a pair of contours: how many there are, which contact each of them has, and that it keeps it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "freeplay/geometry/contours/contour_gap.h"
#include "freeplay/geometry/contours/shape_contour.h"
#include "freeplay/geometry/pairs/planar_gap.h"

namespace freeplay::test::contour_gap_test {
namespace {

using namespace freeplay::geometry;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

PlanarPlacement at(double x, double y, double angle = 0) {
  return {std::cos(angle), std::sin(angle), x, y};
}

struct Points {
  std::vector<PlanarContactPoint> at;
  std::vector<std::uint64_t> feature;
  bool is_crowded = false;

  int contacts() const {
    return static_cast<int>(
        std::count_if(at.begin(), at.end(), [](const PlanarContactPoint& p) { return p.gap < kInfinity; }));
  }
  // The point whose contact lies to the left (-1) or right (+1) of x.
  int on_side(double side, double x) const {
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (at[i].gap < kInfinity && side * (at[i].point_b.x() - x) > 0) return static_cast<int>(i);
    }
    return -1;
  }
};

Points follow(const PlanarGap& gap, const PlanarPlacement& a, const PlanarPlacement& b,
              std::vector<std::uint64_t> before = {}) {
  const std::size_t count = static_cast<std::size_t>(gap.point_count());
  before.resize(count, 0);
  Points points{std::vector<PlanarContactPoint>(count), std::vector<std::uint64_t>(count)};
  points.is_crowded = gap.follow(a, b, before, points.at, points.feature);
  return points;
}

const EdgeShape kFloor{{1, 0, 0}, {-1, 0, 0}, 0.2};  // matter to the left of -x: below
const OutlineShape kBox{{{{-0.1, -0.05, 0}}, {{0.1, -0.05, 0}}, {{0.1, 0.05, 0}}, {{-0.1, 0.05, 0}}}};
// A V of 90 degrees in a block.
const OutlineShape kGroove{{{{0, 0, 0}}, {{-0.3, 0.3, 0}}, {{-0.3, -0.3, 0}}, {{0.3, -0.3, 0}}, {{0.3, 0.3, 0}}}};

TEST(ContourGap, ABoxThatLiesOnAnEdgeTouchesWithBothCornersHoweverRoundingTurnsIt) {
  const auto gap = make_planar_gap(kBox, kFloor);
  ASSERT_EQ(gap->point_count(), 2);
  for (const double turn : {0.0, 1e-17, -1e-17, 1e-13, -1e-13, 1e-6, -1e-6, 0.09, -0.09}) {
    const Points points = follow(*gap, at(0.3, 0.05, turn), at(0, 0));
    ASSERT_EQ(points.contacts(), 2) << turn;
    const int left = points.on_side(-1, 0.3), right = points.on_side(1, 0.3);
    ASSERT_TRUE(left >= 0 && right >= 0) << turn;
    const double c = std::cos(turn), s = std::sin(turn);
    EXPECT_NEAR(points.at[static_cast<std::size_t>(left)].gap, 0.05 - 0.1 * s - 0.05 * c, 1e-15);
    EXPECT_NEAR(points.at[static_cast<std::size_t>(right)].gap, 0.05 + 0.1 * s - 0.05 * c, 1e-15);
    EXPECT_NEAR(points.at[0].normal.y(), 1, 1e-15);
  }
}

TEST(ContourGap, ABoxThatHangsOverAnEndTouchesWithACornerAndWithTheEnd) {
  const auto gap = make_planar_gap(kBox, kFloor);
  const Points points = follow(*gap, at(0.97, 0.05), at(0, 0));
  ASSERT_EQ(points.contacts(), 2);
  const int left = points.on_side(-1, 0.95), right = points.on_side(1, 0.95);
  ASSERT_TRUE(left >= 0 && right >= 0);
  EXPECT_NEAR(points.at[static_cast<std::size_t>(left)].point_b.x(), 0.87, 1e-15);
  EXPECT_NEAR(points.at[static_cast<std::size_t>(right)].point_b.x(), 1, 1e-15);
  for (const PlanarContactPoint& point : points.at) EXPECT_NEAR(point.gap, 0, 1e-15);
}

TEST(ContourGap, ABallInAGrooveTouchesBothFlanks) {
  const double radius = 0.05;
  const auto gap = make_planar_gap(CircleShape{{0, 0, 0}, radius}, kGroove);
  const Points points = follow(*gap, at(0, radius * std::sqrt(2)), at(0, 0));
  int closed = 0;
  for (const PlanarContactPoint& point : points.at) closed += std::abs(point.gap) < 1e-15;
  EXPECT_EQ(closed, 2);
}

// The ball goes from the left flank over the bottom to the right one: there is one contact near, two, and one again.
TEST(ContourGap, AContactKeepsItsPointWhileOthersComeAndGo) {
  const auto gap = make_planar_gap(CircleShape{{0, 0, 0}, 0.05}, kGroove);
  std::vector<std::uint64_t> before(static_cast<std::size_t>(gap->point_count()), 0);
  std::vector<double> last(before.size(), kInfinity);
  const double step = 1e-3;
  for (double x = -0.2; x <= 0.2; x += step) {
    const Points points = follow(*gap, at(x, std::abs(x) + 0.08), at(0, 0), before);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i] != 0 && points.feature[i] != 0) {
        EXPECT_LE(std::abs(points.at[i].gap - last[i]), 2 * step) << "point " << i << " at x = " << x;
      }
      last[i] = points.at[i].gap;
    }
    before = points.feature;
  }
}

TEST(ContourGap, AContactThatRollsOverACornerStaysInItsPoint) {
  const auto gap = make_planar_gap(CircleShape{{0, 0, 0}, 0.02}, kBox, 0);
  const ContourGap more(make_contour(CircleShape{{0, 0, 0}, 0.02}).contour, make_contour(kBox).contour, 3);
  std::vector<std::uint64_t> before = {0, 1, 0};  // the second one is taken by something that is not there any more
  int own = -1;
  for (double x = 0.09; x < 0.13; x += 1e-4) {
    // On top of the box, then around its corner at (0.1, 0.05).
    const double beyond = std::max(0.0, x - 0.1), angle = std::min(beyond / 0.02, 1.4);
    const Points points =
        follow(more, at(x < 0.1 ? x : 0.1 + 0.02 * std::sin(angle), 0.05 + 0.02 * std::cos(angle)), at(0, 0), before);
    const int nearest = static_cast<int>(
        std::min_element(points.at.begin(), points.at.end(),
                         [](const PlanarContactPoint& a, const PlanarContactPoint& b) { return a.gap < b.gap; }) -
        points.at.begin());
    EXPECT_NEAR(points.at[static_cast<std::size_t>(nearest)].gap, 0, 1e-12);
    if (own < 0) own = nearest;
    EXPECT_EQ(nearest, own) << "at x = " << x;
    before = points.feature;
  }
  EXPECT_EQ(gap->point_count(), 1);
}

TEST(ContourGap, WhatWasInAPointIsTakenFromTheStateAndNotFromTheOrderOfTheSearch) {
  const auto gap = make_planar_gap(CircleShape{{0, 0, 0}, 0.05}, kGroove);
  const PlanarPlacement ball = at(0.001, 0.08), ground = at(0, 0);
  const Points first = follow(*gap, ball, ground);
  std::vector<std::uint64_t> reversed(first.feature.rbegin(), first.feature.rend());
  const Points second = follow(*gap, ball, ground, reversed);
  EXPECT_EQ(second.feature, reversed);
  for (std::size_t i = 0; i < reversed.size(); ++i) EXPECT_EQ(second.at[i].gap, first.at[reversed.size() - 1 - i].gap);
}

TEST(ContourGap, WithTooFewPointsTheDeepestContactsAreKeptAndItIsSaid) {
  const ContourGap one(make_contour(CircleShape{{0, 0, 0}, 0.05}).contour, make_contour(kGroove).contour, 1);
  const Points deep = follow(one, at(0.001, 0.05 * std::sqrt(2) - 0.002), at(0, 0));
  EXPECT_TRUE(deep.is_crowded);
  EXPECT_NEAR(deep.at[0].gap, (0.05 * std::sqrt(2) - 0.002 - 0.001) / std::sqrt(2) - 0.05, 1e-15);
  const Points open = follow(one, at(0.001, 0.2), at(0, 0));
  EXPECT_FALSE(open.is_crowded);
}

TEST(ContourGap, SwappingTheShapesSwapsThePointsAndTurnsTheNormals) {
  const auto one = make_planar_gap(CircleShape{{0, 0, 0}, 0.05}, kGroove),
             two = make_planar_gap(kGroove, CircleShape{{0, 0, 0}, 0.05});
  const Points first = follow(*one, at(0.01, 0.08), at(0, 0)), second = follow(*two, at(0, 0), at(0.01, 0.08));
  ASSERT_EQ(first.contacts(), second.contacts());
  for (const PlanarContactPoint& point : first.at) {
    if (!(point.gap < kInfinity)) continue;
    const bool is_there = std::any_of(second.at.begin(), second.at.end(), [&](const PlanarContactPoint& other) {
      return std::abs(other.gap - point.gap) < 1e-15 && (other.normal + point.normal).norm() < 1e-14 &&
             (other.point_a - point.point_b).norm() < 1e-14;
    });
    EXPECT_TRUE(is_there);
  }
}

TEST(ContourGap, SimplePairsKeepTheirExactGapFunctions) {
  const PolygonShape square{{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}},
      notched{{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {0, 0.5, 0}, {-1, 1, 0}}};
  EXPECT_FALSE(are_contours(CircleShape{{0, 0, 0}, 1}, square));
  EXPECT_FALSE(are_contours(square, square));
  EXPECT_FALSE(are_contours(notched, LineShape{}));
  EXPECT_TRUE(are_contours(CircleShape{{0, 0, 0}, 1}, notched));
  EXPECT_TRUE(are_contours(square, notched));
  EXPECT_TRUE(are_contours(EllipseShape{{0, 0, 0}, 2, 1, 0}, LineShape{}));
}

}  // namespace
}  // namespace freeplay::test::contour_gap_test
