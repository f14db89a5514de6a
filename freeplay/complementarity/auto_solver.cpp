#include "freeplay/complementarity/auto_solver.h"

#include <cmath>

#include "freeplay/complementarity/enumerative.h"
#include "freeplay/complementarity/lemke.h"
#include "freeplay/complementarity/scaled_problem.h"

namespace freeplay {
namespace {

class AutoSolver final : public Solver {
 public:
  std::string_view name() const override { return "auto"; }
  SolverTraits traits() const override { return {}; }

  void reserve(int rows) override {
    for (const std::unique_ptr<Solver>& solver : chain_) solver->reserve(rows);
    if (candidate_.size() < rows) candidate_.resize(rows);
  }

  SolveReport solve(const LocalProblem& problem, const SolverOptions& options, VecRef Lambda) override {
    const int n = problem.size();
    SolveReport best = {.status = SolveStatus::kNotSupported, .solver = name()};
    if (!ScaledProblem::takes(problem)) return best;  // before Lambda is touched
    if (Lambda.isZero(0)) guess_sliding(problem, Lambda);
    for (const std::unique_ptr<Solver>& solver : chain_) {
      if (best.status == SolveStatus::kNotSupported) {
        best = solver->solve(problem, options, Lambda);
      } else {
        if (candidate_.size() < n) candidate_.resize(n);
        auto candidate_view = candidate_.head(n);
        candidate_view = Lambda;
        const SolveReport report = solver->solve(problem, options, candidate_view);
        if (report.status != SolveStatus::kNotSupported && report.residual < best.residual) {
          best = report;
          Lambda = candidate_view;
        }
      }
      if (best.status == SolveStatus::kSolved) break;
    }
    return best;
  }

 private:
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

  std::unique_ptr<Solver> chain_[2] = {make_lemke(), make_enumerative()};
  VecX candidate_;
};

}  // namespace

std::unique_ptr<Solver> make_auto_solver() {
  return std::make_unique<AutoSolver>();
}

}  // namespace freeplay
