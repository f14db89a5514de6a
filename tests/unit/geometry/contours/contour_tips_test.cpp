// Tips of stars that meet head on: the gap of two wedges, through the crossing of their tips and beyond.
#include <gtest/gtest.h>

#include "contour_cases.h"

namespace freeplay::test::contour_tips_test {
namespace {

// Points up; `tips` of them, and the first one at a distance of 1 from the centre.
struct Star {
  int tips;
  double inner;

  PlanarContour contour() const {
    PolygonShape star;
    for (int i = 0; i < 2 * tips; ++i) {
      const double r = i % 2 == 0 ? 1 : inner, angle = kPi / 2 + kPi * i / tips;
      star.vertices_m.emplace_back(r * std::cos(angle), r * std::sin(angle), 0);
    }
    return make_contour(star).contour;
  }
  // Between the axis of a tip and its flanks.
  double half_angle() const { return std::atan2(inner * std::sin(kPi / tips), 1 - inner * std::cos(kPi / tips)); }
};

// Of a wedge A whose tip is at `apart` from that of the wedge B, which points up; A points down, turned by `tilt`. The
// distance, or the least depth, is the largest n . apart over the normals that both tips have.
double gap_of_wedges(const Vec2& apart, double half_a, double half_b, double tilt) {
  const double low = std::max(half_b, half_a + tilt), high = std::min(kPi - half_b, kPi - half_a + tilt);
  const double towards = std::atan2(apart.y(), apart.x());
  if (towards >= low && towards <= high) return apart.norm();
  const auto along = [&](double angle) { return apart.x() * std::cos(angle) + apart.y() * std::sin(angle); };
  return std::max(along(low), along(high));
}

// B stands below with its tip at the origin; the tip of A is at `apart`.
std::vector<ContourContact> meet(const PlanarContour& a, const PlanarContour& b, const Vec2& apart, double tilt) {
  const PlanarPlacement at_b = placement(0, -1, 0),
                        at_a = placement(apart.x() - std::sin(tilt), apart.y() + std::cos(tilt), kPi + tilt);
  return contacts(a, at_a, b, at_b, 0.1);
}

// The contacts between the flanks of the two tips; others of two stars that stand head on are far away.
double gap_of_tips(const std::vector<ContourContact>& found, double reach) {
  double least = reach;
  for (const ContourContact& c : found) {
    if (c.point_a.norm() < 0.1 && c.point_b.norm() < 0.1) least = std::min(least, c.gap);
  }
  return least;
}

const std::vector<std::pair<Star, Star>> kPairs = {
    {{5, 0.35}, {5, 0.35}}, {{7, 0.3}, {4, 0.5}}, {{4, 0.5}, {7, 0.3}}, {{3, 0.2}, {3, 0.2}}, {{9, 0.2}, {5, 0.35}}};
const double kSideways[] = {0, 1e-9, -1e-9, 1e-7, -1e-7, 1e-6, -1e-6, 1e-5, -1e-5, 1e-3, -1e-3};
// The last ones cross like an X: each tip comes through the other body, and lies in it at no depth.
const double kTilts[] = {0, 1e-9, -1e-9, 1e-3, -0.05, 0.09, -0.3, 0.3, 1, -1.9, 2.2};

TEST(ContourTips, ThatCutEachOtherOffHaveTheLeastDepthOfTwoWedges) {
  for (const auto& [star_a, star_b] : kPairs) {
    const PlanarContour a = star_a.contour(), b = star_b.contour();
    for (const double tilt : kTilts) {
      for (const double sideways : kSideways) {
        for (const double height : {3e-2, 1e-3, 1e-6, -1e-8, -1e-6, -1e-5, -1e-4, -1e-3, -1e-2, -3e-2}) {
          const Vec2 apart(sideways, height);
          const double expected = gap_of_wedges(apart, star_a.half_angle(), star_b.half_angle(), tilt);
          const auto found = meet(a, b, apart, tilt);
          // Ties of both flanks are decided to 1e-9 of the depth.
          EXPECT_NEAR(gap_of_tips(found, 0.1), expected, 1e-12 + 1e-8 * std::abs(height))
              << "tips " << star_a.tips << ", " << star_b.tips << " tilt " << tilt << " sideways " << sideways
              << " height " << height << " contacts " << found.size();
        }
      }
    }
  }
}

// What a run sees: head on exactly, both flanks of both tips in the same way.
TEST(ContourTips, HeadOnAreStruckOnBothFlanks) {
  for (const auto& [star_a, star_b] : kPairs) {
    const PlanarContour a = star_a.contour(), b = star_b.contour();
    Vec2 sum = Vec2::Zero();
    int count = 0;
    for (const ContourContact& c : meet(a, b, {0, -1e-3}, 0)) {
      if (c.gap > 0 || c.point_a.norm() > 0.1) continue;
      sum += c.normal;
      ++count;
    }
    EXPECT_GE(count, 2) << star_a.tips << ", " << star_b.tips;
    EXPECT_NEAR(sum.x(), 0, 1e-12);
    EXPECT_GT(sum.y(), 0.1);
  }
}

TEST(ContourTips, ExchangedHaveTheSameGap) {
  for (const auto& [star_a, star_b] : kPairs) {
    const PlanarContour a = star_a.contour(), b = star_b.contour();
    for (const double tilt : kTilts) {
      for (const double sideways : kSideways) {
        for (const double height : {1e-3, -1e-6, -1e-3, -1e-2}) {
          const PlanarPlacement at_b = placement(0, -1, 0),
                                at_a = placement(sideways - std::sin(tilt), height + std::cos(tilt), kPi + tilt);
          const auto there = contacts(a, at_a, b, at_b, 0.1), back = contacts(b, at_b, a, at_a, 0.1);
          ASSERT_EQ(there.size(), back.size()) << tilt << " " << sideways << " " << height;
          EXPECT_NEAR(least_gap(there, 0.1), least_gap(back, 0.1), 1e-12);
        }
      }
    }
  }
}

// Along a path no gap changes by more than the way, however finely it is looked at.
TEST(ContourTips, NeverLoseTheirContactOnTheWayIn) {
  const PlanarContour a = kPairs[0].first.contour(), b = kPairs[0].second.contour();
  for (const double tilt : kTilts) {
    for (const double sideways : kSideways) {
      double before = 0;
      constexpr double kStep = 1e-5;
      for (int i = 0; i <= 400; ++i) {
        const double gap = least_gap(meet(a, b, {sideways, 2e-3 - i * kStep}, tilt), 0.1);
        if (i > 0) {
          ASSERT_LE(std::abs(gap - before), kStep * (1 + 1e-6)) << tilt << " " << sideways << " step " << i;
        }
        before = gap;
      }
      if (std::abs(sideways) < 1e-4) {  // beyond, the tips pass beside each other as far as this
        EXPECT_LT(before, 0) << tilt << " " << sideways;
      }
    }
  }
}

}  // namespace
}  // namespace freeplay::test::contour_tips_test
