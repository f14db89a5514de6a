// From a step in which an event was found to the state at that event.
#include <algorithm>
#include <cmath>

#include "freeplay/integrators/event_driven/event_driven.h"

namespace freeplay::integrators {

namespace {

// Of a step, behind or before its end: what its continuous extension still tells as exactly as new stages would.
constexpr double kNearby = 1e-3, kAtEnd = 1 - kNearby;

}  // namespace

// By new stages, or from CVODE's polynomial: y_new_ at this size, no longer than `whole`.
StepStatus EventDriven::step_anew(double t, double whole, double& size) {
  const auto rate_of = [&](double at, const VecX& y, VecX& k) { return rate(at, y, k); };
  if (!moves_by_multistep_) return take_stages(t, size, rate_of);
  size = std::min(size, whole);
  if (size < whole)
    inside_of_step(size / whole, y_new_);
  else
    y_new_ = multistep_->y();
  return rate(t + size, y_new_, k_scratch_);
}

// y_new_ at a part of the step that is left, from what is known of the whole step. Next to its end its dense output is
// as exact as the step.
StepStatus EventDriven::go_inside_step(double t, double whole, double part) {
  const auto rate_of = [&](double at, const VecX& y, VecX& k) { return rate(at, y, k); };
  if (part < kAtEnd) return go_inside(t, whole, part, rate_of);
  inside_of_step(part, y_stage_);
  y_new_ = y_stage_;
  return rate(t + part * whole, y_new_, k_scratch_);
}

// Whether the motion is smooth up to the event and on to the end of the step. Where sliding stops, or a surface ends,
// be it behind the event, the stages may have seen another motion. In space the direction of friction turns, and the
// faster the slower a part slides.
bool EventDriven::is_smooth_beyond(Trigger trigger) const {
  const auto changes_motion = [](Trigger of) { return of == Trigger::kSlidingStops || of == Trigger::kSurfaceEnds; };
  if (moves_by_multistep_ || changes_motion(trigger)) return false;
  for (const Dip& later : candidates_) {
    if (changes_motion(later.watch.trigger)) return false;
  }
  const std::span<const int> closed = dynamics_.closed();
  return std::all_of(closed.begin(), closed.end(), [&](int i) { return dynamics_.points()[i].friction_rows() < 2; });
}

// From what is known of the whole step where its end is of the same motion; by new stages, which end before, elsewhere.
StepStatus EventDriven::move_to_event(double t, double& size, const Found& found) {
  const double whole = size, part = found.part;
  const Trigger trigger = found.watch.trigger;
  size *= part;
  if (size <= 0) {
    size = 0;
    y_new_ = y_;
    return StepStatus::kOk;
  }
  const bool is_inside = is_smooth_beyond(trigger);
  const StepStatus status = is_inside ? go_inside_step(t, whole, part) : step_anew(t, whole, size);
  if (status != StepStatus::kOk) return status;
  // The dense output has an error of its own: one Newton step in time closes the gap, or stops the sliding. A part that
  // still slides a little, or back, would be taken to go on so.
  const double correction = correction_s(found.watch, t + size);
  if (correction == 0 || !(std::abs(correction) < 0.1 * size)) return status;
  size += correction;
  if (!is_inside || trigger != Trigger::kGapCloses || std::abs(correction) > kNearby * size)
    return step_anew(t, whole, size);
  // A part e behind its place, what is told there is wrong by e^2 times what it may be wrong by elsewhere.
  if (part < kAtEnd)
    go_on_inside(whole, part, correction);
  else
    inside_of_step(part + correction / whole, y_new_);
  return status;
}

// The time from y_new_, where the last rate was taken, to where the function of a watch is zero; 0 if it is.
double EventDriven::correction_s(const Watch& watch, double t) {
  if (watch.trigger == Trigger::kSlidingStops) {
    const double speed = margin(watch);
    return std::abs(speed) <= noise_of(watch) ? 0 : -speed / dynamics_.sliding_acceleration(watch.point);
  }
  if (watch.trigger != Trigger::kGapCloses) return 0;
  moved_.t = t;
  unpack(y_new_, moved_);
  dynamics_.stand_at(moved_);
  dynamics_.normal_velocities(gamma_N_);
  const double gap = dynamics_.gaps()[watch.point] - closing_level_m_[watch.point];
  return std::abs(gap) <= gap_noise_m_ ? 0 : -gap / gamma_N_[watch.point];
}

}  // namespace freeplay::integrators
