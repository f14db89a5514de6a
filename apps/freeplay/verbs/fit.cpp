#include "freeplay/study/fit/fit.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"
#include "freeplay/report/atomic_file.h"
#include "freeplay/report/gnuplot/plot_file.h"
#include "ranks/ranks_library.h"
#include "stop_signal.h"
#include "terminal/json_output.h"
#include "terminal/readable.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"
#include "text/error_report.h"
#include "text/findings_text.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

using FitEnd = LeastSquares::End;

ExitCode code_of_fit(const FitResult& result) {
  if (result.end == FitEnd::kStopped) return ExitCode::kInterrupted;
  if (result.is_undetermined()) return ExitCode::kSolverGaveUp;
  return result.is_converged() || result.end == FitEnd::kRugged ? ExitCode::kOk : ExitCode::kSolverGaveUp;
}

// "h=1.1 m, e=0.83"
std::string values_of(const FitMinimum& minimum, const FitResult& result) {
  std::string text;
  for (std::size_t k = 0; k < result.parameters.size(); ++k) {
    const FittedParameter& parameter = result.parameters[k];
    text += fmt::format("{}{}={}{}", text.empty() ? "" : ", ", parameter.name,
                        short_number(minimum.point[static_cast<Eigen::Index>(k)]),
                        parameter.unit == "1" ? "" : " " + parameter.unit);
  }
  return text;
}

// Whether there may be a better answer elsewhere.
void note_minima(const FitResult& result, std::vector<std::string>& notes) {
  if (result.minima.empty()) return;
  const std::vector<FitMinimum>& minima = result.minima;
  if (result.starts == 0 && !result.is_exact())
    notes.emplace_back(
        "the search went downhill from the model's values alone, and there may be a better place elsewhere: leave out "
        "--starts 0");
  if (result.is_lone_minimum())
    notes.push_back(fmt::format(
        "only one of {} has ended here: a better place may have been missed; try more --starts, or narrower "
        "bounds",
        counted(result.descents, "descent")));
  if (minima.front().relative_error >= 1)
    notes.emplace_back(
        "these runs are no nearer to the data than the mean of the data is: the answer explains nothing");
  if (minima.size() < 2) return;
  constexpr double kAsGood = 1.01;
  const double best = minima[0].relative_error;
  if (minima[1].relative_error <= kAsGood * best + kExactFit)
    notes.push_back(
        fmt::format("another place fits as well: {}; the data do not tell which", values_of(minima[1], result)));
  else
    notes.push_back(
        fmt::format("there are local minima: {} of {} ended here, with a relative error of {:.3g}; others at {:.3g} to "
                    "{:.3g}, the next one at {}",
                    minima[0].descents, counted(result.descents, "descent"), best, minima[1].relative_error,
                    minima.back().relative_error, values_of(minima[1], result)));
}

// What a reader should know before trusting the numbers.
std::vector<std::string> notes_of_fit(const FitResult& result) {
  std::vector<std::string> notes;
  for (const FittedParameter& parameter : result.parameters) {
    if (parameter.is_at_bound)
      notes.push_back(fmt::format(
          "{} lies at a bound: its interval is unknown; perhaps the bound is wrong, or the model", parameter.name));
    else if (!parameter.is_determined)
      notes.push_back(
          fmt::format("the data do not tell {}: the residuals do not change with it, or only with others "
                      "together; leave it out, or measure another channel",
                      parameter.name));
  }
  if (result.end == FitEnd::kRugged && !result.is_exact())
    notes.emplace_back(
        "the sum of squares has jumps or kinks here, such as impacts that come and go: the last digits, "
        "and the intervals, are uncertain");
  note_minima(result, notes);
  if (result.failed_runs > 0)
    notes.push_back(fmt::format("{} on the way failed and were passed over", counted(result.failed_runs, "run")));
  return notes;
}

std::string error_of_fit(const FitResult& result) {
  if (result.end == FitEnd::kNoStart)
    return result.starts == 0 ? fmt::format("the run with the first values has failed: {}", result.message)
                              : fmt::format("the runs with all of the {} starts have failed, the first one: {}",
                                            result.starts + 1, result.message);
  if (result.end == FitEnd::kNoDerivative)
    return "the runs beside the last values fail on both sides, so that there is no derivative";
  if (result.is_undetermined()) return "the data do not tell any of the parameters";
  return "the fit has not converged within its iterations";
}

