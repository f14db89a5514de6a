// From the options of `simulate:` to an integrator, and whether they fit together and to the contacts.
#pragma once

#include <memory>

#include "freeplay/integrators/integrator.h"
#include "freeplay/simulation/simulation_options.h"

namespace freeplay::simulation {

// Throws ModelError with the path "simulate.KEY".
std::unique_ptr<Integrator> make_integrator(const System& system, const ContactModel& contacts,
                                            const SimulationOptions& options);

}  // namespace freeplay::simulation
