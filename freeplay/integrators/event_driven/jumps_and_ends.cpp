// Where a step cannot be taken as it is: velocities that jump, forces that change unevenly, surfaces that end.
#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/integrators/event_driven/event_driven.h"

namespace freeplay::integrators {

double EventDriven::most_drift_m_s(const State& state) const {
  constexpr double kDrifts = 100;  // in tolerated errors of a step
  const double absolute = options_.velocity_tolerance > 0 ? options_.velocity_tolerance : options_.absolute_tolerance;
  return kDrifts * (absolute + options_.relative_tolerance * std::max(1.0, max_abs(state.u)));
}

StepStatus EventDriven::meet_jump(State& state, const std::optional<Found>& found, StepReport& report) {
  // Drives have their way first, and put in what that takes; contacts meet the velocities that are then.
  dynamics_.stand_at(state);
  const double before_J = dynamics_.dynamics().energies().kinetic;
  released_.assign(phases_.size(), {});
  dynamics_.set_phases(released_);
  dynamics_.settle(state, report);
  if (report.status != StepStatus::kOk) return report.status;
  dynamics_.stand_at(state);
  state.account.input += dynamics_.dynamics().energies().kinetic - before_J;
  dynamics_.set_phases(phases_);
  return resolve(state, found ? std::optional(found->watch) : std::nullopt, report);
}

bool EventDriven::forces_change_evenly() {
  constexpr double kUneven = 0.25;      // of the largest in the step, against a line through its ends
  constexpr double kNegligible = 1e-6;  // of the largest of all, and of the tolerated change of velocity
  // Of the accelerations: where contacts are closed without a load, their forces are the rounding of what cancels.
  constexpr double kRounding = 1e-12;
  double largest = 0, largest_acceleration = 0;
  for (std::size_t stage = 0; stage < held_.size(); ++stage) {
    const auto acceleration = k_[stage].segment(dynamics_.coordinate_count(), dynamics_.velocity_count());
    largest = std::max(largest, max_abs(held_[stage]));
    largest_acceleration = std::max(largest_acceleration, acceleration.lpNorm<Eigen::Infinity>());
  }
  const double absolute = options_.velocity_tolerance > 0 ? options_.velocity_tolerance : options_.absolute_tolerance;
  const double negligible =
      std::max({kNegligible * largest, kRounding * largest_acceleration, kNegligible * absolute / last_size_});
  for (Eigen::Index i = 0; i < held_[0].size(); ++i) {
    double most = negligible, off = 0;
    for (std::size_t stage = 0; stage < held_.size(); ++stage) {
      const double at_line = held_[0][i] + kC[stage] * (held_[6][i] - held_[0][i]);
      most = std::max(most, std::abs(held_[stage][i]));
      off = std::max(off, std::abs(held_[stage][i] - at_line));
    }
    if (off > kUneven * most) return false;
  }
  return true;
}

// Where a surface ends, the stages behind the end have seen another one, and the dense output is as wrong as they are:
// by their accelerations, times the square of the step. From nearer the end it is right.
bool EventDriven::is_far_from_end(const Found& found, double size) const {
  constexpr double kSmall = 1e3;  // in rounding of gaps
  if (found.watch.trigger != Trigger::kSurfaceEnds) return false;
  const Eigen::Index first = dynamics_.coordinate_count(), count = dynamics_.velocity_count();
  const double change = (k_[6] - k_[0]).segment(first, count).lpNorm<Eigen::Infinity>();
  return found.part * size * size * change > kSmall * gap_noise_m_;
}

// A contact of meshes closes from a gap that they tell. Where it is negative at once, a part had come in before by more
// than they tell, as far as to where the whole of it is known to be inside: a shorter step sees it come.
bool EventDriven::has_come_unseen(const Found& found, double t, double size) {
  constexpr double kSmallest = 1e6;  // steps: below them the part was inside from the start
  const Watch& watch = found.watch;
  if (watch.trigger != Trigger::kGapCloses || !dynamics_.points()[watch.point].is_followed) return false;
  if (!(found.part * size > kSmallest * smallest_size(t, 0))) return false;
  return value_at(watch, t, size, found.part) < -off_surface_m(watch.point);
}

// From where a surface ends or has a kink, at moved_, to where it has ended: the least step that there is.
void EventDriven::pass_end(int point) {
  const double beyond_s = 8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(moved_.t), 1e-3);
  moved_.t += beyond_s;
  delta_ = beyond_s * moved_.u;
  dynamics_.dynamics().displace(moved_.q, delta_);
  released_ = phases_;
  released_[static_cast<std::size_t>(point)] = {};
  dynamics_.set_phases(released_);  // there is no gap to be closed any more
}

}  // namespace freeplay::integrators
