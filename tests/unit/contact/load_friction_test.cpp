// The bound of friction by load, as a function of the efforts of bilateral rows.
#include "freeplay/contact/laws/load_friction.h"

#include <gtest/gtest.h>

namespace freeplay::contact {
namespace {

TEST(LoadFriction, PinRubsByTheForceAcrossItsAxis) {
  const LoadFriction pin{.friction = 0.1, .arm_m = 0.02, .force_rows = {2, 0}};
  const VecX rows = (VecX(4) << 3, 100, -4, 100).finished();
  EXPECT_NEAR(pin.limit(rows), 0.1 * 0.02 * 5, 1e-16);
}

// N/2 +- M/L at the ends: a moment counts from |M|/L > |N|/2 on, and then alone.
TEST(LoadFriction, BlockBearsForceAndMomentAtItsTwoEnds) {
  const LoadFriction block{.friction = 0.5, .length_m = 0.1, .force_rows = {0, -1}, .moment_rows = {1, -1}};
  const auto limit = [&](double force, double moment) {
    return block.limit(VecX((VecX(2) << force, moment).finished()));
  };
  EXPECT_NEAR(limit(10, 0), 5, 1e-15);
  EXPECT_NEAR(limit(10, 0.4), 5, 1e-15);
  EXPECT_NEAR(limit(10, -2), 0.5 * 2 * 2 / 0.1, 1e-14);
  EXPECT_NEAR(limit(0, 2), 0.5 * 2 * 2 / 0.1, 1e-14);
}

// |F| of both components, also where force and pair have different directions.
TEST(LoadFriction, PrismAddsVectors) {
  const LoadFriction prism{.friction = 1, .length_m = 2, .force_rows = {0, 1}, .moment_rows = {2, 3}};
  const VecX rows = (VecX(4) << 6, 0, 0, 8).finished();  // halves (3, 0), pair (0, 4): 5 at either end
  EXPECT_NEAR(prism.limit(rows), 10, 1e-15);
}

}  // namespace
}  // namespace freeplay::contact
