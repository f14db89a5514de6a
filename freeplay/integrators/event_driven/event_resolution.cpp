// What happens at an event: impacts, and what the closed points do next.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/integrators/event_driven/event_driven.h"

namespace freeplay::integrators {

namespace {

constexpr double kTouchingByDefault = 1e-9;  // of the size of the smaller part, as in time stepping (TouchingContacts)

}  // namespace

double EventDriven::touching_m(int point) const {
  const double share = options_.simultaneous.value_or(kTouchingByDefault);
  return std::max(10 * gap_noise_m_, share * dynamics_.points()[point].size);
}

StepStatus EventDriven::resolve(State& state, const std::optional<Watch>& trigger, StepReport& report,
                                Impacts impacts) {
  constexpr int kMostTurns = 4;
  if (phases_.empty()) return StepStatus::kOk;
  ++counts_.events;
  if (!still_approaches_) phases_before_ = phases_;  // otherwise they are those between two impacts of one instant
  std::fill(is_struck_.begin(), is_struck_.end(), char{0});
  std::fill(slow_rebound_m_s_.begin(), slow_rebound_m_s_.end(), 0.0);
  std::optional<Watch> cause = trigger;
  // Where two corners meet, the least displacement may turn the normal: then everything is to be decided anew there.
  for (int turn = 0; turn < kMostTurns; ++turn) {
    const StepStatus status = resolve_at(state, cause, report, impacts);
    if (status != StepStatus::kOk || still_approaches_) return status;
    if (!dynamics_.has_jumped()) {
      log_changes(state.t);
      log_rests(state);
      return StepStatus::kOk;
    }
    cause.reset();
  }
  return StepStatus::kEventsTooDense;
}

StepStatus EventDriven::resolve_at(State& state, const std::optional<Watch>& trigger, StepReport& report,
                                   Impacts impacts) {
  find_closed(state, trigger);
  still_approaches_ = impacts == Impacts::kLater && anything_approaches();
  if (anything_approaches() && !still_approaches_) {
    if (const StepStatus status = strike(state, report); status != StepStatus::kOk) return status;
  }
  still_approaches_ = still_approaches_ || anything_approaches();
  choose_phases(state, trigger);
  if (still_approaches_) return StepStatus::kOk;
  if (const StepStatus status = decide(state, report, impacts); status != StepStatus::kOk) return status;
  if (still_approaches_) return StepStatus::kOk;
  dynamics_.set_phases(phases_);
  const double slow_m_s = *std::max_element(slow_rebound_m_s_.begin(), slow_rebound_m_s_.end());
  dynamics_.settle(state, report, std::max(most_drift_m_s(state), 2 * slow_m_s));
  // A slow rebound is stopped by impulses, of which a moving drive takes its share. Drift is none of its work.
  if (slow_m_s > 0) state.account.input += dynamics_.settling_input_J();
  return report.status;
}

// The accelerations are undecided where a force has just vanished, or friction has just come to its limit: what comes
// next is known from the side that the motion comes from. The same holds for points that do it in the same instant.
bool EventDriven::is_due(const Watch& trigger, int point) const {
  constexpr double kAtOnce = 1e-7;   // of the forces at the point
  if (was_redundant_) return false;  // then the accelerations decide, a little behind the event
  if (trigger.point == point) return true;
  const Watch own{point, trigger.trigger};
  for (const PointForces& forces : end_forces_) {
    if (forces.point != point) continue;
    const std::span<const Trigger> possible = triggers_of(point);
    return std::find(possible.begin(), possible.end(), own.trigger) != possible.end() &&
           margin(own, forces) <= kAtOnce * own_force_N_[static_cast<std::size_t>(point)];
  }
  return false;
}

// All that has been closed, what has just come to be, and what touches while it approaches or rests.
void EventDriven::find_closed(const State& state, const std::optional<Watch>& trigger) {
  dynamics_.stand_at(state);
  dynamics_.normal_velocities(gamma_N_);
  gaps_ = dynamics_.gaps();
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    bool is_closed = phases_[static_cast<std::size_t>(i)].is_closed() || !dynamics_.points()[i].has_normal;
    // At the start it may also rest there. Later a point that has been let go stays open until its gap closes again.
    const double most_m_s = trigger ? -still_m_s() : still_m_s();
    if (!is_closed) is_closed = gaps_[i] <= touching_m(i) && gamma_N_[i] <= most_m_s;
    if (trigger && trigger->point == i) {
      if (trigger->trigger == Trigger::kGapCloses) {
        is_closed = true;
        // It leaves, but does not come as far as rounding: its rebounds have come to their end.
        if (gamma_N_[i] > still_m_s()) slow_rebound_m_s_[static_cast<std::size_t>(i)] = gamma_N_[i];
      }
      if (trigger->trigger == Trigger::kSurfaceEnds) is_closed = gaps_[i] <= off_surface_m(i);
    }
    if (trigger && trigger->trigger == Trigger::kForceVanishes && is_due(*trigger, i)) is_closed = false;
    if (!std::isfinite(gaps_[i]) && dynamics_.points()[i].has_normal) is_closed = false;
    is_closed_[static_cast<std::size_t>(i)] = is_closed ? 1 : 0;
  }
  if (!anything_approaches()) return;
  // Whatever touches has a part in an impact, even if it is about to leave.
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    if (dynamics_.points()[i].has_normal && gaps_[i] <= touching_m(i)) is_closed_[static_cast<std::size_t>(i)] = 1;
  }
}

