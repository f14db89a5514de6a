// The viewer's page with the data of a result in it.
#pragma once

#include <string>
#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::report {

// `viewer` is the built page, which has a place for data (viewer/dist/viewer.html).
// A page that holds its data, compressed: one file that needs nothing else.
std::string view_page(std::string_view viewer, std::string_view block);
// A page that asks whoever has served it for its data.
std::string served_page(std::string_view viewer);

}  // namespace freeplay::report
