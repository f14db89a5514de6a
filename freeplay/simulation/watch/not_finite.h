// Whose fault it is when a value is not finite: the driver or coupling whose effort is no number.
#pragma once

#include <string>

#include "freeplay/mechanism/system.h"

namespace freeplay::simulation {

// Looks at `state`, the last one that was whole, and at moments up to `step_s` later, with the positions that its
// velocities lead to. "the torque of driver 'motor' is not finite at t = 0.5 s"; "" where all efforts are numbers.
// Leaves `dynamics` elsewhere.
std::string not_finite_effort(const System& system, Dynamics& dynamics, const State& state, double step_s);

}  // namespace freeplay::simulation
