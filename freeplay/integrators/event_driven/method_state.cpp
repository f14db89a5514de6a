// What of the method is part of the state: written, read back, and gone to.
#include "freeplay/core/error.h"
#include "freeplay/integrators/event_driven/event_driven.h"

namespace freeplay::integrators {

void EventDriven::pack(const State& state) {
  dynamics_.pack(state, y_);
  for (std::size_t i = 0; i < state.contacts.size(); ++i)
    y_[dynamics_.first_quadrature() + static_cast<Eigen::Index>(i)] = state.contacts[i].friction_loss;
}

void EventDriven::unpack(const VecX& y, State& state) const {
  dynamics_.unpack(y, state);
  for (std::size_t i = 0; i < state.contacts.size(); ++i)
    state.contacts[i].friction_loss = y[dynamics_.first_quadrature() + static_cast<Eigen::Index>(i)];
}

void EventDriven::write_method(State& state) {
  state.method.assign({next_size_, previous_error_, still_approaches_ ? 1.0 : 0.0, static_cast<double>(steps_left_),
                       static_cast<double>(stretch_), stretch_end_s_, stepping_method_[0], stepping_method_[1],
                       has_told_of_stepping_ ? 1.0 : 0.0, has_told_of_undecided_ ? 1.0 : 0.0,
                       static_cast<double>(crawling_steps_), crawl_start_s_, static_cast<double>(storm_events_),
                       storm_start_s_, is_storm_ ? 1.0 : 0.0, static_cast<double>(idle_events_)});
  for (const PointPhase& phase : phases_) {
    state.method.insert(state.method.end(), {static_cast<double>(phase.mode), phase.direction[0], phase.direction[1]});
  }
  method_ = state.method;
}

void EventDriven::read_method(const State& state) {
  const std::vector<double>& m = state.method;
  FREEPLAY_ASSERT(m.size() == kSharedNumbers + kNumbersPerPoint * phases_.size());
  next_size_ = m[0];
  previous_error_ = m[1];
  still_approaches_ = m[2] != 0;
  steps_left_ = static_cast<int>(m[3]);
  stretch_ = static_cast<int>(m[4]);
  stretch_end_s_ = m[5];
  stepping_method_ = {m[6], m[7]};
  has_told_of_stepping_ = m[8] != 0;
  has_told_of_undecided_ = m[9] != 0;
  crawling_steps_ = static_cast<int>(m[10]);
  crawl_start_s_ = m[11];
  storm_events_ = static_cast<int>(m[12]);
  storm_start_s_ = m[13];
  is_storm_ = m[14] != 0;
  idle_events_ = static_cast<int>(m[15]);
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const double* of_point = m.data() + kSharedNumbers + kNumbersPerPoint * i;
    phases_[i] = {static_cast<ContactMode>(of_point[0]), Vec2(of_point[1], of_point[2])};
  }
}

bool EventDriven::fits(const State& state) const {
  if (state.method.size() != kSharedNumbers + kNumbersPerPoint * phases_.size()) return false;
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const double mode = state.method[kSharedNumbers + kNumbersPerPoint * i];
    if (mode != 0 && mode != 1 && mode != 2) return false;
  }
  return dynamics_.points().is_aligned(state);
}

bool EventDriven::is_at(const State& state) {
  if (state.t != t_ || state.method != method_) return false;
  y_stage_ = y_;
  dynamics_.pack(state, y_stage_);
  return y_stage_ == y_;
}

StepStatus EventDriven::go_to(const State& state) {
  multistep_goes_on_ = false;
  read_method(state);
  method_ = state.method;
  t_ = state.t;
  dynamics_.kinematics().recall(state);
  pack(state);
  dynamics_.set_phases(phases_);
  const StepStatus status = rate(state.t, y_, k_[0]);
  dynamics_.held_accelerations(held_[0]);
  dynamics_.begin_step();
  set_scales(state);
  hidden_contacts_.recall(state);
  if (!phases_.empty()) hidden_contacts_.measure(state.t, state.q, state.u, start_motion_);
  return status;
}

StepStatus EventDriven::resume(const State& state, const IntegratorCounts& counts) {
  counts_ = counts;
  return go_to(state);
}

std::optional<LocalProblem> EventDriven::contact_problem() const {
  return decision_.has_problem() ? std::optional(decision_.problem()) : std::nullopt;
}

}  // namespace freeplay::integrators
