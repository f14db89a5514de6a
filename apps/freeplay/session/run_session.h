// What the verbs `run` and `resume` have in common: progress, warnings, the report at the end.
#pragma once

#include <filesystem>
#include <functional>

#include "exit_code.h"
#include "freeplay/core/run_context.h"
#include "freeplay/io/model/model_file.h"
#include "text/overview.h"
#include "text/report.h"

namespace freeplay::app {

struct RunView {
  bool json = false, quiet = false, strict = false;
};

// What is known before the run.
RunReport begin_report(const ModelFile& file, const Overview& overview, const std::filesystem::path& result,
                       const RunView& view);
// Runs with its progress shown, and notes what it says. Signals end it cleanly from here on.
void watch_run(const ModelFile& file, const RunView& view, const std::function<RunSummary(const RunContext&)>& run,
               RunReport& report);
ExitCode tell(RunReport& report, const RunView& view);

}  // namespace freeplay::app
