// What the command returns to its caller (docs/reference/command.md).
#pragma once

namespace freeplay::app {

enum class ExitCode : int {
  kOk = 0,
  kInternalError = 1,
  kUsage = 2,
  kBadInput = 3,      // a model with mistakes
  kSolverGaveUp = 4,  // the numbers went wrong
  kLimitHit = 5,      // such as simulate.min_step; with --strict, a warning
  kInputOutput = 6,
  kInterrupted = 130
};

}  // namespace freeplay::app
