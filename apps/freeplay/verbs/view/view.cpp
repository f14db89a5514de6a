#include <fmt/format.h>

#include <array>
#include <cmath>

#include "freeplay/report/atomic_file.h"
#include "freeplay/report/view/view_data.h"
#include "freeplay/report/view/view_page.h"
#include "serve/loopback_server.h"
#include "serve/result_pages.h"
#include "serve/viewer_asset.h"
#include "session/result_access.h"
#include "session/study_access.h"
#include "stop_signal.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"
#include "text/error_report.h"
#include "verbs/verbs.h"
#include "verbs/view/view_film.h"
#include "verbs/view/view_study.h"

namespace freeplay::app {

namespace {

namespace fs = std::filesystem;

// result.h5 becomes view.html; a result that has a name of its own keeps it. Two of them are a page beside the first.
fs::path default_page(const std::vector<fs::path>& results) {
  const fs::path& result = results.front();
  const std::string stem = result.filename() == kResultFileName ? "view" : result.stem().string();
  return result.parent_path() / (stem + (results.size() > 1 ? "_both.html" : ".html"));
}

// What a person calls a result: its folder, or its file where it has a name of its own.
std::string label_of(const fs::path& result) {
  const fs::path whole = fs::absolute(result).lexically_normal();
  if (whole.filename() == kResultFileName) return whole.parent_path().filename().string();
  return whole.has_filename() ? whole.stem().string() : whole.parent_path().filename().string();
}

// The two names by which a page tells results apart.
std::array<std::string, 2> labels_of(const std::vector<fs::path>& names) {
  std::array<std::string, 2> labels = {label_of(names[0]), label_of(names[1])};
  return labels[0] == labels[1] ? std::array<std::string, 2>{"first", "second"} : labels;
}

std::string page_of(const std::vector<ViewData>& runs, const std::vector<fs::path>& names) {
  if (runs.size() == 1) return view_page(viewer_asset(), runs.front().block);
  const std::array<std::string, 2> labels = labels_of(names);
  return view_page_of_two(viewer_asset(), {runs[0].block, labels[0]}, {runs[1].block, labels[1]});
}

struct MadePage {
  std::string text;
  std::vector<ViewData> runs;
};

MadePage make_page(const std::vector<fs::path>& results, const ViewDataOptions& options) {
  MadePage page;
  for (const fs::path& result : results) page.runs.push_back(make_view_data(open_result(result), options));
  page.text = page_of(page.runs, results);
  return page;
}

// A page that one can send: of very many channels it shows fewer rows. How well rows compress is known only afterwards.
MadePage make_page_to_send(const std::vector<fs::path>& results) {
  constexpr double kLargestPage = 5e6, kReserve = 0.95;
  constexpr int kTries = 4;
  const auto program = static_cast<double>(viewer_asset().size());
  ViewDataOptions options;
  MadePage page = make_page(results, options);
  for (int i = 0; i < kTries && static_cast<double>(page.text.size()) >= kLargestPage; ++i) {
    std::int64_t rows = 0;
    for (const ViewData& run : page.runs) rows = std::max(rows, run.rows);
    const double part = (kLargestPage - program) / (static_cast<double>(page.text.size()) - program);
    options.most_rows = std::max<std::int64_t>(2, std::llround(kReserve * part * static_cast<double>(rows)));
    page = make_page(results, options);
  }
  return page;
}

std::string shown_of(std::int64_t shown, std::int64_t total, const char* what) {
  const std::string all = counted(total, what);
  return shown == total ? all : fmt::format("{} of {}", grouped(shown), all);
}

ExitCode serve(const std::vector<fs::path>& results, std::optional<int> port) {
  std::vector<ServedResult> served;
  for (const fs::path& result : results) {
    static_cast<void>(open_result(result).read_time());  // a bad file is told here and not in the browser
    served.push_back({result, ""});
  }
  if (served.size() > 1) {
    const std::array<std::string, 2> labels = labels_of(results);
    for (std::size_t i = 0; i < labels.size(); ++i) served[i].label = labels[i];
  }
  LoopbackServer server(port);
  const std::atomic<bool>& stop = stop_on_signals();
  fmt::print("http://localhost:{}/ shows {}\nCtrl-C ends it.\n", server.port(), printable(results.front().string()));
  std::fflush(stdout);
  server.serve(pages_of_results(served), stop);
  return ExitCode::kOk;  // ending it is how it is meant to end
}

std::optional<fs::path> study_of(const ViewArguments& arguments) {
  std::optional<fs::path> study;
  for (const fs::path& result : arguments.results) {
    if (const std::optional<fs::path> found = study_file_of(result)) study = found;
  }
  if (study && arguments.results.size() > 1)
    throw UsageError("a study is shown alone", "show two of its runs by --run N M");
  if ((!study || !arguments.runs.empty()) && !arguments.waterfalls.empty())
    throw UsageError("--waterfall is a picture of a whole study", "the page of a run has its spectrum under Signals");
  if (!study && !arguments.runs.empty()) throw UsageError("--run is the number of a run of a study", "leave it out");
  if (!study && arguments.model) throw UsageError("--model is that of a study", "leave it out");
  return study;
}

}  // namespace

ExitCode view(const ViewArguments& arguments) {
  if (arguments.port && !arguments.serve)
    throw UsageError("--port is the port of --serve", "add --serve, or leave --port out");
  if (arguments.out && arguments.serve)
    throw UsageError("--serve writes no page, so -o cannot be given", "leave one of them out");
  const std::optional<fs::path> study = study_of(arguments);
  if (study) require_readable_study(*study);
  if (study && arguments.runs.empty()) return view_study(arguments, *study);
  const std::optional<FilmOptions> film = film_options(arguments);
  std::vector<fs::path> results;
  for (const std::int64_t run : arguments.runs) results.push_back(make_kept_run(*study, run, arguments.model));
  if (!study) {
    for (const fs::path& result : arguments.results) results.push_back(result_file_of(result));
  }
  if (arguments.serve) return serve(results, arguments.port);
  const fs::path path = film ? film->file : arguments.out.value_or(default_page(results));
  for (const fs::path& result : results) refuse_output_onto_input(path, result);
  if (film) return write_film(make_page(results, {}).text, *film);
  const MadePage page = make_page_to_send(results);
  write_file_atomically(path, page.text);
  const ViewData& data = page.runs.front();
  fmt::print("{}  {:.1f} MB, shows {} and {}{}\n", printable(path.string()),
             static_cast<double>(page.text.size()) / 1e6, shown_of(data.rows, data.total_rows, "row"),
             shown_of(data.impacts, data.total_impacts, "impact"),
             page.runs.size() > 1 ? ", with a second run over it" : "");
  return ExitCode::kOk;
}

}  // namespace freeplay::app
