#include "freeplay/math/least_squares.h"

#include <gtest/gtest.h>

namespace freeplay::test {
namespace {

TEST(LeastSquares, TakesTheShortestOfManySolutions) {
  MatX A(1, 2);
  A << 3, 4;
  const VecX x = least_squares(A, VecX::Constant(1, 50));  // along (3, 4): 25 s = 50
  EXPECT_LT((x - VecX(Vec2(6, 8))).norm(), 1e-14);
}

TEST(LeastSquares, MeetsContradictingEquationsInTheMean) {
  const VecX x = least_squares(MatX::Ones(3, 1), Vec3(1, 2, 6));
  ASSERT_EQ(x.size(), 1);
  EXPECT_NEAR(x[0], 3, 1e-14);
}

TEST(LeastSquares, DoesNotDivideByADirectionThatIsOnlyRounding) {
  MatX A(2, 2);
  A << 1, 1, 1, 1 + 1e-13;
  const VecX x = least_squares(A, Vec2(2, 2.2));  // as if both rows were (1, 1), with the mean 2.1
  EXPECT_LT((x - VecX(Vec2(1.05, 1.05))).norm(), 1e-10);
}

TEST(LeastSquares, NeedsNeitherARowNorAColumn) {
  EXPECT_EQ(least_squares(MatX(0, 2), VecX(0)), VecX::Zero(2));
  EXPECT_EQ(least_squares(MatX(2, 0), VecX::Ones(2)).size(), 0);
}

}  // namespace
}  // namespace freeplay::test
