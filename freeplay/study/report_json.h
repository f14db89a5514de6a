// A comparison as one JSON object, SI throughout (docs/reference/command.md lists its keys).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "freeplay/study/comparison.h"

namespace freeplay {

nlohmann::ordered_json comparison_json(const Comparison& comparison);

}  // namespace freeplay
