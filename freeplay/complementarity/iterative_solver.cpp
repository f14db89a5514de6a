#include "freeplay/complementarity/iterative_solver.h"

#include "freeplay/complementarity/natural_residual.h"

namespace freeplay {

void IterativeSolver::reserve(int rows) {
  whole_.reserve(rows);
  island_.reserve(rows);
  if (z_.size() < rows) z_.resize(rows);
  reserve_rows(rows);
}

SolveReport IterativeSolver::solve(const LocalProblem& problem, const SolverOptions& options, VecRef Lambda) {
  if (zero_solves(problem)) {
    Lambda.setZero();
    return certify(problem, options, Lambda, name(), 0);
  }
  start();
  int iterations = 0;
  if (whole_.assign(problem)) {
    // The scaled residual is the natural one but for rounding; half the tolerance leaves room for that.
    const double tolerance = 0.5 * options.tolerance;
    if (z_.size() < problem.size()) z_.resize(problem.size());
    for (int k = 0; k < whole_.island_count(); ++k) {
      const bool is_whole = whole_.island_count() == 1;
      if (!is_whole) island_.assign_island(whole_, k);
      const GroupedProblem& island = is_whole ? whole_ : island_;
      auto z = z_.head(island.size());
      island.gather(Lambda, z);
      iterations += run(island, tolerance, z);
      island.scatter(z, Lambda);
    }
  }
  return certify(problem, options, Lambda, delivered_by(), iterations);
}

}  // namespace freeplay
