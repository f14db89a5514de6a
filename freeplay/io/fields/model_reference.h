// The field table, printed: the reference page of the model file and its JSON Schema. Both are committed below
// docs/reference/; a test compares them with what these functions return.
#pragma once

#include <string>

#include "freeplay/core/layers.h"

namespace freeplay::io {

std::string model_reference_markdown();
// JSON Schema, draft 2020-12. It knows keys, words and forms; dimensions and references are left to the reader.
std::string model_json_schema();

}  // namespace freeplay::io
