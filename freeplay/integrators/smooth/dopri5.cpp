#include "freeplay/integrators/smooth/dopri5.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/core/error.h"

namespace freeplay::integrators {

namespace {

// A projection may move the end of a step by this much, in units of the tolerated error. Usually it is below 1; a
// driver that jumps would be followed silently otherwise.
constexpr double kLargestCorrection = 10;

}  // namespace

Dopri5::Dopri5(const System& system, const ContactModel& contacts, const IntegratorOptions& options)
    : EmbeddedPair(PackedState(system.coordinate_count(), system.velocity_count()).size(), options.absolute_tolerance,
                   options.relative_tolerance),
      dynamics_(system, contacts, options.baumgarte_per_s),
      options_(options),
      onset_control_(contacts.point_count(), options.onset_control),
      gap_rates_(VecX::Zero(contacts.point_count())),
      gap_speeds_(gap_rates_),
      start_speeds_(gap_rates_) {
  if (dynamics_.has_contacts() && options.onset_control.control != PenetrationControl::kNone)
    hidden_contacts_.emplace(system, contacts);
  if (options.velocity_tolerance > 0) {
    absolute_.tail(dynamics_.size() - dynamics_.coordinate_count()).setConstant(options.velocity_tolerance);
  }
  next_k_ = VecX::Zero(dynamics_.size());
}

StepStatus Dopri5::rate(double t, const VecX& y, VecX& k) {
  ++counts_.evaluations;
  const StepStatus status = dynamics_.rate(t, y, k);
  if (status != StepStatus::kOk) return status;
  return k.allFinite() ? StepStatus::kOk : StepStatus::kNotFinite;
}

StepReport Dopri5::start(State& state, StepRecord* record) {
  StepReport report;
  counts_ = {};
  is_exact_size_ = false;
  size_before_hunt_ = 0;
  onset_control_.set_memory({});
  dynamics_.settle(state, report);
  if (report.status != StepStatus::kOk) return report;
  dynamics_.pack(state, y_);
  dynamics_.start_contacts(state);
  if (dynamics_.has_contacts()) dynamics_.contacts().set_touching(state);
  dynamics_.recall_contacts(state);
  report.status = rate(state.t, y_, k_[0]);
  if (report.status == StepStatus::kInconsistentRows) report.worst_row = dynamics_.contradicting_row();
  if (report.status != StepStatus::kOk) return report;
  report.row_rank = dynamics_.row_rank();
  t_begin_ = state.t;
  previous_error_ = 1e-4;
  if (dynamics_.has_contacts()) report.status = begin_touching(state);
  dynamics_.remember_contacts(state);
  if (report.status != StepStatus::kOk) return report;
  next_size_ = options_.first_step_s > 0 ? options_.first_step_s : guess_first_size(state.t);
  t_ = state.t;
  write_method(state);
  if (record != nullptr) report.status = dynamics_.write_record(state, *record);
  return report;
}

void Dopri5::write_method(State& state) {
  const OnsetControl::Memory onset = onset_control_.memory();
  state.method.assign({next_size_, is_exact_size_ ? 1.0 : 0.0, previous_error_, size_before_hunt_,
                       onset.is_hunting ? 1.0 : 0.0, onset.size_to_start_s, static_cast<double>(onset.deep_starts),
                       static_cast<double>(dynamics_.closed_rank())});
  method_ = state.method;
}

void Dopri5::read_method(const State& state) {
  const std::vector<double>& m = state.method;
  FREEPLAY_ASSERT(m.size() == 8);
  next_size_ = m[0];
  is_exact_size_ = m[1] != 0;
  previous_error_ = m[2];
  size_before_hunt_ = m[3];
  onset_control_.set_memory({m[4] != 0, m[5], static_cast<std::int64_t>(m[6])});
  dynamics_.set_closed_rank(static_cast<int>(m[7]));
}

bool Dopri5::is_at(const State& state) {
  if (state.t != t_ || state.method != method_) return false;
  if (dynamics_.has_contacts() && !dynamics_.contacts().are_those_of(state)) return false;
  dynamics_.pack(state, y_stage_);
  return y_stage_ == y_;
}

StepStatus Dopri5::go_to(const State& state) {
  dynamics_.pack(state, y_);
  t_ = state.t;
  read_method(state);
  method_ = state.method;
  if (dynamics_.has_contacts()) dynamics_.contacts().set_touching(state);
  dynamics_.recall_contacts(state);
  const StepStatus status = rate(state.t, y_, k_[0]);
  if (status == StepStatus::kOk && dynamics_.has_contacts()) {
    dynamics_.open_gap_rates(state, gap_rates_, start_speeds_);
    onset_control_.begin_step(state, dynamics_.gaps(), gap_rates_);
  }
  return status;
}

StepStatus Dopri5::resume(const State& state, const IntegratorCounts& counts) {
  counts_ = counts;
  return go_to(state);
}

double Dopri5::guess_first_size(double t) {
  const double guess =
      EmbeddedPair::guess_first_size(t, options_.max_step_s, dynamics_.controlled_size(),
                                     [&](double at, const VecX& y, VecX& k) { return rate(at, y, k); });
  return guess > 0 ? guess : smallest_size(t) * 16;
}

StepStatus Dopri5::take_stages(double t, double size) {
  return EmbeddedPair::take_stages(t, size, [&](double at, const VecX& y, VecX& k) { return rate(at, y, k); });
}

// How far settling moved the end of the step, in the norm of the error estimate.
double Dopri5::correction_norm() {
  dynamics_.pack(moved_, y_stage_);
  const Eigen::Index n = dynamics_.controlled_size();
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double scale = absolute_[i] + options_.relative_tolerance * std::max(std::abs(y_[i]), std::abs(y_new_[i]));
    const double ratio = (y_stage_[i] - y_new_[i]) / scale;
    sum += ratio * ratio;
  }
  return std::sqrt(sum / static_cast<double>(std::max<Eigen::Index>(n, 1)));
}

