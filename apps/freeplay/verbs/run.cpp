#include <fmt/format.h>

#include <cstdio>

#include "freeplay/core/run_context.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/result/record_layout.h"
#include "freeplay/io/result/result_writer.h"
#include "stop_signal.h"
#include "text/contact_report.h"
#include "text/overview.h"
#include "text/progress.h"
#include "text/report.h"
#include "text/terminal.h"
#include "verbs/problem_dump.h"
#include "verbs/result_access.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

Progress::Mode progress_mode(const RunArguments& arguments) {
  if (arguments.quiet) return Progress::Mode::kSilent;
  if (is_terminal(stderr)) return Progress::Mode::kBar;
  return arguments.json ? Progress::Mode::kSilent : Progress::Mode::kLines;
}

// What is known before the run.
RunReport begin_report(const RunArguments& arguments, const ModelFile& file, const Overview& overview) {
  RunReport report;
  report.is_strict = arguments.strict;
  report.model = file.name;
  report.integrator = file.simulate.integrator;
  report.notes = overview.notes();
  if (find_integrator(file.simulate.integrator)->traits.has_force_laws()) {
    for (const ContactReport& contact : contact_reports(file, overview)) {
      for (const std::string& warning : contact.warnings) {
        report.notes.push_back(fmt::format("{}: {}", contact.contact, warning));
      }
    }
  }
  report.result = arguments.out.value_or(std::filesystem::path("results") / arguments.model.stem()) / kResultFileName;
  return report;
}

void simulate(const RunArguments& arguments, const ModelFile& file, Simulation& simulation, RunReport& report) {
  const Painter paint(stderr);
  Progress progress(progress_mode(arguments), file.simulate.duration_s);
  RunContext context;
  // Only now: before the run there is nothing to end cleanly, and a signal ends the command at once, however long the
  // model takes to read and to build.
  context.stop_requested = &stop_on_signals();
  context.progress = [&](double fraction, std::int64_t steps) { progress.update(fraction, steps); };
  context.log = [&](LogLevel level, std::string_view text) {
    std::vector<std::string>& list = level == LogLevel::kWarning ? report.warnings : report.notes;
    list.emplace_back(text);
    if (level == LogLevel::kWarning) progress.say(fmt::format("{} {}", paint.yellow("warning:"), text));
  };
  // Nothing has been written up to here: a model with mistakes leaves the folder as it was.
  ResultWriter writer(report.result);
  report.summary = simulation.run(writer, context, record_layout(file));
}

void print_failure(const RunSummary& summary) {
  const Painter paint(stderr);
  const std::string cure = cure_of(summary.failure);
  fmt::print(stderr, "{} the run failed {}\n", paint.red("error:"), summary.message);
  if (!cure.empty()) fmt::print(stderr, "    {} {}\n", paint.cyan("hint:"), cure);
}

}  // namespace

ExitCode run(const RunArguments& arguments) {
  std::optional<ProblemDumpOptions> dump_options;
  if (!arguments.dump_problems.empty()) dump_options = parse_problem_dump(arguments.dump_problems);
  const ModelFile file = load_model(arguments.model, arguments.overrides);
  const Overview overview = overview_of(file);
  const std::unique_ptr<Simulation> simulation = build_simulation(file, overview.model());
  RunReport report = begin_report(arguments, file, overview);
  refuse_output_onto_input(report.result, arguments.model);
  std::optional<ProblemDump> dump;
  if (dump_options) {
    dump_options->folder = report.result.parent_path() / "problems";
    dump_options->model = file.name;
    dump.emplace(*dump_options);
    simulation->observe_contact_problems(std::ref(*dump));
  }
  simulate(arguments, file, *simulation, report);
  if (dump) {
    const std::vector<std::string> notes = dump->notes();
    report.notes.insert(report.notes.end(), notes.begin(), notes.end());
    report.problems = {dump->written(), dump->left_out()};
  }

  if (report.summary.status == RunStatus::kFailed) print_failure(report.summary);
  if (arguments.json)
    print_json(report);
  else if (!arguments.quiet)
    print_table(report);
  return exit_code_of(report);
}

}  // namespace freeplay::app
