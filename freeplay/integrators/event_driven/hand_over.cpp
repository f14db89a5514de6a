// Where events cannot be told apart any more (many contacts that chatter, loads that can be shared in many ways), time
// stepping takes over for a while: Moreau's midpoint rule, which needs no events.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/integrators/event_driven/event_driven.h"

namespace freeplay::integrators {

namespace {

constexpr double kStep_s = 1e-5;
constexpr int kShortestStretch = 32, kLongestStretch = 8192;  // steps
// So many steps by events within so many of time stepping tell no more than those do. A part that slides at nanometres
// per second keeps them so short, since friction turns what it does across its direction within nanoseconds. Where
// sliding begins or ends that passes within a few thousand steps.
constexpr int kMostCrawlingSteps = 10000, kCrawledSteps = 10;
// Rows of loops and closed contacts are told apart as a dense matrix in every stage: beyond so many, a step by events
// takes longer than hundreds of time stepping.
constexpr int kMostRows = 256;

IntegratorOptions options_of_stepping(const IntegratorOptions& options) {
  IntegratorOptions of_steps = options;
  of_steps.first_step_s = options.max_step_s > 0 ? std::min(options.max_step_s, kStep_s) : kStep_s;
  of_steps.activation = ActivationRule::kAnticipated;
  of_steps.velocity_forces = VelocityForces::kMidpoint;
  of_steps.lasting_contacts = LastingContacts::kKept;
  return of_steps;
}

}  // namespace

bool EventDriven::may_hand_over(StepStatus failure, const State& state) const {
  const bool is_about_contacts = failure == StepStatus::kEventsTooDense || failure == StepStatus::kSolverFailed ||
                                 failure == StepStatus::kProjectionFailed || failure == StepStatus::kStepTooSmall ||
                                 failure == StepStatus::kInconsistentRows;
  const bool has_closed = std::any_of(state.contacts.begin(), state.contacts.end(),
                                      [](const ContactMemory& memory) { return memory.is_touching; });
  // Where nothing is closed, another integrator would fail as well.
  return is_about_contacts && (has_closed || failure == StepStatus::kEventsTooDense) && !is_paradox_ && !is_storm_;
}

double EventDriven::stepping_size() const {
  return options_of_stepping(options_).first_step_s;
}

bool EventDriven::holds_too_much() const {
  return dynamics_.kept_row_count() > kMostRows && !dynamics_.closed().empty();
}

std::string EventDriven::reason_to_hand_over(const State& state) {
  const double crawled_s = kCrawledSteps * stepping_size();
  if (state.t - crawl_start_s_ > crawled_s) {
    crawl_start_s_ = state.t;
    crawling_steps_ = 0;
  }
  const bool is_crawling = ++crawling_steps_ > kMostCrawlingSteps && !dynamics_.closed().empty();
  if (is_crawling) return fmt::format("{} steps within {:g} us", kMostCrawlingSteps, 1e6 * crawled_s);
  if (holds_too_much()) return fmt::format("{} rows are held at once", dynamics_.kept_row_count());
  return {};
}

StepStatus EventDriven::begin_hand_over(State& state, std::string_view reason) {
  if (stepper_ == nullptr) stepper_ = make_moreau_midpoint(system_, contacts_, options_of_stepping(options_));
  // Soon after the last one: it was too short.
  const bool is_soon = state.t <= stretch_end_s_ + stretch_ * kStep_s;
  stretch_ = is_soon && stretch_ > 0 ? std::min(2 * stretch_, kLongestStretch) : kShortestStretch;
  steps_left_ = stretch_;
  moved_ = state;
  const StepReport report = stepper_->start(moved_);
  if (report.status != StepStatus::kOk) return report.status;
  stepping_method_ = {moved_.method[0], moved_.method[1]};
  moved_.contacts = state.contacts;
  state = moved_;
  phases_.assign(phases_.size(), {});
  still_approaches_ = false;
  if (warning_.empty() && !has_told_of_stepping_ && !reason.empty()) {
    has_told_of_stepping_ = true;
    warning_ = fmt::format(
        "at t = {:.6g} s the events of closed contacts cannot be told apart ({}): time stepping (moreau-midpoint with "
        "steps of {:g} us) takes over for as long as it must",
        state.t, reason, 1e6 * stepping_size());
  }
  return StepStatus::kOk;
}

StepReport EventDriven::step_in_time(State& state, double t_limit, StepRecord* record) {
  moved_ = state;
  moved_.method.assign(stepping_method_.begin(), stepping_method_.end());
  StepReport report = stepper_->step(moved_, t_limit, record);
  failure_details_ = stepper_->failure_details();
  if (report.status != StepStatus::kOk) return report;
  stepping_method_ = {moved_.method[0], moved_.method[1]};
  dynamics_.points().align(moved_);  // time stepping remembers only the points that are near
  ++counts_.accepted;
  ++counts_.handed_over;
  report.row_rank = StepReport{}.row_rank;  // as of the other steps, which do not tell it
  for (ContactMemory& memory : moved_.contacts) {
    memory.normal_force = memory.normal_impulse / report.size_s;
    memory.tangential_force = memory.tangential_impulse / report.size_s;
    memory.force = memory.impulse / report.size_s;
  }
  log_modes(state, moved_);
  --steps_left_;
  if (steps_left_ == 0) {
    stretch_end_s_ = moved_.t;
    report.status = take_back(moved_, report);
  }
  if (report.status != StepStatus::kOk) return report;
  state = moved_;
  pack(state);
  t_ = state.t;
  write_method(state);
  report.has_warning = !warning_.empty();
  return report;
}

// To the accuracy of the steps: at the end of the one in which it happened.
void EventDriven::log_modes(const State& before, const State& after) {
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const ContactMemory &was = before.contacts[i], &is = after.contacts[i];
    const int point = static_cast<int>(i);
    const ContactPoint& description = dynamics_.points()[point];
    const bool has_normal = description.has_normal;
    const bool was_closed = !has_normal || was.mode != ContactMode::kOpen;
    const bool is_closed = !has_normal || is.mode != ContactMode::kOpen;
    if (!was_closed && is_closed) {
      if (is.normal_velocity_before < -still_m_s()) log(after.t, point, ContactEventKind::kImpact);
      log(after.t, point, ContactEventKind::kLanding);
    }
    if (was_closed && !is_closed) log(after.t, point, ContactEventKind::kRelease);
    if (was_closed && is_closed && description.has_friction() && was.mode != is.mode)
      log(after.t, point, is.mode == ContactMode::kStick ? ContactEventKind::kStick : ContactEventKind::kSlip);
  }
}

