#include "verbs/view/view_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <system_error>

#include "freeplay/core/error.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/result/result_writer.h"
#include "freeplay/io/schema/record_layout.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "freeplay/report/atomic_file.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/report/view/view_page.h"
#include "freeplay/study/sweep/pictures/waterfall.h"
#include "freeplay/study/sweep/runs/study_member.h"
#include "serve/loopback_server.h"
#include "serve/study_pages.h"
#include "serve/viewer_asset.h"
#include "session/result_access.h"
#include "session/run_session.h"
#include "stop_signal.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"
#include "text/error_report.h"
#include "text/overview.h"
#include "verbs/kept_text.h"

namespace freeplay::app {

namespace {

namespace fs = std::filesystem;

// What a kept run was made from, in a file beside it: another study in the same folder is another text.
fs::path origin_file(const fs::path& study, std::int64_t run) {
  return kept_run(study, run).parent_path() / "made_from.txt";
}

// Empty if the study has no such run.
std::string origin_of_run(const SweepTable& table, std::int64_t run) {
  const auto row = std::ranges::find_if(table.rows, [&](const SweepRow& any) { return any.index == run; });
  const auto study = table.header.attributes.find("study");
  if (row == table.rows.end() || study == table.header.attributes.end()) return "";
  std::string text = study->second + "\n";
  for (const double value : row->values) text += fmt::format("{}\n", value);
  return text;
}

ExitCode serve_study(const ViewArguments& arguments, const fs::path& study) {
  static_cast<void>(read_sweep(study));  // a bad file is told here and not in the browser
  LoopbackServer server(arguments.port);
  const std::atomic<bool>& stop = stop_on_signals();
  fmt::print("http://localhost:{}/ shows {}\nCtrl-C ends it.\n", server.port(), printable(study.string()));
  std::fflush(stdout);
  server.serve(pages_of_study(study, arguments.model), stop);
  return ExitCode::kOk;
}

std::vector<Waterfall> waterfalls_of(const ViewArguments& arguments, const fs::path& study) {
  std::vector<Waterfall> waterfalls;
  if (arguments.waterfalls.empty()) return waterfalls;
  const std::atomic<bool>& stop = stop_on_signals();
  const SweepTable table = read_sweep(study);
  try {
    for (const std::string& channel : arguments.waterfalls)
      waterfalls.push_back(from_kept_text(arguments.model, [&] {
        return make_waterfall(table, {channel, {}, {}, {}, arguments.model, 0}, &stop);
      }));
  } catch (const PlotError& error) {
    throw UsageError(error.what(), error.hint());
  }
  return waterfalls;
}

}  // namespace

std::string text_of_file(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

fs::path kept_run(const fs::path& study, std::int64_t run) {
  return study.parent_path() / fmt::format("run_{}", run) / kResultFileName;
}

bool is_kept_run_of(const SweepTable& table, const fs::path& study, std::int64_t run) {
  const std::string origin = origin_of_run(table, run);
  return !origin.empty() && text_of_file(origin_file(study, run)) == origin;
}

bool has_kept_run(const fs::path& study, std::int64_t run) {
  const fs::path result = kept_run(study, run);
  std::error_code error;
  if (!fs::exists(result, error)) return false;
  try {
    if (!is_kept_run_of(read_sweep_run(study, run), study, run)) return false;
    const std::optional<RunSummary> summary = open_result(result).summary();
    return summary && summary->status != RunStatus::kInterrupted;
  } catch (const std::exception&) {
    return false;
  }
}

fs::path make_kept_run(const fs::path& study, std::int64_t run, const std::optional<fs::path>& model) {
  fs::path result = kept_run(study, run);
  if (has_kept_run(study, run)) return result;
  const SweepTable table = read_sweep(study);
  const RecordedMember member = from_kept_text(model, [&] { return study_member(table, run, model); });
  const std::unique_ptr<Simulation> simulation = build_simulation(member.file, member.model);
  const RunView view{false, false, false};
  RunReport report = begin_report(member.file, overview_of(member.file), result, view);
  watch_run(
      member.file, view,
      [&](const RunContext& context) {
        ResultWriter writer(result);
        return simulation->run(member.start, writer, context, record_layout(member.file));
      },
      report);
  if (report.summary.status == RunStatus::kInterrupted) throw IoError("the run was interrupted");
  write_file_atomically(origin_file(study, run), origin_of_run(table, run));
  if (report.summary.status == RunStatus::kFailed)
    fmt::print(stderr, "{} run {} failed {}\n", Painter(stderr).yellow("note:"), run,
               printable(report.summary.message));
  return result;
}

ExitCode view_study(const ViewArguments& arguments, const fs::path& study) {
  if (!arguments.film.empty()) throw UsageError("a film shows one run of a study", "add --run N");
  if (arguments.serve && !arguments.waterfalls.empty())
    throw UsageError("--waterfall belongs to a page on disk", "leave out --serve");
  if (arguments.serve) return serve_study(arguments, study);
  const fs::path path = arguments.out.value_or(study.parent_path() / "view.html");
  refuse_output_onto_input(path, study);
  const StudyPageData data = study_page_data(study, path, waterfalls_of(arguments, study));
  const std::string page = view_page(viewer_asset(), data.block);
  write_file_atomically(path, page);
  const auto shown = [](std::int64_t some, std::int64_t all, const char* what) {
    return some == all ? counted(all, what) : fmt::format("{} of {}", grouped(some), counted(all, what));
  };
  fmt::print("{}  {:.1f} MB, shows {}{}\n", printable(path.string()), static_cast<double>(page.size()) / 1e6,
             shown(data.rows, data.total_rows, "run"),
             data.total_crossings > 0
                 ? " and " + shown(data.crossings, data.total_crossings, "point") + " of the section"
                 : "");
  return ExitCode::kOk;
}

}  // namespace freeplay::app