bool EventDriven::anything_approaches() const {
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    if (is_closed_[static_cast<std::size_t>(i)] != 0 && dynamics_.points()[i].has_normal && gamma_N_[i] < -still_m_s())
      return true;
  }
  return false;
}

// Newton's law with friction may gain energy as well: Lambda . (gamma_A + gamma_E)/2 of all contacts, if it is positive
// by more than rounding.
double EventDriven::gain_of_impact(const VecX& u_A) const {
  constexpr double kRounding = 1e-12;  // of what is turned over
  const RowStore& rows = contact_step_.rows();
  double gain_J = 0, turned_over_J = 0;
  for (int i = dynamics_.bilateral_count(); i < rows.size(); ++i) {
    const double impulse = contact_step_.impulses()[i];
    gain_J += impulse * (rows.velocity(i, u_A) + rows.velocity(i, u_E_)) / 2;
    turned_over_J += std::abs(impulse) * (std::abs(rows.velocity(i, u_A)) + std::abs(rows.velocity(i, u_E_))) / 2;
  }
  return gain_J > kRounding * turned_over_J ? gain_J : 0;
}

// Whether an open point would be drawn back to its partner.
bool EventDriven::is_drawn_back(const State& state, int point) {
  const bool is_so = rebound_time(state, point, 1) > 0;
  dynamics_.stand_at(state);
  return is_so;
}

