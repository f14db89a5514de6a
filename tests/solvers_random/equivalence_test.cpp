// All solvers against each other: those that report a solution agree in the velocities after it; or the problem is so
// ill-conditioned that their residuals leave the velocities open by that much; or it has several solutions. Which of
// the two it is, is then shown.
#include <gtest/gtest.h>

#include <map>

#include "freeplay/complementarity/problem/natural_residual.h"
#include "solvers_random/natural_map.h"
#include "solvers_random/rigid_contacts.h"

namespace freeplay::test {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kProblems = 100;
#else
constexpr int kProblems = 5000;  // planar, and as many in space
#endif
constexpr double kTolerance = 1e-10, kAgreement = 1e-7;
constexpr int kLargestForJacobi = 4, kLargestForEnumeration = 4;  // contacts

bool takes(const std::string& solver, int dimension, int contacts) {
  if (solver == "relaxed-cone") return false;  // solves another problem
  if (solver == "lemke") return dimension == 2;
  if (solver == "enumerative") return dimension == 2 && contacts <= kLargestForEnumeration;
  if (solver == "prox-jacobi") return contacts <= kLargestForJacobi;  // its thousands of iterations would fill the time
  return true;
}

// Whether Lambda, certified, lies at a solution of its own: Newton's method from there hardly moves the velocities,
// whereas on the way to another solution it would.
bool is_solution_of_its_own(const RigidContacts& item, const VecX& Lambda, double distance_to_other) {
  const VecX sharp = sharpened(item, Lambda);
  return natural_residual(item.problem.view(), sharp).absolute <= kTolerance &&
         max_abs(item.W * (sharp - Lambda)) <= 1e-3 * distance_to_other;
}

struct Tally {
  int tried = 0, solved = 0;
};

class Equivalence : public testing::TestWithParam<int> {};  // dimension

TEST_P(Equivalence, SolversThatReportSolvedAgreeAsFarAsResidualsTellOrSeveralSolutionsExist) {
  const int dimension = GetParam();
  std::mt19937_64 random(77 + dimension);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::map<std::string, std::unique_ptr<Solver>> solvers;
  for (const SolverEntry& entry : solver_registry()) solvers[entry.name] = entry.make();
  std::map<std::string, Tally> tally;
  int false_claims = 0, unexplained = 0, several = 0, ill_conditioned = 0, deficient = 0, unsolved = 0;
  for (int k = 0; k < kProblems; ++k) {
    const int contacts = 1 + static_cast<int>(30 * uniform(random) * uniform(random));
    const int bodies = 1 + static_cast<int>(uniform(random) * contacts);
    const RigidContacts item = rigid_contacts(random, dimension, contacts, bodies, 1.5);
    deficient += item.W.rows() < item.W.cols();
    const SolverOptions options{.tolerance = kTolerance, .relative_tolerance = 0};
    std::vector<std::pair<std::string, VecX>> answers;
    for (auto& [name, solver] : solvers) {
      if (!takes(name, dimension, contacts)) continue;
      VecX Lambda = VecX::Zero(item.problem.size());
      const SolveReport report = solver->solve(item.problem.view(), options, ImpulseGuess::none(), Lambda);
      ++tally[name].tried;
      if (report.status != SolveStatus::kSolved) continue;
      ++tally[name].solved;
      false_claims += !(natural_residual(item.problem.view(), Lambda).absolute <= kTolerance);
      answers.emplace_back(name, Lambda);
    }
    unsolved += answers.empty();
    for (std::size_t i = 1; i < answers.size(); ++i) {
      const VecX& a = answers[0].second;
      const VecX& b = answers[i].second;
      const double difference = max_abs(item.velocity_after(a) - item.velocity_after(b));
      const double agreement = kAgreement * std::max(1.0, max_abs(item.u));
      if (difference <= agreement) continue;
      if (are_one_solution(item, a, b, agreement)) {
        ++ill_conditioned;
      } else if (is_solution_of_its_own(item, a, difference) && is_solution_of_its_own(item, b, difference)) {
        ++several;
      } else {
        ++unexplained;
        ADD_FAILURE() << "problem " << k << ", " << contacts << " contacts: " << answers[0].first << " and "
                      << answers[i].first << " differ by " << difference;
      }
    }
  }
  std::printf(
      "%d dimensions, %d problems, %d with more rows than freedoms, %d solved by none; pairs at different "
      "solutions: %d, at one that the residuals leave open by more than %g: %d\n",
      dimension, kProblems, deficient, unsolved, several, kAgreement, ill_conditioned);
  for (const auto& [name, count] : tally) {
    std::printf("  %-18s solved %5d of %5d\n", name.c_str(), count.solved, count.tried);
  }
  EXPECT_EQ(false_claims, 0);
  EXPECT_EQ(unexplained, 0);
  EXPECT_EQ(tally["auto"].solved, kProblems) << "u = 0 is always admissible: a solution exists";
}
INSTANTIATE_TEST_SUITE_P(Dimensions, Equivalence, testing::Values(2, 3));

}  // namespace
}  // namespace freeplay::test
