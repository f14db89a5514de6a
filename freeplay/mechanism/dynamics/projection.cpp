#include "freeplay/mechanism/dynamics/projection.h"

#include <algorithm>
#include <limits>

namespace freeplay::mechanism {

BilateralWorkspace::BilateralWorkspace(const System& system)
    : impulses(VecX::Zero(system.row_count())),
      M(system.mass_structure()),
      solver(system.velocity_count(), system.row_count()),
      delta_(VecX::Zero(system.velocity_count())),
      rhs_(VecX::Zero(system.row_count())) {
  rows.resize(system.velocity_count(), system.row_count());
}

bool BilateralWorkspace::update(Dynamics& dynamics) {
  dynamics.row_positions(rows.g);
  dynamics.row_jacobian(rows);
  dynamics.mass_matrix(M);
  if (!M.factor()) return false;
  solver.factor(M, rows.W, max_abs(rows.g));
  return true;
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
    solver.displacement(M, rhs_, delta_);
    dynamics.displace(state.q, delta_);
  }
  report.worst_row = static_cast<int>(worst);
  const double q_scale = std::max(1.0, max_abs(state.q));
  if (!(report.position_residual <= options.accepted_position * q_scale)) report.status = StepStatus::kProjectionFailed;

  impulses.setZero();
  // Twice: the second pass removes what rounding left of the first.
  for (int pass = 0; pass < 2; ++pass) {
    rhs_ = -rows.w_tilde;
    rhs_.noalias() -= rows.W.transpose() * state.u;
    solver.displacement(M, rhs_, delta_);
    impulses += solver.displacement_efforts();
    state.u += delta_;
  }
  rhs_.noalias() = rows.W.transpose() * state.u;
  rhs_ += rows.w_tilde;
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