// One impact of everything that is closed, by the laws of the contacts. A rebound that would be slower than the speed
// of rest and come back does not take place: the part stays.
StepStatus EventDriven::strike(State& state, StepReport& report) {
  static const LastContact kLasting{.was_loaded = true};
  contact_step_.clear_active();
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    if (is_closed_[at] == 0 || !dynamics_.points()[i].has_normal) continue;
    const double e = dynamics_.points()[i].law.restitution, rebound_m_s = -e * gamma_N_[i];
    // What touches and leaves is not struck; Newton's law compares velocities all the same.
    bool stays = rebound_m_s >= 0 && rebound_m_s < options_.rest_speed_m_s;
    if (stays && rebound_m_s > still_m_s()) {
      stays = is_drawn_back(state, i);
      if (stays) slow_rebound_m_s_[at] = rebound_m_s;
    }
    // Tangential restitution belongs to what strikes: a contact that lasts has none.
    const bool lasts = phases_[at].is_closed() && gamma_N_[i] >= -still_m_s();
    contact_step_.activate({.point = i, .restitution = stays ? 0 : e, .last = lasts ? &kLasting : nullptr});
  }
  if (const StepStatus status = dynamics_.collect(state.u); status != StepStatus::kOk) return status;
  contact_step_.assemble(dynamics_.dynamics(), dynamics_.kinematics(), dynamics_.M(), state.u);
  const ContactStepReport impact = contact_step_.solve(dynamics_.M(), state.u, 0, u_E_, ContactStep::Guess::kNone);
  report.residual_m_s = std::max(report.residual_m_s, impact.residual_m_s);
  report.iterations += impact.iterations;
  report.used_fallback |= impact.used_fallback;
  report.lowered_restitution |= impact.lowered_restitution;
  const double gain_J = std::max(impact.impact_gain_J, gain_of_impact(state.u));
  report.impact_gain_J += gain_J;
  if (!impact.solved) {
    failure_details_ = fmt::format("an impact: residual {:.3g} m/s where {:.3g} m/s would do, worst at '{}'",
                                   impact.residual_m_s, impact.limit_m_s, contact_step_.row_name(impact.worst_row));
    return StepStatus::kSolverFailed;
  }
  if (gain_J > 0 && options_.impact_energy == ImpactEnergy::kStop) {
    failure_details_ = fmt::format("{:.3g} J", gain_J);
    return StepStatus::kImpactGainsEnergy;
  }
  contact_step_.remember(dynamics_.kinematics(), u_E_, state);
  // What drives do in an impact: the rest of the bilateral rows do no work.
  for (int i = 0; i < dynamics_.bilateral_count(); ++i)
    state.account.input -= contact_step_.bilateral_impulses()[i] * contact_step_.rows().w_tilde(i);
  for (std::size_t k = 0; k < contact_step_.active().size(); ++k) {
    const int i = contact_step_.active()[k].point;
    if (!(contact_step_.normal_impulse(k) > 0)) continue;
    is_struck_[static_cast<std::size_t>(i)] = 1;
    if (gamma_N_[i] < -still_m_s()) log(state.t, i, ContactEventKind::kImpact);
  }
  state.u = u_E_;
  dynamics_.stand_at(state);
  dynamics_.normal_velocities(gamma_N_);
  // What another impact throws off does not stay, however slow it came.
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    if (gamma_N_[i] > options_.rest_speed_m_s) slow_rebound_m_s_[static_cast<std::size_t>(i)] = 0;
  }
  return StepStatus::kOk;
}

// By their velocities: what leaves is open, what slides slides, and what stands may stick.
void EventDriven::choose_phases(const State& state, const std::optional<Watch>& trigger) {
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    const bool has_normal = dynamics_.points()[i].has_normal;
    const bool stays = is_closed_[at] != 0 && (!has_normal || gamma_N_[i] <= still_m_s() || slow_rebound_m_s_[at] > 0);
    phases_[at] = {stays ? ContactMode::kStick : ContactMode::kOpen};
  }
  dynamics_.set_phases(phases_);
  if (dynamics_.closed().empty()) return;
  if (dynamics_.collect(state.u) != StepStatus::kOk) return;  // the decision will say so
  for (std::size_t k = 0; k < dynamics_.closed().size(); ++k) {
    const int i = dynamics_.closed()[k];
    PointPhase& phase = phases_[static_cast<std::size_t>(i)];
    const Vec2 velocity = dynamics_.tangential_velocity(k, state.u);
    if (!dynamics_.points()[i].has_friction()) {
      phase = {ContactMode::kSlip};
    } else if (velocity.norm() > still_m_s()) {
      phase = {ContactMode::kSlip, velocity.normalized()};
    } else if (trigger && trigger->trigger == Trigger::kFrictionIsFull && is_due(*trigger, i)) {
      for (const PointForces& forces : end_forces_) {
        const bool has_direction = forces.point == i && forces.tangential_N.norm() > 0;
        if (has_direction) phase = {ContactMode::kSlip, -forces.tangential_N.normalized()};
      }
    }
  }
  dynamics_.set_phases(phases_);
}

