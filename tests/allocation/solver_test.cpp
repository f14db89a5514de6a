// Solvers of the contact problem allocate nothing once room is reserved, but for what solver.h lists.
#include <gtest/gtest.h>

#include <random>

#include "allocation_counter.h"
#include "freeplay/complementarity/problem/natural_residual.h"
#include "solvers_random/random_contacts.h"
#include "solvers_random/rigid_contacts.h"

namespace freeplay::test {
namespace {

TEST(PlanarSolvers, AllocateNothingAfterReserve) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  std::mt19937_64 random(17);
  std::vector<ContactProblem> problems;
  for (int k = 0; k < 300; ++k) problems.push_back(random_contacts(random, 1 + k % 3, 2).problem);
  // With bilateral rows, redundant ones, joint friction and one-sided bounds.
  for (int k = 0; k < 50; ++k) {
    ContactProblem problem = random_contacts(random, 3, 1).problem;
    problem.blocks.clear();
    problem.free_rows(2).contact(0.3).interval(-0.1, 0.1).interval(0, kInfinity);
    problems.push_back(problem);
  }
  for (const SolverEntry& entry : solver_registry()) {
    const std::unique_ptr<Solver> solver = entry.make();
    if (!solver->traits().takes_friction) continue;
    solver->reserve(6);
    VecX Lambda = VecX::Zero(6);
    int solved = 0;
    const std::size_t count = allocations_during([&] {
      for (const ContactProblem& problem : problems) {
        auto Lambda_view = Lambda.head(problem.size());
        const SolveReport report = solver->solve(problem.view(), {}, ImpulseGuess::from(Lambda), Lambda_view);
        solved +=
            report.status == SolveStatus::kSolved && natural_residual(problem.view(), Lambda_view).absolute <= 1e-9;
      }
    });
    EXPECT_EQ(count, 0u) << entry.name;
    EXPECT_GT(solved, 100) << entry.name;
  }
}

// Those that take no friction: normal rows and bilateral ones.
TEST(FrictionlessSolvers, AllocateNothingAfterReserve) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  std::mt19937_64 random(19);
  std::vector<ContactProblem> problems;
  for (int k = 0; k < 200; ++k) {
    problems.push_back(random_contacts(random, 1 + k % 4, 1).problem);
    const int rows = problems.back().size(), bilateral = k % 2;
    problems.back().blocks.clear();
    problems.back().free_rows(bilateral);
    for (int row = bilateral; row < rows; ++row) problems.back().unilateral();
  }
  int solvers = 0;
  for (const SolverEntry& entry : solver_registry()) {
    const std::unique_ptr<Solver> solver = entry.make();
    if (solver->traits().takes_friction) continue;
    ++solvers;
    solver->reserve(8);
    VecX Lambda(8);
    int solved = 0;
    const std::size_t count = allocations_during([&] {
      for (const ContactProblem& problem : problems) {
        auto Lambda_view = Lambda.head(problem.size());
        solved += solver->solve(problem.view(), {.tolerance = 1e-8}, ImpulseGuess::none(), Lambda_view).status ==
                  SolveStatus::kSolved;
      }
    });
    EXPECT_EQ(count, 0u) << entry.name;
    EXPECT_GT(solved, 100) << entry.name;
  }
  EXPECT_GT(solvers, 0);
}

// Friction in space. Systems of more than 96 closed rows go to Eigen's factorisations, which do allocate.
TEST(SpatialSolvers, AllocateNothingAfterReserve) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  std::mt19937_64 random(18);
  std::vector<RigidContacts> items;
  for (int k = 0; k < 30; ++k) items.push_back(rigid_contacts(random, 3, 1 + k % 8, 4, 0.8));
  for (const SolverEntry& entry : solver_registry()) {
    const std::unique_ptr<Solver> solver = entry.make();
    if (!solver->traits().takes_discs) continue;
    solver->reserve(24);
    VecX Lambda = VecX::Zero(24);
    int solved = 0;
    const std::size_t count = allocations_during([&] {
      for (const RigidContacts& item : items) {
        auto Lambda_view = Lambda.head(item.problem.size());
        solved += solver->solve(item.problem.view(), {.tolerance = 1e-8}, ImpulseGuess::none(), Lambda_view).status ==
                  SolveStatus::kSolved;
      }
    });
    EXPECT_EQ(count, 0u) << entry.name;
    EXPECT_GT(solved, 20) << entry.name;
  }
}

}  // namespace
}  // namespace freeplay::test
