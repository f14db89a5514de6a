// What a viewer needs to draw a model, as JSON text in SI units.
#pragma once

#include <string>

#include "freeplay/model/model_spec.h"

namespace freeplay::io {

// {"space", "gravity", "bodies": [...], "joints": [...], "springs": [...], "shapes": [...]}. Bodies start with the
// ground. A system given as code has no bodies of its own: {"system": NAME} with empty lists.
std::string geometry_json(const ModelSpec& spec);

}  // namespace freeplay::io