// The dynamics stands at `state`, as strike() or find_closed() has left it.
StepStatus EventDriven::decide(State& state, StepReport& report, Impacts impacts) {
  PhaseDecision::Report decision = decision_.decide(dynamics_, state, phases_);
  if (decision.status == StepStatus::kSolverFailed && decision.painleve_point >= 0) {
    if (impacts == Impacts::kLater) {
      still_approaches_ = true;
      phases_.assign(phases_.size(), {});
      return StepStatus::kOk;
    }
    const StepStatus status = strike_without_collision(state, decision.painleve_point, report);
    if (status != StepStatus::kOk) return status;
    decision = decision_.decide(dynamics_, state, phases_);
  }
  report.residual_m_s2 = std::max(report.residual_m_s2, decision.residual_m_s2);
  report.iterations += decision.iterations;
  report.used_fallback |= decision.used_fallback;
  if (decision.has_several && warning_.empty()) {
    warning_ = fmt::format(
        "at t = {:.9g} s the accelerations of '{}' have several solutions (Painleve's paradox: friction drives the "
        "part "
        "into its partner); the one that was taken is not the only one",
        state.t, dynamics_.points()[decision.painleve_point].name());
  }
  if (decision.status == StepStatus::kSolverFailed) {
    failure_details_ = fmt::format("residual {:.3g} m/s^2, {} closed contact points", decision.residual_m_s2,
                                   dynamics_.closed().size());
  }
  return decision.status;
}

// No accelerations fulfil the laws: friction drives the sliding part into its partner (Painleve). The limit of ever
// stiffer surfaces is an impact without collision that stops the sliding (Genot, Brogliato 1999). What else is closed
// takes its part in it: by a normal impulse, and by the friction of that where it slides on.
StepStatus EventDriven::strike_without_collision(State& state, int point, StepReport& report) {
  const std::string name = dynamics_.points()[point].name();
  const double energy_before = dynamics_.dynamics().energies().kinetic;
  phases_[static_cast<std::size_t>(point)].mode = ContactMode::kStick;
  dynamics_.set_phases(phases_);
  dynamics_.stop(state, report);
  bool is_possible = report.status == StepStatus::kOk;
  for (std::size_t k = 0; k < dynamics_.closed().size(); ++k) {
    const int i = dynamics_.closed()[k];
    const PointForces impulses = dynamics_.stopping_impulses(k);
    const ContactPoint& description = dynamics_.points()[i];
    const PointPhase& phase = dynamics_.phase(i);
    const bool slides_on = phase.mode != ContactMode::kSlip ||
                           dynamics_.tangential_velocity(k, state.u).dot(phase.direction) >= -still_m_s();
    if (!description.has_normal) continue;  // friction of a joint has no impulse in an instant
    is_possible = is_possible && slides_on && impulses.normal_N >= 0 &&
                  impulses.tangential_N.norm() <= description.law.friction * impulses.normal_N * (1 + 1e-9);
  }
  if (!is_possible) {
    is_paradox_ = true;
    failure_details_ = fmt::format(
        "Painleve's paradox at '{}': no accelerations fulfil the laws, and no impact without collision ends the "
        "sliding",
        name);
    return StepStatus::kSolverFailed;
  }
  const double input_J = dynamics_.stopping_input_J();
  for (std::size_t k = 0; k < dynamics_.closed().size(); ++k) {
    const PointForces impulses = dynamics_.stopping_impulses(k);
    if (!(impulses.normal_N > 0)) continue;
    ContactMemory& memory = state.contacts[static_cast<std::size_t>(dynamics_.closed()[k])];
    memory.normal_impulse += impulses.normal_N;
    memory.tangential_impulse += impulses.tangential_N;
    is_struck_[static_cast<std::size_t>(dynamics_.closed()[k])] = 1;
  }
  dynamics_.stand_at(state);
  const double lost_J = energy_before + input_J - dynamics_.dynamics().energies().kinetic;
  state.account.input += input_J;
  state.account.impact_loss += lost_J;
  state.contacts[static_cast<std::size_t>(point)].impact_loss += lost_J;
  if (warning_.empty()) {
    warning_ = fmt::format(
        "at t = {:.9g} s no accelerations fulfil the laws of '{}' (Painleve's paradox); an impact without collision "
        "has stopped its sliding",
        state.t, name);
  }
  log(state.t, point, ContactEventKind::kImpact);
  return StepStatus::kOk;
}

