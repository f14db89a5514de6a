#include "freeplay/integrators/smooth/smooth_dynamics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace freeplay::integrators {

namespace {

// Redundant rows may disagree by rounding only, relative to the accelerations at work.
constexpr double kContradictionTolerance = 1e-6;

}  // namespace

SmoothDynamics::SmoothDynamics(const System& system, const ContactModel& contacts, double baumgarte_per_s)
    : PackedState(system.coordinate_count(), system.velocity_count()),
      dynamics_(system.make_dynamics()),
      rows_(system.row_count()),
      workspace_(system),
      h_(VecX::Zero(velocities_)),
      du_(VecX::Zero(velocities_)),
      lambda_(VecX::Zero(rows_)),
      baumgarte_per_s_(baumgarte_per_s),
      contacts_(contacts),
      kinematics_(contacts.make_kinematics(*dynamics_)),
      load_friction_(system, contacts),
      M_(system.mass_structure()),
      rows_of_point_(system.mass_structure()),
      column_(VecX::Zero(velocities_)) {
  kinematics_->take_all_points();
  rows_of_point_.reserve(ContactPoint::kMostRows);
}

StepStatus SmoothDynamics::accelerations(double t, const ConstVecRef& q, const ConstVecRef& u) {
  Dynamics& dynamics = *dynamics_;
  dynamics.set_position(t, q);
  dynamics.set_velocity(u);
  if (has_contacts()) losses_ = contacts_.add_loads(*kinematics_);
  if (rows_ == 0) return dynamics.free_accelerations(du_) ? StepStatus::kOk : StepStatus::kNotFinite;
  if (!workspace_.update(dynamics)) return StepStatus::kNotFinite;
  dynamics.forces(h_);
  dynamics.row_bias(workspace_.rows.zeta);
  if (baumgarte_per_s_ > 0) {
    BilateralRows& rows = workspace_.rows;
    dynamics.row_positions(rows.g);
    workspace_.row_velocities(u, lambda_);
    for (int i = 0; i < rows_; ++i) rows.zeta[i] += baumgarte_per_s_ * (2 * lambda_[i] + baumgarte_per_s_ * rows.g[i]);
  }
  const double contradiction =
      load_friction_.is_empty() ? workspace_.accelerations(h_, workspace_.rows.zeta, du_, lambda_)
                                : load_friction_.accelerations({workspace_, h_, du_, lambda_}, contacts_, *kinematics_);
  if (contradiction < 0) return StepStatus::kImplicitForcesFailed;
  losses_.friction_W += load_friction_.power(contacts_);
  const double scale = std::max({1.0, max_abs(workspace_.rows.zeta), max_abs(du_)});
  return contradiction <= kContradictionTolerance * scale ? StepStatus::kOk : StepStatus::kInconsistentRows;
}

StepStatus SmoothDynamics::rate(double t, const ConstVecRef& y, VecRef y_rate) {
  auto q_view = y.head(coordinates_);
  auto u_view = y.segment(coordinates_, velocities_);
  const StepStatus status = accelerations(t, q_view, u_view);
  if (status != StepStatus::kOk) return status;
  dynamics_->velocity_to_rate(q_view, u_view, y_rate.head(coordinates_));
  y_rate.segment(coordinates_, velocities_) = du_;
  const Powers powers = dynamics_->powers(lambda_);
  y_rate[coordinates_ + velocities_] = powers.input + losses_.input_W;
  y_rate[coordinates_ + velocities_ + 1] = powers.damping + losses_.film_W;
  y_rate[coordinates_ + velocities_ + 2] = losses_.damping_W;
  y_rate[coordinates_ + velocities_ + 3] = losses_.friction_W;
  return StepStatus::kOk;
}

bool SmoothDynamics::settle(State& state, StepReport& report) {
  const bool normalised = dynamics_->normalise(state.q);
  if (rows_ == 0) return normalised;
  if (baumgarte_per_s_ > 0) {
    measure_rows(state, report);
    return normalised;
  }
  const ProjectionReport projection = workspace_.project(*dynamics_, state);
  report.status = projection.status;
  report.position_residual_m = projection.position_residual;
  report.residual_m_s = projection.velocity_residual;
  report.iterations = projection.iterations;
  if (report.status != StepStatus::kOk) report.worst_row = projection.worst_row;
  return true;
}

