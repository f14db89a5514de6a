#include "freeplay/integrators/nlp/nlp_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::integrators {

namespace {

constexpr int kMaxCorrections = 20;
constexpr double kClosed = 1e-11;        // of the clearance: how exactly a corrected step closes a gap
constexpr double kClosed_m = 1e-12;      // the same where there is no clearance
constexpr double kOpen = 1e-3;           // of the clearance: a gap that is larger is open, and can be landed on
constexpr double kOpen_m = 1e-6;         // the same where there is no clearance
constexpr double kRoundingUnits = 8;     // units in the last place of a coordinate
constexpr double kRowsClosed_m = 1e-12;  // bilateral rows
constexpr int kFewPoints = 64;
constexpr double kReach = 2;  // points that may be reached in a step this many times as long take part

std::string solver_of(const ContactModel& contacts, const IntegratorOptions& options) {
  const std::vector<const ContactPoint*> all = contacts.descriptions();
  const bool has_friction =
      std::any_of(all.begin(), all.end(), [](const ContactPoint* point) { return point->has_friction(); });
  return options.solver == "auto" && !has_friction ? "dual-active-set" : options.solver;
}

}  // namespace

NlpStep::NlpStep(const System& system, const ContactModel& contacts, const IntegratorOptions& options)
    : contacts_(contacts),
      options_(options),
      rows_(system.row_count()),
      dynamics_(system.make_dynamics()),
      probe_(system.make_dynamics()),
      kinematics_(contacts.make_kinematics(*dynamics_)),
      probe_kinematics_(contacts.make_kinematics(*probe_)),
      M_(system.mass_structure()),
      factored_(system.mass_structure()),
      contact_step_(system, contacts, *kinematics_,
                    {solver_of(contacts, options), options.solver_tolerance_m_s, options.r_factor}),
      centre_rows_(system.mass_structure()),
      point_rows_(system.mass_structure()),
      normal_rows_(system.mass_structure()) {
  kinematics_->take_all_points();
  probe_kinematics_->take_all_points();
  q_E_ = VecX::Zero(system.coordinate_count());
  for (VecX* v : {&acceleration_, &u_free_, &u_E_, &delta_, &forces_}) *v = VecX::Zero(system.velocity_count());
  for (VecX* v : {&g_A_, &g_E_, &gamma_A_, &gamma_free_, &error_}) *v = VecX::Zero(contacts.point_count());
  row_g_A_ = row_g_E_ = row_error_ = VecX::Zero(rows_);
  for (const ContactPoint& point : contacts.points()) has_friction_ |= point.has_friction();
  point_rows_.reserve(ContactPoint::kMostRows);
  // What a few points in round play need; more of them grow once.
  const int points = std::min(contacts.point_count(), kFewPoints);
  centre_rows_.reserve(2 * points);
  normal_rows_.reserve(points);
  lateral_.resize(system.velocity_count(), 2 * points);
  contact_step_.reserve_response();
  lateral_vector_ = u_before_ = VecX::Zero(system.velocity_count());
  round_.reserve(contacts.points().size());
  hessian_ = MatX::Zero(system.velocity_count(), system.velocity_count());
  factored_hessian_ = Eigen::PartialPivLU<MatX>(system.velocity_count());
}

double NlpStep::tolerance_m(int point) const {
  const double clearance_m = contacts_.points()[static_cast<std::size_t>(point)].clearance_m;
  const double rounding = kRoundingUnits * std::numeric_limits<double>::epsilon() * size_m_;
  return std::max(clearance_m > 0 ? kClosed * clearance_m : kClosed_m, rounding);
}

StepStatus NlpStep::linearise(const State& state, double longest_s) {
  dynamics_->set_position(state.t, state.q);
  size_m_ = max_abs(state.q);
  kinematics_->recall(state);
  probe_kinematics_->recall(state);
  kinematics_->update_gaps(g_A_);
  if (rows_ > 0) dynamics_->row_positions(row_g_A_);
  dynamics_->set_velocity(state.u);
  dynamics_->mass_matrix(M_);
  factored_ = M_;
  if (!factored_.factor()) return StepStatus::kNotFinite;
  dynamics_->forces(forces_);
  acceleration_ = forces_;
  factored_.solve_in_place(acceleration_);

  // Concentric parts have no normal yet; they take the direction in which they are going to move.
  u_free_ = state.u + longest_s * acceleration_;
  dynamics_->set_velocity(u_free_);
  kinematics_->update_velocities();
  kinematics_->settle_normals();
  kinematics_->normal_velocities(gamma_free_);
  dynamics_->set_velocity(state.u);
  kinematics_->normal_velocities(gamma_A_);

  activate_candidates(state, longest_s);
  assemble(state);
  return StepStatus::kOk;
}

