// From the words and numbers of `simulate:` to an integrator, and whether they fit together and to the contacts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "freeplay/integrators/integrator.h"
#include "freeplay/simulation/simulation_options.h"

namespace freeplay::simulation {

// Throws ModelError with the path "simulate.KEY".
std::unique_ptr<Integrator> make_integrator(const System& system, const ContactModel& contacts,
                                            const SimulationOptions& options);

// Keys that were given another value than their default although the integrator does not look at them.
std::vector<std::string> keys_without_effect(const SimulationOptions& options);

}  // namespace freeplay::simulation
