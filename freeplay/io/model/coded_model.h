// Models given as code: `system: NAME` in a model file finds a system (equations) or a scene (bodies and contacts).
#pragma once

#include <memory>

#include "freeplay/io/model/model_file.h"
#include "freeplay/mechanism/system.h"

namespace freeplay::io {

// Where `system` names a scene, its bodies, shapes and contacts take their places in the file as if they were written
// there, and `scene` keeps the name. Throws ModelError with the path "parameters.NAME" or "system".
void unfold_scene(ModelFile& file);

// Throws ModelError in the same way.
std::shared_ptr<const System> build_coded_system(const SystemSpec& spec);

}  // namespace freeplay::io