void print_fit(const FitResult& result) {
  const Painter paint(stdout);
  const std::string word = fit_word(result);
  fmt::print("{}  {}\n", paint.bold(result.model_name), word == "converged" ? paint.green(word) : paint.yellow(word));
  fmt::print("  {} from {}, {} and {} in {:.3g} s\n", counted(result.descents, "descent"),
             counted(result.starts + 1, "start"), counted(result.iterations, "iteration"), counted(result.runs, "run"),
             result.wall_seconds);
  TextTable table("lrrlr");
  table.add({paint.dim("parameter"), paint.dim("value"), paint.dim("+- (95 %)"), "", paint.dim("start")});
  for (const FittedParameter& parameter : result.parameters) {
    const double half = 0.5 * (parameter.high - parameter.low);
    table.add({parameter.name, short_number(parameter.value),
               std::isfinite(half) ? fmt::format("{:.2g}", half) : std::string("unknown"),
               parameter.unit == "1" ? "" : parameter.unit, short_number(parameter.start)});
  }
  fmt::print("{}", table.text());
  TextTable channels("lrrl");
  channels.add({paint.dim("channel"), paint.dim("rms before"), paint.dim("rms"), ""});
  for (const FittedSeries& series : result.series)
    channels.add({series.channel, short_number(series.rms_before), short_number(series.rms), series.unit});
  fmt::print("{}", channels.text());
}

// Such as: freeplay run crank.yaml --set "c=0.0005 m"
std::string words_to_run(const FitResult& result, const FitArguments& arguments) {
  std::string words = "freeplay run " + model_words(arguments.model, arguments.overrides);
  for (const FittedParameter& parameter : result.parameters) {
    const std::string unit = parameter.unit == "1"              ? ""
                             : parameter.unit.starts_with("1/") ? parameter.unit.substr(1)
                                                                : " " + parameter.unit;
    words += fmt::format(" --set \"{}={}{}\"", parameter.name, parameter.value, unit);
  }
  return words;
}

void write_picture(const FitResult& result, const std::filesystem::path& path) {
  try {
    const std::string warnings = write_plot(make_fit_figure(result), PictureOptions(), path);
    if (!warnings.empty()) fmt::print(stderr, "warning: gnuplot says: {}\n", warnings);
  } catch (const IoError& error) {  // the numbers count, with or without gnuplot
    fmt::print(stderr, "warning: there is no picture: {}\n", error.what());
  }
}

FitResult run_fit(const FitArguments& arguments) {
  FitPlan plan;
  plan.model = arguments.model;
  plan.data = arguments.data;
  plan.overrides = arguments.overrides;
  plan.parameters = arguments.parameters;
  plan.channels = arguments.channels;
  plan.starts = arguments.starts;
  plan.seed = arguments.seed;
  plan.workers = arguments.workers;
  FitHooks hooks;
  hooks.stop_requested = &stop_flag();
  hooks.begins = [] { stop_on_signals(); };
  hooks.leave = &leave_fit;
  if (!arguments.quiet && !arguments.json) {
    hooks.progress = [](const FitProgress& now) {
      fmt::print(stderr, "descent {}, iteration {}: relative error {:.6g}, {}\n", now.descent, now.iteration,
                 now.relative_error, counted(now.runs, "run"));
    };
  }
  return fit_model(plan, hooks);
}

}  // namespace

ExitCode fit(const FitArguments& arguments) {
  require_one_process("fit");
  const std::filesystem::path out =
      arguments.out.value_or(std::filesystem::path("results") / (arguments.model.stem().string() + "_fit"));
  const FitResult result = run_fit(arguments);
  const ExitCode code = code_of_fit(result);
  nlohmann::ordered_json object = fit_json(result);
  object["exit_code"] = static_cast<int>(code);
  object["notes"] = notes_of_fit(result);
  std::filesystem::create_directories(out);
  write_file_atomically(out / "fit.json",
                        object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  write_file_atomically(out / "fit.csv", fit_csv(result));
  if (result.end != FitEnd::kNoStart) write_picture(result, out / "fit.svg");
  if (arguments.json) {
    object["result"] = out.string();
    print_json(object);
  } else if (!arguments.quiet) {
    print_fit(result);
    const Painter paint(stdout);
    for (const std::string& note : notes_of_fit(result))
      fmt::print("{}\n", message_text(stdout, paint.yellow("note:"), note));
    fmt::print("{}\n", (out / "fit.json").string());
    if (code == ExitCode::kOk) fmt::print("{} {}\n", paint.dim("next:"), words_to_run(result, arguments));
    std::fflush(stdout);
  }
  if (code == ExitCode::kSolverGaveUp)
    fmt::print(stderr, "{} {}\n", Painter(stderr).red("error:"), printable(error_of_fit(result)));
  return code;
}

}  // namespace freeplay::app
