// Ten thousand contact problems of redundant spatial joints, with friction up to 1 and restitution. What has a solution
// is solved; where restitution contradicts itself the witness of it is found, and the nearest data are solved.
#include "solvers_random/redundant_joints.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "freeplay/complementarity/iterative/self_stress.h"
#include "freeplay/complementarity/problem/natural_residual.h"

namespace freeplay::test::redundant_joints_test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || !defined(NDEBUG)
constexpr int kProblems = 100;
#else
constexpr int kProblems = 3334;  // of each family
#endif
constexpr double kTolerance = 1e-9;

bool is_certified(const ContactProblem& problem, const SolveReport& report, const VecX& Lambda) {
  const double residual = natural_residual(problem.view(), Lambda).absolute;
  return report.status == SolveStatus::kSolved && residual == report.residual && residual <= report.limit &&
         report.limit <= std::max(kTolerance, 1e-12 * velocity_magnitude(problem.view(), Lambda));
}

// d: in balance, within the cones of friction, and against c; each by the definition.
void expect_self_stress(const RedundantJoints& item, const VecX& d) {
  const ContactProblem& problem = item.contacts.problem;
  EXPECT_LE(max_abs(item.contacts.W * d), 1e-5 * max_abs(d));
  for (const ImpulseBlock& block : problem.blocks) {
    if (block.set == ImpulseSet::kNonNegative) {
      EXPECT_GE(d[block.row], -1e-6 * max_abs(d));
    } else {
      EXPECT_LE(d.segment(block.row, 2).norm(), block.mu * d[block.normal_row] + 1e-6 * max_abs(d));
    }
  }
  EXPECT_LT(problem.c.dot(d), 0);
}

class RedundantJointProblems : public testing::TestWithParam<Targets> {};

TEST_P(RedundantJointProblems, AreSolvedOrTheirRestitutionContradictsItself) {
  std::mt19937_64 random(42 + static_cast<int>(GetParam()));
  const std::unique_ptr<Solver> solver = find_solver("auto")->make();
  SelfStress self_stress;
  const SolverOptions options{.tolerance = kTolerance};
  int deficient = 0, contradictory = 0, rounds = 0;
  for (int k = 0; k < kProblems; ++k) {
    RedundantJoints item = redundant_joints(random, GetParam(), 1);
    ContactProblem& problem = item.contacts.problem;
    deficient += item.contacts.W.rows() < item.contacts.W.cols();
    VecX Lambda = VecX::Zero(problem.size()), d = Lambda;
    SolveReport report = solver->solve(problem.view(), options, ImpulseGuess::none(), Lambda);
    contradictory += report.status != SolveStatus::kSolved;
    // The nearest targets, as contact/problem/restitution_limit.h has them: those of restitution alone move.
    for (int round = 0; round < 8 && report.status != SolveStatus::kSolved; ++round, ++rounds) {
      ASSERT_NE(GetParam(), Targets::kGaps) << "problem " << k << ": residual " << report.residual;
      ASSERT_TRUE(self_stress.find(problem.view(), kTolerance, d)) << "problem " << k << ": " << report.residual;
      expect_self_stress(item, d);
      double square = 0;
      for (int i = 0; i < problem.size(); ++i) square += item.target[i] * d[i] < 0 ? d[i] * d[i] : 0;
      ASSERT_GT(square, 0) << "problem " << k;
      const double length = -1.000001 * problem.c.dot(d) / square;
      for (int i = 0; i < problem.size(); ++i) {
        if (!(item.target[i] * d[i] < 0)) continue;
        const double move = std::min(length * d[i], -item.target[i]);
        item.target[i] += move;
        problem.c[i] += move;
      }
      report = solver->solve(problem.view(), options, ImpulseGuess::none(), Lambda);
    }
    EXPECT_TRUE(is_certified(problem, report, Lambda)) << "problem " << k << ": residual " << report.residual;
  }
  std::printf("%d problems, %d with more rows than freedoms, %d contradict themselves and were mended in %d rounds\n",
              kProblems, deficient, contradictory, rounds);
  EXPECT_GT(deficient, kProblems / 4);
}
INSTANTIATE_TEST_SUITE_P(Families, RedundantJointProblems,
                         testing::Values(Targets::kGaps, Targets::kOneRestitution, Targets::kSomeRestitution));

}  // namespace
}  // namespace freeplay::test::redundant_joints_test
