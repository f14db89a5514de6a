// When a run ends.
#pragma once

#include "freeplay/core/run_context.h"
#include "freeplay/simulation/simulation_options.h"

namespace freeplay::simulation {

double end_time_of(const SimulationOptions& options);
// Where that is not the duration that was asked for.
void tell_of_another_end(double end_s, const SimulationOptions& options, const RunContext& context);

}  // namespace freeplay::simulation
