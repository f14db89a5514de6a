// Ctrl-C and SIGTERM as a request to end the run cleanly.
#pragma once

#include <atomic>

namespace freeplay::app {

// The flag that the handlers set, once they are installed.
const std::atomic<bool>& stop_flag();
// Installs the handlers and returns the flag. The first signal asks, the second one of its kind kills. Until then a
// signal ends the command at once, which is right while there is nothing to end cleanly.
const std::atomic<bool>& stop_on_signals();

// The same for runs, of which a single step may take minutes: a request that nobody has followed when this thread has
// computed for another 0.8 s ends the command where it is, with exit code 130. Files are then what a kill leaves.
const std::atomic<bool>& stop_soon_on_signals();
// For studies and fits, whose other threads may be in such a step: ends the command at once, with exit code 130, and
// says what there is of its work.
[[noreturn]] void leave_study();
[[noreturn]] void leave_fit();
// The request is followed: from here on the end may take its time.
void follow_stop();

}  // namespace freeplay::app