// What carried an impulse in the last step is closed. Whether it slides is decided by its velocity: only gaps and
// normal velocities are drawn to zero before.
StepStatus EventDriven::take_back(State& state, StepReport& report) {
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const bool was_loaded = state.contacts[i].normal_impulse > 0;
    phases_[i] = {was_loaded ? ContactMode::kSlip : ContactMode::kOpen};
  }
  dynamics_.set_phases(phases_);
  next_size_ = kStep_s;
  set_scales(state);
  State resolved = state;
  StepReport attempt;
  if (holds_too_much())
    attempt.status = StepStatus::kEventsTooDense;
  else
    dynamics_.settle(resolved, attempt);
  if (attempt.status == StepStatus::kOk) {
    events_.clear();
    attempt.status = resolve(resolved, std::nullopt, attempt, Impacts::kLater);
  }
  if (attempt.status == StepStatus::kOk) attempt = finish(resolved, attempt, nullptr);
  if (attempt.status == StepStatus::kOk) {
    // Impulses are those of the step.
    for (std::size_t i = 0; i < phases_.size(); ++i) {
      const ContactMemory of_step = state.contacts[i];
      resolved.contacts[i].normal_impulse = of_step.normal_impulse;
      resolved.contacts[i].tangential_impulse = of_step.tangential_impulse;
    }
    state = resolved;
    crawl_start_s_ = state.t;
    crawling_steps_ = 0;
    report.residual_m_s2 = attempt.residual_m_s2;
    return StepStatus::kOk;
  }
  // Not yet.
  stretch_ = std::min(2 * stretch_, kLongestStretch);
  steps_left_ = stretch_;
  phases_.assign(phases_.size(), {});
  still_approaches_ = false;
  return StepStatus::kOk;
}

}  // namespace freeplay::integrators
