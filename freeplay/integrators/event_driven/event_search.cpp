// Where in a step the first event is, and the way there.
#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/integrators/event_driven/event_driven.h"

namespace freeplay::integrators {

namespace {

// Relative to what is at work at the point, and to the largest force anywhere; less is rounding.
constexpr double kForceNoise = 1e-10, kForceRounding = std::numeric_limits<double>::epsilon();
constexpr double kSpeedNoise = 1e-12;
constexpr double kGapNoise = 16 * std::numeric_limits<double>::epsilon();
// A closed point that is off its surface by more, relative to its part, has come to an end or a kink of it. Drift is
// removed after every step and never comes near.
constexpr double kOffSurface = 1e-6, kLeastOffSurface_m = 1e-8;
constexpr double kDrifts = 100;  // in tolerated errors of a step
constexpr int kMostHalvings = 80;
constexpr double kFresh = 1e3;  // in noises of gaps; a point that has just left its surface is in smooth flight
// Of a step, behind or before its end: what its continuous extension still tells as exactly as new stages would.
constexpr double kNearby = 1e-3;

}  // namespace

double EventDriven::margin(const Watch& watch) const {
  for (const PointForces& forces : dynamics_.forces()) {
    if (forces.point == watch.point) return margin(watch, forces);
  }
  return std::numeric_limits<double>::infinity();
}

double EventDriven::margin(const Watch& watch, const PointForces& forces) const {
  switch (watch.trigger) {
    case Trigger::kForceVanishes:
      // One of many ways to share a load says nothing of a single contact.
      if (dynamics_.is_redundant()) return forces.opens_m_s2 > 0 ? -force_scale_N_ : force_scale_N_;
      return forces.normal_N;
    case Trigger::kFrictionIsFull:
      if (dynamics_.is_redundant()) return forces.slips_m_s2 > 0 ? -force_scale_N_ : force_scale_N_;
      // Where nothing pulls, nothing begins to slide, also at the instant in which the load is gone.
      if (forces.tangential_N.norm() <= noise_of(watch)) return std::max(force_scale_N_, forces.limit_N);
      return forces.limit_N - forces.tangential_N.norm();
    case Trigger::kSlidingStops:
      return forces.sliding_m_s.dot(dynamics_.phase(watch.point).direction);
    case Trigger::kSurfaceEnds: {
      const double off = std::abs(dynamics_.gaps()[watch.point]);
      return off_surface_m(watch.point) - (std::isfinite(off) ? off : std::numeric_limits<double>::max());
    }
    case Trigger::kGapCloses:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

double EventDriven::off_surface_m(int point) const {
  return std::max({kLeastOffSurface_m, kOffSurface * dynamics_.points()[point].size, kDrifts * tolerated_m_});
}

double EventDriven::noise_of(const Watch& watch) const {
  switch (watch.trigger) {
    case Trigger::kForceVanishes:
    case Trigger::kFrictionIsFull:
      return kForceNoise * own_force_N_[static_cast<std::size_t>(watch.point)] + kForceRounding * force_scale_N_;
    case Trigger::kSlidingStops:
      return kSpeedNoise * speed_scale_m_s_;
    case Trigger::kGapCloses:
      return gap_noise_m_;
    case Trigger::kSurfaceEnds:
      return 0;
  }
  return 0;
}

// What can happen to a closed point.
std::span<const EventDriven::Trigger> EventDriven::triggers_of(int point) const {
  static constexpr Trigger kNormalOnly[] = {Trigger::kForceVanishes, Trigger::kSurfaceEnds};
  static constexpr Trigger kSliding[] = {Trigger::kForceVanishes, Trigger::kSurfaceEnds, Trigger::kSlidingStops};
  static constexpr Trigger kSticking[] = {Trigger::kForceVanishes, Trigger::kSurfaceEnds, Trigger::kFrictionIsFull};
  const ContactPoint& description = dynamics_.points()[point];
  if (!description.has_friction()) return kNormalOnly;
  const std::span<const Trigger> all =
      dynamics_.phase(point).mode == ContactMode::kSlip ? std::span<const Trigger>(kSliding) : kSticking;
  return description.has_normal ? all : all.last(1);
}

void EventDriven::note_stage(double part) {
  for (const PointForces& forces : dynamics_.forces()) {
    for (const Trigger trigger : triggers_of(forces.point)) {
      const Watch watch{forces.point, trigger};
      if (margin(watch, forces) >= -noise_of(watch)) continue;
      const bool is_known = std::any_of(dips_.begin(), dips_.end(), [&](const Dip& dip) { return dip.watch == watch; });
      if (!is_known) dips_.push_back({watch, part});
    }
  }
}

double EventDriven::value_at(const Watch& watch, double t, double size, double part) {
  if (watch.trigger == Trigger::kGapCloses) {
    // Velocities and accounts are nothing to a gap.
    auto q_view = y_stage_.head(dynamics_.coordinate_count());
    inside_of_step(part, q_view);
    dynamics_.gaps_at(t + part * size, q_view, gaps_);
    return gaps_[watch.point] - closing_level_m_[watch.point];
  }
  inside_of_step(part, y_stage_);
  // Beyond the end of what is possible nothing is known: it lies behind the event.
  if (rate(t + part * size, y_stage_, k_scratch_) != StepStatus::kOk) return -std::numeric_limits<double>::infinity();
  return margin(watch);
}

// The part of the step at which the function of a watch, negative at `last_part`, first was zero; a little behind it.
// A function that is zero at the start, since the point has just been released, has to become positive first. 0 if it
// does not.
double EventDriven::locate(const Watch& watch, double t, double size, double last_part) {
  const double noise = noise_of(watch);
  double low = 0, high = last_part;
  double at_low = value_at(watch, t, size, low), at_high = value_at(watch, t, size, high);
  if (!(at_high < 0)) return last_part;
  if (at_low <= noise) {
    // Flights after a rebound may be far shorter than the step.
    constexpr double kShorter = 1.0 / 3, kShortest = 1e-15;
    low = high / 2;
    while (low > kShortest && !((at_low = value_at(watch, t, size, low)) > noise)) {
      high = low;
      at_high = at_low;
      low *= kShorter;
    }
    if (!(low > kShortest)) return 0;
  }
  // Illinois: regula falsi that halves the weight of an end that stays.
  int side = 0;
  for (int k = 0; k < kMostHalvings && high - low > 4 * std::numeric_limits<double>::epsilon(); ++k) {
    double middle = std::isfinite(at_high) ? (low * at_high - high * at_low) / (at_high - at_low) : (low + high) / 2;
    if (!(middle > low && middle < high)) middle = (low + high) / 2;
    const double value = value_at(watch, t, size, middle);
    if (std::abs(value) <= noise / 2) return middle;
    if (value > 0) {
      low = middle;
      at_low = value;
      if (side == 1) at_high /= 2;
      side = 1;
    } else {
      high = middle;
      at_high = value;
      if (side == -1) at_low /= 2;
      side = -1;
    }
  }
  // Behind its end a surface may be another one: the motion must not have seen it.
  return watch.trigger == Trigger::kSurfaceEnds ? low : high;
}

std::optional<EventDriven::Found> EventDriven::find_event(double t, double size) {
  if (phases_.empty()) return std::nullopt;
  end_forces_.assign(dynamics_.forces().begin(), dynamics_.forces().end());
  if (!moves_by_multistep_) interpolate_step(size);
  Found first;
  const auto consider = [&](const Watch& watch, double last_part) {
    if (last_part > first.part && value_at(watch, t, size, first.part) >= 0) return;
    const double part = locate(watch, t, size, std::min(last_part, first.part));
    if (part < first.part || !first.is_known) first = {part, watch, true};
  };
  candidates_.clear();
  for (const PointForces& forces : end_forces_) {
    for (const Trigger trigger : triggers_of(forces.point)) {
      const Watch watch{forces.point, trigger};
      if (margin(watch, forces) < -noise_of(watch)) candidates_.push_back({watch, 1});
    }
  }
  for (const Dip& dip : dips_) candidates_.push_back(dip);
  for (const Dip& candidate : candidates_) {
    // The stages of a step are not on its dense output.
    if (candidate.part < 1 && !(value_at(candidate.watch, t, size, candidate.part) < -noise_of(candidate.watch)))
      continue;
    consider(candidate.watch, candidate.part);
  }
  look_at_gaps(t, size, first);
  return first.is_known ? std::optional(first) : std::nullopt;
}

void EventDriven::look_at_gaps(double t, double size, Found& first) {
  const auto q_end = y_new_.head(dynamics_.coordinate_count());
  const auto u_end = y_new_.segment(dynamics_.coordinate_count(), dynamics_.velocity_count());
  q_end_ = q_end;
  u_end_ = u_end;
  hidden_contacts_.measure(t + size, q_end_, u_end_, end_motion_);
  const auto consider = [&](int point, double last_part) {
    const Watch watch{point, Trigger::kGapCloses};
    const double part = locate(watch, t, size, last_part);
    if (part < first.part || !first.is_known) first = {part, watch, true};
  };
  dynamics_.gaps_at(t + size, q_end_, gaps_at_end_);
  closing_level_m_.setZero();
  bool knows_levels = false;
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    if (dynamics_.phase(i).is_closed() || !dynamics_.points()[i].has_normal) continue;
    const bool is_inside_at_end = gaps_at_end_[i] < -gap_noise_m_;
    // Behind an event the motion is another one: a part that friction stops within a wall, at the lowest point of its
    // gap, would slide out again by the end of the step.
    const bool is_in_flight = first.is_known && start_motion_.gaps[i] > kFresh * gap_noise_m_;
    if (!is_inside_at_end && !is_in_flight) continue;
    if (is_inside_at_end) {
      if (!knows_levels) note_closing_levels(t);
      knows_levels = true;
      if (!(gaps_at_end_[i] < closing_level_m_[i] - gap_noise_m_)) continue;
    }
    if (first.is_known && value_at({i, Trigger::kGapCloses}, t, size, first.part) >= -gap_noise_m_) continue;
    consider(i, first.part);
  }
  const std::optional<double> hidden = find_hidden(t, size);
  if (!hidden || *hidden >= first.part) return;
  value_at({0, Trigger::kGapCloses}, t, size, *hidden);
  gaps_at_hidden_ = gaps_;
  if (!knows_levels) note_closing_levels(t);
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    const bool is_open = !dynamics_.phase(i).is_closed() && dynamics_.points()[i].has_normal;
    if (is_open && gaps_at_hidden_[i] < closing_level_m_[i] - gap_noise_m_) consider(i, *hidden);
  }
}

// A point that has just been released may be a little inside, by what settling leaves: it closes when it comes deeper.
void EventDriven::note_closing_levels(double t) {
  constexpr double kInside = 4;  // in rounding of gaps
  dynamics_.gaps_at(t, y_.head(dynamics_.coordinate_count()), closing_level_m_);
  for (double& level : closing_level_m_) {
    const bool is_inside = level < -kInside * gap_noise_m_ && level > -tolerated_m_;
    if (!is_inside) level = 0;
  }
}

std::optional<double> EventDriven::find_hidden(double t, double size) {
  constexpr double kErrors = 10;  // of the interpolation, in tolerated errors
  bool is_any = false;
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    const bool is_open = !dynamics_.phase(i).is_closed() && dynamics_.points()[i].has_normal;
    const bool is_watched = is_open && start_motion_.gaps[i] > kFresh * gap_noise_m_ && end_motion_.gaps[i] >= 0;
    is_watched_[static_cast<std::size_t>(i)] = is_watched;
    is_any = is_any || is_watched;
  }
  if (!is_any) return std::nullopt;
  const auto position = [&](double part, VecX& q) { inside_of_step(part, q); };
  return hidden_contacts_.find({t, size, kErrors * tolerated_m_}, start_motion_.ends(), end_motion_.ends(), is_watched_,
                               position);
}

