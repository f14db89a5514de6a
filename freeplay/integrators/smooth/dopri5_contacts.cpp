// dopri5 with contacts that have a force law: what happens to a step in which they begin or end.
#include <algorithm>
#include <functional>
#include <limits>

#include "freeplay/integrators/smooth/dopri5.h"

namespace freeplay::integrators {

StepStatus Dopri5::begin_touching(State& state) {
  const StepStatus status = dynamics_.begin_closed_contacts(state);
  if (status != StepStatus::kOk) return status;
  dynamics_.open_gap_rates(state, gap_rates_, start_speeds_);
  onset_control_.begin_step(state, dynamics_.gaps(), gap_rates_);
  return rate(state.t, y_, k_[0]);
}

OnsetControl::Verdict Dopri5::judge_contacts(const State& state, PlannedStep& plan, StepReport& report) {
  is_interpolated_ = false;
  dynamics_.open_gap_rates(state, gap_rates_, gap_speeds_);
  const OnsetControl::Memory before = onset_control_.memory();
  const double smallest = smallest_size(state.t);
  const OnsetControl::Verdict verdict = onset_control_.judge(plan.size, dynamics_.gaps(), gap_rates_, smallest);
  if (verdict.action == OnsetControl::Action::kRetry) return verdict;
  if (hidden_contacts_ && plan.size > smallest) {
    if (const std::optional<double> part = find_hidden_contact(state, plan.size)) {
      onset_control_.set_memory(before);
      return {OnsetControl::Action::kRetry, std::max(*part * plan.size, smallest)};
    }
  }
  if (verdict.action != OnsetControl::Action::kInterpolate) return verdict;
  y_new_ = y_ + (verdict.size_s / plan.size) * (y_new_ - y_);  // eqs (11), (12)
  plan = {verdict.size_s, false};
  moved_.t = state.t + plan.size;
  dynamics_.unpack(y_new_, moved_);
  report.size_s = plan.size;
  report.status = rate(moved_.t, y_new_, k_[6]);
  // The chord leaves the loops open by the square of the step: closing them is part of the procedure.
  if (report.status == StepStatus::kOk) settle_end(report, std::numeric_limits<double>::infinity());
  if (report.status == StepStatus::kOk) onset_control_.start_closed(dynamics_.gaps());
  dynamics_.open_gap_rates(moved_, gap_rates_, gap_speeds_);
  is_interpolated_ = true;
  return verdict;
}

// The step is then repeated so that it ends inside of the contact, which onset control sees.
std::optional<double> Dopri5::find_hidden_contact(const State& state, double size) {
  constexpr double kErrors = 10;  // of the interpolation, in tolerated errors
  bool has_dense_output = false;
  const auto position = [&](double s, VecX& q) {
    if (!has_dense_output) interpolate_step(size);
    has_dense_output = true;
    const std::array<double, 5> weights = dense_weights(s);
    q.setZero();
    for (std::size_t i = 0; i < dense_.size(); ++i) q += weights[i] * dense_[i].head(q.size());
  };
  const double error = options_.absolute_tolerance + options_.relative_tolerance * max_abs(state.q);
  return hidden_contacts_->find({state.t, size, kErrors * error},
                                {onset_control_.start_gaps(), onset_control_.start_rates(), start_speeds_},
                                {dynamics_.gaps(), gap_rates_, gap_speeds_}, onset_control_.watched(),
                                std::cref(position));  // a function by reference allocates nothing
}

StepStatus Dopri5::settle_contacts(const State& state, double size) {
  CompliantContacts& contacts = dynamics_.contacts();
  contacts.remember_step(moved_, size);
  const bool touches = !contacts.touching().empty();
  const bool lets_go = touches && dynamics_.let_go_of_contacts(moved_);
  const bool has_ended = touches && dynamics_.end_contacts(moved_);
  const std::vector<int>& starting = onset_control_.starting();
  for (const int point : starting) dynamics_.begin_contact(point, moved_);
  const bool has_changed = lets_go || has_ended || !starting.empty();
  if (has_changed) contacts.set_touching(moved_);
  if (lets_go || !starting.empty()) {
    dynamics_.pack(moved_, y_stage_);
    const StepStatus status = rate(moved_.t, y_stage_, next_k_);
    if (status != StepStatus::kOk) {
      contacts.set_touching(state);  // as if the step had not been tried
      return status;
    }
    contacts.remember_forces(moved_);
  }
  dynamics_.count_starts(starting, moved_, counts_);
  counts_.deep_starts = onset_control_.deep_starts();
  counts_.interpolated_starts += is_interpolated_;
  dynamics_.remember_contacts(moved_);
  // Otherwise judge_contacts() has done it.
  if (has_changed) dynamics_.open_gap_rates(moved_, gap_rates_, gap_speeds_);
  start_speeds_ = gap_speeds_;
  onset_control_.begin_step(moved_, dynamics_.gaps(), gap_rates_);
  return StepStatus::kOk;
}

// The next step after one that ended where a contact begins, or is about to.
void Dopri5::size_after_contacts() {
  constexpr double kRestart_s = 1e-6;  // procedure 1, whose interpolation knows nothing of the error
  constexpr double kOfContactTime = 0.02;
  const double to_start = onset_control_.size_to_next_start();
  is_exact_size_ = to_start > 0;
  if (is_exact_size_) {
    next_size_ = to_start;
    return;
  }
  if (onset_control_.starting().empty()) return;
  if (options_.onset_control.control == PenetrationControl::kProcedure1) next_size_ = kRestart_s;
  if (options_.onset_control.control != PenetrationControl::kRoots) return;
  next_size_ = std::max(next_size_, size_before_hunt_);
  size_before_hunt_ = 0;
  for (const int point : onset_control_.starting()) {
    const double time = dynamics_.contacts().expected_time(point, moved_.contacts[static_cast<std::size_t>(point)]);
    next_size_ = std::min(next_size_, kOfContactTime * time);
  }
}

}  // namespace freeplay::integrators
