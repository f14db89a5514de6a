#include "freeplay/integrators/moreau/moreau_jean.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::integrators {

namespace {

constexpr int kMaxIterations = 40;   // 3 to 5 are usual
constexpr double kRounding = 1e-14;  // relative to the largest velocity: iterations go on until here
// How many last digits of a coordinate its forces may be off by, and what part of the velocities that may at most make.
constexpr double kDigits = 2, kLargestRounding = 1e-9;
// An iteration that leaves more than this part of what it moved asks for a new matrix.
constexpr double kSlow = 0.03;
// Increment of the difference quotients: relative to the velocities, and so large that the displacement it makes in a
// step stands out of the rounding of the coordinates.
constexpr double kIncrement = 1e-6, kDisplacement = 1e-10;

}  // namespace

MoreauJean::MoreauJean(const System& system, const ContactModel& contacts, const IntegratorOptions& options)
    // Rows hold for the velocity with which the positions advance, theta gamma_E + (1 - theta) gamma_A.
    : MoreauStepping(system, contacts, options, (1 - options.theta) / options.theta),
      theta_(options.theta),
      P_(system),
      is_deep_(system.mass_structure().deep != DeepTrees::kNone) {
  const int n = system.velocity_count();
  contact_step_.reserve_response();
  for (VecX* v :
       {&u_h_, &h_E_, &h_A_, &a_A_, &a_E_, &residual_, &u_free_, &jump_, &change_, &u_before_, &u_theta_, &u_mean_}) {
    *v = VecX::Zero(n);
  }
  q_h_ = q_E_ = q_theta_ = VecX::Zero(system.coordinate_count());
}

StepStatus MoreauJean::resume(const State& state, const IntegratorCounts& counts) {
  has_h_ = false;
  return MoreauStepping::resume(state, counts);
}

StepStatus MoreauJean::velocity_step(const State& state, double dt, StepReport& report) {
  activate_closed_points(state, dt);
  report.active_points = static_cast<int>(contact_step_.active().size());
  report.gaps_are_open = gaps_stay_open() && contact_step_.active().empty();
  // What belongs to the prediction q_M, while the dynamics stands there.
  dynamics_->mass_matrix(M_);
  if (!M_.factor()) return StepStatus::kNotFinite;
  if (!contact_step_.is_empty()) {
    contact_step_.collect(*dynamics_, *kinematics_, state.u);
    find_drifts(state, dt);
    contact_step_.assemble_impact(M_);
  }

  forces_at_start(state);
  P_.rescale(dt * theta_);
  const StepStatus status = iterate(state, dt, report);
  if (status != StepStatus::kOk) {
    has_h_ = false;
    return status;
  }
  t_h_ = t_E_;
  q_h_ = q_E_;
  u_h_ = u_E_;
  has_h_ = true;

  t_theta_ = state.t + theta_ * dt;
  u_theta_ = theta_ * u_E_ + (1 - theta_) * state.u;
  q_theta_ = state.q;
  delta_ = (theta_ * dt) * u_theta_;
  dynamics_->displace(q_theta_, delta_);
  return StepStatus::kOk;
}

void MoreauJean::forces_at_start(const State& state) {
  if (has_h_ && state.t == t_h_ && state.q == q_h_ && state.u == u_h_) {
    h_A_ = h_E_;
  } else {
    dynamics_->set_position(state.t, state.q);
    dynamics_->set_velocity(state.u);
    dynamics_->forces(h_A_);
    ++counts_.evaluations;
  }
  a_A_ = h_A_;
  M_.solve_in_place(a_A_);
}

void MoreauJean::acceleration_at_end(const State& state, double dt, const ConstVecRef& u, VecRef acceleration) {
  q_E_ = state.q;
  delta_ = dt * (theta_ * u + (1 - theta_) * state.u);
  dynamics_->displace(q_E_, delta_);
  dynamics_->set_position(t_E_, q_E_);
  dynamics_->set_velocity(u);
  dynamics_->forces(h_E_);
  ++counts_.evaluations;
  acceleration = h_E_;
  M_.solve_in_place(acceleration);
}

