// Drift: what integrating accelerations leaves of gaps and velocities that should be zero.
#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/integrators/event_driven/phase_dynamics.h"

namespace freeplay::integrators {

namespace {

constexpr int kMostIterations = 12;
constexpr double kPosition = 1e-13, kAcceptedPosition = 1e-10;  // relative to max(1, |q|)
constexpr double kVelocity = 1e-13, kAcceptedVelocity = 1e-9;   // relative to max(1, |u|)

}  // namespace

// Of bilateral rows and of the normal rows of closed points; 0 for rows that are kept in their velocity only.
double PhaseDynamics::closed_gap_residual(VecRef residual) {
  if (bilateral_ > 0) dynamics_->row_positions(zeta_.head(bilateral_));
  double largest = 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const KeptRow& kept = kept_[i];
    const Eigen::Index at = static_cast<Eigen::Index>(i);
    residual[at] = kept.closed < 0  ? zeta_[kept.row]
                   : kept.is_normal ? gaps_[closed_[static_cast<std::size_t>(kept.closed)]]
                                    : 0;
    largest = std::max(largest, std::abs(residual[at]));
  }
  return largest;
}

bool PhaseDynamics::settle(State& state, StepReport& report, double most_m_s) {
  const bool changed = dynamics_->normalise(state.q);
  has_jumped_ = false;
  settling_input_J_ = 0;
  if (kept_.empty()) return changed;
  q_before_ = state.q;
  u_before_ = state.u;
  project_position(state, report);
  if (report.status == StepStatus::kOk) project_velocity(state, report, most_m_s);
  return changed || q_before_ != state.q || u_before_ != state.u;
}

void PhaseDynamics::project_position(State& state, StepReport& report) {
  const Eigen::Index n = static_cast<Eigen::Index>(kept_.size());
  double last = std::numeric_limits<double>::infinity();
  const double scale = std::max(1.0, max_abs(state.q));
  for (int k = 0;; ++k) {
    stand_at(state);
    const double largest = closed_gap_residual(rhs_.head(n));
    report.position_residual_m = largest;
    const bool is_done = largest <= kPosition * scale || !(largest < 0.5 * last) || k == kMostIterations;
    if (is_done) {
      if (!(largest <= kAcceptedPosition * scale)) report.status = StepStatus::kProjectionFailed;
      return;
    }
    last = largest;
    if (collect(state.u) != StepStatus::kOk) {
      report.status = StepStatus::kNotFinite;
      return;
    }
    closed_gap_residual(rhs_.head(n));  // collect() has used its room
    // What sticks may move a little along its surface: only gaps are drawn to zero.
    for (Eigen::Index i = 0; i < n; ++i) rhs_[i] = -rhs_[i];
    factor_rows(false);
    solve_rows();
    delta_.noalias() = response_.leftCols(n) * x_.head(n);
    dynamics_->displace(state.q, delta_);
  }
}

double PhaseDynamics::measure_velocities(const VecX& u) {
  double largest = 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const double velocity = rows_.velocity(kept_[i].row, u);
    rhs_[static_cast<Eigen::Index>(i)] = -velocity;
    largest = std::max(largest, std::abs(velocity));
  }
  return largest;
}

void PhaseDynamics::project_velocity(State& state, StepReport& report, double most_m_s) {
  const Eigen::Index n = static_cast<Eigen::Index>(kept_.size());
  const double scale = std::max(1.0, max_abs(state.u));
  if (collect(state.u) != StepStatus::kOk) {
    report.status = StepStatus::kNotFinite;
    return;
  }
  double largest = measure_velocities(state.u);
  if (largest > most_m_s) {
    has_jumped_ = true;
    return;
  }
  if (largest > kVelocity * scale) {
    factor_rows(false);
    solve_rows();
    state.u.noalias() += response_.leftCols(n) * x_.head(n);
    for (Eigen::Index i = 0; i < n; ++i)
      settling_input_J_ -= x_[i] * rows_.w_tilde(kept_[static_cast<std::size_t>(i)].row);
    largest = measure_velocities(state.u);
  }
  report.residual_m_s = std::max(report.residual_m_s, largest);
  if (!(largest <= kAcceptedVelocity * scale)) report.status = StepStatus::kProjectionFailed;
}

void PhaseDynamics::stop(State& state, StepReport& report) {
  const Eigen::Index n = static_cast<Eigen::Index>(kept_.size());
  stand_at(state);
  report.status = collect(state.u);
  if (report.status != StepStatus::kOk) return;
  const double scale = std::max(1.0, max_abs(state.u));
  measure_velocities(state.u);
  factor_rows(true);
  solve_rows();
  state.u.noalias() += response_.leftCols(n) * x_.head(n);
  if (!(measure_velocities(state.u) <= kAcceptedVelocity * scale)) report.status = StepStatus::kProjectionFailed;
}

double PhaseDynamics::stopping_input_J() const {
  double input_J = 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const double impulse = x_[static_cast<Eigen::Index>(i)];
    input_J -= impulse * rows_.w_tilde(kept_[i].row);
    if (!kept_[i].is_normal) continue;
    const std::size_t k = static_cast<std::size_t>(kept_[i].closed);
    const Vec2 drag = drag_of(k);
    for (int j = 0; j < points()[closed_[k]].friction_rows(); ++j)
      input_J -= impulse * drag[j] * rows_.w_tilde(kept_[i].row + 1 + j);
  }
  return input_J;
}

PointForces PhaseDynamics::stopping_impulses(std::size_t k) const {
  PointForces impulses{.point = closed_[k]};
  const int of_normal = points()[closed_[k]].has_normal ? 1 : 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (kept_[i].closed != static_cast<int>(k)) continue;
    const double impulse = x_[static_cast<Eigen::Index>(i)];
    if (kept_[i].is_normal) {
      impulses.normal_N = impulse;
      impulses.tangential_N += impulse * drag_of(k);
    } else
      impulses.tangential_N[kept_[i].row - first_row_[k] - of_normal] = impulse;
  }
  return impulses;
}

}  // namespace freeplay::integrators
