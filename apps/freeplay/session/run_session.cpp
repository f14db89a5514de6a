#include "session/run_session.h"

#include <fmt/format.h>

#include <cstdio>

#include "freeplay/integrators/integrator.h"
#include "stop_signal.h"
#include "terminal/progress.h"
#include "terminal/readable.h"
#include "terminal/terminal.h"
#include "text/contact_report.h"

namespace freeplay::app {

namespace {

Progress::Mode run_progress_mode(const RunView& view) {
  if (view.quiet) return Progress::Mode::kSilent;
  if (is_terminal(stderr)) return Progress::Mode::kBar;
  return view.json ? Progress::Mode::kSilent : Progress::Mode::kLines;
}

void print_failure(const RunSummary& summary) {
  const Painter paint(stderr);
  const std::string cure = cure_of(summary.failure);
  fmt::print(stderr, "{}\n", message_text(stderr, paint.red("error:"), "the run failed " + summary.message));
  if (!cure.empty()) fmt::print(stderr, "{}\n", message_text(stderr, paint.cyan("hint:"), cure, 4));
}

// What the file says when it is closed. A run of which it cannot be read has been told of already.
void look_at_result(RunReport& report) {
  std::error_code error;
  if (report.summary.rows == 0 || !std::filesystem::exists(report.result, error)) return;
  const ResultReader result(report.result);
  if (is_found_quickly(result)) report.findings = find_out(result);
}

}  // namespace

RunReport begin_report(const ModelFile& file, const Overview& overview, const std::filesystem::path& result,
                       const RunView& view) {
  RunReport report;
  report.is_strict = view.strict;
  report.model = file.name;
  report.integrator = file.simulate.integrator;
  report.notes = overview.notes();
  for (const ModelParameter& parameter : file.parameters) {
    if (parameter.distribution && parameter.text.find(", may interfere") != std::string::npos)
      report.notes.push_back(fmt::format("{}: {}; the run takes the mean clearance, {}", parameter.name, parameter.text,
                                         app::with_unit(parameter.value.value, "m")));
  }
  if (find_integrator(file.simulate.integrator)->traits.has_force_laws()) {
    for (const ContactReport& contact : contact_reports(file, overview)) {
      for (const std::string& warning : contact.warnings) {
        report.notes.push_back(fmt::format("{}: {}", contact.contact, warning));
      }
    }
  }
  report.result = result;
  return report;
}

void watch_run(const ModelFile& file, const RunView& view, const std::function<RunSummary(const RunContext&)>& run,
               RunReport& report) {
  const Painter paint(stderr);
  Progress progress(run_progress_mode(view), file.simulate.duration_s);
  RunContext context;
  // Only now: before the run there is nothing to end cleanly, and a signal ends the command at once, however long the
  // model takes to read and to build.
  context.stop_requested = &stop_soon_on_signals();
  context.stopping = &follow_stop;
  context.progress = [&](double fraction, std::int64_t steps) { progress.update(fraction, steps); };
  context.log = [&](LogLevel level, std::string_view text) {
    std::vector<std::string>& list = level == LogLevel::kWarning ? report.warnings : report.notes;
    list.emplace_back(text);
    if (level == LogLevel::kWarning) progress.say(message_text(stderr, paint.yellow("warning:"), text));
  };
  report.summary = run(context);
  follow_stop();  // a run that has ended by itself has nothing left to leave
}

ExitCode tell(RunReport& report, const RunView& view) {
  if (view.json || !view.quiet) look_at_result(report);
  if (report.summary.status == RunStatus::kFailed) print_failure(report.summary);
  if (view.json)
    print_json(report);
  else if (!view.quiet)
    print_table(report);
  return exit_code_of(report);
}

}  // namespace freeplay::app
