// Smooth motion by CVODE in the place of the embedded pair (`smooth: cvode-bdf | cvode-adams`): its steps, dense output
// and order; events are sought and located as they are in steps of the pair.
//
// Near a surface the pair goes on. Behind an event CVODE begins with order 1, and its error is what is tolerated,
// however short the step: a part that has just left its partner would seem to come back. The pair has the flights of a
// part that bounces to rounding.
#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/integrators/event_driven/event_driven.h"

namespace freeplay::integrators {

namespace {

// An open gap is wide enough for CVODE beyond this, in tolerated errors.
constexpr double kWide = 1e3;
constexpr int kMostCutsOfStep = 8;
constexpr double kCutOfStep = 0.4, kTowardsEnd = 0.9;  // as for the pair: event_driven.cpp

}  // namespace

std::unique_ptr<CvodeMotion> EventDriven::make_multistep() {
  if (options_.smooth_method == SmoothMethod::kDopri5) return nullptr;
  const CvodeMotion::Options options{.formula = options_.smooth_method == SmoothMethod::kCvodeBdf
                                                    ? CvodeMotion::Formula::kBdf
                                                    : CvodeMotion::Formula::kAdams,
                                     .relative_tolerance = options_.relative_tolerance,
                                     .min_step_s = options_.min_step_s,
                                     .max_step_s = options_.max_step_s};
  return std::make_unique<CvodeMotion>(absolute_, options,
                                       [this](double t, const VecX& y, VecX& k) { return rate(t, y, k); });
}

bool EventDriven::is_near_surface() const {
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    if (dynamics_.phase(i).is_closed() || !dynamics_.points()[i].has_normal) continue;
    if (start_motion_.gaps[i] < kWide * tolerated_m_) return true;
  }
  return false;
}

// CVODE refuses to begin within two units of rounding of where it has to end; while it goes on, it is there.
bool EventDriven::multistep_has_room(double t_limit) const {
  constexpr double kRoom = 3 * std::numeric_limits<double>::epsilon();
  return multistep_goes_on() || t_limit - t_ > kRoom * std::max(std::abs(t_), std::abs(t_limit));
}

// The past of a multistep method is in CVODE and cannot be taken out: it begins anew.
void EventDriven::save(State& state) {
  if (multistep_ == nullptr || !is_at(state)) return;
  multistep_goes_on_ = false;
  write_method(state);
}

void EventDriven::inside_of_step(double part, VecRef y) {
  if (!moves_by_multistep_) {
    inside_of_pair(part, y);
    return;
  }
  // CVODE's polynomial does not begin exactly where the step does, by about its error: without the second term a gap
  // that is just open there could be closed a moment later.
  multistep_->inside(t_begin_ + part * last_size_, y);
  y += (1 - part) * offset_.head(y.size());
}

// What happens at contacts inside of the step, seen at the same places as in a step of the pair.
StepStatus EventDriven::look_inside(double t, double size) {
  multistep_->inside(t, offset_);
  offset_ = y_ - offset_;
  dips_.clear();
  for (std::size_t stage = 1; stage < kC.size(); ++stage) {
    if (stage == 5) continue;  // the same place as the last one
    const bool is_end = stage == 6;
    if (!is_end) inside_of_step(kC[stage], y_stage_);
    const StepStatus status = rate(t + kC[stage] * size, is_end ? y_new_ : y_stage_, k_[stage]);
    if (status != StepStatus::kOk) return status;
    note_stage(kC[stage]);
    dynamics_.held_accelerations(held_[stage]);
  }
  k_[5] = k_[6];
  held_[5] = held_[6];
  return StepStatus::kOk;
}

StepReport EventDriven::move_by_multistep(State& state, double t_limit) {
  std::fill(is_struck_.begin(), is_struck_.end(), char{0});
  t_begin_ = state.t;
  if (multistep_goes_on())
    multistep_->displace_to(y_);  // by what settling has removed
  else
    multistep_->begin(state.t, y_, 0);
  const double smallest = 2 * smallest_size(state.t, options_.min_step_s);
  double bound = longest_step();
  for (int cuts = 0;;) {
    StepReport report;
    const std::int64_t rejected_before = multistep_->rejected();
    multistep_goes_on_ = false;
    const bool is_bounded = bound > 0 && state.t + bound < t_limit;
    report.status = multistep_->step(is_bounded ? state.t + bound : t_limit);
    counts_.rejected += multistep_->rejected() - rejected_before;
    if (report.status != StepStatus::kOk) return report;
    const double size = multistep_->t() - state.t;
    y_new_ = multistep_->y();
    last_size_ = size;
    report.status = look_inside(state.t, size);
    const auto repeat = [&](double shorter) {
      ++counts_.rejected;
      bound = std::max(shorter, smallest);
      multistep_->begin(state.t, y_, bound);
    };
    const bool may_be_cut = cuts < kMostCutsOfStep && size > smallest;
    if (may_be_cut && (report.status != StepStatus::kOk || !forces_change_evenly())) {
      ++cuts;
      repeat(kCutOfStep * size);
      continue;
    }
    if (report.status != StepStatus::kOk) return report;
    const std::optional<Found> found = find_event(state.t, size);
    if (found && is_far_from_end(*found, size)) {
      repeat(kTowardsEnd * found->part * size);
      continue;
    }
    next_size_ = multistep_->next_size_s();  // for the pair, should it come to that
    const PlannedStep plan{size, multistep_->t() == t_limit};
    if (end_step(state, plan, t_limit, found, report) == Trial::kDone) {
      multistep_goes_on_ = !found && !dynamics_.has_jumped();
      return report;
    }
    repeat(next_size_);
  }
}

}  // namespace freeplay::integrators