// Where contacts come and go in the points of a pair, a step is no longer than it takes to move by the size of a part:
// otherwise nobody knows which contacts there were. What is closed on a surface of free form moves by a tenth of it: a
// bump could lie between.
double EventDriven::longest_step() const {
  double longest_s = options_.max_step_s > 0 ? options_.max_step_s : std::numeric_limits<double>::infinity();
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    const ContactPoint& point = dynamics_.points()[i];
    if (!point.is_free_form || !(point.size > 0) || !(start_motion_.speeds[i] > 0)) continue;
    const bool is_closed = phases_[static_cast<std::size_t>(i)].is_closed();
    if (!is_closed && !point.is_followed) continue;
    longest_s = std::min(longest_s, (is_closed ? 0.1 : 1.0) * point.size / start_motion_.speeds[i]);
  }
  return std::isfinite(longest_s) ? longest_s : 0;
}

// What is rounding, in the coming step.
void EventDriven::set_scales(const State& state) {
  force_scale_N_ = std::max(dynamics_.largest_force(), std::numeric_limits<double>::min());
  dynamics_.forces_nearby(own_force_N_);
  speed_scale_m_s_ = std::max(max_abs(state.u), 1e-3);
  tolerated_m_ = options_.absolute_tolerance + options_.relative_tolerance * max_abs(state.q);
  gap_noise_m_ = kGapNoise * std::max(max_abs(state.q), 1e-3);
}

