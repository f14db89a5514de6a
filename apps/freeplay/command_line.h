// From argv to a verb and its arguments.
#pragma once

namespace freeplay::app {

// Runs the command and returns its exit code. Catches everything.
int run_command_line(int argc, const char* const* argv);

}  // namespace freeplay::app
