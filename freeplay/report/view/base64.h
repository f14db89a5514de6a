// Bytes as text of 64 harmless characters (RFC 4648, with padding).
#pragma once

#include <string>
#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::report {

std::string base64(std::string_view bytes);

}  // namespace freeplay::report
