#include "freeplay/complementarity/iterative/island_solver.h"

#include <cmath>

#include "freeplay/complementarity/problem/natural_residual.h"

namespace freeplay::complementarity {

void IslandSolver::reserve(int rows) {
  whole_.reserve(rows);
  island_.reserve(rows);
  if (z_.size() < rows) z_.resize(rows);
  method_->reserve(rows);
}

SolveReport IslandSolver::solve(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& guess,
                                VecRef Lambda) {
  if (!traits_.is_relaxed && zero_solves(problem)) {
    Lambda.setZero();
    return certify(problem, options, Lambda, name_, 0);
  }
  guess.write(Lambda);
  if (!whole_.assign(problem)) return certify(problem, options, Lambda, name_, 0);  // not finite: never solved
  // The scaled residual is the natural one but for rounding; half the tolerance leaves room for that.
  const double tolerance = 0.5 * options.tolerance;
  if (z_.size() < problem.size()) z_.resize(problem.size());
  method_->start(options);
  int iterations = 0;
  for (int k = 0; k < whole_.island_count(); ++k) {
    const bool is_whole = whole_.island_count() == 1;
    if (!is_whole) island_.assign_island(whole_, k);
    const GroupedProblem& island = is_whole ? whole_ : island_;
    auto z = z_.head(island.size());
    island.gather(Lambda, z);
    for (Eigen::Index i = 0; i < z.size(); ++i) {
      if (!std::isfinite(z[i])) z[i] = 0;
    }
    iterations += method_->run(island, tolerance, z);
    island.scatter(z, Lambda);
  }
  SolveReport report = certify(problem, options, Lambda, method_->delivered_by(name_), iterations);
  if (std::isfinite(report.residual)) report.status = method_->grade(report.status, options.tolerance);
  return report;
}

}  // namespace freeplay::complementarity
