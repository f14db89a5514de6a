// From a model file to something that runs. Every ModelError that leaves from here names a place in the file.
#pragma once

#include <memory>
#include <vector>

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/core/error.h"
#include "freeplay/io/model/model_file.h"
#include "freeplay/mechanism/system.h"
#include "freeplay/simulation/simulation.h"

namespace freeplay::io {

// The bodies, ideal joints, forces and drivers of a model as a mechanism, or the system given as code that the model
// names. Throws ModelError.
std::shared_ptr<const System> build_system(const ModelFile& file);

// A system and what can touch in it.
struct Model {
  std::shared_ptr<const System> system;
  std::shared_ptr<const ContactModel> contacts;  // never null
};
// Contact points come from contacts, joints with play, stops and dry friction in joints. Throws ModelError, also for a
// contact that penetrates in the initial state.
Model build_model(const ModelFile& file);

// What stands in a well-formed model but cannot be run by this version: an integrator that is not there yet, a contact
// without the law that the integrator needs. Empty if the model runs. The marks are set.
std::vector<Diagnostic> run_obstacles(const ModelFile& file);

// A run of `model`, which was built from `file` and must outlive the run. Throws ModelError for every obstacle, for
// unknown channels and for values out of range.
std::unique_ptr<Simulation> build_simulation(const ModelFile& file, const Model& model);

}  // namespace freeplay::io
