// A study as the verbs `sweep` and `resume` run it: with its bar, its table and its exit code.
#pragma once

#include <string>

#include "exit_code.h"
#include "freeplay/study/sweep/sweep.h"

namespace freeplay::app {

struct SweepView {
  std::string csv;  // a file, or "-" for stdout; empty: not asked for
  bool json = false, quiet = false;
  bool strict = false;  // exit code 5 where a run has warned
};

ExitCode run_sweep_verb(const SweepPlan& plan, const SweepOptions& options, const SweepView& view);

}  // namespace freeplay::app
