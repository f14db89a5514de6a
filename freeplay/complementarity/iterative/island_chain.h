// The part of solver "auto" that takes any set and any size: per island of coupled contacts,
//
//   1. semismooth Newton from the guess: a handful of iterations is enough for most islands
//   2. proximal point from the guess: redundant contacts, large friction
//   3. Newton again, with patience, from where 2 came to and from the guess: where 2 lacks the last digits
//      (here ends who is left with rounding alone: no method would get further; and who has a self-stress that
//      speaks against the problem, self_stress.h: where there is a solution all the same, it is a matter of luck)
//   4. least squares from the best of these (least_squares_newton.h): where Newton's matrix is nearly singular; then
//      proximal point with patience, then nsgs, then prox-gauss-seidel: where no linear model helps
//   5. 1 and 2 from other starts, spread over several orders of magnitude and always the same ones
//
// A large island has more pieces than Newton's method can try from a poor guess. There some sweeps of nsgs come first,
// which sort out most of what is open, sticks or slides (without a guess, before 1; otherwise between 1 and 2), and
// proximal point starts again from where it stalled instead of 5. It does not start from the sweeps: measured, it then
// needs more steps or fails.
//
// Each is tried only where those before it failed; the best point counts.
#pragma once

#include "freeplay/complementarity/iterative/gauss_seidel.h"
#include "freeplay/complementarity/iterative/island_solver.h"
#include "freeplay/complementarity/iterative/newton/least_squares_newton.h"
#include "freeplay/complementarity/iterative/newton/newton_method.h"
#include "freeplay/complementarity/iterative/proximal_point.h"
#include "freeplay/complementarity/iterative/self_stress.h"

namespace freeplay::complementarity {

class IslandChain final : public IslandMethod {
 public:
  void reserve(int rows) override;
  int run(const GroupedProblem& island, double tolerance, VecRef z) override;
  void start(const SolverOptions& options) override {
    hardest_ = -1;
    relative_tolerance_ = options.relative_tolerance;
  }
  std::string_view delivered_by(std::string_view own_name) const override;

 private:
  static constexpr int kFirstIterations = 15;  // Newton's method finds most solutions within, or none at all

  NewtonMethod newton_{kFirstIterations}, long_newton_;
  NewtonIteration polishing_newton_;
  LeastSquaresNewton least_squares_;
  ProximalPoint proximal_point_;
  ProximalPoint patient_proximal_point_{ProximalPace::patient()};
  SelfStress self_stress_;
  ExactGaussSeidel nsgs_;
  ProxGaussSeidel prox_gauss_seidel_;
  VecX guess_, candidate_, v_;
  double relative_tolerance_ = 0;
  int hardest_ = -1;  // stage that the present problem needed; -1: none, the guess was good
};

}  // namespace freeplay::complementarity
