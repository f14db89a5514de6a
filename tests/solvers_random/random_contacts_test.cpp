// A million random contact problems: what a solver calls solved is solved, and what can be solved is.
#include <gtest/gtest.h>

#include <cstdio>

#include "freeplay/complementarity/problem/natural_residual.h"
#include "solvers_random/random_contacts.h"
#include "support/linear_algebra.h"

namespace freeplay::test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || !defined(NDEBUG)
constexpr int kPerSeries = 5000;
#else
constexpr int kPerSeries = 110000;  // nine series
#endif
constexpr double kRelativeTolerance = 1e-9;  // as 1e-9 m/s is to 1 m/s

double condition(const MatX& G) {
  const VecX values = eigenvalues_of_symmetric(G);
  return values[0] > 0 ? values[values.size() - 1] / values[0] : kInfinity;
}

// Signorini and Coulomb row by row, straight from the laws: how far Lambda is from meeting them, in the unit of xi.
// Rows of a contact: normal, tangent.
double violation(const ContactProblem& problem, const VecX& Lambda) {
  const VecX xi = problem.G * Lambda + problem.c;
  double worst = 0;
  const auto is_small = [&](double velocity) { worst = std::max(worst, velocity); };
  for (const ImpulseBlock& block : problem.blocks) {
    const int i = block.row;
    const double G = std::abs(problem.G(i, i));
    if (block.set == ImpulseSet::kNonNegative) {
      is_small(-G * Lambda[i]);
      is_small(-xi[i]);
      is_small(std::min(G * Lambda[i], xi[i]));
    } else {
      const double bound = block.hi1 * std::max(0.0, Lambda[block.normal_row]);
      is_small(G * (std::abs(Lambda[i]) - bound));
      is_small(std::min(G * (bound - Lambda[i]), -xi[i]));  // sliding backwards only at the upper bound
      is_small(std::min(G * (bound + Lambda[i]), xi[i]));   // sliding forwards only at the lower bound
    }
  }
  return std::isnan(worst) ? kInfinity : worst;
}

struct Series {
  int contacts;
  double mu_most;
};
class RandomContactProblems : public testing::TestWithParam<Series> {};