// Stages, error estimate and projection; the end of the step is in moved_. An accepted step has status kOk and error
// <= 1.
StepReport Dopri5::try_step(const State& state, const PlannedStep& plan, double t_limit, double& error) {
  StepReport report;
  report.size_s = plan.size;
  error = std::numeric_limits<double>::infinity();
  report.status = take_stages(state.t, plan.size);
  if (report.status != StepStatus::kOk) {
    if (report.status == StepStatus::kInconsistentRows) report.worst_row = dynamics_.contradicting_row();
    return report;
  }
  error = error_norm(plan.size, dynamics_.controlled_size());
  if (!(error <= 1)) return report;

  moved_ = state;
  moved_.t = plan.ends_at_limit ? t_limit : state.t + plan.size;
  dynamics_.unpack(y_new_, moved_);
  settle_end(report, kLargestCorrection);
  return report;
}

void Dopri5::settle_end(StepReport& report, double largest_correction) {
  const bool changed = dynamics_.settle(moved_, report);
  if (report.status == StepStatus::kOk && changed && correction_norm() > largest_correction) {
    report.status = StepStatus::kProjectionFailed;
  }
  if (report.status != StepStatus::kOk) return;
  // The derivative at the end: the last stage, or a new one if settling moved the state.
  next_k_ = k_[6];
  if (changed) {
    dynamics_.pack(moved_, y_stage_);
    report.status = rate(moved_.t, y_stage_, next_k_);
    if (report.status == StepStatus::kInconsistentRows) report.worst_row = dynamics_.contradicting_row();
  }
}

void Dopri5::interpolate_step(double size) {
  EmbeddedPair::interpolate_step(size);
  if (!is_interpolated_) return;
  // The state is on the chord, and so is what lies before it.
  for (std::size_t i = 2; i < dense_.size(); ++i) dense_[i].setZero();
}

void Dopri5::accept(State& state, const PlannedStep& plan) {
  interpolate_step(plan.size);  // of the step before projection
  t_begin_ = state.t;
  last_size_ = plan.size;

  dynamics_.pack(moved_, y_);
  k_[0] = next_k_;
  state = moved_;
  ++counts_.accepted;
}

StepReport Dopri5::step(State& state, double t_limit, StepRecord* record) {
  if (!is_at(state)) {
    StepReport report;
    report.status = go_to(state);
    if (report.status != StepStatus::kOk) return report;
  }
  StepReport report = take_step(state, t_limit);
  if (report.status != StepStatus::kOk) {
    t_ = std::numeric_limits<double>::quiet_NaN();  // sizes were tried: the state is to be found anew
    return report;
  }
  t_ = state.t;
  write_method(state);
  if (record != nullptr) report.status = dynamics_.write_record(state, *record);
  return report;
}

StepReport Dopri5::take_step(State& state, double t_limit) {
  for (bool rejected_before = false;; rejected_before = true) {
    PlannedStep plan =
        plan_step(state.t, t_limit, next_size_, {options_.min_step_s, options_.max_step_s}, is_exact_size_);
    double error = 0;
    StepReport report = try_step(state, plan, t_limit, error);
    if (report.status == StepStatus::kOk && error <= 1 && dynamics_.has_contacts()) {
      const OnsetControl::Verdict verdict = judge_contacts(state, plan, report);
      if (verdict.action == OnsetControl::Action::kRetry) {
        ++counts_.rejected;
        ++counts_.rejected_by_contact;
        size_before_hunt_ = std::max(size_before_hunt_, plan.size);
        next_size_ = verdict.size_s;
        is_exact_size_ = true;
        continue;
      }
      if (report.status == StepStatus::kOk) report.status = settle_contacts(state, plan.size);
    }
    if (report.status == StepStatus::kOk && error <= 1) {
      const double factor = growth(error, previous_error_, rejected_before);
      previous_error_ = std::max(error, 1e-4);
      // A step cut short by the limit says nothing against the size that was planned.
      next_size_ = plan.ends_at_limit ? std::max(next_size_, plan.size * factor) : plan.size * factor;
      if (dynamics_.has_contacts()) size_after_contacts();
      accept(state, plan);
      report.active_points = static_cast<int>(dynamics_.contacts().touching().size());
      report.gaps_are_open = dynamics_.contacts().are_open();
      report.row_rank = dynamics_.row_rank();
      return report;
    }
    ++counts_.rejected;
    // A step that was stretched to the limit may be longer than the smallest one, for ever.
    if (std::min(plan.size, next_size_) <= smallest_size(state.t) * (1 + 1e-9)) {
      if (report.status == StepStatus::kOk) report.status = StepStatus::kStepTooSmall;
      report.size_s = 0;
      return report;
    }
    is_exact_size_ = false;
    const bool by_error = report.status == StepStatus::kOk;
    next_size_ = plan.size * (by_error ? shrinkage(error) : 0.25);
  }
}

void Dopri5::interpolate(double t, State& state) const {
  const double s = last_size_ > 0 ? (t - t_begin_) / last_size_ : 0;
  dynamics_.unpack_combination(dense_, dense_weights(s), state);
  state.t = t;
}

std::unique_ptr<Integrator> make_dopri5(const System& system, const ContactModel& contacts,
                                        const IntegratorOptions& options) {
  return std::make_unique<Dopri5>(system, contacts, options);
}

}  // namespace freeplay::integrators
