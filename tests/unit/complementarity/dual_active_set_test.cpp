// The dual active-set solver against exact ones: regular and degenerate problems, bilateral and redundant rows, the
// prism at rest.
#include "freeplay/complementarity/pivoting/dual_active_set.h"

#include <gtest/gtest.h>

#include <random>

#include "freeplay/complementarity/problem/natural_residual.h"
#include "unit/complementarity/contact_problem.h"

namespace freeplay::test::dual_active_set_test {
namespace {

class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  MatX matrix(int rows, int columns) {
    return MatX::NullaryExpr(rows, columns, [&] { return normal_(engine_); });
  }
  int integer(int from, int to) { return std::uniform_int_distribution<int>(from, to)(engine_); }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

// W of a system with unit mass matrix: G = W^T W, and W Lambda is what the impulses do to the velocities.
ContactProblem problem_of(const MatX& W, const VecX& c, int bilateral = 0) {
  ContactProblem problem;
  problem.G = W.transpose() * W;
  problem.c = c;
  problem.free_rows(bilateral);
  for (int i = bilateral; i < static_cast<int>(c.size()); ++i) problem.unilateral();
  return problem;
}

Solved solve(const ContactProblem& problem) {
  return solve_with("dual-active-set", problem, 1e-11);
}

TEST(DualActiveSet, SolvesStrictlyConvexProblemsLikeTheOthers) {
  Draw draw(1);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = draw.integer(1, 9);
    const ContactProblem problem = problem_of(draw.matrix(n + 4, n), draw.matrix(n, 1));
    const Solved dual = solve(problem);
    ASSERT_EQ(dual.report.status, SolveStatus::kSolved) << trial;
    for (const char* other : {"enumerative", "lemke"}) {
      const Solved exact = solve_with(other, problem, 1e-11);
      ASSERT_EQ(exact.report.status, SolveStatus::kSolved) << other << " " << trial;
      EXPECT_LE(max_abs(dual.Lambda - exact.Lambda), 1e-9 * (1 + max_abs(exact.Lambda))) << other << " " << trial;
    }
  }
}

// More contacts than velocities: impulses are not unique, velocities are. c in the range of W^T can always be met.
TEST(DualActiveSet, FindsTheVelocitiesOfDegenerateProblems) {
  Draw draw(2);
  for (int trial = 0; trial < 300; ++trial) {
    const int velocities = draw.integer(2, 6), n = velocities + draw.integer(1, 8);
    const MatX W = draw.matrix(velocities, n);
    const ContactProblem problem = problem_of(W, W.transpose() * draw.matrix(velocities, 1));
    const Solved dual = solve(problem), exact = solve_with("lemke", problem, 1e-10);
    ASSERT_EQ(dual.report.status, SolveStatus::kSolved) << trial;
    ASSERT_EQ(exact.report.status, SolveStatus::kSolved) << trial;
    const VecX expected = W * exact.Lambda;
    EXPECT_LE(max_abs(W * dual.Lambda - expected), 1e-8 * (1 + max_abs(expected))) << trial;
    EXPECT_GE(dual.Lambda.minCoeff(), 0) << trial;
    const VecX xi = problem.G * dual.Lambda + problem.c;
    for (int i = 0; i < n; ++i) {
      if (xi[i] > 1e-9) {
        EXPECT_EQ(dual.Lambda[i], 0) << "an open contact pushes";
      }
    }
  }
}

TEST(DualActiveSet, KeepsBilateralRowsThatPushOrPull) {
  Draw draw(3);
  for (int trial = 0; trial < 300; ++trial) {
    const int bilateral = draw.integer(1, 4), n = bilateral + draw.integer(1, 5);
    const ContactProblem problem = problem_of(draw.matrix(n + 3, n), draw.matrix(n, 1), bilateral);
    const Solved dual = solve(problem), exact = solve_with("enumerative", problem, 1e-11);
    ASSERT_EQ(dual.report.status, SolveStatus::kSolved) << trial;
    ASSERT_EQ(exact.report.status, SolveStatus::kSolved) << trial;
    EXPECT_LE(max_abs(dual.Lambda - exact.Lambda), 1e-9 * (1 + max_abs(exact.Lambda))) << trial;
    EXPECT_LE(max_abs((problem.G * dual.Lambda + problem.c).head(bilateral)), 1e-10) << trial;
  }
}

TEST(DualActiveSet, TakesRedundantRowsThatAgree) {
  Draw draw(4);
  for (int trial = 0; trial < 200; ++trial) {
    const int velocities = 6, independent = draw.integer(1, 3);
    const MatX joint = draw.matrix(velocities, independent);
    MatX W(velocities, 2 * independent + 4);
    W << joint, joint * draw.matrix(independent, independent), draw.matrix(velocities, 4);
    const ContactProblem problem = problem_of(W, W.transpose() * draw.matrix(velocities, 1), 2 * independent);
    const Solved dual = solve(problem);
    ASSERT_EQ(dual.report.status, SolveStatus::kSolved) << trial;
    // The same without the rows that repeat others.
    MatX W_less(velocities, independent + 4);
    W_less << joint, W.rightCols(4);
    VecX c_less(independent + 4);
    c_less << problem.c.head(independent), problem.c.tail(4);
    const Solved exact = solve_with("enumerative", problem_of(W_less, c_less, independent), 1e-11);
    ASSERT_EQ(exact.report.status, SolveStatus::kSolved) << trial;
    const VecX expected = W_less * exact.Lambda;
    EXPECT_LE(max_abs(W * dual.Lambda - expected), 1e-8 * (1 + max_abs(expected))) << trial;
  }
}

TEST(DualActiveSet, SaysWhenThereIsNoSolution) {
  // Two walls that both close in on a point between them.
  ContactProblem walls;
  walls.G = (MatX(2, 2) << 1, -1, -1, 1).finished();
  walls.c = (VecX(2) << -1, -1).finished();
  walls.unilateral().unilateral();
  EXPECT_EQ(solve(walls).report.status, SolveStatus::kNotSolved);
  // Two equal bilateral rows that want different velocities.
  ContactProblem rows;
  rows.G = MatX::Ones(2, 2);
  rows.c = (VecX(2) << -1, 1).finished();
  rows.free_rows(2);
  EXPECT_EQ(solve(rows).report.status, SolveStatus::kNotSolved);
}

TEST(DualActiveSet, LeavesFrictionToOthers) {
  ContactProblem problem;
  problem.G = MatX::Identity(3, 3);
  problem.c = VecX::Constant(3, -1);
  problem.spatial_contact(0.3);
  EXPECT_EQ(solve(problem).report.status, SolveStatus::kNotSupported);
}

// The prism of the example at rest on the bottom of its channel, as forces and accelerations. Its four lower corners
// carry 31.392 N, and only three of their rows are independent. The other walls are open by some accelerations; their
// normals balance those of the bottom, so that a program without complementarity could load them all together.
TEST(DualActiveSet, LetsThePrismRestOnItsBottomAlone) {
  const double mass = 3.2, gravity = 9.81, edge = 0.01732, half_length = 0.01;
  const Vec3 inertia(7.8133333e-3, 3.9466667e-3, 1.15466667e-2);
  const double height = edge / std::sqrt(3.0), base = -edge / (2 * std::sqrt(3.0));
  const Vec2 corners[] = {{0, height}, {edge / 2, base}, {-edge / 2, base}};
  const Vec3 right(-std::sqrt(3.0) / 2, -0.5, 0), left(std::sqrt(3.0) / 2, -0.5, 0), bottom(0, 1, 0);
  const std::pair<int, Vec3> pairs[] = {{0, right}, {0, left}, {1, right}, {1, bottom}, {2, left}, {2, bottom}};
  MatX D(6, 12);  // normals as generalised directions, body axes being world axes
  for (int i = 0; i < 12; ++i) {
    const auto& [corner, normal] = pairs[i % 6];
    const Vec3 arm(corners[corner].x(), corners[corner].y(), i < 6 ? half_length : -half_length);
    D.col(i) << normal, arm.cross(normal);
  }
  VecX mass_matrix(6);
  mass_matrix << Vec3::Constant(mass), inertia;
  VecX free(6);
  free << 0, -gravity, 0, 0, 0, 0;
  ContactProblem problem;
  problem.G = D.transpose() * mass_matrix.cwiseInverse().asDiagonal() * D;
  problem.c = D.transpose() * free;
  for (int i = 0; i < 12; ++i) {
    problem.unilateral();
    if (pairs[i % 6].second != bottom) problem.c[i] += 0.15e-3 / 1e-6;  // gap over h^2
  }
  const Solved solved = solve(problem);
  ASSERT_EQ(solved.report.status, SolveStatus::kSolved);
  const VecX T = D * solved.Lambda;
  VecX expected = VecX::Zero(6);
  expected[1] = mass * gravity;
  EXPECT_LE(max_abs(T - expected), 1e-9);
  EXPECT_NEAR(T.dot(mass_matrix.cwiseInverse().asDiagonal() * T), 307.95552, 1e-6);
  for (int i = 0; i < 12; ++i) {
    EXPECT_GE(solved.Lambda[i], 0) << i;
    if (pairs[i % 6].second != bottom) {
      EXPECT_EQ(solved.Lambda[i], 0) << "open: " << i;
    }
  }
  // One corner of the possible splits: two corners across from each other, or all four, but never more than the sum.
  EXPECT_NEAR(solved.Lambda[3] + solved.Lambda[5], 15.696, 1e-9) << "front";
  EXPECT_NEAR(solved.Lambda[3] + solved.Lambda[9], 15.696, 1e-9) << "right";
}

TEST(DualActiveSet, GuessDoesNotMatter) {
  Draw draw(5);
  const MatX W = draw.matrix(4, 7);
  const ContactProblem problem = problem_of(W, W.transpose() * draw.matrix(4, 1));
  const Solved from_zero = solve(problem);
  const std::unique_ptr<Solver> solver = make_dual_active_set();
  for (int trial = 0; trial < 10; ++trial) {
    const VecX guess = draw.matrix(7, 1).cwiseAbs() * 1e3;
    VecX Lambda(7);
    EXPECT_EQ(solver->solve(problem.view(), {.tolerance = 1e-11}, ImpulseGuess::from(guess), Lambda).status,
              SolveStatus::kSolved);
    EXPECT_EQ(Lambda, from_zero.Lambda);
  }
}

}  // namespace
}  // namespace freeplay::test::dual_active_set_test
