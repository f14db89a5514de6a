// JSON on stdout: one object, numbers that read back as the same double, bytes that are always valid UTF-8.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace freeplay::app {

void print_json(const nlohmann::ordered_json& object);

}  // namespace freeplay::app
