// Laws become data here: sets of impulses and constants of the local problem of a step. The solvers know no law, and
// the time stepping knows none either.
#pragma once

#include <span>
#include <vector>

#include "freeplay/complementarity/problem/local_problem.h"
#include "freeplay/contact/points/contact_model.h"

namespace freeplay::contact {

// A point that was in the problem of the step before as well.
struct LastContact {
  double velocity_m_s = 0;  // gamma_NE of that step, with the rows of that step
  double drift_m_s = 0;     // eta of that step
  bool was_loaded = false;  // Lambda_N > 0
  bool stuck = false;
  double normal_impulse = 0;
  Vec2 tangential_impulse = Vec2::Zero();
  Vec3 impulse = Vec3::Zero();  // world axes; in space only
};

// How the normal row of an active point is to end the step, with eta = drift:
//   gamma_NE + eta >= -restitution (gamma_NA - eta) - approach
// The rows stand at the midpoint, where half of the step's turn of the row shows in the velocity before, and the other
// half is still to come: gamma_NA - eta and gamma_NE + eta are the velocities at the start and at the end of the
// step. With eta = 0 it is the law of Flores, Leine, Glocker (2010).
struct Activation {
  int point = 0;            // place in the contact set
  double restitution = 0;   // e_N of Newton's impact law
  double approach_m_s = 0;  // > 0: it may still close an open gap at this rate; < 0: it must open a closed one
  const LastContact* last = nullptr;  // null: it was not in the problem of the step before
  double drift_m_s = 0;               // eta

  // Its row holds for the whole displacement of the step: there is no drift, and a contact that lasts begins the step
  // with the velocity that it had at the end of the last one.
  bool spans_step = false;
  bool stuck = false;  // in the step before; need not be given beside `last`

  bool stuck_before() const { return stuck || (last != nullptr && last->stuck); }
  bool was_loaded_before() const { return last != nullptr && last->was_loaded; }
  // gamma_N at the start of the step.
  double start_velocity(double gamma_NA) const {
    return spans_step && was_loaded_before() ? last->velocity_m_s : gamma_NA - drift_m_s;
  }
};

// The rows that the laws are written for: bilateral ones first, then for each active point its normal row and its
// friction rows, as far as it has them.
struct LawRows {
  const ContactSet& points;
  std::span<const Activation> active;
  std::span<const double> gamma_A;  // velocity before, of every row
  int bilateral = 0;                // rows of the system
  double bilateral_weight = 0;      // they end the step with  gamma_E + weight gamma_A = -approach
  std::span<const double> bilateral_approach;
  double dt = 0;  // friction efforts of joints act for this long
  // An impact has come before (impact.h), and restitution with it.
  bool follows_impact = false;
  double stick_speed_m_s = 0;                     // what slides no faster sticks
  const ContactKinematics* kinematics = nullptr;  // whose efforts of friction depend on the state; null: none does

  // e_N and e_T of an active point.
  double restitution(const Activation& activation) const { return follows_impact ? 0 : activation.restitution; }
  double tangential_restitution(const Activation& activation) const;
  // The coefficient of friction of the step: mu at the sliding speed of its start, the static limit where the point
  // sticks. `row`: the first friction row.
  double friction(const Activation& activation, int row) const;
  // The largest effort of a point without normal row.
  double dry_effort(const Activation& activation) const;
};

// The laws at the end of a step of time stepping, where xi is a velocity. (The phases of an impact are written by
// Impact, accelerations by PhaseDecision; all three take their sets from law_sets.h.)
// c: on entry the velocities that the rows would have without impulses; on return the constant of the local problem.
void write_velocity_laws(const LawRows& rows, VecRef c, std::vector<ImpulseBlock>& blocks);

}  // namespace freeplay::contact
