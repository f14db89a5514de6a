// Where in a step the first event is.
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

// A gap at an end of the step, where it is known already.
double EventDriven::gap_at_end(const Watch& watch, double t, double size, double part) {
  const bool is_known = !hidden_contacts_.has_followed() && (part == 0 || part == 1);
  if (!is_known) return value_at(watch, t, size, part);
  return (part == 0 ? start_motion_ : end_motion_).gaps[watch.point] - closing_level_m_[watch.point];
}

// Where a gap closes that is positive at `low` and negative at the end of the step, if it is the cubic that has its
// values and rates at both; and the slope there. Any place between them will do: it is where to look first.
EventDriven::Guess EventDriven::guess_closing(const Watch& watch, double size, double low) const {
  const std::size_t at = static_cast<std::size_t>(watch.point);
  if (start_motion_.is_far[at] || end_motion_.is_far[at]) return {};
  const double g_0 = start_motion_.gaps[watch.point] - closing_level_m_[watch.point];
  const double g_1 = end_motion_.gaps[watch.point] - closing_level_m_[watch.point];
  const double d_0 = size * start_motion_.rates[watch.point], d_1 = size * end_motion_.rates[watch.point];
  const double c_2 = 3 * (g_1 - g_0) - 2 * d_0 - d_1, c_3 = 2 * (g_0 - g_1) + d_0 + d_1;
  const auto value = [&](double s) { return g_0 + s * (d_0 + s * (c_2 + s * c_3)); };
  const auto slope = [&](double s) { return d_0 + s * (2 * c_2 + 3 * s * c_3); };
  double high = 1, s = (low + high) / 2;
  for (int k = 0; k < kMostHalvings && high - low > 1e-9; ++k) {
    const double here = value(s);
    (here > 0 ? low : high) = s;
    const double next = s - here / slope(s);
    s = next > low && next < high ? next : (low + high) / 2;
  }
  return {s, slope(s)};
}

// The part of the step at which the function of a watch, negative at `last_part`, first was zero; a little behind it.
// A function that is zero at the start, since the point has just been released, has to become positive first. 0 if it
// does not.
double EventDriven::locate(const Watch& watch, double t, double size, double last_part) {
  const double noise = noise_of(watch);
  const bool is_gap = watch.trigger == Trigger::kGapCloses;
  double low = 0, high = last_part;
  double at_low = is_gap ? gap_at_end(watch, t, size, low) : value_at(watch, t, size, low);
  double at_high = is_gap ? gap_at_end(watch, t, size, high) : value_at(watch, t, size, high);
  if (!(at_high < 0)) return last_part;
  const bool is_to_end = high == 1;
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
  const Guess guess = is_gap && is_to_end && !moves_by_multistep_ ? guess_closing(watch, size, low) : Guess{};
  return close_in(watch, {t, size, noise}, {low, high, at_low, at_high}, guess);
}

