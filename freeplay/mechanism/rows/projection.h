// Removal of drift: the mass-orthogonal projection of q onto g(t, q) = 0 and of u onto W^T u + w_tilde = 0.
#pragma once

#include <optional>

#include "freeplay/core/status.h"
#include "freeplay/mechanism/rows/bilateral_solver.h"
#include "freeplay/mechanism/rows/sparse_bilateral.h"
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

// Workspace of bilateral systems: rows, factorised mass matrix, solver. One per integrator. Where many trees have many
// rows, W is not written as a whole (rows.W) and the solver is SparseBilateral, in positions where few rows may depend
// on others.
class BilateralWorkspace {
 public:
  explicit BilateralWorkspace(const System& system);

  // At the position set in `dynamics`: g, W, w_tilde, M, factorisation. False if M is not positive.
  [[nodiscard]] bool update(Dynamics& dynamics);

  // After update(), as BilateralSolver has them.
  bool is_sparse() const { return is_sparse_; }
  int rank() const { return is_sparse_ ? sparse_->rank() : solver.rank(); }
  int contradicting_row() const { return is_sparse_ ? sparse_->contradicting_row() : solver.contradicting_row(); }
  std::vector<int> redundant_rows() const;  // in increasing order
  double accelerations(const ConstVecRef& h, const ConstVecRef& zeta, VecRef du, VecRef lambda);
  double displacement(const ConstVecRef& rhs, VecRef delta);
  // Whether the system has as many trees and rows as SparseBilateral wants.
  bool has_many_rows() const { return sparse_.has_value(); }
  // gamma = W^T u + w_tilde at the position set in `dynamics`, without update(). False unless there are many rows.
  [[nodiscard]] bool sparse_row_velocities(Dynamics& dynamics, const ConstVecRef& u, VecRef gamma);
  // W^T u + w_tilde.
  void row_velocities(const ConstVecRef& u, VecRef gamma) const;

  // Moves state.q and state.u; afterwards `dynamics` stands at the projected state.
  ProjectionReport project(Dynamics& dynamics, State& state, const ProjectionOptions& options = {});

  BilateralRows rows;
  VecX impulses;  // that the last projection gave the velocities, per row
  MassMatrix M;
  BilateralSolver solver;

 private:
  std::optional<SparseBilateral> sparse_;
  bool is_sparse_ = false;  // at the position of the last update()
  VecX delta_, rhs_, efforts_;
};

}  // namespace freeplay::mechanism
