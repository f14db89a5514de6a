// The viewer's page and the script of the comparison's page as they were built (viewer/dist), inside of the command.
#pragma once

#include <string_view>

namespace freeplay::app {

std::string_view viewer_asset();    // viewer.html
std::string_view compare_script();  // compare.js

}  // namespace freeplay::app
