#include "freeplay/contact/problem/nearest_data.h"

#include <gtest/gtest.h>

#include <vector>

namespace freeplay::test {
namespace {

// Two contacts with targets of restitution and one without; d speaks against all of them.
TEST(LoweredRestitution, MovesAlongTheSelfStressByNoMoreThanNeeded) {
  const VecX d{{0.6, 0.8, 1}};
  VecX targets{{-0.5, -0.5, 0}}, c{{-1, -1, 1.3}};  // c^T d = -0.1
  EXPECT_EQ(lower_restitution(d, targets, c), 2);
  EXPECT_NEAR(c[0], -1 + 0.06, 1e-6);  // 0.1 d / (0.6^2 + 0.8^2)
  EXPECT_NEAR(c[1], -1 + 0.08, 1e-6);
  EXPECT_NEAR(targets[0], -0.5 + 0.06, 1e-6);
  EXPECT_GE(c.dot(d), 0);
}

TEST(LoweredRestitution, StopsAtNoRestitution) {
  const VecX d{{1, 1}};
  VecX targets{{-0.1, -0.5}}, c{{-1, 0.4}};  // 0.3 for each would be needed, the first has 0.1
  EXPECT_EQ(lower_restitution(d, targets, c), 2);
  EXPECT_NEAR(targets[0], 0, 1e-15);
  EXPECT_NEAR(targets[1], -0.2, 1e-6);
  drop_restitution(targets, c);
  EXPECT_NEAR(c[0], -0.9, 1e-12);
  EXPECT_NEAR(c[1], 0.9, 1e-12);
  EXPECT_EQ(targets, VecX::Zero(2));
}

TEST(LoweredRestitution, LeavesTargetsAloneThatDoNotContradict) {
  const VecX d{{1, 1}};
  VecX targets{{-0.1, 0.1}}, c{{-1, 1.2}};
  EXPECT_EQ(lower_restitution(d, targets, c), 0) << "c^T d > 0";
  c[1] = 0.9;
  EXPECT_EQ(lower_restitution(d, targets, c), 1) << "the second one leaves: its target is on the side of d";
  EXPECT_EQ(targets[1], 0.1);
}

// A bilateral row, a contact in space that may still close its gap, dry friction of a joint, a contact that must open.
TEST(KeptGaps, TakeBackTheApproachOfContactsThatMayStillCloseAndNothingElse) {
  ContactPoint rough, dry, smooth;
  rough.tangents = 2;
  rough.law.friction = 0.3;
  dry.has_normal = false;
  dry.law.dry_effort = 1;
  smooth.tangents = 0;
  ASSERT_EQ(rough.rows(), 3);
  ASSERT_EQ(dry.rows(), 1);
  ASSERT_EQ(smooth.rows(), 1);
  const std::vector<LivePoint> live = {{{0, 0}, &rough}, {{1, 0}, &dry}, {{2, 0}, &smooth}};
  ContactSet points;
  points.assign(live);
  const std::vector<Activation> active = {
      {.point = 0, .approach_m_s = 0.2}, {.point = 1}, {.point = 2, .approach_m_s = -0.1}};
  const std::vector<double> gamma_A(6, 0.0), bilateral_approach(1, 0.0);
  const LawRows rows{.points = points,
                     .active = active,
                     .gamma_A = gamma_A,
                     .bilateral = 1,
                     .bilateral_approach = bilateral_approach,
                     .dt = 1e-3};
  VecX c{{1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(keep_gaps(rows, c), 1);
  EXPECT_EQ(c, (VecX{{1, 1.8, 3, 4, 5, 6}}));
}

}  // namespace
}  // namespace freeplay::test
