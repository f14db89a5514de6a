#include "freeplay/complementarity/pivoting/linear_complementarity.h"

#include <gtest/gtest.h>

#include <random>

#include "freeplay/complementarity/pivoting/lemke.h"
#include "freeplay/complementarity/problem/natural_residual.h"
#include "unit/complementarity/contact_problem.h"

namespace freeplay::test {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Lcp {
  ScaledProblem scaled;
  LinearComplementarity lcp;

  Lcp(const ContactProblem& problem, bool unit_scale) {
    EXPECT_TRUE(scaled.assign(problem.view(), unit_scale));
    lcp.build(scaled);
  }
  MatX A() const { return Eigen::Map<const RowMajor>(lcp.A().data(), lcp.size(), lcp.size()); }
  VecX b() const { return Eigen::Map<const VecX>(lcp.b().data(), lcp.size()); }
};

MatX random_matrix(std::mt19937& random, int rows, int columns) {
  std::normal_distribution<double> normal;
  return MatX::NullaryExpr(rows, columns, [&] { return normal(random); });
}

// Eq. (85):  A = [ G_NN - G_NT mu, G_NT, 0;  G_TN - G_TT mu, G_TT, I;  2 mu, -I, 0 ],  b = (c_N, c_T, 0).
TEST(LinearComplementarity, OfCoulombContactsIsEquation85) {
  std::mt19937 random(1);
  ContactProblem problem;
  const MatX W = random_matrix(random, 5, 4);
  problem.G = W.transpose() * W;
  problem.c = random_matrix(random, 4, 1);
  const double mu[2] = {0.3, 0.8};
  problem.contact(mu[0]).contact(mu[1]);
  const Lcp built(problem, true);
  ASSERT_EQ(built.lcp.size(), 6);
  const auto part = [&](int row, int column) {
    return Mat2(problem.G(Eigen::seqN(row, 2, 2), Eigen::seqN(column, 2, 2)));
  };
  const Mat2 mu_matrix = Vec2(mu[0], mu[1]).asDiagonal();
  MatX A = MatX::Zero(6, 6);
  A.block(0, 0, 2, 2) = part(0, 0) - part(0, 1) * mu_matrix;
  A.block(0, 2, 2, 2) = part(0, 1);
  A.block(2, 0, 2, 2) = part(1, 0) - part(1, 1) * mu_matrix;
  A.block(2, 2, 2, 2) = part(1, 1);
  A.block(2, 4, 2, 2) = Mat2::Identity();
  A.block(4, 0, 2, 2) = 2 * mu_matrix;
  A.block(4, 2, 2, 2) = -Mat2::Identity();
  EXPECT_LE((built.A() - A).cwiseAbs().maxCoeff(), 1e-15);
  const VecX b = (VecX(6) << problem.c[0], problem.c[2], problem.c[1], problem.c[3], 0, 0).finished();
  EXPECT_EQ(built.b(), b);
}

// Whatever x >= 0 is: its impulses, put into xi = G Lambda + c, give the y = A x + b that the LCP claims.
TEST(LinearComplementarity, ClaimsWhatTheProblemSays) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    ContactProblem problem;
    const int n = 10;
    problem.G = random_matrix(random, n, n);  // unsymmetric, regular
    problem.c = random_matrix(random, n, 1);
    problem.free_rows(2).contact(0.4).interval(-0.3, 0.7).interval(-0.2, kInfinity).interval(-kInfinity, 0.5);
    problem.interval(0.25, 0.25).interval(-kInfinity, kInfinity);
    problem.blocks.push_back(
        {.set = ImpulseSet::kInterval, .row = 9, .normal_row = 2, .lo0 = -0.1, .lo1 = 0.2, .hi0 = 0.3, .hi1 = 0.9});
    Lcp built(problem, trial % 2 == 0);
    ASSERT_EQ(built.lcp.size(), 9);  // N; R, R, R, L, R; the upper limits of rows 3, 4, 9
    const VecX x = random_matrix(random, 9, 1).cwiseAbs();
    const VecX y = built.A() * x + built.b();
    VecX Lambda(n);
    built.lcp.impulses(built.scaled, {x.data(), 9}, Lambda);
    const VecX xi = problem.G * Lambda + problem.c;
    const auto scale = [&](int row) { return built.scaled.rows[row].scale; };
    const double tolerance = 1e-9 * (1 + max_abs(Lambda)) * (1 + max_abs(y));
    for (const int row : {0, 1, 8}) EXPECT_NEAR(xi[row], 0, tolerance);
    EXPECT_NEAR(Lambda[2], scale(2) * x[0], tolerance);
    EXPECT_NEAR(scale(2) * xi[2], y[0], tolerance);
    EXPECT_EQ(Lambda[7], 0.25);
    // Two bounds: xi = xi_R - xi_L and P_L = hi - Lambda.
    EXPECT_NEAR(scale(3) * xi[3], y[1] - x[6], tolerance);
    EXPECT_NEAR((0.4 * Lambda[2] - Lambda[3]) / scale(3), y[6], tolerance);
    EXPECT_NEAR(scale(4) * xi[4], y[2] - x[7], tolerance);
    EXPECT_NEAR((0.7 - Lambda[4]) / scale(4), y[7], tolerance);
    // One bound.
    EXPECT_NEAR(Lambda[5], -0.2 + scale(5) * x[3], tolerance);
    EXPECT_NEAR(scale(5) * xi[5], y[3], tolerance);
    EXPECT_NEAR(Lambda[6], 0.5 - scale(6) * x[4], tolerance);
    EXPECT_NEAR(-scale(6) * xi[6], y[4], tolerance);
    // Offset and slope on both sides.
    EXPECT_NEAR(Lambda[9], -0.1 + 0.2 * Lambda[2] + scale(9) * x[5], tolerance);
    EXPECT_NEAR((0.3 + 0.9 * Lambda[2] - Lambda[9]) / scale(9), y[8], tolerance);
  }
}

