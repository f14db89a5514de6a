#include "freeplay/integrators/moreau/moreau_stepping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/contact/problem/contact_ledger.h"
#include "freeplay/math/entrywise.h"

namespace freeplay::integrators {

namespace {

// Two drifts of one row, half a step or a step apart, differ by no more than this part where the surfaces are smooth
// and the step resolves their motion. A jump within one of the two differs by all of it.
constexpr double kSteady = 0.5;

// Beyond it the square of a distance is no number any more: gaps tell nothing, and a gap that is not a number would
// pass for an open contact.
constexpr double kFarthest = 1e150;

// Whether coordinates, or the ways of a step, stay within reach; false as well where something is not a number.
bool is_in_reach(const VecX& values, double factor = 1) {
  double sum = 0;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const double way = factor * values[i];
    sum += way * way;
  }
  return sum < kFarthest * kFarthest;
}

// With rows that hold at the midpoint alone, gamma_E = 0, half of what a joint carries while its bodies turn comes with
// the projection behind the step, and friction by load must know all of it. With gamma_E + gamma_A = 0 the projection
// is left with terms of the order dt^2.
double weight_of_rows(const ContactModel& contacts, double usual) {
  const bool rubs = std::ranges::any_of(contacts.points(), [](const ContactPoint& p) { return p.rubs_by_load(); });
  return rubs ? 1 : usual;
}

}  // namespace

MoreauStepping::MoreauStepping(const System& system, const ContactModel& contacts, const IntegratorOptions& options,
                               double bilateral_weight)
    : system_(system),
      options_(options),
      rows_(system.row_count()),
      dynamics_(system.make_dynamics()),
      kinematics_(contacts.make_kinematics(*dynamics_)),
      M_(system.mass_structure()),
      contact_step_(system, contacts, *kinematics_,
                    {.solver = options.solver,
                     .tolerance_m_s = options.solver_tolerance_m_s,
                     .r_factor = options.r_factor,
                     .threads = static_cast<int>(options.threads),
                     .bilateral_weight = weight_of_rows(contacts, bilateral_weight),
                     .may_change_data = true,
                     .impact_energy = options.impact_energy,
                     .may_sweep = true}),
      touching_(system, contacts, options),
      bilateral_(system) {
  last_contacts_.reserve(contacts.point_count());
  if (rows_ > 0) end_dynamics_ = system.make_dynamics();
  if (options.projection_m) {
    gap_projection_.emplace(system, contacts, *options.projection_m);
    projected_points_ = contacts.make_kinematics(*dynamics_);
  }
  q_M_ = q_elsewhere_ = VecX::Zero(system.coordinate_count());
  for (VecX* v : {&u_A_, &u_E_, &acceleration_, &delta_}) *v = VecX::Zero(system.velocity_count());
  row_effort_ = row_impulses_ = VecX::Zero(rows_);
  for (VecX* v : {&g_M_, &g_previous_, &gamma_A_, &gamma_ahead_, &g_elsewhere_}) *v = VecX::Zero(points().size());
}

StepReport MoreauStepping::start(State& state, StepRecord* record) {
  StepReport report;
  if (record != nullptr) {
    record->is_known = false;
    record->contact_forces.reserve(static_cast<std::size_t>(points().size()));
  }
  counts_ = {};
  state.contacts.clear();
  points().align(state);
  dynamics_->normalise(state.q);
  if (rows_ > 0) report.status = remove_drift(state, report);
  state.method.assign({static_cast<double>(bilateral_.solver.closed_rank()), 0.0});
  before_ = state;
  dt_ = 0;
  gaps_are_known_ = false;
  return report;
}

StepStatus MoreauStepping::resume(const State& state, const IntegratorCounts& counts) {
  counts_ = counts;
  before_ = state;
  dt_ = 0;
  gaps_are_known_ = false;
  return StepStatus::kOk;
}

double MoreauStepping::size_of_step(double t, double t_limit) const {
  // The limits are k * step, each rounded. Their difference is the step up to rounding, and the step is meant.
  const double remaining = t_limit - t, step = options_.first_step_s;
  return std::abs(remaining - step) <= 1e-6 * step ? step : std::min(remaining, step);
}

