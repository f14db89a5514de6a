// What acted in a step, as numbers: where, with which accelerations, efforts and contact forces. The reactions of all
// joints follow from it (set_reactions), without the integrator and without another step.
#pragma once

#include "freeplay/mechanism/body_dynamics.h"

namespace freeplay::integrators {

struct StepRecord {
  // False where there is nothing to tell yet: time stepping has forces as means over steps only.
  bool is_known = false;
  // The instant and the motion at which the forces acted: the state at the end of the step for smooth integrators, a
  // place inside of it for time stepping.
  double t = 0;
  VecX q, u;
  VecX accelerations;  // du/dt there, or its mean over the step
  VecX row_efforts;    // of the bilateral rows, likewise
  ContactForces contact_forces;
  // The position that the velocity of the state belongs to, where it is not the state's own: some rules have their
  // velocities in the middle of a step. Energies are taken there. Empty otherwise.
  VecX position_of_velocity;
  // A dynamics that stands at t, q and u already, until the next step; null if there is none.
  Dynamics* dynamics_there = nullptr;
};

// A record of what acts at a state; contact forces are to follow.
void begin_record(const State& state, const VecX& accelerations, const VecX& row_efforts, StepRecord& record);

// The dynamics whose channels then are the reactions of all joints, where the forces acted: `spare`, or one that stands
// there already.
Dynamics& set_reactions(const StepRecord& record, Dynamics& spare);

}  // namespace freeplay::integrators
