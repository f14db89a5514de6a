// From a description to something that runs:  ModelSpec -> Model -> Simulation. Every ModelError from here names the
// element's path ("joints.pin.contact.impact"); the reader of model files adds the line
// (freeplay/io/model/model_build.h).
#pragma once

#include <memory>
#include <vector>

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/core/error.h"
#include "freeplay/mechanism/system.h"
#include "freeplay/model/model_spec.h"
#include "freeplay/simulation/simulation.h"

namespace freeplay::model {

// A system and what can touch in it, built and frozen.
struct Model {
  std::shared_ptr<const System> system;
  std::shared_ptr<const ContactModel> contacts;  // never null
};

// The bodies, ideal joints, forces and drivers of a model as a mechanism, or the system given as code that the model
// names. Throws ModelError.
std::shared_ptr<const System> build_system(const ModelSpec& spec);

// Contact points come from contacts, groups, joints with play, stops and dry friction in joints. An integrator that
// does not know groups gets their pairs as contacts, where there are few (group_pairs.h). Throws ModelError, also for a
// contact that penetrates in the initial state.
Model build_model(const ModelSpec& spec);

// What stands in a well-formed model but cannot be run by this version: an integrator that is not there yet, a contact
// without the law that the integrator needs, an impact law that no integrator knows. Empty if the model runs.
std::vector<Diagnostic> run_obstacles(const ModelSpec& spec);

// The measures of a run of `model`. Throws ModelError.
Measures measures_of(const ModelSpec& spec, const Model& model);

// A run of `model`, which was built from `spec` and must outlive the run. Throws ModelError for every obstacle, for
// unknown channels and for values out of range.
std::unique_ptr<Simulation> build_simulation(const ModelSpec& spec, const Model& model);

}  // namespace freeplay::model
