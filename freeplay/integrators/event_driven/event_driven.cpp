#include "freeplay/integrators/event_driven/event_driven.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/core/error.h"

namespace freeplay::integrators {

namespace {

// Events that follow each other within rounding; a handful is usual.
constexpr int kMostIdleEvents = 40;
constexpr double kIdle = 1e4;  // in smallest steps
// A step that is refused since forces change unevenly in it is cut to this part, not more often than so: where a force
// jumps in time, no step is short enough.
constexpr double kCut = 0.4;
// Towards the end of a surface, of the distance in time that is left.
constexpr double kNearEnd = 0.9;
constexpr int kMostCuts = 8;
// So many events in so short a time are a storm: the run would not end.
constexpr int kStormEvents = 20000;
constexpr double kStorm_s = 1e-4;

// A sliding speed that is an error of the motion: some tolerated ones.
double standing_speed_m_s(const IntegratorOptions& options) {
  constexpr double kErrors = 30, kLeast_m_s = 1e-9;
  const double of_velocity = options.velocity_tolerance > 0 ? options.velocity_tolerance : options.absolute_tolerance;
  return std::max(kLeast_m_s, kErrors * of_velocity);
}

constexpr double kSlowSliding = 2e3;  // in standing speeds; faster ones have the direction of their velocity

void forget_impacts(State& state) {
  for (ContactMemory& memory : state.contacts) {
    memory.normal_impulse = 0;
    memory.normal_velocity_before = memory.normal_velocity_after = 0;
    memory.tangential_impulse.setZero();
    memory.tangential_velocity_before.setZero();
    memory.tangential_velocity_after.setZero();
    memory.impulse.setZero();
    memory.step_impact_loss = memory.step_friction_loss = 0;
  }
}

}  // namespace

EventDriven::EventDriven(const System& system, const ContactModel& contacts, const IntegratorOptions& options)
    : EmbeddedPair(PackedState(system.coordinate_count(), system.velocity_count(), contacts.point_count()).size(),
                   options.absolute_tolerance, options.relative_tolerance),
      system_(system),
      contacts_(contacts),
      options_(options),
      dynamics_(system, contacts, standing_speed_m_s(options)),
      decision_(system, options),
      contact_step_(system, contacts, dynamics_.kinematics(),
                    {.solver = options.solver,
                     .tolerance_m_s = options.solver_tolerance_m_s,
                     .r_factor = options.r_factor,
                     .may_change_data = true,
                     .impact_energy = options.impact_energy,
                     .is_instant = true}),
      hidden_contacts_(system, contacts),
      start_motion_(contacts.point_count()),
      end_motion_(contacts.point_count()),
      k_scratch_(y_),
      gamma_N_(VecX::Zero(contacts.point_count())),
      gaps_(gamma_N_),
      gaps_at_end_(gamma_N_),
      gaps_at_first_(gamma_N_),
      closing_level_m_(gamma_N_),
      u_E_(VecX::Zero(system.velocity_count())) {
  if (options.velocity_tolerance > 0) {
    absolute_.segment(dynamics_.coordinate_count(), dynamics_.velocity_count()).setConstant(options.velocity_tolerance);
  }
  const std::size_t points = contacts.points().size();
  phases_.resize(points);
  phases_before_.resize(points);
  is_closed_.assign(points, 0);
  is_struck_.assign(points, 0);
  is_watched_.assign(points, false);
  slow_rebound_m_s_.assign(points, 0);
  end_forces_.reserve(points);
  own_force_N_.assign(points, 0);
  for (VecX& held : held_) held.setZero(system.velocity_count());
  offset_ = y_;
  multistep_ = make_multistep();
}

StepStatus EventDriven::rate(double t, const VecX& y, VecX& k) {
  ++counts_.evaluations;
  const StepStatus status = dynamics_.rate(t, y, k);
  if (status != StepStatus::kOk || !dynamics_.is_redundant()) return status;
  if (!decision_.find_forces(dynamics_)) return StepStatus::kSolverFailed;
  const int undecided = decision_.undecided_point();
  if (undecided >= 0 && warning_.empty() && !has_told_of_undecided_) {
    has_told_of_undecided_ = true;
    warning_ = fmt::format(
        "at t = {:.9g} s the friction of '{}' is not determined: contacts that slide in different directions, or with "
        "different friction, share a load that they can share in many ways; the least forces are taken",
        t, dynamics_.points()[undecided].name());
  }
  return status;
}

// ---- Steps

StepReport EventDriven::start(State& state, StepRecord* record) {
  StepReport report;
  counts_ = {};
  events_.clear();
  failure_details_.clear();
  state.contacts.clear();
  dynamics_.points().align(state);
  dynamics_.kinematics().recall(state);
  std::fill(phases_.begin(), phases_.end(), PointPhase{});
  dynamics_.set_phases(phases_);
  dynamics_.settle(state, report);
  if (report.status != StepStatus::kOk) return report;
  previous_error_ = 1e-4;
  steps_left_ = stretch_ = 0;
  stretch_end_s_ = -std::numeric_limits<double>::infinity();
  has_told_of_stepping_ = has_told_of_undecided_ = is_storm_ = false;
  storm_events_ = crawling_steps_ = idle_events_ = 0;
  storm_start_s_ = crawl_start_s_ = state.t;
  next_size_ = options_.first_step_s;
  set_scales(state);
  report.status = resolve(state, std::nullopt, report, Impacts::kLater);
  if (report.status != StepStatus::kOk) return report;
  report = finish(state, report, record);
  multistep_goes_on_ = false;
  if (report.status != StepStatus::kOk || next_size_ > 0) return report;
  const auto rate_of = [&](double at, const VecX& y, VecX& k) { return rate(at, y, k); };
  next_size_ = guess_first_size(state.t, options_.max_step_s, dynamics_.controlled_size(), rate_of);
  if (!(next_size_ > 0)) next_size_ = 16 * smallest_size(state.t, options_.min_step_s);
  write_method(state);
  return report;
}

StepReport EventDriven::step(State& state, double t_limit, StepRecord* record) {
  const bool is_there = is_at(state);
  if (is_there ? steps_left_ == 0 : state.method[3] == 0) {
    StepReport report;
    events_.clear();
    is_paradox_ = false;
    if (!is_there) report.status = go_to(state);
    std::string reason = report.status == StepStatus::kOk ? reason_to_hand_over(state) : std::string();
    if (reason.empty()) {
      if (report.status == StepStatus::kOk) report = step_by_events(state, t_limit, record);
      if (report.status == StepStatus::kOk || !may_hand_over(report.status, state)) return report;
      reason = to_string(report.status);
    }
    const StepStatus begun = begin_hand_over(state, reason);
    if (begun != StepStatus::kOk) return report.status == StepStatus::kOk ? StepReport{.status = begun} : report;
    events_.clear();
    const StepReport stepped = step_in_time(state, t_limit, record);
    return stepped.status == StepStatus::kOk || report.status == StepStatus::kOk ? stepped : report;
  }
  events_.clear();
  if (!is_there) read_method(state);
  if (stepper_ == nullptr) {  // the run was resumed where time stepping had taken over
    moved_ = state;
    const StepStatus status = begin_hand_over(moved_, {});
    read_method(state);
    if (status != StepStatus::kOk) return {.status = status};
  }
  return step_in_time(state, t_limit, record);
}

// At `state`, where everything else is as well.
StepReport EventDriven::step_by_events(State& state, double t_limit, StepRecord* record) {
  StepReport report;
  dynamics_.kinematics().recall(state);
  end_rate_at_s_ = std::numeric_limits<double>::quiet_NaN();
  if (still_approaches_) {
    moved_ = state;
    forget_impacts(moved_);
    report.status = resolve(moved_, std::nullopt, report);
    if (report.status == StepStatus::kOk) state = moved_;
  } else {
    moves_by_multistep_ = multistep_ != nullptr && !is_near_surface() && multistep_has_room(t_limit);
    report = moves_by_multistep_ ? move_by_multistep(state, t_limit) : move(state, t_limit);
  }
  if (report.status != StepStatus::kOk) {
    t_ = std::numeric_limits<double>::quiet_NaN();  // sizes were tried: the state is to be found anew
    return report;
  }
  ++counts_.accepted;
  return finish(state, report, record);
}

// The last stage of a step is taken where the next one begins. With closed contacts or loops it is not, since what has
// drifted has been removed between them.
StepStatus EventDriven::rate_at_end(const State& state) {
  const bool is_known =
      dynamics_.kept_row_count() == 0 && dynamics_.closed().empty() && state.t == end_rate_at_s_ && y_ == y_new_;
  end_rate_at_s_ = std::numeric_limits<double>::quiet_NaN();
  if (!is_known) return rate(state.t, y_, k_[0]);
  k_[0] = k_[6];
  return StepStatus::kOk;
}

// The derivative, the forces and the memory at the end of a step.
StepReport EventDriven::finish(State& state, StepReport report, StepRecord* record) {
  dynamics_.kinematics().remember(state);
  dynamics_.set_phases(phases_);
  pack(state);
  t_ = state.t;
  report.status = rate_at_end(state);
  if (report.status != StepStatus::kOk) {
    report.worst_row = dynamics_.contradicting_row() < system_.row_count() ? dynamics_.contradicting_row() : -1;
    return report;
  }
  follow_sliding();
  // Slow sliding depends on the direction that it begins with, which has just turned: a run that goes on from here must
  // find the same derivative.
  const double slow_m_s = kSlowSliding * standing_speed_m_s(options_);
  const bool is_slow =
      std::any_of(dynamics_.forces().begin(), dynamics_.forces().end(), [&](const PointForces& forces) {
        return dynamics_.points()[forces.point].friction_rows() == 2 && forces.sliding_m_s.norm() < slow_m_s;
      });
  if (is_slow) report.status = rate(state.t, y_, k_[0]);
  if (report.status != StepStatus::kOk) return report;
  dynamics_.held_accelerations(held_[0]);
  dynamics_.begin_step();
  set_scales(state);
  expect_flights(state);
  hidden_contacts_.recall(state);
  measure_start(state);
  dynamics_.write_forces(state);
  report.active_points = static_cast<int>(dynamics_.closed().size());
  for (const char struck : is_struck_) report.active_points += struck;
  report.has_warning = !warning_.empty();
  write_method(state);
  if (record != nullptr) report.status = dynamics_.write_record(state, *record);
  return report;
}

// A part that has rebounded comes back after 2 gamma / a, which may be far sooner than the step would end. A step that
// is not much longer sees the flight as the parabola that it is.
void EventDriven::expect_flights(const State& state) {
  constexpr double kLonger = 1.5;
  bool is_there = false;
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    if (is_struck_[static_cast<std::size_t>(i)] == 0 || phases_[static_cast<std::size_t>(i)].is_closed()) continue;
    if (!is_there) dynamics_.stand_at(state);
    is_there = true;
    dynamics_.normal_velocities(gamma_N_);
    const double pull = -dynamics_.normal_acceleration(i);
    if (pull > 0 && gamma_N_[i] > 0) next_size_ = std::min(next_size_, kLonger * 2 * gamma_N_[i] / pull);
  }
}