void NlpStep::activate_candidates(const State& state, double longest_s) {
  contact_step_.clear_active();
  for (int i = 0; i < contacts_.point_count(); ++i) {
    const bool has_normal = contacts_.points()[static_cast<std::size_t>(i)].has_normal;
    const double closing = std::min({gamma_A_[i], gamma_free_[i], 0.0});
    if (!has_normal || g_A_[i] + kReach * longest_s * closing <= tolerance_m(i)) {
      const bool stuck = state.contacts[static_cast<std::size_t>(i)].mode == ContactMode::kStick;
      contact_step_.activate({.point = i, .stuck = stuck});
    }
  }
}

bool NlpStep::add_missed(double h) {
  const std::size_t before = contact_step_.active().size();
  dynamics_->set_velocity(u_E_);
  kinematics_->normal_velocities(gamma_free_);
  const bool is_plain = options_.step_constraint == StepConstraint::kPlain;
  for (int i = 0; i < contacts_.point_count(); ++i) {
    const double end = is_plain ? g_A_[i] + h * gamma_free_[i] : g_E_[i];
    if (contacts_.points()[static_cast<std::size_t>(i)].has_normal && end < -tolerance_m(i) &&
        !contact_step_.is_active(i))
      contact_step_.activate({i, 0, 0});
  }
  return contact_step_.active().size() > before;
}

bool NlpStep::appears_closed() const {
  for (int i = 0; i < contacts_.point_count(); ++i) {
    if (g_A_[i] == std::numeric_limits<double>::infinity() && g_E_[i] < -tolerance_m(i)) return true;
  }
  return false;
}

StepStatus NlpStep::attempt(const State& state, double h) {
  while (true) {
    StepStatus status = StepStatus::kOk;
    if (options_.step_constraint != StepConstraint::kDisc) {
      if (rows_are_replaced_) assemble(state);
      status = solve(state, h);
    }
    // Corrections turn with the normals of the start; where these are too far off, those of the end are needed.
    if (options_.step_constraint == StepConstraint::kDisc || status == StepStatus::kCorrectionFailed)
      status = solve_disc(state, h);
    if (status != StepStatus::kOk) return status;
    // Solids that touch where they had no contact point at the start: no row of this step can know.
    if (appears_closed()) return StepStatus::kCorrectionFailed;
    if (!add_missed(h)) return status;
    assemble(state);
  }
}

void NlpStep::assemble(const State& state) {
  contact_step_.assemble(*dynamics_, *kinematics_, factored_, state.u);
  rows_are_replaced_ = false;
}

void NlpStep::evaluate_end(const State& state, double h) {
  q_E_ = state.q;
  delta_ = h * u_E_;
  dynamics_->displace_straight(q_E_, delta_);
  probe_->set_position(state.t + h, q_E_);
  probe_kinematics_->update_gaps(g_E_);
  if (rows_ > 0) probe_->row_positions(row_g_E_);
}

void NlpStep::begin_attempt(const State& state, double h) {
  h_ = h;
  u_free_ = state.u + h * acceleration_;
  error_.setZero();
  row_error_.setZero();
  iterations_ = 0;
  residual_m_s_ = 0;
  used_fallback_ = false;
}

StepStatus NlpStep::solve(const State& state, double h) {
  begin_attempt(state, h);
  const std::vector<Activation>& active = contact_step_.active();
  const bool is_plain = options_.step_constraint == StepConstraint::kPlain;
  for (int k = 0; k < kMaxCorrections; ++k) {
    for (std::size_t i = 0; i < active.size(); ++i) {
      const int point = active[i].point;
      if (std::isfinite(g_A_[point])) contact_step_.set_approach(i, (g_A_[point] + error_[point]) / h);
    }
    if (rows_ > 0) contact_step_.bilateral_approach() = (row_g_A_ + row_error_) / h;
    if (contact_step_.is_empty()) {
      u_E_ = u_free_;
    } else {
      const ContactStepReport report = contact_step_.solve(
          factored_, u_free_, h, u_E_, k == 0 ? ContactStep::Guess::kNone : ContactStep::Guess::kLastAnswer);
      iterations_ += report.iterations;
      residual_m_s_ = report.residual_m_s;
      used_fallback_ |= report.used_fallback;
      // Corrections that run away end in problems that nobody can solve: that is not the solver's fault.
      if (!report.solved) return k == 0 ? StepStatus::kSolverFailed : StepStatus::kCorrectionFailed;
    }
    if (!u_E_.allFinite()) return k == 0 ? StepStatus::kNotFinite : StepStatus::kCorrectionFailed;
    evaluate_end(state, h);
    if (is_plain) return StepStatus::kOk;

    bool has_settled = true;
    for (std::size_t i = 0; i < active.size(); ++i) {
      const int point = active[i].point;
      has_settled &= correct(point, g_A_[point] + h * contact_step_.normal_velocity(i, u_E_));
    }
    if (correct_rows(h) && has_settled) return StepStatus::kOk;
  }
  return StepStatus::kCorrectionFailed;
}

