// The state of a system: a value. Copying it is all that going back in time takes.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "freeplay/math/types.h"

namespace freeplay::mechanism {

// Energy that has crossed the border of the system since the start, J. Integrated along with the motion.
struct EnergyAccount {
  double input = 0;          // by drivers and applied loads
  double damping_loss = 0;   // in dampers
  double impact_loss = 0;    // in impacts
  double friction_loss = 0;  // in sliding contacts
};

// Which contact point it is, the same from step to step: a pair of surfaces, and a feature of that pair. Points are
// kept in increasing order of their keys.
struct ContactKey {
  std::uint64_t pair = 0;
  std::uint32_t point = 0;
  // Pairs that a model names count from 0; those of groups, which nobody has given a name, have this bit.
  static constexpr std::uint64_t kUnnamed = std::uint64_t{1} << 63;
  bool is_named() const { return (pair & kUnnamed) == 0; }
  // clang-tidy 14 takes the zero of a comparison for a pointer.
  friend auto operator<=>(const ContactKey&, const ContactKey&) = default;  // NOLINT(modernize-use-nullptr)
};

enum class ContactMode : std::uint8_t { kOpen, kSlip, kStick };

// What a contact point did in the last step. Velocities: negative normal = approaching. Tangential values have one
// component in the plane (the other is 0) and two in space, along the tangents that the point had in that step.
struct ContactMemory {
  ContactKey key;
  // Which contact of its pair the point has, where contacts come and go in the points of a pair (PlanarGap::follow):
  // a point keeps its contact from step to step. 0: none, or a pair whose points are always the same.
  std::uint64_t feature = 0;
  ContactMode mode = ContactMode::kOpen;
  double normal_impulse = 0;                                     // N s (a joint's friction: N m s)
  double normal_velocity_before = 0, normal_velocity_after = 0;  // m/s, at the start and the end of the step
  // m/s, half of what the turn of the normal row adds to its velocity in a step: with the row of the step, which stands
  // at the midpoint, the point was normal_drift faster before and as much slower after.
  double normal_drift = 0;
  Vec2 tangential_impulse = Vec2::Zero();                                                    // N s
  Vec2 tangential_velocity_before = Vec2::Zero(), tangential_velocity_after = Vec2::Zero();  // m/s
  Vec3 impulse = Vec3::Zero();                          // N s, on the first partner, world axes; in space only
  double step_impact_loss = 0, step_friction_loss = 0;  // J, in the last step
  double impact_loss = 0, friction_loss = 0;            // J, since the start

  // Of a point with a force law: whether it touches, which changes at the ends of accepted steps only, and how the
  // contact began. While it does not touch there is no force, whatever the gap.
  bool is_touching = false, has_just_ended = false;
  bool has_let_go = false;  // still inside, but too fast on its way out for any force: what it had stored is lost
  double onset_time_s = 0, onset_speed_m_s = 0, onset_mass_kg = 0;
  double normal_force = 0;                         // N, at the state
  Vec2 tangential_force = Vec2::Zero();            // N, at the state
  Vec3 force = Vec3::Zero();                       // N, on the first partner, world axes; in space only
  double elastic_energy = 0;                       // J, at the state
  double damping_power = 0, friction_power = 0;    // W, lost at the state
  double contact_impulse = 0;                      // N s, since it began
  Vec2 contact_tangential_impulse = Vec2::Zero();  // N s, since it began
  double contact_loss = 0;                         // J, since it began
};

struct State {
  double t = 0;
  VecX q;  // coordinates
  VecX u;  // velocities, dq/dt = T(q) u
  EnergyAccount account;
  // One per contact point that existed in the last step, in the order of the points; behind them those that have gone
  // but have something to tell, a loss since the start (contact/points/contact_set.h).
  std::vector<ContactMemory> contacts;
  // What else the integrator's next step depends on (a step size, an iteration matrix), as numbers of its own. With
  // them the state is all of the state: the same state gives the same step, wherever it came from.
  std::vector<double> method;
};

}  // namespace freeplay::mechanism
