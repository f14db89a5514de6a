// What the solvers on the grouped problem have in common: the problem is scaled and split into islands, each island is
// solved by itself, and what comes out is certified as a whole.
#pragma once

#include "freeplay/complementarity/grouped_problem.h"
#include "freeplay/complementarity/solver.h"

namespace freeplay {

class IterativeSolver : public Solver {
 public:
  SolverTraits traits() const override { return {.takes_discs = true}; }
  void reserve(int rows) final;
  SolveReport solve(const LocalProblem& problem, const SolverOptions& options, VecRef Lambda) final;

 protected:
  virtual void reserve_rows(int rows) = 0;
  // Improves z (a guess on entry) until island.residual() meets the tolerance or nothing more can be done; z is the
  // best that was found. Returns the number of iterations.
  virtual int run(const GroupedProblem& island, double tolerance, VecRef z) = 0;
  // Of those that share the work with others: who delivered.
  virtual std::string_view delivered_by() const { return name(); }
  virtual void start() {}

 private:
  GroupedProblem whole_, island_;
  VecX z_;
};

}  // namespace freeplay
