// The version of freeplay, as CMakeLists.txt states it.
#pragma once

#include <string_view>

namespace freeplay {

std::string_view version();  // "0.1.0"

}  // namespace freeplay
