#include "freeplay/mechanism/rows/projection.h"

#include <algorithm>
#include <limits>

namespace freeplay::mechanism {

BilateralWorkspace::BilateralWorkspace(const System& system)
    : impulses(VecX::Zero(system.row_count())),
      M(system.mass_structure()),
      solver(system.velocity_count(), system.row_count()),
      delta_(VecX::Zero(system.velocity_count())),
      rhs_(VecX::Zero(system.row_count())),
      efforts_(VecX::Zero(system.row_count())) {
  if (SparseBilateral::serves(system)) sparse_.emplace(system);
  rows.resize(system.velocity_count(), system.row_count());
}

bool BilateralWorkspace::update(Dynamics& dynamics) {
  dynamics.row_positions(rows.g);
  is_sparse_ = false;
  if (sparse_) {
    dynamics.mass_matrix(M);
    if (!M.factor()) return false;
    sparse_->write_rows(dynamics, rows.w_tilde);
    const double opening = max_abs(rows.g);
    is_sparse_ = sparse_->factor(M, opening, solver.closed_rank());
    if (is_sparse_) {
      if (opening <= BilateralSolver::kClosed) solver.set_closed_rank(sparse_->rank());
      return true;
    }
  }
  dynamics.row_jacobian(rows);
  dynamics.mass_matrix(M);
  if (!M.factor()) return false;
  solver.factor(M, rows.W, max_abs(rows.g));
  return true;
}

std::vector<int> BilateralWorkspace::redundant_rows() const {
  if (is_sparse_) return sparse_->redundant_rows();
  std::vector<int> redundant(solver.pivots().begin() + solver.rank(), solver.pivots().end());
  std::sort(redundant.begin(), redundant.end());
  return redundant;
}

double BilateralWorkspace::accelerations(const ConstVecRef& h, const ConstVecRef& zeta, VecRef du, VecRef lambda) {
  if (!is_sparse_) return solver.accelerations(M, h, zeta, du, lambda);
  du = h;
  M.half_solve_in_place(du);
  sparse_->half_velocities(du, lambda);
  lambda = -lambda - zeta;
  const double contradiction = sparse_->solve_all_in_place(lambda);
  sparse_->add_half_response(lambda, du);
  M.finish_solve_in_place(du);
  return contradiction;
}

double BilateralWorkspace::displacement(const ConstVecRef& rhs, VecRef delta) {
  if (!is_sparse_) {
    const double contradiction = solver.displacement(M, rhs, delta);
    efforts_ = solver.displacement_efforts();
    return contradiction;
  }
  efforts_ = rhs;
  const double contradiction = sparse_->solve_all_in_place(efforts_);
  delta.setZero();
  sparse_->add_half_response(efforts_, delta);
  M.finish_solve_in_place(delta);
  return contradiction;
}

bool BilateralWorkspace::sparse_row_velocities(Dynamics& dynamics, const ConstVecRef& u, VecRef gamma) {
  if (!sparse_) return false;
  sparse_->write_rows(dynamics, rows.w_tilde);
  sparse_->velocities(u, gamma);
  gamma += rows.w_tilde;
  return true;
}

void BilateralWorkspace::row_velocities(const ConstVecRef& u, VecRef gamma) const {
  if (is_sparse_)
    sparse_->velocities(u, gamma);
  else
    gamma.noalias() = rows.W.transpose() * u;
  gamma += rows.w_tilde;
}

ProjectionReport BilateralWorkspace::project(Dynamics& dynamics, State& state, const ProjectionOptions& options) {
  ProjectionReport report;
  Eigen::Index worst = 0;
  double previous = std::numeric_limits<double>::infinity();
  // Newton's method until the tolerance is met or rounding ends the progress; the last iterate is kept.
  for (;; ++report.iterations) {
    dynamics.set_position(state.t, state.q);
    const bool is_factored = update(dynamics);
    report.position_residual = rows.g.cwiseAbs().maxCoeff(&worst);
    if (!is_factored) {
      report.status = StepStatus::kNotFinite;
      return report;
    }
    const bool stalled = !(report.position_residual < 0.5 * previous);
    if (report.position_residual <= options.position_tolerance || stalled ||
        report.iterations >= options.max_iterations) {
      break;
    }
    previous = report.position_residual;
    rhs_ = -rows.g;
    displacement(rhs_, delta_);
    dynamics.displace(state.q, delta_);
  }
  report.worst_row = static_cast<int>(worst);
  const double q_scale = std::max(1.0, max_abs(state.q));
  if (!(report.position_residual <= options.accepted_position * q_scale)) report.status = StepStatus::kProjectionFailed;

  impulses.setZero();
  // Twice: the second pass removes what rounding left of the first.
  for (int pass = 0; pass < 2; ++pass) {
    row_velocities(state.u, rhs_);
    rhs_ = -rhs_;
    displacement(rhs_, delta_);
    impulses += efforts_;
    state.u += delta_;
  }
  row_velocities(state.u, rhs_);
  report.velocity_residual = rhs_.cwiseAbs().maxCoeff(&worst);
  const double u_scale = std::max(1.0, max_abs(state.u));
  if (report.status == StepStatus::kOk && !(report.velocity_residual <= options.accepted_velocity * u_scale)) {
    report.status = StepStatus::kInconsistentRows;
    report.worst_row = static_cast<int>(worst);
  }
  dynamics.set_velocity(state.u);
  return report;
}

}  // namespace freeplay::mechanism
