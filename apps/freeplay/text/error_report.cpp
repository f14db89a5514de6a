#include "text/error_report.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <system_error>

#include "freeplay/io/result/result_reader.h"
#include "terminal/json_output.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"

namespace freeplay::app {

namespace {

// "error:" and "hint:" stand out on a terminal; the text is the same everywhere.
std::string painted(std::string text, const Painter& paint) {
  if (const std::size_t at = text.find("error: "); at != std::string::npos) text.replace(at, 6, paint.red("error:"));
  if (const std::size_t at = text.rfind("\n    hint: "); at != std::string::npos)
    text.replace(at, 10, "\n    " + paint.cyan("hint:"));
  return text;
}

ExitCode report(bool json, ExitCode code, const std::vector<Diagnostic>& diagnostics) {
  try {
    const Painter paint(stderr);
    for (const Diagnostic& diagnostic : diagnostics)
      fmt::print(stderr, "{}\n", painted(printable(format_diagnostic(diagnostic), Lines::kKept), paint));
    if (code == ExitCode::kBadInput)
      fmt::print(stderr, "{}\n", counted(static_cast<long long>(diagnostics.size()), "error"));
  } catch (const std::system_error&) {
    // Nobody reads stderr; the exit code is left to tell.
  }
  if (!json) return code;
  try {
    print_json({{"status", "error"}, {"exit_code", static_cast<int>(code)}, {"errors", diagnostics_json(diagnostics)}});
  } catch (const std::system_error&) {
    // Nobody reads stdout; the message is on stderr.
  }
  return code;
}

}  // namespace

nlohmann::ordered_json diagnostics_json(const std::vector<Diagnostic>& diagnostics) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    list.push_back({{"file", diagnostic.mark.file},
                    {"line", diagnostic.mark.line},
                    {"column", diagnostic.mark.column},
                    {"path", diagnostic.path},
                    {"message", diagnostic.message},
                    {"hint", diagnostic.hint}});
  }
  return list;
}

UsageError UsageError::unknown(const std::string& what, const std::string& word,
                               const std::vector<std::string>& known) {
  const std::string close = closest_match(word, known);
  return {fmt::format("there is no {} '{}'", what, word), close.empty()
                                                              ? fmt::format("possible: {}", fmt::join(known, ", "))
                                                              : fmt::format("did you mean '{}'?", close)};
}

ExitCode guarded(bool json, const std::function<ExitCode()>& action) {
  const auto one = [](const std::exception& error) { return std::vector<Diagnostic>{{{}, {}, error.what(), {}, {}}}; };
  try {
    const ExitCode code = action();
    // A full disk or a closed pipe behind stdout must not look like success.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw IoError("cannot write to the standard output");
    return code;
  } catch (const ModelError& error) {
    return report(json, ExitCode::kBadInput, error.diagnostics());
  } catch (const UsageError& error) {
    return report(json, ExitCode::kUsage, {{{}, {}, error.what(), error.hint(), {}}});
  } catch (const UnknownChannel& error) {
    return report(json, ExitCode::kUsage, one(error));
  } catch (const IoError& error) {
    return report(json, ExitCode::kInputOutput, one(error));
  } catch (const std::system_error& error) {
    // A path that cannot be looked at, a stream that does not take what is printed.
    return report(json, ExitCode::kInputOutput, one(error));
  } catch (const std::bad_alloc&) {
    return report(json, ExitCode::kInternalError, {{{}, {}, "there is not enough memory", {}, {}}});
  } catch (const std::exception& error) {
    return report(json, ExitCode::kInternalError,
                  {{{}, {}, fmt::format("internal error: {}", error.what()), "this is a bug in freeplay", {}}});
  }
}

}  // namespace freeplay::app