bool MoreauJean::smooth_residual(const State& state, double dt) {
  acceleration_at_end(state, dt, u_E_, a_E_);
  residual_ = u_E_ - state.u - dt * (theta_ * a_E_ + (1 - theta_) * a_A_);
  return residual_.allFinite();
}

// Up to where a residual that does not shrink any more is as good as zero. A stiff spring turns the rounding of q_E
// into one of velocities, |q|/dt times as large. With a new matrix, what does not shrink is rounding in any case.
double MoreauJean::rounding(double dt, bool has_new_matrix) {
  const double tolerance = options_.solver_tolerance_m_s;
  if (has_new_matrix) return std::max(tolerance, coordinate_rounding());
  return is_deep_ ? tolerance : std::min(tolerance, kRounding * max_abs(q_E_) / dt);
}

// Of what is computed at q_E, which is no finer than the digits of a coordinate: dt theta M^-1 dh/dq, which is A but
// for damping, times their rounding. A link of a long chain turns by more than the tolerance when its pins, 1 m from
// the origin, move by their last digit. Never more than a small part of the velocities: a residual beyond is no
// rounding.
double MoreauJean::coordinate_rounding() {
  const double digit = std::numeric_limits<double>::epsilon() * max_abs(q_E_);
  return std::min(kDigits * digit * P_.largest_row_sum(), kLargestRounding * max_abs(u_E_));
}

// With r(u) the smooth residual, an iteration solves  P (u - u_k) + r(u_k) = M^-1 W Lambda  together with the laws of
// the contacts. They hold for u and Lambda whatever P is; what is left of the equation of motion, P^-1 r(u) less the
// jump that Lambda makes, is measured with the forces at u. Once that is rounding, both are exact.
StepStatus MoreauJean::iterate(const State& state, double dt, StepReport& report) {
  u_E_ = state.u;
  jump_.setZero();
  respond_to_impulses();
  bool has_moved = false, is_new = false;
  double moved = 0, left = 0, left_before = 0;
  const double tolerance = options_.solver_tolerance_m_s;
  const auto aim = [&] { return std::min(tolerance, kRounding * std::max(1.0, max_abs(u_E_))); };
  for (int k = 0; k < kMaxIterations; ++k) {
    bool is_finite = smooth_residual(state, dt);
    if (has_moved && is_finite) {
      change_ = residual_;
      P_.solve_in_place(change_);
      change_ -= jump_;
      left_before = left;
      left = max_abs(change_);
      const bool shrinks = k < 2 || left <= 0.5 * left_before;
      if (left <= aim() || (!shrinks && left <= rounding(dt, is_new && k > 2))) {
        report.residual_m_s = std::max(report.residual_m_s, left);
        return StepStatus::kOk;
      }
    }
    // Along a deep tree rounding grows with the square of its depth: a new matrix, full and large, would not help.
    const bool is_rounding = is_deep_ && is_finite && left <= tolerance;
    if (!is_finite || (has_moved && left > kSlow * moved && !is_rounding)) {
      const bool is_lost = !is_finite || left > moved;
      if (is_lost && is_new && !is_finite) return StepStatus::kNotFinite;
      if (is_lost && !is_new) {  // from the start once more
        u_E_ = state.u;
        jump_.setZero();
        is_finite = smooth_residual(state, dt);
        if (!is_finite) return StepStatus::kNotFinite;
      }
      renew_matrix(state, dt);
      is_new = true;
    }
    u_before_ = u_E_;
    const StepStatus status =
        newton_step(dt, has_moved ? ContactStep::Guess::kLastAnswer : ContactStep::Guess::kNone, report);
    if (status != StepStatus::kOk) return status;
    has_moved = true;
    u_before_ -= u_E_;
    moved = max_abs(u_before_);
  }
  failure_details_ =
      fmt::format("{:.3g} m/s are left of the equation of motion after {} iterations; solver_tolerance is {:.3g} m/s",
                  left, kMaxIterations, tolerance);
  return StepStatus::kImplicitForcesFailed;
}

