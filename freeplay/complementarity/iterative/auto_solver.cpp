#include "freeplay/complementarity/iterative/auto_solver.h"

#include <algorithm>
#include <cmath>

#include "freeplay/complementarity/iterative/bilateral_reduction.h"
#include "freeplay/complementarity/iterative/island_chain.h"
#include "freeplay/complementarity/iterative/island_solver.h"
#include "freeplay/complementarity/iterative/newton/few_contacts_newton.h"
#include "freeplay/complementarity/piles/pile_solver.h"
#include "freeplay/complementarity/pivoting/enumerative.h"
#include "freeplay/complementarity/pivoting/lemke.h"
#include "freeplay/complementarity/pivoting/scaled_problem.h"
#include "freeplay/complementarity/problem/natural_residual.h"

namespace freeplay::complementarity {
namespace {

constexpr int kPivotingRows = 48;  // below, the pivots of lemke cost less than a Newton iteration
// Rows of a dense G, as of a tree whose contacts are all coupled, up to which the modes of the step before are tried
// first. A chain that lies on its pulleys keeps them: one linear system, where Newton's method from nothing takes fifty
// of the same size. Up to fewer rows a tableau is cheaper than Newton's method where the modes have changed.
constexpr int kCoupledRows = 400, kTableauRows = 200;

class AutoSolver final : public Solver {
 public:
  std::string_view name() const override { return "auto"; }
  SolverTraits traits() const override { return {.takes_discs = true}; }

  void reserve(int rows) override {
    const int pivoting = std::min(rows, kPivotingRows);
    lemke_->reserve(pivoting);
    enumerative_->reserve(pivoting);
    islands_.reserve(rows);
    few_contacts_.reserve(rows);
    if (candidate_.size() < rows) candidate_.resize(rows);
  }

  SolveReport solve(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& guess,
                    VecRef Lambda) override {
    if (problem.G.factors() != nullptr) return solve_pile(problem, options, guess, Lambda);
    if (problem.size() > kPivotingRows && BilateralReduction::takes(problem)) {
      const SolveReport report = solve_contacts(problem, options, guess, Lambda);
      if (report.status == SolveStatus::kSolved) return report;
    }
    const bool can_pivot = ScaledProblem::takes(problem, lemke_->traits().largest_problem);
    // Not where impulses are the guess: who solves nearly the same problem again and again must not be led from one
    // solution of redundant contacts to another.
    if (!can_pivot && !guess.is_given() && guess.modes() != nullptr && FewContactsNewton::takes(problem)) {
      const SolveReport report = solve_few(problem, options, guess, Lambda);
      if (report.status == SolveStatus::kSolved) return report;
    }
    if (can_pivot && is_coupled(problem) && guess.modes() != nullptr) {
      const SolveReport report = solve_coupled(problem, options, guess, Lambda);
      if (report.status == SolveStatus::kSolved) return report;
    }
    if (!can_pivot || problem.size() > kPivotingRows) {
      SolveReport best = islands_.solve(problem, options, guess, Lambda);
      if (can_pivot && best.status != SolveStatus::kSolved) improve(*lemke_, problem, options, Lambda, best);
      return best;
    }
    guess.write(Lambda);
    if (!guess.is_given()) guess_sliding(problem, Lambda);
    SolveReport best = lemke_->solve(problem, options, ImpulseGuess::from(Lambda), Lambda);
    if (best.status == SolveStatus::kSolved) return best;
    // A search that saw all modes has the last word: what it did not find is not there.
    if (improve(*enumerative_, problem, options, Lambda, best) != SolveStatus::kNotSupported) return best;
    improve(islands_, problem, options, Lambda, best);
    return best;
  }

 private:
  // The contacts alone, once the bilateral rows are eliminated. Not solved where these depend on each other.
  SolveReport solve_contacts(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& guess,
                             VecRef Lambda) {
    if (zero_solves(problem)) {
      Lambda.setZero();
      return certify(problem, options, Lambda, name(), 0);
    }
    if (!reduction_.reduce(problem)) return {};
    const LocalProblem contacts = reduction_.reduced();
    if (of_contacts_.size() < contacts.size()) of_contacts_.resize(contacts.size());
    auto of_contacts = of_contacts_.head(contacts.size());
    SolveReport report{.solver = name()};
    if (contacts.size() > 0) report = solve(contacts, options, reduction_.reduced(guess), of_contacts);
    if (all_rows_.size() < problem.size()) all_rows_.resize(problem.size());
    auto all_rows = all_rows_.head(problem.size());
    reduction_.expand(problem, of_contacts, all_rows);
    report = certify(problem, options, all_rows, report.solver, report.iterations);
    if (report.status == SolveStatus::kSolved) Lambda = all_rows;
    return report;
  }

