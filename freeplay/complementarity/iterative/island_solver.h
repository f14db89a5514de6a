// What the iterative solvers have in common: the problem is scaled and split into islands of coupled contacts, each
// island is handed to a method, and what comes out is certified as a whole.
#pragma once

#include <memory>

#include "freeplay/complementarity/iterative/grouped_problem.h"
#include "freeplay/complementarity/problem/solver.h"

namespace freeplay::complementarity {

class IslandMethod {
 public:
  virtual ~IslandMethod() = default;
  // Makes room for islands of up to `rows` rows.
  virtual void reserve(int rows) = 0;
  // Improves z (a guess on entry) until island.residual() meets the tolerance or nothing more can be done; z is then
  // the best that was found. Returns the number of iterations.
  virtual int run(const GroupedProblem& island, double tolerance, VecRef z) = 0;

  // Before the islands of a new problem; and, after them, the solver that the report names (of a chain: the hardest one
  // that was needed).
  virtual void start(const SolverOptions& /*options*/) {}
  virtual std::string_view delivered_by(std::string_view own_name) const { return own_name; }
  // Only a relaxed method, which solves another problem, has a grade of its own.
  virtual SolveStatus grade(SolveStatus certified, double /*tolerance*/) const { return certified; }
};

class IslandSolver : public Solver {
 public:
  IslandSolver(std::string_view name, std::unique_ptr<IslandMethod> method,
               const SolverTraits& traits = {.takes_discs = true})
      : name_(name), traits_(traits), method_(std::move(method)) {}

  std::string_view name() const override { return name_; }
  SolverTraits traits() const override { return traits_; }
  void reserve(int rows) override;
  SolveReport solve(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& guess,
                    VecRef Lambda) override;

 private:
  std::string_view name_;
  SolverTraits traits_;
  std::unique_ptr<IslandMethod> method_;
  GroupedProblem whole_, island_;
  VecX z_;
};

}  // namespace freeplay::complementarity
