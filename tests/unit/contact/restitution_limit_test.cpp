#include "freeplay/contact/problem/restitution_limit.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace freeplay::test