void MoreauJean::renew_matrix(const State& state, double dt) {
  const double increment =
      kIncrement * std::max(1.0, max_abs(u_E_)) + kDisplacement * std::max(1.0, max_abs(state.q)) / (theta_ * dt);
  P_.differentiate([&](const VecX& u, VecX& a) { acceleration_at_end(state, dt, u, a); }, u_E_, a_E_, increment,
                   dt * theta_);
  respond_to_impulses();
}

// P^-1 M^-1 W = Mhat^-1 W. Where that is M^-1 W, G is sparse if there are many trees.
void MoreauJean::respond_to_impulses() {
  if (contact_step_.is_empty()) return;
  responds_by_M_ = P_.is_identity() && contact_step_.has_many_trees();
  if (responds_by_M_) {
    contact_step_.assemble_collected(M_);
    return;
  }
  Eigen::Ref<MatX> columns = contact_step_.open_response();
  for (Eigen::Index i = 0; i < columns.cols(); ++i) {
    M_.solve_in_place(columns.col(i));
    P_.solve_in_place(columns.col(i));
  }
  contact_step_.close_response();
}

StepStatus MoreauJean::newton_step(double dt, ContactStep::Guess guess, StepReport& report) {
  P_.solve_in_place(residual_);
  u_free_ = u_E_ - residual_;
  if (contact_step_.is_empty()) {
    u_E_ = u_free_;
    return StepStatus::kOk;
  }
  const StepStatus status = note_contact(responds_by_M_ ? contact_step_.solve(M_, u_free_, dt, u_E_, guess)
                                                        : contact_step_.solve(u_free_, dt, u_E_, guess),
                                         report);
  jump_ = u_E_ - u_free_;
  return status;
}

// The forces of a step are theta times those at its end and 1 - theta times those at its start, and do their work on
// the mean velocity; M (u_E - u_A) on it is the change of the kinetic energy. The rows have their forces at the theta
// point.
void MoreauJean::book_powers(const State& state, double dt, EnergyAccount& account) {
  u_mean_ = 0.5 * (state.u + u_E_);
  row_effort_.setZero();
  const Powers start = powers_on_mean(state.t, state.q, state.u), end = powers_on_mean(t_E_, q_E_, u_E_);
  account.input += dt * (theta_ * end.input + (1 - theta_) * start.input);
  account.damping_loss += dt * (theta_ * end.damping + (1 - theta_) * start.damping);
  if (rows_ == 0) return;
  dynamics_->set_position(t_theta_, q_theta_);
  dynamics_->set_velocity(u_mean_);
  const double without_rows = dynamics_->powers(row_effort_).input;
  row_effort_ = row_impulses_ / dt;
  account.input += dt * (dynamics_->powers(row_effort_).input - without_rows);
}

// Of the sources' forces at (t, q, u) on the mean velocity. A power is linear in the velocity where its force does not
// depend on it and bilinear in the two for a linear damper: in both cases it is the difference of two plain powers.
Powers MoreauJean::powers_on_mean(double t, const VecX& q, const VecX& u) {
  dynamics_->set_position(t, q);
  delta_ = 0.5 * (u + u_mean_);
  dynamics_->set_velocity(delta_);
  Powers powers = dynamics_->powers(row_effort_);
  delta_ = 0.5 * (u - u_mean_);
  dynamics_->set_velocity(delta_);
  const Powers excess = dynamics_->powers(row_effort_);
  powers.input -= excess.input;
  powers.damping -= excess.damping;
  return powers;
}

void MoreauJean::advance_positions(State& state, double) {
  state.q = q_E_;
}

void MoreauJean::go_to_forces(bool, StepRecord& record) {
  record.t = t_theta_;
  record.q = q_theta_;
  record.u = u_theta_;
  dynamics_->set_position(t_theta_, q_theta_);
  kinematics_->update_gaps(g_M_);
  dynamics_->set_velocity(u_theta_);
}

std::unique_ptr<Integrator> make_moreau_jean(const System& system, const ContactModel& contacts,
                                             const IntegratorOptions& options) {
  return std::make_unique<MoreauJean>(system, contacts, options);
}

}  // namespace freeplay::integrators
