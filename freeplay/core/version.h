// The version of freeplay, as CMakeLists.txt states it.
#pragma once

#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::core {

std::string_view version();  // "0.1.0"

}  // namespace freeplay::core
