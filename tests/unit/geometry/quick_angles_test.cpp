#include "freeplay/geometry/contours/quick_angles.h"

#include <gtest/gtest.h>

#include <limits>

namespace freeplay::test {
namespace {

constexpr double kPiHere = std::numbers::pi;

TEST(QuickAngles, DirectionsAreThoseOfTheLibraryWithinTheirError) {
  for (int k = -4000; k <= 4000; ++k) {
    const double angle = 0.0173 * k;
    const Vec2 n = geometry::quick_direction(angle);
    EXPECT_LT(std::abs(n[0] - std::cos(angle)) + std::abs(n[1] - std::sin(angle)), geometry::kQuickAngleError) << angle;
  }
  EXPECT_EQ(geometry::quick_direction(1e9), Vec2(std::cos(1e9), std::sin(1e9)));
}

// At half a turn both signs are right.
TEST(QuickAngles, RemaindersAreThoseOfTheLibraryWithinTheirError) {
  for (int k = -4000; k <= 4000; ++k) {
    const double angle = 0.0931 * k, expected = std::remainder(angle, 2 * kPiHere);
    EXPECT_NEAR(geometry::quick_remainder(angle), expected, geometry::kQuickAngleError) << angle;
  }
  EXPECT_NEAR(std::abs(geometry::quick_remainder(kPiHere)), kPiHere, geometry::kQuickAngleError);
  EXPECT_EQ(geometry::quick_remainder(1e9), std::remainder(1e9, 2 * kPiHere));
  EXPECT_FALSE(std::isfinite(geometry::quick_remainder(std::numeric_limits<double>::infinity())));
}

}  // namespace
}  // namespace freeplay::test