StepReport MoreauStepping::step(State& state, double t_limit, StepRecord* record) {
  StepReport report;
  bilateral_.solver.set_closed_rank(static_cast<int>(state.method[0]));
  has_told_of_touching_ = state.method[1] != 0;
  read_method(state);
  const double dt = size_of_step(state.t, t_limit);
  report.size_s = dt;
  gaps_are_known_ = gaps_are_known_ && state.t == t_E_;  // otherwise they are those of another time
  t_E_ = std::abs(t_limit - state.t - dt) <= 1e-6 * dt ? t_limit : state.t + dt;
  const bool may_fail_late = rows_ > 0 || gap_projection_;
  if (may_fail_late) before_ = state;

  if (keeps_contacts()) last_contacts_.read(state);
  kinematics_->recall(state);
  if (!is_in_reach(state.q) || !is_in_reach(state.u, dt)) {
    report.status = StepStatus::kNotFinite;
    return report;
  }
  go_to_midpoint(state, dt);
  report.status = velocity_step(state, dt, report);
  if (report.status == StepStatus::kOk && !is_in_reach(u_E_, dt)) report.status = StepStatus::kNotFinite;
  if (report.status == StepStatus::kOk) report.status = judge_gain(report);
  if (report.status != StepStatus::kOk) return report;
  if (!touching_.list().empty() && !has_told_of_touching_) tell_of_touching_points(state.t);
  report.has_warning = !warning_.empty();

  if (kinematics_->has_far_points()) points().align(state);
  if (contact_step_.is_empty())
    forget_last_step(state);
  else
    contact_step_.remember(*kinematics_, u_E_, state);
  kinematics_->remember(state);
  if (rows_ > 0) row_impulses_ = contact_step_.bilateral_impulses();
  if (dynamics_->has_sources()) book_powers(state, dt, state.account);
  dt_ = dt;
  advance_positions(state, dt);
  u_A_.swap(state.u);
  copy_entries(u_E_, state.u);
  state.t = t_E_;
  if (may_fail_late) {
    report.status = remove_drift(state, report);
    if (report.status != StepStatus::kOk) {
      state = before_;
      return report;
    }
    book_projection(state, dt);
  }
  state.method[0] = bilateral_.solver.closed_rank();
  state.method[1] = has_told_of_touching_ ? 1 : 0;
  write_method(state);
  ++counts_.accepted;
  if (record != nullptr) write_record(state, gap_projection_.has_value(), *record);
  return report;
}

StepStatus MoreauStepping::judge_gain(const StepReport& report) {
  if (!(report.impact_gain_J > 0) || options_.impact_energy != ImpactEnergy::kStop) return StepStatus::kOk;
  failure_details_ = fmt::format("{:.3g} J", report.impact_gain_J);
  return StepStatus::kImpactGainsEnergy;
}

void MoreauStepping::go_to_midpoint(const State& state, double dt) {
  copy_entries(state.q, q_M_);
  for (Eigen::Index i = 0; i < delta_.size(); ++i) delta_[i] = (dt / 2) * state.u[i];
  dynamics_->displace(q_M_, delta_);
  t_M_ = state.t + dt / 2;
  dynamics_->set_position(t_M_, q_M_);
  ++counts_.evaluations;
  if (kinematics_->has_far_points()) {
    const double ahead_s = horizon(dt);
    if (ahead_s > 0) dynamics_->set_velocity(state.u);
    kinematics_->find_points(ahead_s);
  }
  update_gaps();
}

void MoreauStepping::update_gaps() {
  make_room_per_point(g_M_);
  kinematics_->update_gaps(g_M_);
}

void MoreauStepping::activate_closed_points(const State& state, double dt) {
  contact_step_.clear_active();
  touching_.clear();
  const ContactSet& all = points();
  const bool has_past = !last_contacts_.is_empty(), looks_for_touching = touching_.looks();
  for (int i = 0, count = all.size(); i < count; ++i) {
    const double gap = g_M_[i];
    const LastContact* last = has_past ? last_contacts_.find(all.key(i)) : nullptr;
    const bool was_loaded = last != nullptr && last->was_loaded;
    if (looks_for_touching && !was_loaded) touching_.look_at(i, gap, all[i]);
    const bool is_closed = gap <= 0;
    // Two solids that do not show each other a feature any more have an infinite gap there.
    if (!is_closed && !(was_loaded && std::isfinite(gap))) continue;
    // What is kept although it is open may close its gap by the next midpoint. A gap that has jumped, since the
    // surfaces end here, is then out of reach, and the point carries nothing. (What is rounding stays: it would become
    // a velocity, 1/dt times as large.)
    const double open_m = is_closed ? 0 : std::max(gap - kClosedGap_m, 0.0);
    contact_step_.activate({i, all[i].law.restitution, open_m / dt, last});
  }
  if (!touching_.list().empty()) join_touching_points(state);
}

