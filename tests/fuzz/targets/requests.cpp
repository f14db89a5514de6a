#include <algorithm>

#include "fuzz/engine/fuzz_target.h"
#include "fuzz/targets/file_input.h"
#include "fuzz/targets/targets.h"
#include "serve/result_pages.h"
#include "serve/web_request.h"

namespace freeplay::test::fuzz {

namespace {

constexpr int kPort = 8080;

const app::WebHandler& pages() {
  static const app::WebHandler handler = [] {
    const std::string result = result_seeds().front();
    return app::pages_of_results(
        {{write_input("served.h5", reinterpret_cast<const std::uint8_t*>(result.data()), result.size()), ""}});
  }();
  return handler;
}

// A status line, fields, an empty line, and as many bytes as Content-Length says.
void require_answer(std::string_view text, bool may_lack_body) {
  const std::size_t end = text.find("\r\n\r\n"), at = text.find("Content-Length: ");
  if (!text.starts_with("HTTP/1.1 ") || end == std::string_view::npos || at > end)
    report_finding("an answer without a head");
  const std::size_t said = std::stoul(std::string(text.substr(at + 16, 20)));
  const std::size_t sent = text.size() - end - 4;
  if (sent != said && !(may_lack_body && sent == 0)) report_finding("an answer of another length than it says");
  if (text.starts_with("HTTP/1.1 5")) report_finding("the server blames itself");
}

}  // namespace

int fuzz_request(const std::uint8_t* data, std::size_t size) {
  std::string head(reinterpret_cast<const char*>(data), size);
  head.resize(std::min(head.size(), head.find("\r\n\r\n")));  // what the server takes for a whole head
  head += "\r\n\r\n";
  require_answer(app::answer(head, kPort, pages()), head.starts_with("HEAD "));
  return 0;
}

std::vector<std::string> request_seeds() {
  const std::string rest = " HTTP/1.1\r\nHost: localhost:8080\r\nUser-Agent: x\r\nAccept: */*\r\n\r\n";
  std::vector<std::string> seeds;
  for (const char* begin : {"GET /", "HEAD /", "GET /data", "HEAD /data?rows=5", "GET /data?from=0.1&to=0.2&rows=50",
                            "GET /data?from=%30.1", "GET /none", "POST /data"})
    seeds.push_back(begin + rest);
  return seeds;
}

std::vector<std::string> request_words() {
  return {"GET",
          "HEAD",
          "POST",
          "/data",
          "HTTP/1.0",
          "HTTP/1.1",
          "Host: 127.0.0.1:8080\r\n",
          "Host",
          "from=",
          "to=",
          "rows=",
          "&",
          "?",
          "%2",
          "%41",
          "+",
          "\r\n",
          "1e308",
          "rows=99999999",
          "..%2f",
          "localhost",
          "8080",
          "Host: localhost\r\n"};
}

}  // namespace freeplay::test::fuzz
