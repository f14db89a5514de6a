#include <fmt/format.h>

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

namespace freeplay::app {

namespace {

namespace fs = std::filesystem;

// result.h5 becomes view.html; a result that has a name of its own keeps it.
fs::path default_page(const fs::path& result) {
  return result.parent_path() / (result.filename() == kResultFileName ? "view.html" : result.stem().string() + ".html");
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
  const fs::path result = result_file_of(arguments.result);
  if (arguments.serve) return serve(result, arguments.port);
  const fs::path path = arguments.out.value_or(default_page(result));
  refuse_output_onto_input(path, result);
  const ViewData data = make_view_data(open_result(result));
  const std::string page = view_page(viewer_asset(), data.block);
  write_file_atomically(path, page);
  fmt::print("{}  {:.1f} MB, shows {} and {}\n", printable(path.string()), static_cast<double>(page.size()) / 1e6,
             shown_of(data.rows, data.total_rows, "row"), shown_of(data.impacts, data.total_impacts, "impact"));
  return ExitCode::kOk;
}

}  // namespace freeplay::app