StepStatus EventDriven::move_to_event(double t, double& size, const Found& found) {
  const auto rate_of = [&](double at, const VecX& y, VecX& k) { return rate(at, y, k); };
  const double whole = size;
  const auto go = [&] {
    if (!moves_by_multistep_) return take_stages(t, size, rate_of);
    size = std::min(size, whole);
    if (size < whole)
      inside_of_step(size / whole, y_new_);
    else
      y_new_ = multistep_->y();
    return rate(t + size, y_new_, k_scratch_);
  };
  size *= found.part;
  if (size <= 0) {
    size = 0;
    y_new_ = y_;
    return StepStatus::kOk;
  }
  const StepStatus status = go();
  if (status != StepStatus::kOk) return status;
  // The dense output has an error of its own: one Newton step in time closes the gap, or stops the sliding. A part that
  // still slides a little, or back, would be taken to go on so.
  const double correction = correction_s(found.watch, t + size);
  if (correction == 0 || !(std::abs(correction) < 0.1 * size)) return status;
  if (!moves_by_multistep_ && found.watch.trigger == Trigger::kGapCloses && std::abs(correction) <= kNearby * size) {
    extend_step(size, correction);
    size += correction;
    return status;
  }
  size += correction;
  return go();
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

// The continuous extension has the values and the derivatives of the step at both of its ends. A part e beyond its end
// it is wrong by e^2 times what it is wrong by inside: for a small one six evaluations more would tell nothing.
void EventDriven::extend_step(double size, double by) {
  interpolate_step(size);
  const std::array<double, 5> weights = dense_weights(1 + by / size);
  y_new_.setZero();
  for (std::size_t i = 0; i < dense_.size(); ++i) y_new_ += weights[i] * dense_[i];
}

}  // namespace freeplay::integrators
