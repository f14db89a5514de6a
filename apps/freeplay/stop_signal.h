// Ctrl-C and SIGTERM as a request to end the run cleanly.
#pragma once

#include <atomic>

namespace freeplay::app {

// Installs the handlers and returns the flag that they set. The first signal asks, the second one of its kind kills.
const std::atomic<bool>& stop_on_signals();

}  // namespace freeplay::app