void MoreauStepping::join_touching_points(const State& state) {
  make_room_per_point(gamma_A_);
  dynamics_->set_velocity(state.u);
  kinematics_->normal_velocities(gamma_A_);
  touching_.keep_struck(*kinematics_, contact_step_.active(), gamma_A_);
  if (!touching_.joins()) return;
  for (const TouchingContacts::Touching& touching : touching_.list()) {
    const int i = touching.point;
    if (contact_step_.is_active(i)) continue;
    contact_step_.activate({i, points()[i].law.restitution, 0, last_contacts_.find(points().key(i))});
  }
}

void MoreauStepping::find_touching_points(const VecX& gaps, const VecX& gamma_N) {
  touching_.clear();
  if (has_told_of_touching_ || options_.simultaneous) return;
  for (const Activation& contact : contact_step_.active()) {
    if (!contact.was_loaded_before()) touching_.look_at(contact.point, gaps[contact.point], points()[contact.point]);
  }
  if (!touching_.list().empty()) touching_.keep_struck(*kinematics_, contact_step_.active(), gamma_N);
}

// A contact that is in the problem and carries nothing has changed nothing.
void MoreauStepping::tell_of_touching_points(double t) {
  if (!touching_.is_undecided()) return;
  const std::vector<Activation>& active = contact_step_.active();
  for (const TouchingContacts::Touching& touching : touching_.list()) {
    std::size_t k = 0;
    while (k < active.size() && active[k].point != touching.point) ++k;
    if (k < active.size() && !(contact_step_.normal_impulse(k) > 0)) continue;
    warning_ = touching_.warning(t, points(), touching);
    has_told_of_touching_ = true;
    return;
  }
}

// From one midpoint to the next a row turns twice as much as from the start to the midpoint. That is told by the
// velocity that the last step left, for as long as the drift is the one of the last step or comes near to it.
void MoreauStepping::find_drifts(const State& state, double dt) {
  if (!keeps_contacts()) return;
  const std::vector<Activation>& active = contact_step_.active();
  bool all_are_known = true;
  for (std::size_t k = 0; k < active.size(); ++k) {
    if (!points()[active[k].point].has_normal) continue;
    const LastContact* last = active[k].last;
    const double drift = last != nullptr ? (contact_step_.normal_velocity_before(k) - last->velocity_m_s) / 2 : 0;
    if (last != nullptr && std::abs(drift - last->drift_m_s) <= kSteady * std::abs(drift))
      contact_step_.set_drift(k, drift);
    else
      all_are_known = false;
  }
  if (!all_are_known) measure_drifts(state, dt);
}

// A point that is new in the problem, or whose drift is not that of the last step: its velocities at the start and
// where the step would end at the velocity of its start. (Half a step before the start would do as well, but a model
// need not be defined before its first instant.) Where the surface has a kink, or another feature has taken over, the
// three velocities are not on a line: then that is no drift but an approach, and restitution acts on all of it.
void MoreauStepping::measure_drifts(const State& state, double dt) {
  normal_velocities_at(state, 0, gamma_A_);
  normal_velocities_at(state, dt, gamma_ahead_);
  dynamics_->set_position(t_M_, q_M_);
  update_gaps();
  dynamics_->set_velocity(state.u);
  const std::vector<Activation>& active = contact_step_.active();
  for (std::size_t k = 0; k < active.size(); ++k) {
    const int i = active[k].point;
    if (!points()[i].has_normal || active[k].drift_m_s != 0) continue;
    const double gamma_M = contact_step_.normal_velocity_before(k), drift = gamma_M - gamma_A_[i];
    if (std::abs(drift - (gamma_ahead_[i] - gamma_M)) <= kSteady * std::abs(drift)) contact_step_.set_drift(k, drift);
  }
}