// In space the direction of sliding turns; the next step knows the one that it begins with.
void EventDriven::follow_sliding() {
  bool has_turned = false;
  for (const PointForces& forces : dynamics_.forces()) {
    PointPhase& phase = phases_[static_cast<std::size_t>(forces.point)];
    const bool is_spatial = dynamics_.points()[forces.point].friction_rows() == 2;
    if (!is_spatial || phase.mode != ContactMode::kSlip || !(forces.sliding_m_s.norm() > still_m_s())) continue;
    phase.direction = forces.sliding_m_s.normalized();
    has_turned = true;
  }
  if (has_turned) dynamics_.set_directions(phases_);
}

// The stages of a step, and whether it is short enough for its error and for what changes in it.
EventDriven::Trial EventDriven::try_stages(double t, double size, int& cuts, double& error, StepStatus& status) {
  const auto rate_of = [&](double at, const VecX& y, VecX& k) {
    const StepStatus of_rate = rate(at, y, k);
    if (of_rate != StepStatus::kOk || !notes_stages_) return of_rate;
    note_stage((at - t_begin_) / last_size_);
    dynamics_.held_accelerations(held_[static_cast<std::size_t>(&k - k_.data())]);
    return of_rate;
  };
  last_size_ = size;
  dips_.clear();
  notes_stages_ = true;
  status = take_stages(t, size, rate_of);
  notes_stages_ = false;
  error = status == StepStatus::kOk ? error_norm(size, y_.size()) : 0;
  if (status != StepStatus::kOk || !(error <= 1)) {
    ++counts_.rejected;
    if (std::min(size, next_size_) <= smallest_size(t, options_.min_step_s) * (1 + 1e-9)) {
      if (status == StepStatus::kOk) status = StepStatus::kStepTooSmall;
      return Trial::kDone;
    }
    next_size_ = size * (status == StepStatus::kOk ? shrinkage(error) : 0.25);
    return Trial::kShorter;
  }
  if (cuts < kMostCuts && !forces_change_evenly()) {
    ++cuts;
    ++counts_.rejected;
    next_size_ = std::max(kCut * size, 2 * smallest_size(t, options_.min_step_s));
    return Trial::kShorter;
  }
  return Trial::kAccepted;
}

