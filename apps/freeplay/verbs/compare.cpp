#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "freeplay/report/atomic_file.h"
#include "freeplay/report/view/view_data.h"
#include "freeplay/report/view/view_page.h"
#include "freeplay/study/compare/comparison.h"
#include "freeplay/study/compare/report_html.h"
#include "freeplay/study/compare/report_json.h"
#include "freeplay/study/compare/report_text.h"
#include "serve/viewer_asset.h"
#include "session/result_access.h"
#include "stop_signal.h"
#include "terminal/json_output.h"
#include "terminal/progress.h"
#include "terminal/readable.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"
#include "text/error_report.h"
#include "text/findings_text.h"
#include "text/report.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

Progress::Mode comparison_progress_mode(const CompareArguments& arguments) {
  if (arguments.quiet) return Progress::Mode::kSilent;
  if (is_terminal(stderr)) return Progress::Mode::kBar;
  return arguments.json ? Progress::Mode::kSilent : Progress::Mode::kLines;
}

// A line for each run that begins, and its bar while it lasts.
class RunWatch {
 public:
  explicit RunWatch(Progress::Mode mode) : mode_(mode) {}

  void begin(const std::string& title, double duration_s) {
    progress_.reset();
    if (mode_ == Progress::Mode::kSilent) return;
    progress_ = std::make_unique<Progress>(mode_, duration_s);
    title_ = title;
  }
  void update(double fraction, std::int64_t steps) {
    if (progress_) progress_->update(fraction, steps);
  }
  void end(const StudyRun& run) {
    if (mode_ == Progress::Mode::kSilent) return;
    progress_.reset();
    const Painter paint(stderr);
    const std::string& title = title_.empty() ? run.label : title_;
    if (run.end == StudyRun::End::kCompleted)
      fmt::print(stderr, "{}  {:.3g} s\n", title, run.summary.wall_seconds);
    else
      fmt::print(stderr, "{}  {}{}\n", title, paint.yellow(status_text(run)),
                 run.reason.empty() ? "" : ": " + run.reason);
    title_.clear();
  }

 private:
  Progress::Mode mode_;
  std::unique_ptr<Progress> progress_;
  std::string title_;
};

ExitCode code_of_run(const StudyRun& run) {
  switch (run.end) {
    case StudyRun::End::kCompleted:
      return ExitCode::kOk;
    case StudyRun::End::kRefused:
      return ExitCode::kBadInput;
    case StudyRun::End::kInterrupted:
    case StudyRun::End::kNotStarted:
      return ExitCode::kInterrupted;
    case StudyRun::End::kFailed:
      break;
  }
  return exit_code_of(run.summary);
}

// Two runs make a comparison; with fewer the first failure says why there is none.
ExitCode code_of(const Comparison& comparison) {
  if (comparison.was_interrupted) return ExitCode::kInterrupted;
  if (comparison.completed() >= 2) return ExitCode::kOk;
  for (const StudyRun& run : comparison.runs) {
    if (run.end != StudyRun::End::kCompleted) return code_of_run(run);
  }
  return ExitCode::kOk;  // a single formulation, which ran
}

void print_runs(const Comparison& comparison, const Painter& paint) {
  TextTable table("llrrrr");
  table.add({paint.dim("formulation"), "", paint.dim("wall s"), paint.dim("steps"), paint.dim("steps/s"),
             paint.dim("agrees until")});
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const StudyRun& run = comparison.runs[i];
    const std::string word =
        run.end == StudyRun::End::kCompleted ? paint.green(status_text(run)) : paint.red(status_text(run));
    if (!run.has_data()) {
      table.add({run.label, word, "", "", "", ""});
      continue;
    }
    std::string until = "reference";
    for (const PairReport& pair : comparison.pairs) {
      if (pair.run == i)
        until = pair.partings.empty() && !pair.match.parting ? "the end" : fmt::format("{:.6g} s", pair.agrees_until_s);
    }
    table.add({run.label, word, fmt::format("{:.3g}", run.summary.wall_seconds), grouped(run.summary.steps),
               grouped(std::llround(run.summary.steps_per_second())), until});
  }
  fmt::print("{}", table.text());
}

// On a terminal as wide as that is.
void print_wrapped_sentence(const std::string& text, std::size_t indent) {
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) return;
  fmt::print("{}\n", message_text(stdout, text.substr(0, space), text.substr(space + 1), indent));
}

