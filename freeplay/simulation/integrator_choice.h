// From the options of `simulate:` to an integrator, and whether they fit together and to the contacts.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "freeplay/integrators/integrator.h"
#include "freeplay/simulation/simulation_options.h"

namespace freeplay::simulation {

// Throws ModelError with the path "simulate.KEY".
std::unique_ptr<Integrator> make_integrator(const System& system, const ContactModel& contacts,
                                            const SimulationOptions& options);

// The longest step, where it follows from the duration: of integrators that locate events, in a model that names
// neither `step` nor `max_step`. A run that goes on to a later end keeps the one that it was begun with.
std::optional<double> longest_step_by_duration(const SimulationOptions& options);

// For contacts with Poisson's law, where the integrator does not know it.
std::string cure_for_poisson();
// For joints with friction by load, likewise.
std::string cure_for_load_friction();

}  // namespace freeplay::simulation
