#include <fmt/format.h>

#include <array>

#include "freeplay/report/atomic_file.h"
#include "freeplay/report/view/view_data.h"
#include "freeplay/report/view/view_page.h"
#include "serve/loopback_server.h"
#include "serve/result_pages.h"
#include "serve/viewer_asset.h"
#include "stop_signal.h"
#include "text/error_report.h"
#include "text/terminal.h"
#include "text/text_table.h"
#include "verbs/result_access.h"
#include "verbs/verbs.h"
#include "verbs/view_film.h"

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

std::string page_of(const std::vector<ViewData>& runs, const std::vector<fs::path>& names) {
  if (runs.size() == 1) return view_page(viewer_asset(), runs.front().block);
  std::array<std::string, 2> labels = {label_of(names[0]), label_of(names[1])};
  if (labels[0] == labels[1]) labels = {"first", "second"};
  return view_page_of_two(viewer_asset(), {runs[0].block, labels[0]}, {runs[1].block, labels[1]});
}

std::string shown_of(std::int64_t shown, std::int64_t total, const char* what) {
  const std::string all = counted(total, what);
  return shown == total ? all : fmt::format("{} of {}", grouped(shown), all);
}

ExitCode serve(const fs::path& result, std::optional<int> port) {
  static_cast<void>(open_result(result).read_time());  // a bad file is told here and not in the browser
  LoopbackServer server(port);
  const std::atomic<bool>& stop = stop_on_signals();
  fmt::print("http://localhost:{}/ shows {}\nCtrl-C ends it.\n", server.port(), printable(result.string()));
  std::fflush(stdout);
  server.serve(pages_of_result(result), stop);
  return ExitCode::kOk;  // ending it is how it is meant to end
}

}  // namespace

ExitCode view(const ViewArguments& arguments) {
  if (arguments.port && !arguments.serve)
    throw UsageError("--port is the port of --serve", "add --serve, or leave --port out");
  if (arguments.out && arguments.serve)
    throw UsageError("--serve writes no page, so -o cannot be given", "leave one of them out");
  if (arguments.serve && arguments.results.size() > 1)
    throw UsageError("--serve shows one result", "leave --serve out, or one of the results");
  const std::optional<FilmOptions> film = film_options(arguments);
  std::vector<fs::path> results;
  for (const fs::path& result : arguments.results) results.push_back(result_file_of(result));
  if (arguments.serve) return serve(results.front(), arguments.port);
  const fs::path path = film ? film->file : arguments.out.value_or(default_page(results));
  for (const fs::path& result : results) refuse_output_onto_input(path, result);
  std::vector<ViewData> runs;
  for (const fs::path& result : results) runs.push_back(make_view_data(open_result(result)));
  const std::string page = page_of(runs, arguments.results);
  if (film) return write_film(page, *film);
  write_file_atomically(path, page);
  const ViewData& data = runs.front();
  fmt::print("{}  {:.1f} MB, shows {} and {}{}\n", printable(path.string()), static_cast<double>(page.size()) / 1e6,
             shown_of(data.rows, data.total_rows, "row"), shown_of(data.impacts, data.total_impacts, "impact"),
             runs.size() > 1 ? ", with a second run over it" : "");
  return ExitCode::kOk;
}

}  // namespace freeplay::app
