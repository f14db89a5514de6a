// The one place that turns exceptions into messages, JSON and exit codes.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "exit_code.h"
#include "freeplay/core/error.h"

namespace freeplay::app {

// A mistake in the command line itself.
class UsageError : public std::runtime_error {
 public:
  UsageError(const std::string& message, std::string hint) : std::runtime_error(message), hint_(std::move(hint)) {}
  // "there is no verb 'rnu'", "did you mean 'run'?"
  static UsageError unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known);
  const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

// Runs `action`. Messages go to stderr; with `json` one object {status: "error", ...} goes to stdout as well.
ExitCode guarded(bool json, const std::function<ExitCode()>& action);

// [{file, line, column, path, message, hint}]
nlohmann::ordered_json diagnostics_json(const std::vector<Diagnostic>& diagnostics);

}  // namespace freeplay::app
