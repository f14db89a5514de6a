#include "freeplay/integrators/smooth_dynamics.h"

#include <algorithm>

namespace freeplay {

namespace {

// Redundant rows may disagree by rounding only, relative to the accelerations at work.
constexpr double kContradictionTolerance = 1e-6;

}  // namespace

SmoothDynamics::SmoothDynamics(const System& system)
    : dynamics_(system.make_dynamics()),
      coordinates_(system.coordinate_count()),
      velocities_(system.velocity_count()),
      rows_(system.row_count()),
      workspace_(system),
      h_(VecX::Zero(velocities_)),
      du_(VecX::Zero(velocities_)),
      lambda_(VecX::Zero(rows_)) {}

void SmoothDynamics::pack(const State& state, VecRef y) const {
  y.head(coordinates_) = state.q;
  y.segment(coordinates_, velocities_) = state.u;
  y[coordinates_ + velocities_] = state.account.input;
  y[coordinates_ + velocities_ + 1] = state.account.damping_loss;
}

void SmoothDynamics::unpack(const ConstVecRef& y, State& state) const {
  state.q = y.head(coordinates_);
  state.u = y.segment(coordinates_, velocities_);
  state.account.input = y[coordinates_ + velocities_];
  state.account.damping_loss = y[coordinates_ + velocities_ + 1];
}

void SmoothDynamics::unpack_combination(const std::array<VecX, 5>& terms, const std::array<double, 5>& weights,
                                        State& state) const {
  state.q.setZero(coordinates_);
  state.u.setZero(velocities_);
  state.account.input = state.account.damping_loss = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    state.q += weights[i] * terms[i].head(coordinates_);
    state.u += weights[i] * terms[i].segment(coordinates_, velocities_);
    state.account.input += weights[i] * terms[i][coordinates_ + velocities_];
    state.account.damping_loss += weights[i] * terms[i][coordinates_ + velocities_ + 1];
  }
}

StepStatus SmoothDynamics::accelerations(Dynamics& dynamics, double t, const ConstVecRef& q, const ConstVecRef& u) {
  dynamics.set_position(t, q);
  dynamics.set_velocity(u);
  if (rows_ == 0) return dynamics.free_accelerations(du_) ? StepStatus::kOk : StepStatus::kNotFinite;
  if (!workspace_.update(dynamics)) return StepStatus::kNotFinite;
  dynamics.forces(h_);
  dynamics.row_bias(workspace_.rows.zeta);
  const double contradiction = workspace_.solver.accelerations(workspace_.M, h_, workspace_.rows.zeta, du_, lambda_);
  const double scale = std::max({1.0, max_abs(workspace_.rows.zeta), max_abs(du_)});
  return contradiction <= kContradictionTolerance * scale ? StepStatus::kOk : StepStatus::kInconsistentRows;
}

StepStatus SmoothDynamics::rate(double t, const ConstVecRef& y, VecRef y_rate) {
  auto q_view = y.head(coordinates_);
  auto u_view = y.segment(coordinates_, velocities_);
  const StepStatus status = accelerations(*dynamics_, t, q_view, u_view);
  if (status != StepStatus::kOk) return status;
  dynamics_->velocity_to_rate(q_view, u_view, y_rate.head(coordinates_));
  y_rate.segment(coordinates_, velocities_) = du_;
  const Powers powers = dynamics_->powers(lambda_);
  y_rate[coordinates_ + velocities_] = powers.input;
  y_rate[coordinates_ + velocities_ + 1] = powers.damping;
  return StepStatus::kOk;
}

bool SmoothDynamics::settle(State& state, ProjectionReport& report) {
  const bool normalised = dynamics_->normalise(state.q);
  if (rows_ == 0) return normalised;
  report = workspace_.project(*dynamics_, state);
  return true;
}

StepStatus SmoothDynamics::evaluate(const State& state, Dynamics& dynamics) {
  const StepStatus status = accelerations(dynamics, state.t, state.q, state.u);
  if (status == StepStatus::kOk) dynamics.set_accelerations(du_, lambda_);
  return status;
}

}  // namespace freeplay