TEST(LinearComplementarity, RedundantBilateralRowsShareTheLoad) {
  // Row 1 repeats row 0; xi_0 = 2 (Lambda_0 + Lambda_1) + Lambda_2 - 4, xi_2 = Lambda_0 + Lambda_1 + Lambda_2 - 1.
  ContactProblem problem;
  problem.G = (MatX(3, 3) << 2, 2, 1, 2, 2, 1, 1, 1, 1).finished();
  problem.c = (VecX(3) << -4, -4, -1).finished();
  problem.free_rows(2).unilateral();
  Lcp built(problem, true);
  ASSERT_EQ(built.lcp.size(), 1);
  EXPECT_NEAR(built.A()(0, 0), 0.5, 1e-15);  // 1 - 1 * (1/2) * 1
  EXPECT_NEAR(built.b()[0], 1, 1e-15);       // -1 + 4/2
  const double x = 0;
  VecX Lambda(3);
  built.lcp.impulses(built.scaled, {&x, 1}, Lambda);
  EXPECT_NEAR(Lambda[0], 1, 1e-15);
  EXPECT_NEAR(Lambda[1], 1, 1e-15);
}

TEST(ScaledProblem, ScalingIsExact) {
  std::mt19937 random(4);
  ContactProblem problem;
  const MatX W = random_matrix(random, 6, 4) * VecX(Vec4(1, 1, 1e3, 1e3)).asDiagonal();
  problem.G = W.transpose() * W;
  problem.c = random_matrix(random, 4, 1);
  problem.contact(0.4).contact(0.4);
  ScaledProblem scaled;
  ASSERT_TRUE(scaled.assign(problem.view()));
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(scaled.H[i + 4 * j] / scaled.rows[i].scale / scaled.rows[j].scale, problem.G(i, j));
      EXPECT_LE(std::abs(scaled.H[i + 4 * j]), 8);
    }
    EXPECT_EQ(scaled.h[j] / scaled.rows[j].scale, problem.c[j]);
  }
}

// A step poses several problems with one matrix. What the solver keeps of it must not be seen: every answer has the
// bits that a solver without a past gives, also where the matrix, the friction or the blocks change in between.
TEST(Lemke, WhatItKeepsOfAMatrixIsNotSeen) {
  std::mt19937 random(7);
  std::bernoulli_distribution changes(0.3);
  std::uniform_real_distribution<double> friction(0, 1);
  const std::unique_ptr<Solver> kept = make_lemke();
  ContactProblem problem;
  MatX W = random_matrix(random, 7, 6);
  double mu = 0.3;
  int solved = 0;
  for (int k = 0; k < 500; ++k) {
    if (changes(random)) W = random_matrix(random, 7, 6);
    if (changes(random)) mu = friction(random);
    problem.blocks.clear();
    problem.G = W.transpose() * W;
    problem.c = random_matrix(random, 6, 1);
    problem.contact(mu).contact(mu).contact(mu);
    VecX guess = VecX::Zero(6), Lambda = VecX::Zero(6), fresh = VecX::Zero(6);
    for (int i = 0; i < 6; i += 2) guess[i] = problem.c[i] < 0 ? 1 : 0;
    const SolveReport report = kept->solve(problem.view(), {}, ImpulseGuess::from(guess), Lambda);
    const SolveReport of_fresh = make_lemke()->solve(problem.view(), {}, ImpulseGuess::from(guess), fresh);
    EXPECT_EQ(report.status, of_fresh.status);
    EXPECT_EQ(Lambda, fresh) << k;
    solved += report.status == SolveStatus::kSolved ? 1 : 0;
  }
  EXPECT_GT(solved, 400);
}

TEST(ScaledProblem, KnowsAMatrixAgain) {
  std::mt19937 random(8);
  ContactProblem problem;
  const MatX W = random_matrix(random, 6, 4);
  problem.G = W.transpose() * W;
  problem.c = random_matrix(random, 4, 1);
  problem.contact(0.4).contact(0.4);
  ScaledProblem scaled;
  ASSERT_TRUE(scaled.assign(problem.view()));
  EXPECT_FALSE(scaled.has_same_matrix());
  problem.c[2] = 3;
  ASSERT_TRUE(scaled.assign(problem.view()));
  EXPECT_TRUE(scaled.has_same_matrix());
  EXPECT_EQ(scaled.h[2] / scaled.rows[2].scale, 3);
  problem.G(3, 3) *= 2;
  ASSERT_TRUE(scaled.assign(problem.view()));
  EXPECT_FALSE(scaled.has_same_matrix());
  EXPECT_EQ(scaled.H[15] / scaled.rows[3].scale / scaled.rows[3].scale, problem.G(3, 3));
}

}  // namespace
}  // namespace freeplay::test
