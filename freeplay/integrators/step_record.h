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
};

// Sets the reactions of all joints in `dynamics`, which then stands where the forces acted.
void set_reactions(const StepRecord& record, Dynamics& dynamics);

}  // namespace freeplay::integrators
