#include "freeplay/io/problem/contact_problem.h"

#include <gtest/gtest.h>

#include "freeplay/complementarity/problem/natural_residual.h"
#include "freeplay/complementarity/problem/solver.h"
#include "unit/io/contact_problem_examples.h"

namespace freeplay::test {

namespace {

using namespace contact_test;

VecX solve(const LocalProblem& problem) {
  VecX Lambda = VecX::Zero(problem.size());
  const SolveReport report = find_solver("auto")->make()->solve(problem, {1e-12}, ImpulseGuess::none(), Lambda);
  EXPECT_EQ(report.status, SolveStatus::kSolved);
  return Lambda;
}

TEST(ContactProblem, BecomesANormalRowAndAnIntervalPerContactInThePlane) {
  const ContactLocalProblem owner(open_stick_slip());
  const LocalProblem local = owner.view();
  ASSERT_EQ(local.blocks.size(), 6u);
  EXPECT_EQ(local.blocks[2].set, ImpulseSet::kNonNegative);
  EXPECT_EQ(local.blocks[2].row, 2);
  EXPECT_EQ(local.blocks[3].set, ImpulseSet::kInterval);
  EXPECT_EQ(local.blocks[3].row, 3);
  EXPECT_EQ(local.blocks[3].normal_row, 2);
  EXPECT_EQ(local.blocks[3].lo1, -0.5);
  EXPECT_EQ(local.blocks[3].hi1, 0.5);
  const VecX expected = (VecX(6) << 0, 0, 0.5, -0.1, 1, -0.5).finished();
  EXPECT_LE(max_abs(solve(local) - expected), 1e-12);
}

TEST(ContactProblem, BecomesANormalRowAndADiscPerContactInSpace) {
  const ContactLocalProblem owner(sliding_in_space());
  const LocalProblem local = owner.view();
  ASSERT_EQ(local.blocks.size(), 2u);
  EXPECT_EQ(local.blocks[1].set, ImpulseSet::kDisc);
  EXPECT_EQ(local.blocks[1].size, 2);
  EXPECT_EQ(local.blocks[1].mu, 0.5);
  const VecX expected = (VecX(3) << 1, -0.3, -0.4).finished();
  EXPECT_LE(natural_residual(local, expected).absolute, 1e-15);
}

// r_N from u_N = 2 r_N + lambda - 1 = 0 and 0 = r_N + 2 lambda + 0.25: r_N = 0.75, lambda = -0.5. Sticks: r_T = -0.25.
TEST(ContactProblem, BilateralRowsComeFirstAndAreCoupledBothWays) {
  const ContactLocalProblem owner(with_bilateral_row());
  EXPECT_EQ(owner.bilateral_count(), 1);
  const VecX expected = (VecX(3) << -0.5, 0.75, -0.25).finished();
  EXPECT_LE(max_abs(solve(owner.view()) - expected), 1e-12);
}

TEST(ContactProblem, OfALocalProblemIsTheOneThatItWasMadeFrom) {
  for (const ContactProblem& problem : {open_stick_slip(), sliding_in_space(), with_bilateral_row()}) {
    const ContactProblem again = contact_problem_from(ContactLocalProblem(problem).view());
    EXPECT_EQ(again.dimension, problem.dimension);
    EXPECT_EQ(again.q, problem.q);
    EXPECT_EQ(again.mu, problem.mu);
    EXPECT_EQ(again.s, problem.s);
    // Zeros are not kept, so the matrices are compared through what they do.
    const ContactLocalProblem first(problem), second(again);
    for (int j = 0; j < first.view().size(); ++j) {
      for (int i = 0; i < first.view().size(); ++i) {
        EXPECT_EQ(first.view().G.entry(i, j), second.view().G.entry(i, j));
      }
    }
  }
}

TEST(ContactProblem, AContactWithoutFrictionGetsATangentThatNothingCouplesTo) {
  const MatX G = (MatX(3, 3) << 2, 1, 0, 1, 3, 0, 0, 0, 1).finished();
  const VecX c = (VecX(3) << -1, -1, 0.5).finished();
  const std::vector<ImpulseBlock> blocks = {
      {.set = ImpulseSet::kNonNegative, .row = 0},
      {.set = ImpulseSet::kNonNegative, .row = 1},
      {.set = ImpulseSet::kInterval, .row = 2, .normal_row = 1, .lo1 = -0.4, .hi1 = 0.4}};
  const LocalProblem local{G, c, blocks};
  ASSERT_EQ(obstacle_to_contact_problem(local), "");
  const ContactProblem problem = contact_problem_from(local);
  EXPECT_EQ(problem.mu, (std::vector<double>{0, 0.4}));
  EXPECT_EQ(problem.q, (std::vector<double>{-1, 0, -1, 0.5}));
  const VecX direct = solve(local), embedded = solve(ContactLocalProblem(problem).view());
  EXPECT_NEAR(embedded[0], direct[0], 1e-12);
  EXPECT_EQ(embedded[1], 0);
  EXPECT_NEAR(embedded[2], direct[1], 1e-12);
  EXPECT_NEAR(embedded[3], direct[2], 1e-12);
}

TEST(ContactProblem, RowsWithBoundsOfTheirOwnAreNamedAsTheObstacle) {
  const MatX G = MatX::Identity(2, 2);
  const VecX c = VecX::Ones(2);
  const std::vector<ImpulseBlock> dry = {{.set = ImpulseSet::kNonNegative, .row = 0},
                                         {.set = ImpulseSet::kInterval, .row = 1, .lo0 = -1, .hi0 = 1}};
  EXPECT_NE(obstacle_to_contact_problem({G, c, dry}).find("dry friction"), std::string::npos);
  const MatX G3 = MatX::Identity(3, 3);
  const VecX c3 = VecX::Ones(3);
  const std::vector<ImpulseBlock> cut = {
      {.set = ImpulseSet::kNonNegative, .row = 0},
      {.set = ImpulseSet::kDisc, .row = 1, .size = 2, .normal_row = 0, .mu = 0.3, .cut = 0}};
  EXPECT_NE(obstacle_to_contact_problem({G3, c3, cut}).find("disc that is cut"), std::string::npos);
  const std::vector<ImpulseBlock> bilateral = {{.row = 0}, {.row = 1}};
  EXPECT_NE(obstacle_to_contact_problem({G, c, bilateral}).find("bilateral"), std::string::npos);
}

}  // namespace

}  // namespace freeplay::test
