// Models given as code: `system: NAME` finds a system (equations) or a scene (bodies and contacts).
#pragma once

#include <memory>

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/mechanism/system.h"
#include "freeplay/model/model_spec.h"

namespace freeplay::model {

// Whether `system` names a scene that has not been unfolded yet.
bool names_scene(const ModelSpec& spec);

// Where `system` names a scene, its bodies, shapes and contacts take their places in the spec as if they had been given
// there, and `scene` keeps the name. Throws ModelError with the path "parameters.NAME".
void unfold_scene(ModelSpec& spec);

// Throws ModelError with the path "parameters.NAME" or "system".
std::shared_ptr<const System> build_coded_system(const SystemSpec& spec);
// What can touch in it; no_contacts() for a system without contacts. Throws as build_coded_system() does.
std::shared_ptr<const ContactModel> build_coded_contacts(const SystemSpec& spec);

}  // namespace freeplay::model
