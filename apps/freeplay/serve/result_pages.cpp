#include "serve/result_pages.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <system_error>

#include "freeplay/core/error.h"
#include "freeplay/report/view/view_data.h"
#include "freeplay/report/view/view_page.h"
#include "serve/viewer_asset.h"
#include "serve/web_request.h"
#include "session/result_access.h"

namespace freeplay::app {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxServedRows = 1'000'000;  // the size of a block sets a limit of its own

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

}  // namespace

WebResponse data_of_result(const fs::path& result, const std::string& query) {
  ViewDataOptions options;
  if (std::optional<WebResponse> refusal = read_query(query, options)) return *refusal;
  // Opened anew, so that the page of a run that is going on sees its latest rows.
  return {200, "application/octet-stream", make_view_data(open_result(result), options).block};
}

WebHandler pages_of_results(const std::vector<ServedResult>& results) {
  const std::string page = results.size() > 1 ? served_page_of_two(viewer_asset(), results[0].label, results[1].label)
                                              : served_page(viewer_asset());
  return [results, page](const WebRequest& request) -> WebResponse {
    if (request.path == "/") return {200, "text/html; charset=utf-8", page};
    if (request.path == "/data") return data_of_result(results[0].file, request.query);
    if (request.path == "/second" && results.size() > 1) return data_of_result(results[1].file, request.query);
    return {404, "text/plain; charset=utf-8",
            results.size() > 1 ? "there is /, /data and /second here\n" : "there is / and /data here\n"};
  };
}

}  // namespace freeplay::app
