// The text of a model that needs no other model files: what a result keeps beside the text of the file itself.
#pragma once

#include <string>

#include "freeplay/io/model/model_file.h"

namespace freeplay::io {

// The name of the attribute that has it, in results and studies.
inline constexpr const char* kResolvedModelAttribute = "resolved_model";

// With all included files in it, before variants were chosen and anything was set; empty if the model includes none,
// and its own text is all of it.
const std::string& resolved_text(const ModelFile& file);

}  // namespace freeplay::io