// From stages that are accepted to the state behind them, up to the event if one was found.
EventDriven::Trial EventDriven::end_step(State& state, PlannedStep plan, double t_limit,
                                         const std::optional<Found>& found, StepReport& report) {
  double size = plan.size;
  moved_ = state;
  const bool keeps_rate = !found && !moves_by_multistep_;
  end_rate_at_s_ = keeps_rate ? state.t + plan.size : std::numeric_limits<double>::quiet_NaN();
  if (found) {
    report.status = move_to_event(state.t, size, *found);
    if (report.status != StepStatus::kOk) return Trial::kDone;
    plan.ends_at_limit = plan.ends_at_limit && size == plan.size;
  }
  end_forces_.assign(dynamics_.forces().begin(), dynamics_.forces().end());
  was_redundant_ = dynamics_.is_redundant();
  moved_.t = plan.ends_at_limit ? t_limit : state.t + size;
  if (moves_by_multistep_ && !found) moved_.t = multistep_->t();  // to the bit: it goes on from there
  forget_impacts(moved_);
  unpack(y_new_, moved_);
  report.size_s = size;
  const bool ends_surface = found && found->watch.trigger == Trigger::kSurfaceEnds;
  if (ends_surface) pass_end(found->watch.point);
  idle_events_ = found && size <= kIdle * smallest_size(state.t, 0) ? idle_events_ + 1 : 0;
  if (found && is_storm(moved_.t)) {
    report = {.status = StepStatus::kEventsTooDense};
    return Trial::kDone;
  }
  if (idle_events_ > kMostIdleEvents) {
    idle_events_ = 0;
    report.status = StepStatus::kEventsTooDense;
    return Trial::kDone;
  }
  dynamics_.settle(moved_, report, most_drift_m_s(moved_));
  if (dynamics_.has_jumped() && !ends_surface && size > kIdle * smallest_size(state.t, options_.min_step_s)) {
    ++counts_.rejected;
    next_size_ = size / 2;  // towards the instant of the jump
    return Trial::kShorter;
  }
  if (report.status == StepStatus::kOk && dynamics_.has_jumped())
    report.status = meet_jump(moved_, found, report);
  else if (report.status == StepStatus::kOk && found)
    report.status = resolve(moved_, found->watch, report);
  if (report.status == StepStatus::kOk) state = moved_;
  return Trial::kDone;
}