bool NlpStep::correct(int point, double expected_gap_m) {
  // Solids that touch in other points at the end than at the start: appears_closed() looks at those.
  if (!std::isfinite(g_A_[point]) || !std::isfinite(g_E_[point])) return true;
  const double missed = g_E_[point] - expected_gap_m;
  const bool has_settled = std::abs(missed - error_[point]) <= tolerance_m(point);
  error_[point] = missed;
  return has_settled;
}

bool NlpStep::correct_rows(double h) {
  bool has_settled = true;
  for (int row = 0; row < rows_; ++row) {
    const double missed = row_g_E_[row] - (row_g_A_[row] + h * contact_step_.rows().velocity(row, u_E_));
    const double rounding = kRoundingUnits * std::numeric_limits<double>::epsilon() * size_m_;
    has_settled &= std::abs(missed - row_error_[row]) <= std::max(kRowsClosed_m, rounding);
    row_error_[row] = missed;
  }
  return has_settled;
}

double NlpStep::position_residual_m() const {
  double deepest = max_abs(row_g_E_);
  for (int i = 0; i < contacts_.point_count(); ++i) {
    if (std::isfinite(g_E_[i])) deepest = std::max(deepest, -g_E_[i]);
  }
  return deepest;
}

double NlpStep::equation_residual_N(const State& state) {
  delta_ = (u_E_ - state.u) / h_;
  M_.multiply(delta_, u_free_);
  contact_step_.generalised_impulse(delta_);
  delta_ = u_free_ - forces_ - delta_ / h_;
  return max_abs(delta_);
}

double NlpStep::objective() const {
  return contact_step_.impulse_energy() / (h_ * h_);
}

double NlpStep::objective_slope() const {
  double slope = 0;
  const std::vector<Activation>& active = contact_step_.active();
  for (std::size_t i = 0; i < active.size(); ++i) {
    const double lambda = contact_step_.normal_impulse(i) / h_;
    if (lambda != 0) slope -= 2 * lambda * (2 * g_A_[active[i].point] / h_ + contact_step_.normal_velocity_before(i));
  }
  const ConstVecRef rows = contact_step_.bilateral_impulses();
  for (int row = 0; row < rows_; ++row)
    slope -= 2 * rows[row] / h_ * (2 * row_g_A_[row] / h_ + contact_step_.velocity_before(row));
  return slope;
}

bool NlpStep::lands() const {
  const std::vector<Activation>& active = contact_step_.active();
  for (std::size_t i = 0; i < active.size(); ++i) {
    const ContactPoint& point = contacts_.points()[static_cast<std::size_t>(active[i].point)];
    const int k = active[i].point;
    const bool was_open = point.has_normal && g_A_[k] > (point.clearance_m > 0 ? kOpen * point.clearance_m : kOpen_m);
    if (was_open && (contact_step_.normal_impulse(i) > 0 || g_E_[k] < -tolerance_m(k))) return true;
  }
  return false;
}

double NlpStep::longest_free_step(double shortest_s, double longest_s) {
  if (rows_ > 0 || has_friction_) return 0;
  const std::vector<Activation>& active = contact_step_.active();
  // g + gamma h + alpha h^2 >= 0 for all points: the answer is the upper end or a root of one of them.
  const auto alpha = [&](std::size_t i) { return contact_step_.rows().dot(contact_step_.first_row(i), acceleration_); };
  const auto is_free = [&](double h) {
    for (std::size_t i = 0; i < active.size(); ++i) {
      const double g = g_A_[active[i].point], gamma = contact_step_.normal_velocity_before(i), a = alpha(i);
      const double rounding = 1e-12 * (std::abs(g) + std::abs(h * gamma) + std::abs(h * h * a));
      if (g + h * (gamma + h * a) < -rounding) return false;
    }
    return true;
  };
  double best = is_free(longest_s) ? longest_s : 0;
  const auto consider = [&](double h) {
    if (h > best && h >= shortest_s && h <= longest_s && is_free(h)) best = h;
  };
  for (std::size_t i = 0; i < active.size() && best < longest_s; ++i) {
    const double g = g_A_[active[i].point], gamma = contact_step_.normal_velocity_before(i), a = alpha(i);
    const double discriminant = gamma * gamma - 4 * a * g;
    if (!(discriminant >= 0)) continue;
    const double sum = -0.5 * (gamma + std::copysign(std::sqrt(discriminant), gamma));
    if (a != 0) consider(sum / a);
    if (sum != 0) consider(g / sum);
  }
  return best;
}

}  // namespace freeplay::integrators
