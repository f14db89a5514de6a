#include "freeplay/study/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"
#include "freeplay/report/atomic_file.h"
#include "ranks/ranks_library.h"
#include "session/study_access.h"
#include "stop_signal.h"
#include "terminal/json_output.h"
#include "terminal/readable.h"
#include "terminal/study_progress.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"
#include "text/error_report.h"
#include "text/findings_text.h"
#include "text/slurm_script.h"
#include "text/study_statistics.h"
#include "verbs/sweep_run.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

Progress::Mode sweep_progress_mode(const SweepView& view) {
  if (view.quiet) return Progress::Mode::kSilent;
  if (is_terminal(stderr)) return Progress::Mode::kBar;
  return view.json ? Progress::Mode::kSilent : Progress::Mode::kLines;
}

// The runs that gave warnings.
std::vector<std::int64_t> with_warnings(const SweepTable& table) {
  std::vector<std::int64_t> found;
  for (const SweepRow& row : table.rows) {
    if (row.warnings > 0) found.push_back(row.index);
  }
  return found;
}

// A study in which no run has measures says nothing: that of the first run that failed.
ExitCode code_of_sweep(const SweepOutcome& outcome, const SweepView& view) {
  const SweepProgress& progress = outcome.progress;
  if (outcome.was_interrupted) return ExitCode::kInterrupted;
  const bool is_whole = progress.runs == outcome.table.header.runs;  // a task of a job array knows only its share
  const ExitCode good = view.strict && !with_warnings(outcome.table).empty() ? ExitCode::kLimitHit : ExitCode::kOk;
  if (!is_whole || progress.runs == 0 || progress.without_measures < progress.done) return good;
  const std::vector<SweepRow>& rows = outcome.table.rows;
  const bool has_run =
      std::any_of(rows.begin(), rows.end(), [](const SweepRow& row) { return row.status == SweepStatus::kFailed; });
  return has_run ? ExitCode::kSolverGaveUp : ExitCode::kBadInput;
}

std::string word_of_sweep(const SweepOutcome& outcome) {
  if (outcome.was_interrupted) return "interrupted";
  return code_of_sweep(outcome, {}) == ExitCode::kOk ? "completed" : "failed";
}

std::int64_t left_to_engine(const SweepOutcome& outcome) {
  return std::ranges::count_if(outcome.table.rows, &SweepRow::is_left_to_engine);
}

void print_sweep_json(const SweepOutcome& outcome, const SweepView& view) {
  const SweepProgress& progress = outcome.progress;
  nlohmann::ordered_json object;
  object["status"] = word_of_sweep(outcome);
  object["exit_code"] = static_cast<int>(code_of_sweep(outcome, view));
  object["runs"] = progress.runs;
  object["done"] = progress.done;
  object["done_earlier"] = progress.earlier;
  object["without_measures"] = progress.without_measures;
  object["with_warnings"] = with_warnings(outcome.table).size();
  object["backend"] = outcome.backend;
  if (!outcome.backend_note.empty()) object["backend_note"] = outcome.backend_note;
  if (outcome.backend != "engine") object["left_to_engine"] = left_to_engine(outcome);
  object["wall_seconds"] = outcome.wall_seconds;
  object["result"] = outcome.file.string();
  if (!view.csv.empty()) object["csv"] = view.csv;
  add_study_statistics(outcome.table, object);
  print_json(object);
}

// A number of a run that has warned is as doubtful in a table as it is alone.
void print_warned_runs(const SweepOutcome& outcome, const Painter& paint) {
  const std::vector<std::int64_t> warned = with_warnings(outcome.table);
  if (warned.empty()) return;
  fmt::print(
      "{}\n",
      message_text(stdout, paint.yellow("warning:"),
                   fmt::format("{} of {} gave warnings, the first is run {}; 'freeplay view {} --run {}' shows "
                               "which, 'warnings' in the file how many each gave",
                               grouped(static_cast<std::int64_t>(warned.size())), counted(outcome.progress.done, "run"),
                               warned.front(), command_word(outcome.file.parent_path()), warned.front())));
}

// What compiled code was not sure of, one line per reason.
void print_runs_left(const SweepOutcome& outcome, const Painter& paint) {
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> reasons;  // how many, and the first
  for (const SweepRow& row : outcome.table.rows) {
    if (row.is_left_to_engine()) ++reasons.try_emplace(row.left_because, 0, row.index).first->second.first;
  }
  for (const auto& [reason, runs] : reasons)
    fmt::print("{}\n", message_text(stdout, paint.cyan("note:"),
                                    fmt::format("{} left to the engine, the first is run {}: {}",
                                                counted(runs.first, "run"), runs.second, printable(reason))));
}

// A completed run says only why it has no measures of an orbit.
void print_runs_without_orbit(const SweepOutcome& outcome, const Painter& paint) {
  std::int64_t count = 0;
  const SweepRow* first = nullptr;
  for (const SweepRow& row : outcome.table.rows) {
    if (row.status != SweepStatus::kCompleted || row.message.empty()) continue;
    if (first == nullptr) first = &row;
    ++count;
  }
  if (first == nullptr) return;
  fmt::print("{}\n", message_text(stdout, paint.yellow("note:"),
                                  fmt::format("{} without measures of an orbit, the first is run {}: {}",
                                              counted(count, "run"), first->index, printable(first->message))));
}

