// Method of the solver "proximal-point": a sequence of problems that are easier than the original one,
//
//   z_k+1 = prox_C(z_k+1 - v),   v = H z_k+1 + h + alpha (z_k+1 - z_k),
//
// each solved by Newton's method. The term alpha makes them regular where G is rank-deficient or where friction makes
// the problem ill-posed; as z_k settles it vanishes, and with it the difference to the original problem. alpha falls
// while Newton's method copes and rises where it does not. Along directions in which nothing holds z (a contact pressed
// ever harder until another one opens) z moves by a step in proportion to 1 / alpha: hence the guess of run().
#pragma once

#include "freeplay/complementarity/iterative/island_solver.h"
#include "freeplay/complementarity/iterative/newton/newton_iteration.h"

namespace freeplay::complementarity {

// How alpha begins, and how it moves from one inner problem to the next.
struct ProximalPace {
  int outer_iterations = 200;
  double first_alpha = 1;
  int easy = 7;  // inner iterations up to which alpha falls faster
  double easy_fall = 0.2, fall = 0.5, rise = 3;

  // From where the usual pace has come to: Newton's method copes with no smaller alpha, and each step gains little.
  static constexpr ProximalPace patient() { return {20000, 1e-5, 7, 0.5, 0.7, 3}; }
};

class ProximalPoint final : public IslandMethod {
 public:
  explicit ProximalPoint(const ProximalPace& pace = {}) : pace_(pace) {}
  void reserve(int rows) override;
  int run(const GroupedProblem& problem, double tolerance, VecRef z) override;  // counts Newton iterations

 private:
  bool solve_inner(const GroupedProblem& problem, double tolerance, double alpha, double guess_length, int& iterations);

  ProximalPace pace_;
  NewtonIteration newton_;
  VecX centre_, next_, step_, best_, v_;
};

}  // namespace freeplay::complementarity
