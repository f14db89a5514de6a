// What closed contacts do next, decided on the level of accelerations (Pfeiffer 1999, eqs 60 to 71): with
//   ddg_N = w_N^T du/dt + zeta_N,   0 <= lambda_N _|_ ddg_N >= 0                       for gamma_N = 0
//   -ddg_T in N_C(lambda_T),  C = {|lambda_T| <= mu_0 lambda_N}                        for gamma_T = 0
//   lambda_T = -mu lambda_N gamma_T / |gamma_T|                                        for gamma_T != 0
// a contact stays closed or opens, sticks or begins to slide. The problem is a LocalProblem whose velocities are
// accelerations and whose impulses are forces; any solver takes it, and its residual is in m/s^2.
#pragma once

#include <string>
#include <vector>

#include "freeplay/contact/problem/delassus.h"
#include "freeplay/contact/problem/impulse_solver.h"
#include "freeplay/integrators/event_driven/phase_dynamics.h"

namespace freeplay::integrators {

class PhaseDecision {
 public:
  PhaseDecision(const System& system, const IntegratorOptions& options);

  struct Report {
    StepStatus status = StepStatus::kOk;
    double residual_m_s2 = 0;
    int iterations = 0;
    bool used_fallback = false;
    // A contact whose friction drives it into its partner (Painleve): w_N^T M^-1 (w_N - mu w_T d) <= 0. The problem may
    // then have no solution, or several.
    int painleve_point = -1;
    bool has_several = false;
  };
  // `dynamics` stands at `state`, with these phases set: closed points whose normal velocity is zero, kStick where the
  // tangential velocity is zero as well. Changes `phases` to what the accelerations make of them.
  Report decide(PhaseDynamics& dynamics, const State& state, std::vector<PointPhase>& phases);
  // Forces where they are not unique: at the last rate() of `dynamics`. False if there are none that fulfil the laws.
  [[nodiscard]] bool find_forces(PhaseDynamics& dynamics);
  // After it: a point that slides, and whose acceleration is another one with other forces that the laws allow; -1 if
  // there is none.
  int undecided_point() const { return undecided_point_; }
  LocalProblem problem() const { return {G_.view(), c_.head(size_), blocks_}; }
  bool has_problem() const { return size_ > 0; }

 private:
  void write_problem(const PhaseDynamics& dynamics);
  void write_friction(const PhaseDynamics& dynamics, std::size_t k, int normal_row);
  static void write_effort(ImpulseBlock& block, double along, double effort);
  // From the answer to the bounds of the problem to one with those that follow from it, for joints with friction by
  // load.
  [[nodiscard]] ImpulseSolver::Outcome solve_with_loads(const PhaseDynamics& dynamics);
  void find_painleve(const PhaseDynamics& dynamics, Report& report) const;
  double rounding_m_s2() const;
  void read_answer(const PhaseDynamics& dynamics, std::vector<PointPhase>& phases) const;

  Delassus G_;
  ImpulseSolver solver_;
  std::vector<ImpulseBlock> blocks_;
  std::vector<int> block_begin_;
  // Joints with friction by load: the place of the block, that in closed(), and the direction of the effort, 0 where it
  // sticks.
  struct LoadedBlock {
    std::size_t block = 0, closed = 0;
    double along = 0;
  };
  std::vector<LoadedBlock> loaded_;
  LoadRounds loads_;  // in the same order
  VecX c_, lambda_, acceleration_;
  int size_ = 0, undecided_point_ = -1;
};

}  // namespace freeplay::integrators