StepReport EventDriven::move(State& state, double t_limit) {
  std::fill(is_struck_.begin(), is_struck_.end(), char{0});
  t_begin_ = state.t;
  int cuts = 0;
  for (bool rejected_before = false;; rejected_before = true) {
    const PlannedStep plan = plan_step(state.t, t_limit, next_size_, {options_.min_step_s, longest_step()});
    StepReport report;
    double error = 0;
    const Trial trial = try_stages(state.t, plan.size, cuts, error, report.status);
    if (trial == Trial::kDone) return report;
    if (trial == Trial::kShorter) continue;
    const std::optional<Found> found = find_event(state.t, plan.size);
    if (found && is_far_from_end(*found, plan.size)) {
      ++counts_.rejected;
      next_size_ = kNearEnd * found->part * plan.size;
      continue;
    }
    if (found && has_come_unseen(*found, state.t, plan.size)) {
      ++counts_.rejected;
      next_size_ = 0.5 * found->part * plan.size;
      continue;
    }
    const double factor = growth(error, previous_error_, rejected_before);
    previous_error_ = std::max(error, 1e-4);
    next_size_ = plan.ends_at_limit ? std::max(next_size_, plan.size * factor) : plan.size * factor;
    if (end_step(state, plan, t_limit, found, report) == Trial::kDone) return report;
  }
}

bool EventDriven::is_storm(double t) {
  if (++storm_events_ < kStormEvents) return false;
  storm_events_ = 0;
  is_storm_ = t - std::exchange(storm_start_s_, t) < kStorm_s;
  if (is_storm_) failure_details_ = fmt::format("{} events in the last {:.3g} s", kStormEvents, kStorm_s);
  return is_storm_;
}

std::unique_ptr<Integrator> make_event_driven(const System& system, const ContactModel& contacts,
                                              const IntegratorOptions& options) {
  return std::make_unique<EventDriven>(system, contacts, options);
}

}  // namespace freeplay::integrators
