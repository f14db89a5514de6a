// The nearest point of a disc that is cut, by what defines it: no direction into the set leads nearer.
#include "freeplay/complementarity/problem/cut_disc.h"

#include <gtest/gtest.h>

#include <map>
#include <numbers>
#include <random>
#include <vector>

namespace freeplay::test::cut_disc_test {
namespace {

// Points of the boundary, close together.
std::vector<Vec2> boundary(const CutDisc& disc) {
  std::vector<Vec2> points;
  constexpr int kPoints = 400;
  for (int k = 0; k < kPoints; ++k) {
    const double angle = 2 * std::numbers::pi * k / kPoints;
    const Vec2 x = disc.radius * Vec2(std::cos(angle), std::sin(angle));
    if (x.dot(disc.direction) >= disc.cut) points.push_back(x);
    if (disc.cut > -disc.radius) {
      const double along = disc.half_chord() * (2.0 * k / (kPoints - 1) - 1);
      points.push_back(disc.cut * disc.direction + along * disc.across());
    }
  }
  return points;
}

TEST(CutDisc, NoPointOfTheSetIsNearer) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> share(-1.2, 1);
  std::map<DiscPart, int> parts;
  for (int n = 0; n < 3000; ++n) {
    const double angle = 3 * normal(random);
    CutDisc disc{std::abs(normal(random)), 0, Vec2(std::cos(angle), std::sin(angle))};
    disc.cut = share(random) * disc.radius;
    const Vec2 y(normal(random), normal(random));
    const NearestInDisc nearest = nearest_in_disc(disc, y);
    ++parts[nearest.part];
    EXPECT_LE(nearest.x.norm(), disc.radius * (1 + 1e-14));
    EXPECT_GE(nearest.x.dot(disc.direction), disc.cut - 1e-14 * disc.radius);
    // (y - x) . (p - x) <= 0 for all p of the set: x is the projection.
    for (const Vec2& p : boundary(disc)) ASSERT_LE((y - nearest.x).dot(p - nearest.x), 1e-13 * (1 + y.norm())) << n;
  }
  for (const DiscPart part : {DiscPart::kInside, DiscPart::kArc, DiscPart::kChord, DiscPart::kCorner})
    EXPECT_GT(parts[part], 100);
}

TEST(CutDisc, IsWholeWithoutACut) {
  const CutDisc disc{2, -kInfinity, Vec2(1, 0)};
  EXPECT_EQ(nearest_in_disc(disc, Vec2(-1, 1)).x, Vec2(-1, 1));
  EXPECT_LE((nearest_in_disc(disc, Vec2(-6, 8)).x - Vec2(-1.2, 1.6)).norm(), 1e-15);
  EXPECT_EQ(nearest_in_disc(disc, Vec2(-6, 8)).part, DiscPart::kArc);
}

// All of the compression's impulse is to be given back, and no more can be: one point is left.
TEST(CutDisc, IsOnePointWhereTheCutTouchesTheCircle) {
  const CutDisc disc{1, 1, Vec2(0.6, 0.8)};
  EXPECT_FALSE(disc.is_empty());
  for (const Vec2& y : {Vec2(0, 0), Vec2(3, -1), Vec2(0.6, 0.8), Vec2(6, 8)})
    EXPECT_LE((nearest_in_disc(disc, y).x - Vec2(0.6, 0.8)).norm(), 1e-15);
}

}  // namespace
}  // namespace freeplay::test::cut_disc_test
