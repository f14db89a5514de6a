// A comparison as one JSON object, SI throughout (docs/reference/command.md lists its keys).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "freeplay/study/compare/comparison.h"

namespace freeplay::study {

nlohmann::ordered_json comparison_json(const Comparison& comparison);

}  // namespace freeplay::study
