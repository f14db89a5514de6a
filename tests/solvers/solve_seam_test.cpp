// What Solver::solve() promises of every solver in the registry.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "freeplay/complementarity/problem/natural_residual.h"
#include "solvers_random/rigid_contacts.h"

namespace freeplay::test::solve_seam_test {
namespace {

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const SolverEntry& entry : solver_registry()) names.push_back(entry.name);
  return names;
}

// Problems of a kind that the solver takes: in space, in the plane, or without friction.
std::vector<RigidContacts> problems_for(const SolverTraits& traits, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<RigidContacts> items;
  for (int k = 0; k < 12; ++k) {
    items.push_back(rigid_contacts(random, traits.takes_discs && k % 2 == 0 ? 3 : 2, 1 + k % 4, 2 + k % 3, 0.6));
    if (traits.takes_friction) continue;
    ContactProblem& problem = items.back().problem;
    problem.blocks.clear();
    for (int row = 0; row < problem.size(); ++row) problem.unilateral();
  }
  return items;
}

bool same_bits(const VecX& a, const VecX& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * 8) == 0;
}

class EverySolver : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Solver> make() const { return find_solver(GetParam())->make(); }
  VecX solve(Solver& solver, const RigidContacts& item, const ImpulseGuess& guess, double before = 0) {
    VecX Lambda = VecX::Constant(item.problem.size(), before);
    report = solver.solve(item.problem.view(), {.tolerance = 1e-9}, guess, Lambda);
    EXPECT_NE(report.status, SolveStatus::kNotSupported);
    return Lambda;
  }
  SolveReport report;
};
INSTANTIATE_TEST_SUITE_P(Registry, EverySolver, testing::ValuesIn(all_names()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(EverySolver, OnlyWritesLambda) {
  int solved = 0;
  for (const RigidContacts& item : problems_for(make()->traits(), 41)) {
    const VecX expected = solve(*make(), item, ImpulseGuess::none());
    solved += report.status == SolveStatus::kSolved;
    for (const double before : {1.0, -1e6, std::nan(""), kInfinity}) {
      EXPECT_TRUE(same_bits(solve(*make(), item, ImpulseGuess::none(), before), expected)) << "from " << before;
    }
  }
  EXPECT_GE(solved, 8);
}

TEST_P(EverySolver, GivesTheSameBitsForTheSameProblemAndGuessWhateverItSolvedBefore) {
  std::mt19937_64 random(43);
  std::normal_distribution<double> normal;
  const std::vector<RigidContacts> items = problems_for(make()->traits(), 42);
  const std::unique_ptr<Solver> used = make();
  for (int round = 0; round < 2; ++round) {
    for (const RigidContacts& item : items) {
      const VecX guess = VecX::NullaryExpr(item.problem.size(), [&] { return normal(random); });
      for (const ImpulseGuess& start : {ImpulseGuess::none(), ImpulseGuess::from(guess)}) {
        const VecX fresh = solve(*make(), item, start);
        const SolveReport expected = report;
        EXPECT_TRUE(same_bits(solve(*used, item, start), fresh));
        EXPECT_EQ(report.iterations, expected.iterations);
        EXPECT_EQ(report.residual, expected.residual);
      }
    }
  }
}

TEST_P(EverySolver, TakesAGuessFromTheVectorOfTheAnswer) {
  std::mt19937_64 random(44);
  std::normal_distribution<double> normal;
  for (const RigidContacts& item : problems_for(make()->traits(), 45)) {
    const VecX guess = VecX::NullaryExpr(item.problem.size(), [&] { return normal(random); });
    const VecX expected = solve(*make(), item, ImpulseGuess::from(guess));
    VecX Lambda = guess;
    static_cast<void>(make()->solve(item.problem.view(), {.tolerance = 1e-9}, ImpulseGuess::from(Lambda), Lambda));
    EXPECT_TRUE(same_bits(Lambda, expected));
  }
}

// What a step before knows is wrong in a contact or two: the rest of the guess is worth keeping.
TEST(ImpulseGuess, WrongModesOfOneContactAreMendedWithoutPivots) {
  std::mt19937_64 random(46);
  const std::unique_ptr<Solver> lemke = find_solver("lemke")->make();
  int tried = 0, without_pivots = 0;
  for (int k = 0; k < 60; ++k) {
    const RigidContacts item = rigid_contacts(random, 2, 2 + k % 3, 3 + k % 3, 0.1);
    VecX exact(item.problem.size()), Lambda(item.problem.size());
    const SolveReport without = lemke->solve(item.problem.view(), {}, ImpulseGuess::none(), exact);
    ASSERT_EQ(without.status, SolveStatus::kSolved);
    VecX guess = exact;
    guess.segment<2>(2 * (k % (item.problem.size() / 2))).setZero();
    if (guess == exact) continue;
    ++tried;
    const SolveReport report = lemke->solve(item.problem.view(), {}, ImpulseGuess::from(guess), Lambda);
    EXPECT_EQ(report.status, SolveStatus::kSolved);
    EXPECT_LT((Lambda - exact).norm(), 1e-9 * (1 + exact.norm())) << "little friction: one solution";
    without_pivots += report.iterations == 0;
  }
  EXPECT_GT(tried, 20);
  EXPECT_GT(without_pivots, tried * 9 / 10);
}

// A contact that is closed by rounding only: zero solves within the tolerance, but not exactly. A guess that
// nothing acts is kept; without a guess the exact solution is found, N = 1e-12 / (1.6 + 2 * 1.2).
TEST(ImpulseGuess, ZerosAreAGuessLikeOthers) {
  ContactProblem rod;
  rod.contact(2);
  rod.G = (MatX(2, 2) << 1.6, -1.2, -1.2, 3.4).finished();
  rod.c = Vec2(-1e-12, 1);
  const std::unique_ptr<Solver> lemke = find_solver("lemke")->make();
  const VecX zeros = VecX::Zero(2);
  VecX Lambda(2);
  EXPECT_EQ(lemke->solve(rod.view(), {}, ImpulseGuess::from(zeros), Lambda).status, SolveStatus::kSolved);
  EXPECT_EQ(Lambda, zeros);
  EXPECT_EQ(lemke->solve(rod.view(), {}, ImpulseGuess::none(), Lambda).status, SolveStatus::kSolved);
  EXPECT_NEAR(Lambda[0], 2.5e-13, 1e-25);
}

TEST(Lemke, TakesAFewContactsAmongMoreBilateralRowsThanItTakesContacts) {
  const int bilateral = 450;
  ContactProblem problem;
  problem.free_rows(bilateral).contact(0.5);
  const int n = bilateral + 2;
  problem.G = 2 * MatX::Identity(n, n);
  problem.G(bilateral, 0) = problem.G(0, bilateral) = 1;
  problem.c = VecX::Constant(n, -1);
  const Solved solved = solve_with("lemke", problem);
  ASSERT_EQ(solved.report.status, SolveStatus::kSolved);
  // 2 x + y = 1, x + 2 y = 1; the tangent slides: 2 T - 1 > 0 is out of reach of T <= y / 2.
  EXPECT_NEAR(solved.Lambda[0], 1.0 / 3, 1e-14);
  EXPECT_NEAR(solved.Lambda[1], 0.5, 1e-14);
  EXPECT_NEAR(solved.Lambda[bilateral], 1.0 / 3, 1e-14);
  EXPECT_NEAR(solved.Lambda[bilateral + 1], 1.0 / 6, 1e-14);
}

}  // namespace
}  // namespace freeplay::test::solve_seam_test
