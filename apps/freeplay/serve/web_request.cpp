#include "serve/web_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <vector>

namespace freeplay::app {

namespace {

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 431:
      return "Request Header Fields Too Large";
    default:
      return "Internal Server Error";
  }
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// Takes the text up to `mark` off the front of `rest`, and the mark itself.
std::string_view take_until(std::string_view& rest, std::string_view mark) {
  const std::size_t at = rest.find(mark);
  const std::string_view taken = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + mark.size());
  return taken;
}

// All values of a field, in lower case.
std::vector<std::string> values_of(std::string_view fields, std::string_view field) {
  std::vector<std::string> values;
  while (!fields.empty()) {
    std::string_view line = take_until(fields, "\r\n");
    const std::string_view name = take_until(line, ":");
    if (lower(name) == field) values.push_back(lower(trimmed(line)));
  }
  return values;
}

bool is_this_host(const std::string& host, int port) {
  for (const char* name : {"127.0.0.1", "localhost"}) {
    if (host == fmt::format("{}:{}", name, port) || (port == 80 && host == name)) return true;
  }
  return false;
}

WebResponse refusal(int status, std::string text) {
  return {status, "text/plain; charset=utf-8", std::move(text) + "\n"};
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const int letter = std::tolower(static_cast<unsigned char>(c));
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

bool unescape(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return false;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return true;
}

}  // namespace

std::string wire_text(const WebResponse& response, bool with_body) {
  std::string text = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n{}\r\n",
      response.status, reason_of(response.status), response.type, response.body.size(),
      response.status == 405 ? "Allow: GET, HEAD\r\n" : "");
  if (with_body) text += response.body;
  return text;
}

std::string answer(std::string_view head, int port, const WebHandler& handler) {
  std::string_view line = take_until(head, "\r\n");
  const std::string_view method = take_until(line, " ");
  std::string_view target = take_until(line, " ");
  if (!line.starts_with("HTTP/1.") || !target.starts_with("/"))
    return wire_text(refusal(400, "this is not an HTTP/1.1 request"));
  const std::vector<std::string> hosts = values_of(head, "host");  // HTTP asks for exactly one
  if (hosts.size() != 1) return wire_text(refusal(400, "a request has exactly one Host field"));
  if (!is_this_host(hosts.front(), port))
    return wire_text(refusal(403, fmt::format("only http://localhost:{} is served here", port)));
  if (method != "GET" && method != "HEAD") return wire_text(refusal(405, "only GET and HEAD are answered"));
  WebRequest request;
  request.path = take_until(target, "?");
  request.query = target;
  request.is_from_own_page = method == "GET" && !values_of(head, "x-freeplay").empty();
  try {
    return wire_text(handler(request), method == "GET");
  } catch (const std::exception& error) {
    return wire_text(refusal(500, error.what()));
  }
}

bool parse_query(std::string_view query, std::map<std::string, std::string>& values) {
  while (!query.empty()) {
    std::string_view pair = take_until(query, "&");
    std::string name, value;
    const std::string_view raw_name = take_until(pair, "=");
    if (!unescape(raw_name, name) || !unescape(pair, value)) return false;
    if (!values.emplace(name, value).second) return false;
  }
  return true;
}

}  // namespace freeplay::app
