// Ctrl-C and SIGTERM as a request to end the run cleanly.
#pragma once

#include <atomic>

namespace freeplay::app {

// The flag that the handlers set, once they are installed.
const std::atomic<bool>& stop_flag();
// Installs the handlers and returns the flag. The first signal asks, the second one of its kind kills. Until then a
// signal ends the command at once, which is right while there is nothing to end cleanly.
const std::atomic<bool>& stop_on_signals();

}  // namespace freeplay::app