void MoreauStepping::normal_velocities_at(const State& state, double shift_s, VecX& gamma) {
  for (VecX* v : {&gamma, &g_elsewhere_}) make_room_per_point(*v);
  copy_entries(state.q, q_elsewhere_);
  for (Eigen::Index i = 0; i < delta_.size(); ++i) delta_[i] = shift_s * state.u[i];
  if (shift_s != 0) dynamics_->displace(q_elsewhere_, delta_);
  dynamics_->set_position(state.t + shift_s, q_elsewhere_);
  dynamics_->set_velocity(state.u);
  kinematics_->update_gaps(g_elsewhere_);
  kinematics_->normal_velocities(gamma);
}

// Whether no gap can have closed by the end of a step in which nothing was active: each is more than four times what it
// changed since the last midpoint. A quarter of that would do at constant rates; free motion does not quadruple them in
// half a step.
bool MoreauStepping::gaps_stay_open() {
  if (kinematics_->has_far_points()) return false;
  bool stay_open = gaps_are_known_;
  for (Eigen::Index i = 0; i < g_M_.size(); ++i) {
    stay_open = stay_open && g_M_[i] > 4 * std::abs(g_M_[i] - g_previous_[i]);
    g_previous_[i] = g_M_[i];
  }
  gaps_are_known_ = true;
  return stay_open;
}

StepStatus MoreauStepping::note_contact(const ContactStepReport& contact, StepReport& report) {
  report.residual_m_s = contact.residual_m_s;
  report.iterations += contact.iterations;
  report.used_fallback = report.used_fallback || contact.used_fallback;
  report.lowered_restitution = report.lowered_restitution || contact.lowered_restitution;
  report.kept_gaps = report.kept_gaps || contact.kept_gaps;
  report.impact_gain_J = contact.impact_gain_J;
  if (contact.solved) return StepStatus::kOk;
  failure_details_ =
      fmt::format("residual {:.3g} m/s where {:.3g} m/s would do, worst at '{}', {} closed contact points{}",
                  contact.residual_m_s, contact.limit_m_s, contact_step_.row_name(contact.worst_row),
                  contact_step_.active().size(), contact.is_contradictory ? ", which contradict each other" : "");
  return StepStatus::kSolverFailed;
}

// The rows hold at the midpoint; the projection turns the velocities on to the end of the step, and that is half of
// what the bearings and the motors do in a step.
void MoreauStepping::book_projection(State& state, double dt) {
  if (rows_ == 0) return;
  u_E_ = state.u;
  row_impulses_ += bilateral_.impulses;
  if (!dynamics_->has_sources()) return;
  row_effort_ = bilateral_.impulses / dt;
  const double with_rows = end_dynamics_->powers(row_effort_).input;
  row_effort_.setZero();
  state.account.input += dt * (with_rows - end_dynamics_->powers(row_effort_).input);
}

StepStatus MoreauStepping::remove_drift(State& state, StepReport& report) {
  if (gap_projection_) {
    const StepStatus status = gap_projection_->project(*dynamics_, *projected_points_, state);
    if (status != StepStatus::kOk) return status;
  }
  if (rows_ == 0) return StepStatus::kOk;
  const ProjectionReport projection = bilateral_.project(*end_dynamics_, state);
  report.position_residual_m = projection.position_residual;
  report.residual_m_s = std::max(report.residual_m_s, projection.velocity_residual);
  report.worst_row = projection.status == StepStatus::kOk ? -1 : projection.worst_row;
  report.row_rank = bilateral_.rank();
  return projection.status;
}

// Means over the step, of what acted inside of it.
void MoreauStepping::write_record(const State& state, bool has_moved, StepRecord& record) {
  record.is_known = true;
  go_to_forces(has_moved, record);
  record.dynamics_there = dynamics_.get();
  record.contact_forces.clear();
  for (int i = 0; i < points().size(); ++i) {
    const ContactMemory& memory = state.contacts[static_cast<std::size_t>(i)];
    if (memory.mode == ContactMode::kOpen) continue;
    kinematics_->write_force(i, memory.normal_impulse / dt_, memory.tangential_impulse / dt_, record.contact_forces);
  }
  record.accelerations = (u_E_ - u_A_) / dt_;
  record.row_efforts = row_impulses_ / dt_;
  record.position_of_velocity.resize(0);
}

}  // namespace freeplay::integrators