  static bool is_coupled(const LocalProblem& problem) {
    return problem.size() > kPivotingRows && problem.size() <= kCoupledRows && problem.G.is_dense();
  }

  // The modes of the step before, corrected once or twice: where that does not settle them, one changes many others,
  // and further corrections go round in circles.
  SolveReport solve_coupled(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& guess,
                            VecRef Lambda) {
    if (candidate_.size() < problem.size()) candidate_.resize(problem.size());
    auto candidate = candidate_.head(problem.size());
    const Eigen::Map<const VecX> modes(guess.modes(), problem.size());
    Solver& solver = problem.size() <= kTableauRows ? *brief_lemke_ : *mode_corrections_;
    const SolveReport report = solver.solve(problem, options, ImpulseGuess::from(modes), candidate);
    if (report.status == SolveStatus::kSolved) Lambda = candidate;
    return report;
  }

  SolveReport solve_few(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& guess,
                        VecRef Lambda) {
    if (zero_solves(problem)) {
      Lambda.setZero();
      return certify(problem, options, Lambda, name(), 0);
    }
    if (candidate_.size() < problem.size()) candidate_.resize(problem.size());
    auto candidate = candidate_.head(problem.size());
    // From the modes alone, then with the impulses: where redundant contacts stick, only the load as they shared it
    // before may lead to a solution.
    bool keeps_impulses = false;
    SolveReport report;
    for (int tries = 2, iterations = 0; tries > 0; --tries) {
      // Its residual is the natural one but for rounding; half the tolerance leaves room for that.
      iterations += few_contacts_.run(problem, 0.5 * options.tolerance, guess.modes(), keeps_impulses, candidate);
      report = certify(problem, options, candidate, "semismooth-newton", iterations);
      if (report.status == SolveStatus::kSolved) {
        Lambda = candidate;
        return report;
      }
      keeps_impulses = !keeps_impulses;
    }
    return report;
  }

  // Whoever has made no matrix expects that none is needed; where sweeps do not settle, the chain makes one of its own.
  SolveReport solve_pile(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& guess,
                         VecRef Lambda) {
    SolveReport best = pile_.solve(problem, options, guess, Lambda);
    if (best.status == SolveStatus::kNotSupported) return islands_.solve(problem, options, guess, Lambda);
    if (best.status != SolveStatus::kSolved) improve(islands_, problem, options, Lambda, best);
    return best;
  }

  // Another solver, from the best that there is. Its answer is taken over where it is better.
  SolveStatus improve(Solver& solver, const LocalProblem& problem, const SolverOptions& options, VecRef Lambda,
                      SolveReport& best) {
    if (candidate_.size() < problem.size()) candidate_.resize(problem.size());
    auto candidate = candidate_.head(problem.size());
    const SolveReport report = solver.solve(problem, options, ImpulseGuess::from(Lambda), candidate);
    if (report.status != SolveStatus::kNotSupported && report.residual < best.residual) {
      best = report;
      Lambda = candidate;
    }
    return report.status;
  }

  // Most contacts of most steps close where they approach, and slide on the way they went. Only which rows are at a
  // bound counts here: a solver that takes guesses tries those modes by one linear system before it searches.
  static void guess_sliding(const LocalProblem& problem, VecRef Lambda) {
    for (const ImpulseBlock& block : problem.blocks) {
      const double c = problem.c[block.row];
      if (block.set == ImpulseSet::kNonNegative) Lambda[block.row] = c < 0 ? 1 : 0;
      if (block.set == ImpulseSet::kInterval) {
        const double Lambda_N = block.normal_row >= 0 ? Lambda[block.normal_row] : 0;
        const double bound = c > 0 ? block.lo0 + block.lo1 * Lambda_N : block.hi0 + block.hi1 * Lambda_N;
        Lambda[block.row] = std::isfinite(bound) ? bound : 0;
      }
    }
  }

  std::unique_ptr<Solver> lemke_ = make_lemke(), enumerative_ = make_enumerative();
  std::unique_ptr<Solver> brief_lemke_ = make_lemke({.corrections = 2, .attempts = 1}),
                          mode_corrections_ = make_lemke({.corrections = 2, .attempts = 0});
  BilateralReduction reduction_;
  FewContactsNewton few_contacts_;
  PileSolver pile_;
  IslandSolver islands_{"auto", std::make_unique<IslandChain>()};
  VecX candidate_, of_contacts_, all_rows_;
};

}  // namespace

std::unique_ptr<Solver> make_auto_solver() {
  return std::make_unique<AutoSolver>();
}

}  // namespace freeplay::complementarity
