// The right-hand side of smooth motion: y = (q, u, energy account) and its rate. Bilateral rows are solved on
// acceleration level; the integrator removes the drift by projection after each accepted step.
#pragma once

#include <array>
#include <optional>

#include "freeplay/mechanism/projection.h"
#include "freeplay/mechanism/system.h"

namespace freeplay {

class SmoothDynamics {
 public:
  explicit SmoothDynamics(const System& system);

  // Layout of y: q, u, input, damping_loss.
  int size() const { return coordinates_ + velocities_ + 2; }
  // The part that the error control watches: the account is a quadrature beside the motion.
  int controlled_size() const { return coordinates_ + velocities_; }
  void pack(const State& state, VecRef y) const;
  void unpack(const ConstVecRef& y, State& state) const;
  // The state of sum weights[i] * terms[i], without a temporary.
  void unpack_combination(const std::array<VecX, 5>& terms, const std::array<double, 5>& weights, State& state) const;

  // dy/dt. Allocates nothing.
  [[nodiscard]] StepStatus rate(double t, const ConstVecRef& y, VecRef y_rate);
  // The row behind StepStatus::kInconsistentRows.
  int contradicting_row() const { return workspace_.solver.contradicting_row(); }
  int row_rank() const { return rows_ == 0 ? 0 : workspace_.solver.rank(); }  // at the last evaluation
  // Unit quaternions and closed loops. `report` tells the residuals. True if the state changed.
  bool settle(State& state, ProjectionReport& report);

  // Accelerations and row efforts at a state, with the reactions set in the dynamics.
  [[nodiscard]] StepStatus evaluate(const State& state, Dynamics& dynamics);

 private:
  [[nodiscard]] StepStatus accelerations(Dynamics& dynamics, double t, const ConstVecRef& q, const ConstVecRef& u);

  std::unique_ptr<Dynamics> dynamics_;
  int coordinates_, velocities_, rows_;
  BilateralWorkspace workspace_;
  VecX h_, du_, lambda_;
};

}  // namespace freeplay
