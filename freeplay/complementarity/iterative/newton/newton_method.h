// Method of the solver "semismooth-newton": Newton's method on the prox equation (newton_iteration.h), first in the
// form of Alart and Curnier (1991), then, where that stalls, as natural map. Few iterations, each a linear system of
// the closed contacts; fails where the start is far and friction large, which proximal-point mends.
#pragma once

#include "freeplay/complementarity/iterative/island_solver.h"
#include "freeplay/complementarity/iterative/newton/newton_iteration.h"

namespace freeplay::complementarity {

class NewtonMethod final : public IslandMethod {
 public:
  // max_iterations of each form.
  explicit NewtonMethod(int max_iterations = 100) : max_iterations_(max_iterations) {}
  void reserve(int rows) override;
  int run(const GroupedProblem& island, double tolerance, VecRef z) override;

 private:
  int max_iterations_;
  NewtonIteration newton_;
  VecX start_, v_;
};

}  // namespace freeplay::complementarity
