// The one place that turns exceptions into messages, JSON and exit codes.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "exit_code.h"
#include "freeplay/core/error.h"

namespace freeplay::app {

// Runs `verb`. Messages go to stderr; with `json` one object {status: "error", ...} goes to stdout as well.
ExitCode guarded(bool json, const std::function<ExitCode()>& verb);

// A mistake in the command line itself.
ExitCode report_usage_error(bool json, const std::string& message, const std::string& hint);

// [{file, line, column, path, message, hint}]
nlohmann::ordered_json diagnostics_json(const std::vector<Diagnostic>& diagnostics);

}  // namespace freeplay::app
