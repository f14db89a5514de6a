#include "freeplay/contact/problem/impulse_solver.h"

#include "freeplay/core/error.h"

namespace freeplay::contact {

ImpulseSolver::ImpulseSolver(const std::string& solver, const SolverOptions& options) : options_(options) {
  const SolverEntry* entry = find_solver(solver);
  FREEPLAY_ASSERT(entry != nullptr);
  solver_ = entry->make();
  // A relaxed problem stays relaxed: exact impulses in some steps would make the run neither the one nor the other.
  if (solver != "auto" && !solver_->traits().is_relaxed) fallback_ = find_solver("auto")->make();
}

void ImpulseSolver::reserve(int rows) {
  solver_->reserve(rows);
  if (fallback_) fallback_->reserve(rows);
}

ImpulseSolver::Outcome ImpulseSolver::solve(const LocalProblem& problem, const ImpulseGuess& guess, VecRef Lambda) {
  Outcome outcome;
  outcome.report = solver_->solve(problem, options_, guess, Lambda);
  if (outcome.report.status == SolveStatus::kSolved || !fallback_) return outcome;
  outcome.used_fallback = true;
  outcome.report = fallback_->solve(problem, options_, ImpulseGuess::none(), Lambda);
  return outcome;
}

}  // namespace freeplay::contact