// Where it is told even with --quiet, as every error.
void tell_of_failed_study(const SweepOutcome& outcome) {
  if (word_of_sweep(outcome) != "failed") return;
  const SweepRow& first = outcome.table.rows.front();
  fmt::print(stderr, "{} none of the {} has measures; run {}: {}\n", Painter(stderr).red("error:"),
             counted(outcome.progress.runs, "run"), first.index, printable(first.message));
}

// The least and the largest value of each measure, and what went wrong first.
void print_sweep_table(const SweepOutcome& outcome) {
  const Painter paint(stdout);
  const SweepProgress& progress = outcome.progress;
  const SweepHeader& header = outcome.table.header;
  const std::string word = word_of_sweep(outcome);
  fmt::print("{}  {}\n", paint.bold(header.attributes.at("name")),
             word == "completed" ? paint.green(word) : paint.yellow(word));
  fmt::print("  {} of {} in {:.3g} s", grouped(progress.done), counted(progress.runs, "run"), outcome.wall_seconds);
  if (progress.earlier > 0) fmt::print(", {} of them earlier", grouped(progress.earlier));
  if (outcome.backend != "engine")
    fmt::print(
        ", {}; {} left to the engine",
        outcome.backend == "cuda" ? "on the GPU, not watched for warnings" : "compiled, not watched for warnings",
        grouped(left_to_engine(outcome)));
  fmt::print("\n");
  if (!outcome.backend_note.empty())
    fmt::print("{}\n", message_text(
                           stdout, paint.cyan("note:"),
                           fmt::format("{}: {}", outcome.backend == "engine" ? "the engine has run it" : "not on a GPU",
                                       printable(outcome.backend_note))));
  TextTable table("lrrl");
  table.add({paint.dim(header.section.empty() ? "measure" : "measure or point"), paint.dim("least"),
             paint.dim("largest"), ""});
  for (std::size_t m = 0; m < header.measures.size(); ++m) {
    double least = NAN, largest = NAN;
    for (const SweepRow& row : outcome.table.rows) {
      least = std::fmin(least, row.values[header.parameters.size() + m]);
      largest = std::fmax(largest, row.values[header.parameters.size() + m]);
    }
    table.add({header.measures[m].name, short_number(least), short_number(largest), header.measures[m].unit});
  }
  std::size_t crossings = 0;
  for (const SweepRow& row : outcome.table.rows) crossings += outcome.table.crossing_count(row);
  for (std::size_t c = 1; c < header.section.size(); ++c) {
    double least = NAN, largest = NAN;
    for (const SweepRow& row : outcome.table.rows) {
      for (std::size_t k = c; k < row.crossings.size(); k += header.section.size()) {
        least = std::fmin(least, row.crossings[k]);
        largest = std::fmax(largest, row.crossings[k]);
      }
    }
    table.add({header.section[c].name, short_number(least), short_number(largest), header.section[c].unit});
  }
  fmt::print("{}", table.text());
  if (!header.section.empty()) fmt::print("  {} in the section\n", counted(crossings, "point"));
  print_study_statistics(outcome.table, paint);
  for (const SweepRow& row : outcome.table.rows) {
    if (row.status == SweepStatus::kCompleted) continue;
    fmt::print("{}\n",
               message_text(stdout, paint.yellow("note:"),
                            fmt::format("{} without measures, the first is run {}: {}",
                                        counted(progress.without_measures, "run"), row.index, printable(row.message))));
    break;
  }
  print_runs_left(outcome, paint);
  print_runs_without_orbit(outcome, paint);
  print_warned_runs(outcome, paint);
  fmt::print("{}\n", outcome.file.string());
  if (word_of_sweep(outcome) == "completed") fmt::print("{}", next_commands(outcome.file, paint));
}

SweepPlan plan_of(const SweepArguments& arguments) {
  SweepPlan plan;
  plan.model = arguments.model;
  plan.overrides = arguments.overrides;
  plan.over = arguments.over;
  plan.sample = arguments.sample;
  plan.seed = arguments.seed;
  plan.worst = arguments.worst;
  plan.measures = arguments.measures;
  plan.backend = sweep_backend(arguments.backend);
  plan.needs_warnings = arguments.strict;
  plan.section = {arguments.section, arguments.points, arguments.skip, arguments.turns};
  plan.follow = arguments.follow;
  plan.lyapunov = arguments.lyapunov;
  plan.orbit = arguments.orbit;
  return plan;
}

