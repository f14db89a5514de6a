// Names from files as text of an HTML or SVG document: nothing in them is markup.
#pragma once

#include <string>
#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::report {

// Escapes & < > " ' and replaces control characters, which no document may hold, by a blank.
std::string markup_text(std::string_view text);

}  // namespace freeplay::report
