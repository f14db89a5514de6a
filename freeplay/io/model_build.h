// From a model file to something that runs. Every ModelError that leaves from here names a place in the file.
#pragma once

#include <memory>
#include <vector>

#include "freeplay/core/error.h"
#include "freeplay/io/model_file.h"
#include "freeplay/mechanism/system.h"
#include "freeplay/simulation/simulation.h"

namespace freeplay {

// The bodies, ideal joints, forces and drivers of a model as a mechanism, or the system given as code that the model
// names. Contacts and joints with play are not part of it: their directions are left free. Throws ModelError.
std::shared_ptr<const System> build_system(const ModelFile& file);

// What stands in a well-formed model but cannot be run by this version: an integrator that is not there yet, contacts
// and joints with play for an integrator that takes none. Empty if the model runs. The marks are set.
std::vector<Diagnostic> run_obstacles(const ModelFile& file);

// A run of `system`, which was built from `file` and must outlive the run. Throws ModelError for every obstacle, for
// unknown channels and for values out of range.
std::unique_ptr<Simulation> build_simulation(const ModelFile& file, const System& system);

}  // namespace freeplay