void EventDriven::log(double t, int point, ContactEventKind kind) {
  events_.push_back({t, dynamics_.points().key(point), kind});
}

// In space sliding may turn about without ever having stopped.
bool EventDriven::is_turning(int point) const {
  constexpr double kStanding = 1e-6;  // of the largest speed
  if (dynamics_.points()[point].friction_rows() < 2) return false;
  for (const PointForces& forces : end_forces_) {
    if (forces.point == point) return forces.sliding_m_s.norm() > kStanding * speed_scale_m_s_;
  }
  return false;
}

void EventDriven::log_changes(double t) {
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    const PointPhase &before = phases_before_[static_cast<std::size_t>(i)], &now = phases_[static_cast<std::size_t>(i)];
    const bool has_friction = dynamics_.points()[i].has_friction();
    if (!dynamics_.points()[i].has_normal && !before.is_closed()) continue;  // friction of a joint does not land
    if (!before.is_closed() && now.is_closed()) {
      ++counts_.contacts_begun;
      log(t, i, ContactEventKind::kLanding);
    } else if (before.is_closed() && !now.is_closed()) {
      log(t, i, ContactEventKind::kRelease);
    }
    if (!has_friction || !now.is_closed() || !before.is_closed()) continue;
    if (before.mode != now.mode)
      log(t, i, now.mode == ContactMode::kStick ? ContactEventKind::kStick : ContactEventKind::kSlip);
    else if (now.mode == ContactMode::kSlip && now.direction.dot(before.direction) < 0 && !is_turning(i))
      log(t, i, ContactEventKind::kReversal);
  }
}

// The rebounds of a part that leaves at speed v and is drawn back by the acceleration a last 2v/a, 2ev/a, ...: they end
// after 2v / (a (1 - e)), in infinitely many. It is at rest then, at the place to which it slides meanwhile.
void EventDriven::log_rests(const State& state) {
  for (int i = 0; i < dynamics_.point_count(); ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    if (!(slow_rebound_m_s_[at] > 0) || !phases_[at].is_closed()) continue;
    log(state.t + rebound_time(state, i, slow_rebound_m_s_[at]), i, ContactEventKind::kRest);
  }
}

double EventDriven::rebound_time(const State& state, int point, double speed_m_s) {
  const double e = dynamics_.points()[point].law.restitution;
  released_ = phases_;
  released_[static_cast<std::size_t>(point)] = {};
  dynamics_.set_phases(released_);
  pack(state);
  double time_s = 0;
  if (rate(state.t, y_, k_scratch_) == StepStatus::kOk) {
    dynamics_.stand_at(state);
    const double pull = -dynamics_.normal_acceleration(point);
    // Where other contacts hold the parts together as well, nothing pulls: what is left is rounding.
    constexpr double kRounding = 1e-9;
    const auto du_view = k_scratch_.segment(dynamics_.coordinate_count(), dynamics_.velocity_count());
    if (pull > kRounding * max_abs(du_view) && e < 1) time_s = 2 * speed_m_s / (pull * (1 - e));
  }
  dynamics_.set_phases(phases_);
  return time_s;
}

}  // namespace freeplay::integrators
