// From a local problem to certified impulses: the solver that was asked for, and a more robust one where it fails.
#pragma once

#include <memory>
#include <string>

#include "freeplay/complementarity/problem/solver.h"

namespace freeplay::contact {

class ImpulseSolver {
 public:
  ImpulseSolver(const std::string& solver, const SolverOptions& options);
  void reserve(int rows);

  struct Outcome {
    SolveReport report;
    bool used_fallback = false;  // another solver than the chosen one delivered
  };
  // Lambda has the size of the problem.
  [[nodiscard]] Outcome solve(const LocalProblem& problem, const ImpulseGuess& guess, VecRef Lambda);
  // Whether these impulses, which `solver` has found for another problem, solve this one.
  [[nodiscard]] SolveReport certify(const LocalProblem& problem, const ConstVecRef& Lambda, std::string_view solver,
                                    int iterations) const {
    return complementarity::certify(problem, options_, Lambda, solver, iterations);
  }

 private:
  SolverOptions options_;
  std::unique_ptr<Solver> solver_, fallback_;
};

}  // namespace freeplay::contact