// Newton's method and then the secant as long as they stay inside; otherwise Illinois: regula falsi that halves the
// weight of an end that stays.
double EventDriven::close_in(const Watch& watch, const Within& step, Bracket bracket, Guess guess) {
  constexpr int kMostSecants = 6;
  auto& [low, high, at_low, at_high] = bracket;
  double last = guess.part, at_last = 0;
  int side = 0;
  for (int k = 0; k < kMostHalvings && high - low > 4 * std::numeric_limits<double>::epsilon(); ++k) {
    double middle = guess.part;
    if (!(middle > low && middle < high))
      middle = std::isfinite(at_high) ? (low * at_high - high * at_low) / (at_high - at_low) : (low + high) / 2;
    if (!(middle > low && middle < high)) middle = (low + high) / 2;
    const double value = value_at(watch, step.start_s, step.size_s, middle);
    if (std::abs(value) <= step.noise / 2) return middle;
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
    if (k > 0) guess.slope = (value - at_last) / (middle - last);
    guess.part = k < kMostSecants ? middle - value / guess.slope : std::numeric_limits<double>::quiet_NaN();
    last = middle;
    at_last = value;
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

// Gaps and their rates where a step begins: those of the last one's end if nothing has happened there. Points whose
// contacts come and go may have others now.
void EventDriven::measure_start(const State& state) {
  if (phases_.empty()) return;
  const bool is_known =
      !hidden_contacts_.has_followed() && state.t == end_motion_at_s_ && state.q == q_end_ && state.u == u_end_;
  end_motion_at_s_ = std::numeric_limits<double>::quiet_NaN();
  if (is_known)
    std::swap(start_motion_, end_motion_);
  else
    hidden_contacts_.measure(state.t, state.q, state.u, start_motion_);
}

void EventDriven::look_at_gaps(double t, double size, Found& first) {
  const auto q_end = y_new_.head(dynamics_.coordinate_count());
  const auto u_end = y_new_.segment(dynamics_.coordinate_count(), dynamics_.velocity_count());
  q_end_ = q_end;
  u_end_ = u_end;
  hidden_contacts_.measure(t + size, q_end_, u_end_, end_motion_);
  end_motion_at_s_ = t + size;
  const auto consider = [&](int point, Found& found) {
    const Watch watch{point, Trigger::kGapCloses};
    const double part = locate(watch, t, size, found.part);
    if (part < found.part || !found.is_known) found = {part, watch, true};
  };
  // The gaps of all points at one place: in a step that is far too long hundreds of points are inside at its end, and
  // an evaluation for each of them would be one of all pairs.
  double looked_at = -1;
  const auto is_clear_at = [&](double part, int point) {
    if (looked_at != part) {
      value_at({point, Trigger::kGapCloses}, t, size, part);
      gaps_at_first_ = gaps_;
      looked_at = part;
    }
    return gaps_at_first_[point] - closing_level_m_[point] >= -gap_noise_m_;
  };
  if (hidden_contacts_.has_followed())
    dynamics_.gaps_at(t + size, q_end_, gaps_at_end_);
  else
    gaps_at_end_ = end_motion_.gaps;
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
    if (first.is_known && is_clear_at(first.part, i)) continue;
    consider(i, first);
  }
  const std::optional<double> hidden = find_hidden(t, size);
  if (!hidden || *hidden >= first.part) return;
  if (!knows_levels) note_closing_levels(t);
  Found before{*hidden, {}, false};
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    const bool is_open = !dynamics_.phase(i).is_closed() && dynamics_.points()[i].has_normal;
    if (is_open && !is_clear_at(before.part, i)) consider(i, before);
  }
  if (before.is_known) first = before;
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
// bump could lie between. Beside a contact of two meshes that is closed, or has just been left, find_hidden() does not
// look for others: one is seen where the step ends if no place of a part comes from beyond the reach to as far inside.
double EventDriven::longest_step() const {
  constexpr double kWays = 2;  // reaches: from one in front of the surface to one behind it
  double longest_s = options_.max_step_s > 0 ? options_.max_step_s : std::numeric_limits<double>::infinity();
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    const ContactPoint& point = dynamics_.points()[i];
    const double untold_m_s = start_motion_.untold_speeds[i];
    const double speed_m_s = std::max(start_motion_.speeds[i], untold_m_s);
    if (!point.is_free_form || !(point.size > 0) || !(speed_m_s > 0)) continue;
    const bool is_closed = phases_[static_cast<std::size_t>(i)].is_closed();
    if (!is_closed && !point.is_followed) continue;
    longest_s = std::min(longest_s, (is_closed ? 0.1 : 1.0) * point.size / speed_m_s);
    const bool is_searched = !is_closed && start_motion_.gaps[i] > kFresh * gap_noise_m_;
    if (!is_searched && untold_m_s > 0)
      longest_s = std::min(longest_s, kWays * hidden_contacts_.reach_m(i) / untold_m_s);
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

}  // namespace freeplay::integrators