// The number that engineers come for: the largest force of the reference.
void print_reference_peak(const Comparison& comparison) {
  if (!comparison.reference) return;
  const StudyRun& run = comparison.runs[*comparison.reference];
  const PeakForce* largest = nullptr;
  for (const PeakForce& peak : run.summary.peak_forces) {
    if (peak.unit == "N" && (largest == nullptr || peak.value > largest->value)) largest = &peak;
  }
  if (largest == nullptr) return;
  fmt::print("  peak force of {}: {} in {}, at {}\n", run.label, with_unit(largest->value, "N"), largest->name,
             time_with_unit(largest->time_s));
}

void print_outcome(const Comparison& comparison, const std::filesystem::path& page) {
  const Painter paint(stdout);
  fmt::print("{}\n", paint.bold(comparison.model));
  print_runs(comparison, paint);
  for (const StudyRun& run : comparison.runs) {
    if (!run.reason.empty())
      fmt::print("{}\n", message_text(stdout, paint.yellow("note:"), run.label + ": " + run.reason));
  }
  print_wrapped_sentence(headline(comparison), 0);
  if (const auto first = comparison.first_parting()) print_wrapped_sentence(first->report->finding.sentence, 4);
  for (const PairReport& pair : comparison.pairs) {
    for (const PartingReport& report : pair.partings) {
      const auto first = comparison.first_parting();
      if (first && &report == first->report) continue;
      print_wrapped_sentence(parting_sentence(comparison, pair, report), 0);
      print_wrapped_sentence(report.finding.sentence, 4);
    }
  }
  if (comparison.twin) print_wrapped_sentence(twin_sentence(*comparison.twin), 0);
  print_reference_peak(comparison);
  fmt::print("{}\n", page.string());
  if (comparison.reference)
    fmt::print("{} freeplay plot {}\n", paint.dim("next:"),
               command_word(comparison.plan.out / comparison.runs[*comparison.reference].folder));
}

// The reference and the run that leaves it first, or the next one where none does, on a page of two runs.
std::optional<MovingPage> write_moving_page(const Comparison& comparison) {
  if (!comparison.reference || comparison.pairs.empty()) return std::nullopt;
  const auto parting = comparison.first_parting();
  const PairReport& pair = parting ? *parting->pair : comparison.pairs.front();
  const StudyRun &first = comparison.runs[*comparison.reference], &second = comparison.runs[pair.run];
  const auto block_of = [&](const StudyRun& run) {
    return make_view_data(open_result(comparison.plan.out / run.folder / kResultFileName)).block;
  };
  MovingPage page{"view_both.html", first.label, second.label, {}};
  if (parting) page.parts_s = pair.agrees_until_s;
  write_file_atomically(
      comparison.plan.out / page.file,
      view_page_of_two(viewer_asset(), {block_of(first), first.label}, {block_of(second), second.label}));
  return page;
}

}  // namespace

ExitCode compare(const CompareArguments& arguments) {
  StudyHooks hooks;
  hooks.stop_requested = &stop_flag();
  RunWatch watch(comparison_progress_mode(arguments));
  bool has_begun = false;
  hooks.run_begins = [&](const std::string& title, double duration_s) {
    if (!std::exchange(has_begun, true)) stop_soon_on_signals();
    watch.begin(title, duration_s);
  };
  hooks.progress = [&](double fraction, std::int64_t steps) { watch.update(fraction, steps); };
  hooks.run_ends = [&](const StudyRun& run) {
    if (hooks.should_stop()) follow_stop();
    watch.end(run);
  };
  ComparisonPlan plan;
  plan.model = arguments.model;
  plan.overrides = arguments.overrides;
  plan.formulations = arguments.formulations;
  plan.channels = arguments.channels;
  plan.out = arguments.out.value_or(std::filesystem::path("results") / (arguments.model.stem().string() + "_compare"));
  const std::filesystem::path page = plan.out / "compare.html", data = plan.out / "compare.json";
  const Comparison comparison = [&] {
    try {
      return compare_formulations(plan, hooks);
    } catch (const FormulationError& error) {
      throw UsageError(error.what(), error.hint());
    }
  }();
  follow_stop();
  const ExitCode code = code_of(comparison);
  nlohmann::ordered_json object = comparison_json(comparison);
  object["exit_code"] = static_cast<int>(code);
  object["page"] = page.string();
  std::filesystem::create_directories(plan.out);
  write_file_atomically(page, comparison_html(comparison, write_moving_page(comparison), compare_script()));
  write_file_atomically(data, object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  if (arguments.json)
    print_json(object);
  else if (!arguments.quiet)
    print_outcome(comparison, page);
  return code;
}

}  // namespace freeplay::app
