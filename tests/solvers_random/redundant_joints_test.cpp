// Ten thousand contact problems of redundant spatial joints, with friction up to 1 and restitution. What has a solution
// is solved, but for very few. Where restitution contradicts itself a self-stress says so in most cases, and the
// nearest data are solved; in the others the data without restitution are.
#include "solvers_random/redundant_joints.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "freeplay/complementarity/iterative/self_stress.h"
#include "freeplay/complementarity/problem/natural_residual.h"

namespace freeplay::test::redundant_joints_test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || !defined(NDEBUG)
constexpr int kWithGaps = 100, kWithRestitution = 30;
#else
constexpr int kWithGaps = 9600, kWithRestitution = 200;  // of each of the two
#endif
constexpr double kTolerance = 1e-9;
constexpr std::size_t kMissed = 5;  // a count, not a proof: three of 8000 were when this was written

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

// The nearest targets that d does not speak against; those of restitution alone move, none beyond zero. Returns how
// many do.
int lower_targets(const VecX& d, RedundantJoints& item) {
  VecX& c = item.contacts.problem.c;
  double square = 0;
  for (Eigen::Index i = 0; i < d.size(); ++i) square += item.target[i] * d[i] < 0 ? d[i] * d[i] : 0;
  const double length = -1.000001 * c.dot(d) / square;
  int moved = 0;
  for (Eigen::Index i = 0; i < d.size(); ++i) {
    if (!(item.target[i] * d[i] < 0)) continue;
    const double move = std::min(length * d[i], -item.target[i]);
    item.target[i] += move;
    c[i] += move;
    ++moved;
  }
  return moved;
}

class RedundantJointProblems : public testing::TestWithParam<Targets> {};

TEST_P(RedundantJointProblems, AreSolvedOrTheirRestitutionContradictsItself) {
  const int problems = GetParam() == Targets::kGaps ? kWithGaps : kWithRestitution;
  std::mt19937_64 random(42 + static_cast<int>(GetParam()));
  const std::unique_ptr<Solver> solver = find_solver("auto")->make();
  SelfStress self_stress;
  const SolverOptions options{.tolerance = kTolerance};
  int deficient = 0, contradictory = 0, unexplained = 0;
  std::vector<int> unsolved;
  for (int k = 0; k < problems; ++k) {
    RedundantJoints item = redundant_joints(random, GetParam(), 1);
    ContactProblem& problem = item.contacts.problem;
    deficient += item.contacts.W.rows() < item.contacts.W.cols();
    VecX Lambda = VecX::Zero(problem.size()), d = Lambda;
    SolveReport report = solver->solve(problem.view(), options, ImpulseGuess::none(), Lambda);
    contradictory += report.status != SolveStatus::kSolved;
    // As ContactStep does it: the nearest targets, or none where no self-stress says which ones are in the way.
    for (int round = 0; round < 8 && report.status != SolveStatus::kSolved && !item.target.isZero(0); ++round) {
      const bool is_explained = self_stress.find(problem.view(), kTolerance, d);
      if (is_explained) expect_self_stress(item, d);
      if (!is_explained || lower_targets(d, item) == 0) {
        problem.c -= item.target;
        item.target.setZero();
      }
      unexplained += !is_explained;
      report = solver->solve(problem.view(), options, ImpulseGuess::none(), Lambda);
    }
    if (!is_certified(problem, report, Lambda)) unsolved.push_back(k);
  }
  std::printf(
      "%d problems, %d with more rows than freedoms, %d contradict themselves, %d of them for no known reason\n",
      problems, deficient, contradictory, unexplained);
  EXPECT_GT(deficient, problems / 4);
  // Without restitution there is always a solution (docs/theory/solvers.md), but it is not always found.
  const std::size_t missed = GetParam() == Targets::kGaps ? kMissed : 0;
  EXPECT_LE(unsolved.size(), missed) << testing::PrintToString(unsolved);
}
INSTANTIATE_TEST_SUITE_P(Families, RedundantJointProblems,
                         testing::Values(Targets::kGaps, Targets::kOneRestitution, Targets::kSomeRestitution));

}  // namespace
}  // namespace freeplay::test::redundant_joints_test
