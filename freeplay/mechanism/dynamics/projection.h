// Removal of drift: the mass-orthogonal projection of q onto g(t, q) = 0 and of u onto W^T u + w_tilde = 0.
#pragma once

#include "freeplay/core/status.h"
#include "freeplay/mechanism/dynamics/bilateral_solver.h"
#include "freeplay/mechanism/system.h"

namespace freeplay::mechanism {

struct ProjectionOptions {
  double position_tolerance = 1e-13;  // Newton goes on until here or until rounding stops it
  double accepted_position = 1e-12;   // m (or a number, for rotation rows), relative to max(1, |q|)
  double accepted_velocity = 1e-10;   // m/s, relative to max(1, |u|)
  int max_iterations = 12;
};

struct ProjectionReport {
  StepStatus status = StepStatus::kOk;
  double position_residual = 0, velocity_residual = 0;  // afterwards
  int iterations = 0;
  int worst_row = -1;
};

// Workspace of bilateral systems: rows, factorised mass matrix, solver. One per integrator.
class BilateralWorkspace {
 public:
  explicit BilateralWorkspace(const System& system);

  // At the position set in `dynamics`: g, W, w_tilde, M, factorisation. False if M is not positive.
  [[nodiscard]] bool update(Dynamics& dynamics);

  // Moves state.q and state.u; afterwards `dynamics` stands at the projected state.
  ProjectionReport project(Dynamics& dynamics, State& state, const ProjectionOptions& options = {});

  BilateralRows rows;
  VecX impulses;  // that the last projection gave the velocities, per row
  MassMatrix M;
  BilateralSolver solver;

 private:
  VecX delta_, rhs_;
};

}  // namespace freeplay::mechanism