// The words of this study for a job: all but those of --slurm.
std::vector<std::string> words_of_study(const SweepArguments& arguments, const std::filesystem::path& out) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  std::vector<std::string> words = {program.string(), "sweep", std::filesystem::absolute(arguments.model).string()};
  const auto add = [&](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) words.insert(words.end(), {option, value});
  };
  for (const std::string& text : arguments.overrides)
    text.ends_with("=~") ? add("--unset", {text.substr(0, text.size() - 2)}) : add("--set", {text});
  add("--over", arguments.over);
  add("--measure", arguments.measures);
  if (arguments.backend != "engine") add("--backend", {arguments.backend});
  if (!arguments.sample.empty()) add("--sample", {arguments.sample});
  if (arguments.seed != 0) add("--seed", {std::to_string(arguments.seed)});
  if (!arguments.section.empty()) add("--section", {arguments.section});
  add("--point", arguments.points);
  if (arguments.skip != 0) add("--skip", {std::to_string(arguments.skip)});
  if (arguments.turns) add("--turns", {std::to_string(*arguments.turns)});
  if (!arguments.follow.empty()) add("--follow", {arguments.follow});
  if (arguments.lyapunov) words.push_back("--lyapunov=" + *arguments.lyapunov);
  if (arguments.strict) words.emplace_back("--strict");
  if (!arguments.orbit.empty()) add("--orbit", {arguments.orbit});
  add("--out", {std::filesystem::absolute(out).string()});
  return words;
}

ExitCode hand_to_slurm(const SweepArguments& arguments, const std::filesystem::path& out) {
  if (!arguments.worst.empty())
    throw UsageError("a search is no job array: its next runs depend on the last ones", "leave out --slurm or --worst");
  static_cast<void>(SweepRunner(plan_of(arguments)));  // mistakes are told now, not by 16 jobs
  const bool submits = arguments.slurm == "submit";
  const std::filesystem::path file = submits ? out / "sweep.sbatch" : std::filesystem::path(arguments.slurm);
  std::filesystem::create_directories(out);
  write_file_atomically(file, slurm_script(words_of_study(arguments, out), arguments.model.stem().string(),
                                           std::filesystem::absolute(out).string(), arguments.tasks));
  fmt::print("{}\n", file.string());
  if (!submits) return ExitCode::kOk;
  std::fflush(stdout);
  if (std::system(("sbatch " + shell_word(file.string())).c_str()) != 0)
    throw IoError(fmt::format("sbatch did not take {}", file.string()));
  return ExitCode::kOk;
}

}  // namespace

ExitCode run_sweep_verb(const SweepPlan& plan, const SweepOptions& options, const SweepView& view) {
  SweepHooks hooks;
  hooks.ranks = ranks_of_mpirun();
  const bool is_first_rank = hooks.ranks == nullptr || hooks.ranks->rank() == 0;
  // What is wrong is wrong in all ranks, and said once.
  if (!is_first_rank &&
      (std::freopen("/dev/null", "w", stderr) == nullptr || std::freopen("/dev/null", "w", stdout) == nullptr))
    return ExitCode::kInputOutput;
  if (const std::filesystem::path earlier = options.out / kSweepFileName; std::filesystem::exists(earlier))
    require_readable_study(earlier);
  hooks.stop_requested = &stop_flag();
  hooks.begins = [] { stop_on_signals(); };
  hooks.leave = &leave_study;
  const SweepOutcome outcome = [&] {
    StudyProgress progress(is_first_rank ? sweep_progress_mode(view) : Progress::Mode::kSilent);
    hooks.progress = [&](const SweepProgress& now) { progress.update(now); };
    if (plan.backend != SweepBackend::kEngine) progress.prepare("compiling the model");
    try {
      return run_sweep(plan, options, hooks);
    } catch (const OtherStudy& error) {
      throw UsageError(error.what(), "give this study a folder of its own (--out), or remove that one");
    }
  }();
  if (is_first_rank) {
    if (view.csv == "-")
      fmt::print("{}", sweep_csv(outcome.table));
    else if (!view.csv.empty())
      write_file_atomically(view.csv, sweep_csv(outcome.table));
    if (view.json)
      print_sweep_json(outcome, view);
    else if (!view.quiet && view.csv != "-")
      print_sweep_table(outcome);
    std::fflush(stdout);
    tell_of_failed_study(outcome);
  }
  if (hooks.ranks != nullptr) hooks.ranks->finish();
  return code_of_sweep(outcome, view);
}

ExitCode sweep(const SweepArguments& arguments) {
  const std::filesystem::path out =
      arguments.out.value_or(std::filesystem::path("results") / (arguments.model.stem().string() + "_sweep"));
  if (arguments.json && arguments.csv == "-")
    throw UsageError("--json and --csv - both want the standard output", "give --csv a file");
  if (!arguments.slurm.empty()) return hand_to_slurm(arguments, out);
  SweepOptions options;
  options.out = out;
  options.workers = arguments.workers;
  options.must_exist = arguments.resume;
  if (!arguments.part.empty()) options.part = parse_sweep_part(arguments.part);
  return run_sweep_verb(plan_of(arguments), options,
                        {arguments.csv, arguments.json, arguments.quiet, arguments.strict});
}

}  // namespace freeplay::app
