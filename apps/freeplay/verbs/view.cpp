#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <system_error>

#include "freeplay/report/atomic_file.h"
#include "freeplay/report/view/view_data.h"
#include "freeplay/report/view/view_page.h"
#include "serve/loopback_server.h"
#include "serve/viewer_asset.h"
#include "serve/web_request.h"
#include "stop_signal.h"
#include "text/error_report.h"
#include "text/terminal.h"
#include "text/text_table.h"
#include "verbs/result_access.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxServedRows = 1'000'000;  // the size of a block sets a limit of its own

// result.h5 becomes view.html; a result that has a name of its own keeps it.
fs::path default_page(const fs::path& result) {
  return result.parent_path() / (result.filename() == kResultFileName ? "view.html" : result.stem().string() + ".html");
}

std::string shown_of(std::int64_t shown, std::int64_t total, const char* what) {
  const std::string all = counted(total, what);
  return shown == total ? all : fmt::format("{} of {}", grouped(shown), all);
}

// A number that takes up the whole text.
template <class Number>
std::optional<Number> number_of(const std::string& text) {
  Number value{};
  const std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

WebResponse bad_query(const std::string& text) {
  return {400, "text/plain; charset=utf-8", text + "\n"};
}

// The options of data?from=0.1&to=0.2&rows=5000, or what is wrong with them.
std::optional<WebResponse> read_query(const std::string& query, ViewDataOptions& options) {
  std::map<std::string, std::string> values;
  if (!parse_query(query, values)) return bad_query("the query is not of the form from=T0&to=T1&rows=N");
  for (const auto& [name, text] : values) {
    if (name == "from" || name == "to") {
      const std::optional<double> time = number_of<double>(text);
      if (!time || !std::isfinite(*time)) return bad_query(fmt::format("'{}' must be a time in seconds", name));
      (name == "from" ? options.from_s : options.to_s) = *time;
    } else if (name == "rows") {
      const std::optional<std::int64_t> rows = number_of<std::int64_t>(text);
      if (!rows || *rows < 2 || *rows > kMaxServedRows)
        return bad_query(fmt::format("'rows' must be a whole number from 2 to {}", kMaxServedRows));
      options.most_rows = *rows;
    } else {
      return bad_query(fmt::format("there is no '{}'; {}", name, did_you_mean(name, {"from", "to", "rows"})));
    }
  }
  if (options.from_s && options.to_s && *options.from_s > *options.to_s)
    return bad_query("'from' must not be later than 'to'");
  return std::nullopt;
}

WebResponse data_response(const fs::path& result, const std::string& query) {
  ViewDataOptions options;
  if (std::optional<WebResponse> refusal = read_query(query, options)) return *refusal;
  // Opened anew, so that the page of a run that is going on sees its latest rows.
  return {200, "application/octet-stream", make_view_data(open_result(result), options).block};
}

ExitCode serve(const fs::path& result, std::optional<int> port) {
  static_cast<void>(open_result(result).read_time());  // a bad file is told here and not in the browser
  const std::string page = served_page(viewer_asset());
  LoopbackServer server(port);
  const std::atomic<bool>& stop = stop_on_signals();
  fmt::print("http://localhost:{}/ shows {}\nCtrl-C ends it.\n", server.port(), printable(result.string()));
  std::fflush(stdout);
  server.serve(
      [&](const WebRequest& request) -> WebResponse {
        if (request.path == "/") return {200, "text/html; charset=utf-8", page};
        if (request.path == "/data") return data_response(result, request.query);
        return {404, "text/plain; charset=utf-8", "there is / and /data here\n"};
      },
      stop);
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