TEST_P(RandomContactProblems, AreSolvedOrReported) {
  const auto [contacts, mu_most] = GetParam();
  std::mt19937_64 random(1000 * contacts + static_cast<int>(10 * mu_most));
  const std::unique_ptr<Solver> lemke = find_solver("lemke")->make(), enumerative = find_solver("enumerative")->make(),
                                automatic = find_solver("auto")->make();
  int false_claims = 0, lemke_only = 0, enumerative_only = 0, neither = 0, regular = 0;
  int auto_failures = 0;
  int regular_failures = 0, consistent_failures = 0, consistent_failures_of_both = 0;
  VecX L(2 * contacts), E(2 * contacts), A(2 * contacts);
  for (int k = 0; k < kPerSeries; ++k) {
    const RandomContacts item = random_contacts(random, contacts, mu_most);
    const LocalProblem problem = item.problem.view();
    const SolverOptions options{.tolerance = kRelativeTolerance * item.c_size};
    const SolveReport by_lemke = lemke->solve(problem, options, ImpulseGuess::none(), L);
    const SolveReport by_enumerative = enumerative->solve(problem, options, ImpulseGuess::none(), E);
    const SolveReport by_auto = automatic->solve(problem, options, ImpulseGuess::none(), A);
    for (const auto& [report, Lambda] : {std::pair(&by_lemke, &L), {&by_enumerative, &E}, {&by_auto, &A}}) {
      if (report->status != SolveStatus::kSolved) continue;
      false_claims += !(report->limit <=
                        std::max(options.tolerance, options.relative_tolerance * velocity_magnitude(problem, *Lambda)));
      false_claims += !(natural_residual(problem, *Lambda).absolute <= report->limit);
      // The residual measures with the norm of the whole contact, which is no smaller than the diagonal entry.
      false_claims += !(violation(item.problem, *Lambda) <= (1 + 1e-9) * report->limit);
    }
    const bool L_solved = by_lemke.status == SolveStatus::kSolved, A_solved = by_auto.status == SolveStatus::kSolved;
    const bool E_solved = by_enumerative.status == SolveStatus::kSolved;
    auto_failures += (L_solved || E_solved) && !A_solved;
    lemke_only += L_solved && !E_solved;
    enumerative_only += E_solved && !L_solved;
    neither += !L_solved && !E_solved;
    if (!(L_solved && E_solved) && item.is_consistent) {
      ++consistent_failures;
      consistent_failures_of_both += !L_solved && !E_solved;
    }
    if (!item.is_deficient) {
      ++regular;
      // Rounding alone leaves up to rows * 2.2e-16 * cond(G) |c| in xi: beyond 1e6 no Lambda may meet the tolerance.
      if (!(L_solved && E_solved) && condition(item.problem.G) < 1e6) ++regular_failures;
    }
  }
  RecordProperty("problems", kPerSeries);
  std::printf("%d contacts, mu <= %.1f: %d problems, %d regular; lemke only %d, enumerative only %d, neither %d\n",
              contacts, mu_most, kPerSeries, regular, lemke_only, enumerative_only, neither);
  EXPECT_EQ(false_claims, 0);
  EXPECT_EQ(auto_failures, 0) << "auto solves what any of its solvers solves";
  EXPECT_EQ(regular_failures, 0) << "positive definite G";
  // With c = W^T u there is always a way out (u = 0); both solvers together find one.
  EXPECT_EQ(consistent_failures_of_both, 0);
  if (mu_most <= 0.5) {
    EXPECT_EQ(consistent_failures, 0);
  }
}
INSTANTIATE_TEST_SUITE_P(Series, RandomContactProblems,
                         testing::Values(Series{1, 0.1}, Series{2, 0.1}, Series{3, 0.1}, Series{1, 0.5}, Series{2, 0.5},
                                         Series{3, 0.5}, Series{1, 2}, Series{2, 2}, Series{3, 2}));

// Uniqueness: for a given friction bound s the problem is a strictly convex one whose solution moves by at most
// cond(G) |s - s'|; with s = mu Lambda_N and mu (1 + cond G) < 1 the composition contracts. Both solvers end in the
// same linear solve, so what is compared are the modes that they found: equal modes give equal bits.
TEST(UniqueContactProblems, HaveTheSameMotionWithBothSolvers) {
  std::mt19937_64 random(99);
  std::uniform_real_distribution<double> uniform(0, 1);
  const std::unique_ptr<Solver> lemke = find_solver("lemke")->make(), enumerative = find_solver("enumerative")->make();
  int compared = 0;
  double largest = 0;
  for (int k = 0; k < kPerSeries; ++k) {
    RandomContacts item = random_contacts(random, 1 + k % 3, 1);
    if (item.is_deficient || item.c_size == 0) continue;
    const double kappa = condition(item.problem.G);
    if (!(kappa < 1e4)) continue;
    for (ImpulseBlock& block : item.problem.blocks) {
      if (block.set != ImpulseSet::kInterval) continue;
      block.hi1 = 0.9 * uniform(random) / (1 + kappa);
      block.lo1 = -block.hi1;
    }
    const SolverOptions options{.tolerance = 1e-11 * item.c_size};
    VecX L(item.problem.size()), E(item.problem.size());
    ASSERT_EQ(lemke->solve(item.problem.view(), options, ImpulseGuess::none(), L).status, SolveStatus::kSolved);
    ASSERT_EQ(enumerative->solve(item.problem.view(), options, ImpulseGuess::none(), E).status, SolveStatus::kSolved);
    // A residual r bounds the error of G Lambda by about cond(G) r.
    const double difference = max_abs(item.problem.G * (L - E)) / item.c_size;
    EXPECT_LE(difference, 1e-11 * (1 + kappa));
    largest = std::max(largest, difference);
    ++compared;
  }
  std::printf("%d unique problems, largest relative difference of G Lambda %.1e\n", compared, largest);
  EXPECT_GT(compared, kPerSeries / 10);
}

}  // namespace
}  // namespace freeplay::test