// Without projection the residuals are what the drift has come to.
void SmoothDynamics::measure_rows(const State& state, StepReport& report) {
  dynamics_->set_position(state.t, state.q);
  dynamics_->set_velocity(state.u);
  BilateralRows& rows = workspace_.rows;
  dynamics_->row_jacobian(rows);
  dynamics_->row_positions(rows.g);
  report.position_residual_m = max_abs(rows.g);
  report.residual_m_s = 0;
  for (int i = 0; i < rows_; ++i) {
    report.residual_m_s = std::max(report.residual_m_s, std::abs(rows.W.col(i).dot(state.u) + rows.w_tilde[i]));
  }
}

StepStatus SmoothDynamics::write_record(const State& state, StepRecord& record) {
  record.is_known = false;
  const StepStatus status = accelerations(state.t, state.q, state.u);
  if (status != StepStatus::kOk) return status;
  begin_record(state, du_, lambda_, record);
  record.contact_forces.reserve(static_cast<std::size_t>(contacts_.point_count()));
  contacts_.write_forces(*kinematics_, record.contact_forces);
  return StepStatus::kOk;
}

void SmoothDynamics::gaps_at(double t, const ConstVecRef& y, VecRef gaps) {
  dynamics_->set_position(t, y.head(coordinates_));
  kinematics_->update_gaps(gaps);
  kinematics_->fill_far_gaps(gaps);
}

// A gap that is not shown, since it is far, may fall as fast as its pair may close.
void SmoothDynamics::open_gap_rates(const State& state, VecRef rates, VecRef speeds) {
  kinematics_->update_velocities();
  for (int i = 0; i < contacts_.point_count(); ++i) {
    rates[i] = speeds[i] = 0;
    if (state.contacts[static_cast<std::size_t>(i)].is_touching) continue;
    const PointVelocity gamma = kinematics_->velocity_of(i);
    const std::optional<double> far = kinematics_->far_speed(i);
    rates[i] = far ? -*far : gamma.normal;
    speeds[i] = far ? *far : gamma.shape_speed();
  }
}

double SmoothDynamics::effective_mass(int point) {
  rows_of_point_.clear();
  kinematics_->add_rows(point, rows_of_point_);
  rows_of_point_.write_column(0, column_);
  const VecX& w = column_;
  du_ = w;
  if (rows_ == 0) {
    dynamics_->mass_matrix(M_);
    if (!M_.factor()) return std::numeric_limits<double>::infinity();
    M_.solve_in_place(du_);
  } else {
    // The rows keep their velocities: M du = w + W lambda, W^T du = 0.
    h_ = w;
    workspace_.rows.zeta.setZero();
    workspace_.accelerations(h_, workspace_.rows.zeta, du_, lambda_);
  }
  constexpr double kSmallestMobility_1_kg = 1e-20;  // less is rounding: it cannot move
  const double mobility = w.dot(du_);
  return mobility > kSmallestMobility_1_kg ? 1 / mobility : std::numeric_limits<double>::infinity();
}

StepStatus SmoothDynamics::begin_closed_contacts(State& state) {
  constexpr double kLoose = 10;  // what was computed by hand and written down is rounded once more
  const double touching_m = kLoose * touching_gap(state);
  kinematics_->update_velocities();
  bool has_begun = false;
  for (int i = 0; i < contacts_.point_count(); ++i) {
    if (gaps()[i] > touching_m || kinematics_->velocity_of(i).normal > 0) continue;
    begin_contact(i, state);
    has_begun = true;
  }
  if (!has_begun) return StepStatus::kOk;
  contacts_.set_touching(state);
  y_.resize(size());
  y_rate_.resize(size());
  pack(state, y_);
  const StepStatus status = rate(state.t, y_, y_rate_);
  if (status == StepStatus::kOk) contacts_.remember_forces(state);
  return status;
}

void SmoothDynamics::count_starts(std::span<const int> starting, const State& state, IntegratorCounts& counts) const {
  counts.contacts_begun += static_cast<std::int64_t>(starting.size());
  for (const int point : starting) {
    if (!std::isfinite(gaps()[point])) continue;  // friction of a joint has no depth
    counts.largest_start_m = std::max(counts.largest_start_m, -gaps()[point]);
    counts.injected_J += state.contacts[static_cast<std::size_t>(point)].elastic_energy;
  }
}

void SmoothDynamics::begin_contact(int point, State& state) {
  kinematics_->update_velocities();
  contacts_.begin_contact(*kinematics_, point, effective_mass(point), state);
}

bool SmoothDynamics::let_go_of_contacts(State& state) {
  kinematics_->update_velocities();
  return contacts_.let_go(*kinematics_, state);
}

bool SmoothDynamics::end_contacts(State& state) {
  kinematics_->update_velocities();
  return contacts_.end_contacts(*kinematics_, state);
}

}  // namespace freeplay::integrators
