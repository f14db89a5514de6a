#include "freeplay/study/dynamics/lyapunov.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "freeplay/io/model/model_build.h"
#include "freeplay/math/expressions/expression.h"
#include "freeplay/study/dynamics/lyapunov_spectrum.h"
#include "freeplay/study/dynamics/parting.h"
#include "stop_signal.h"
#include "terminal/json_output.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"
#include "text/error_report.h"
#include "text/findings_text.h"
#include "text/slurm_script.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

constexpr double kNoticedGrowth = 0.01;

double time_option(const char* option, const std::string& text) {
  if (text.empty()) return 0;
  try {
    const Quantity time = parse_quantity(text);
    if (time.dimension == dimensions::kTime && time.value >= 0) return time.value;
  } catch (const ExpressionError&) {
    // told below
  }
  throw UsageError(fmt::format("{} '{}' is not a time", option, text), fmt::format("write {} 20s", option));
}

// Of an option that takes its value after '='.
std::string value_words(const std::string& text) {
  return text.empty() ? "" : "=" + printable(shell_word(text));
}

// One exponent or all of them; JSON has no word for -infinity, which is null there.
void print_exponents_json(const LyapunovSpectrum& found, bool is_spectrum, ExitCode code) {
  nlohmann::ordered_json object, rates = nlohmann::ordered_json::array();
  for (const double rate : found.per_s) rates.push_back(std::isfinite(rate) ? nlohmann::ordered_json(rate) : nullptr);
  object["status"] = found.is_complete ? "completed" : code == ExitCode::kInterrupted ? "interrupted" : "failed";
  object["exit_code"] = static_cast<int>(code);
  object["message"] = found.message;
  if (is_spectrum) {
    object["exponents"] = rates;
    object["errors"] = found.error_per_s;
  } else if (found.is_complete) {
    object["exponent"] = rates.front();
    object["error"] = found.error_per_s.front();
  }
  print_json(object);
}

void print_exponents(const ModelFile& file, const LyapunovSpectrum& found) {
  const Painter paint(stdout);
  const double largest = found.per_s.front(), error = found.error_per_s.front();
  // A distance that grows by less than a hundredth in the whole run stays what it is, however small the error.
  const double least = std::max(2 * error, kNoticedGrowth / file.simulate.duration_s);
  const char* verdict = std::isinf(largest)          ? "neighbours become the same motion"
                        : std::abs(largest) <= least ? "neighbours keep their distance"
                        : largest > 0                ? "chaotic: neighbours part"
                                                     : "neighbours come together";
  fmt::print("{}  {}\n", paint.bold(file.name), verdict);
  TextTable table("lrl");
  for (std::size_t i = 0; i < found.per_s.size(); ++i) {
    const bool is_finite = std::isfinite(found.per_s[i]);
    table.add({i == 0 ? "Lyapunov exponent" : "", short_number(found.per_s[i]),
               is_finite ? fmt::format("1/s  ± {:.2g}", found.error_per_s[i]) : "1/s"});
  }
  if (found.per_s.size() > 1) table.add({"sum", short_number(found.sum_per_s()), "1/s"});
  if (largest > least) table.add({"doubles in", short_number(std::log(2) / largest), "s"});
  fmt::print("{}", table.text());
}

LyapunovSpectrum measured_exponents(const LyapunovArguments& arguments, const ModelFile& file, const Model& model,
                                    const StudyHooks& hooks) {
  LyapunovOptions options;
  options.transient_s = time_option("--transient", arguments.transient);
  options.interval_s = time_option("--interval", arguments.interval);
  try {
    if (arguments.spectrum) return lyapunov_spectrum(file, model, options, hooks);
    if (arguments.members > 0) {
      const PartingOptions free{.apart = arguments.apart,
                                .until = arguments.until,
                                .members = arguments.members,
                                .transient_s = options.transient_s,
                                .interval_s = options.interval_s};
      const PartingRate all = measure_parting(file, model, free, hooks);
      return {{all.per_s}, {all.error_per_s}, all.is_complete, all.message};
    }
    const LyapunovExponent one = largest_lyapunov_exponent(file, model, options, hooks);
    return {{one.per_s}, {one.error_per_s}, one.is_complete, one.message};
  } catch (const ModelError& error) {
    throw file.located(error);
  }
}

}  // namespace

ExitCode lyapunov(const LyapunovArguments& arguments) {
  const ModelFile file = load_model(arguments.model, arguments.overrides);
  const Model model = build_model(file);
  StudyHooks hooks;
  hooks.stop_requested = &stop_soon_on_signals();
  const LyapunovSpectrum found = [&] {
    const bool shows = !arguments.json && is_terminal(stderr);
    Progress progress(shows ? Progress::Mode::kBar : Progress::Mode::kSilent, file.simulate.duration_s);
    hooks.progress = [&](double fraction, std::int64_t steps) { progress.update(fraction, steps); };
    return measured_exponents(arguments, file, model, hooks);
  }();
  follow_stop();
  const ExitCode code = found.is_complete     ? ExitCode::kOk
                        : hooks.should_stop() ? ExitCode::kInterrupted
                                              : ExitCode::kSolverGaveUp;
  if (!found.is_complete) fmt::print(stderr, "{} no exponent: {}\n", Painter(stderr).red("error:"), found.message);
  if (arguments.json)
    print_exponents_json(found, arguments.spectrum, code);
  else if (found.is_complete)
    print_exponents(file, found);
  if (!arguments.json && found.is_complete)
    fmt::print("{} freeplay sweep {} --lyapunov{} --over NAME=VALUES\n", Painter(stdout).dim("next:"),
               model_words(arguments.model, arguments.overrides), value_words(arguments.transient));
  return code;
}

}  // namespace freeplay::app
