// The viewer's page as it was built (viewer/dist/viewer.html), inside of the command.
#pragma once

#include <string_view>

namespace freeplay::app {

std::string_view viewer_asset();

}  // namespace freeplay::app
