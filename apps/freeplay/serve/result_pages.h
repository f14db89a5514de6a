// What the server of `freeplay view --serve` answers: the page, and the data that it asks for.
#pragma once

#include <filesystem>

#include "serve/loopback_server.h"

namespace freeplay::app {

// "/" is the viewer, "/data?from=T0&to=T1&rows=N" a part of the result file as it is at that moment.
WebHandler pages_of_result(const std::filesystem::path& result);

}  // namespace freeplay::app
