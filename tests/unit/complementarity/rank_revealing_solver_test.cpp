#include "freeplay/complementarity/linear/rank_revealing_solver.h"

#include <gtest/gtest.h>

#include <random>

#include "freeplay/math/least_squares.h"

namespace freeplay::test {
namespace {

TEST(RankRevealingSolver, SolvesRegularSystems) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  RankRevealingSolver solver;
  for (int n = 0; n <= 12; ++n) {
    const MatX A = MatX::NullaryExpr(n, n, [&] { return normal(random); });
    const VecX b = VecX::NullaryExpr(n, [&] { return normal(random); });
    VecX x = VecX::Zero(n);
    solver.factor(A.data(), n, 1e-12);
    EXPECT_FALSE(solver.is_singular());
    solver.solve(b.data(), x.data());
    EXPECT_LE(max_abs(A * x - b), 1e-13 * (1 + max_abs(x))) << n;
  }
}

TEST(RankRevealingSolver, TakesTheMinimumNormOfLeastSquaresWhereSingular) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  RankRevealingSolver solver;
  for (int n = 1; n <= 10; ++n) {
    for (int rank = 0; rank < n; ++rank) {
      const MatX left = MatX::NullaryExpr(n, rank, [&] { return normal(random); });
      const MatX right = MatX::NullaryExpr(rank, n, [&] { return normal(random); });
      const MatX A = left * right;
      const VecX b = VecX::NullaryExpr(n, [&] { return normal(random); });  // contradictory in general
      VecX x = VecX::Zero(n);
      solver.factor(A.data(), n, 1e-12);
      EXPECT_EQ(solver.rank(), rank);
      solver.solve(b.data(), x.data());
      const VecX expected = least_squares(A, b);
      EXPECT_LE(max_abs(x - expected), 1e-9 * (1 + max_abs(expected))) << n << ", rank " << rank;
    }
  }
}

// L U with unit triangles and the pivots 1, 1/2, ..., but for the last one: regular, clearly so or hardly.
TEST(RankRevealingSolver, SolvesMatricesThatAreNearlySingular) {
  constexpr int n = 7;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  RankRevealingSolver solver;
  for (const double last : {1.0, 1e-4, 1e-8, 1e-10}) {
    MatX L = MatX::NullaryExpr(n, n, [&] { return uniform(random); }).triangularView<Eigen::UnitLower>();
    MatX U = MatX::NullaryExpr(n, n, [&] { return uniform(random); }).triangularView<Eigen::UnitUpper>();
    for (int i = 0; i < n; ++i) U.row(i) *= i + 1 < n ? 1.0 / (i + 1) : last;
    const MatX A = L * U;
    const VecX expected = VecX::LinSpaced(n, 1, 2), b = A * expected;
    VecX x = VecX::Zero(n);
    solver.factor(A.data(), n, 1e-12);
    ASSERT_FALSE(solver.is_singular()) << last;
    EXPECT_LT(solver.pivot_ratio(), 100 * last);
    solver.solve(b.data(), x.data());
    EXPECT_LE(max_abs(A * x - b), 1e-13 * A.cwiseAbs().rowwise().sum().maxCoeff()) << last;
  }
}

TEST(RankRevealingSolver, WeightsDecideWhichSolutionIsSmallest) {
  // x_1 + x_2 = 3; minimal (x_1)^2 + (2 x_2)^2 is at x_1 = 4 x_2.
  const Mat2 A = Mat2::Ones();
  const Vec2 b(3, 3), weight(1, 2);
  RankRevealingSolver solver;
  Vec2 x = Vec2::Zero();
  solver.factor(A.data(), 2, 1e-12, weight.data());
  solver.solve(b.data(), x.data());
  EXPECT_NEAR(x[0], 2.4, 1e-14);
  EXPECT_NEAR(x[1], 0.6, 1e-14);
}

}  // namespace
}  // namespace freeplay::test
