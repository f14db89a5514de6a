// How long the window is that forces of time stepping are means over.
//
// A step knows impulses, not forces. What an impact gives divided by the step grows without bound as the step gets
// smaller; divided by a time that belongs to the motion it stays what it is. That time, unless the model gives one, is
// the time in which the fastest turning part turns by one degree: at the start, or as its driver tells over the run. A
// driver that shifts counts as the oscillation with its largest speed and acceleration. Where nothing turns by
// ten degrees in the run, it is a thousandth of the duration.
#pragma once

#include "freeplay/mechanism/system.h"
#include "freeplay/simulation/simulation_options.h"

namespace freeplay::simulation {

struct ForceWindow {
  double length_s = 0;  // a multiple of the step; 0: each step by itself, as long as it is
  int steps = 1;
};

// Without `force_window`; greater than 0.
double natural_force_window_s(const System& system, double duration_s);

// `has_contacts`: otherwise there are no impacts, and the force of each step is a force.
ForceWindow force_window(const System& system, bool has_contacts, const SimulationOptions& options);

}  // namespace freeplay::simulation
