// The state of a system: a value. Copying it is all that going back in time takes.
#pragma once

#include "freeplay/math/types.h"

namespace freeplay {

// Energy that has crossed the border of the system since the start, J. Integrated along with the motion.
struct EnergyAccount {
  double input = 0;          // by drivers and applied loads
  double damping_loss = 0;   // in dampers
  double impact_loss = 0;    // in impacts
  double friction_loss = 0;  // in sliding contacts
};

struct State {
  double t = 0;
  VecX q;  // coordinates
  VecX u;  // velocities, dq/dt = T(q) u
  EnergyAccount account;
};

}  // namespace freeplay
