#include "film/browser_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "freeplay/core/error.h"

namespace freeplay::app {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kCommandsOf = 3, kAnswersOn = 4;  // the numbers of --remote-debugging-pipe
constexpr double kLookUp_s = 0.5, kPatience_s = 120;
constexpr std::chrono::milliseconds kBetweenTries{50};

std::vector<std::string> browser_words(const fs::path& program, const fs::path& work) {
  std::vector<std::string> words = {program.string(), "--headless", "--remote-debugging-pipe", "--no-first-run",
                                    "--user-data-dir=" + (work / "browser").string(),
                                    // Software draws the same everywhere, with a screen card and without.
                                    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                                    "--ignore-gpu-blocklist", "--disable-dev-shm-usage", "--mute-audio"};
  if (::geteuid() == 0) words.emplace_back("--no-sandbox");  // root, as in containers, has none
  words.emplace_back("about:blank");
  return words;
}

// Of a path with any characters.
std::string file_address(const fs::path& path) {
  std::string address = "file://";
  for (const char c : fs::absolute(path).string()) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("/._-~").find(c) != std::string_view::npos;
    address += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return address;
}

}  // namespace

BrowserSession::BrowserSession(const fs::path& program, const fs::path& page, const fs::path& work,
                               std::function<bool()> should_stop)
    : should_stop_(std::move(should_stop)),
      browser_(browser_words(program, work), {.to_child = kCommandsOf, .from_child = kAnswersOn},
               work / "browser.log") {
  const json target = call("Target.createTarget", {{"url", file_address(page)}});
  session_ = call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}}).at("sessionId");
  // The page is there when its program has begun; then it says itself when it is ready.
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(kPatience_s);
  while (!evaluate("typeof window.freeplayViewer === 'object'").get<bool>()) {
    if (std::chrono::steady_clock::now() > until)
      throw IoError(
          "the browser does not show the page; one that is installed as a snap cannot read the folder of temporary "
          "files: set TMPDIR to a folder in your home");
    std::this_thread::sleep_for(kBetweenTries);
  }
  evaluate("window.freeplayViewer.ready");
}

json BrowserSession::evaluate(const std::string& expression) {
  const json answer =
      call("Runtime.evaluate", {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails")) {
    const json& details = answer["exceptionDetails"];
    std::string text = details.value("text", "the page failed");
    if (details.contains("exception")) text = details["exception"].value("description", text);
    text = text.substr(0, text.find('\n'));  // without the calls that led to it
    constexpr std::string_view kKind = "Error: ";
    if (text.starts_with(kKind)) text.erase(0, kKind.size());
    throw IoError(text);
  }
  return answer.at("result").value("value", json());
}

json BrowserSession::call(const std::string& method, json parameters) {
  json message = {{"id", ++last_id_}, {"method", method}, {"params", std::move(parameters)}};
  if (!session_.empty()) message["sessionId"] = session_;
  if (!browser_.write(message.dump() + '\0')) throw IoError("the browser has ended before the film");
  while (true) {
    const json answer = next_message();
    if (answer.value("id", 0) != last_id_) continue;  // an event, of which nobody asked to hear
    if (answer.contains("error"))
      throw IoError(fmt::format("the browser refuses {}: {}", method, answer["error"].value("message", "")));
    return answer.value("result", json::object());
  }
}

json BrowserSession::next_message() {
  double waited_s = 0;
  std::size_t looked_at = 0;
  while (true) {
    const std::size_t end = received_.find('\0', looked_at);
    if (end != std::string::npos) {
      json message =
          json::parse(received_.begin(), received_.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
      received_.erase(0, end + 1);
      if (message.is_discarded()) throw IoError("the browser sends what is not JSON");
      return message;
    }
    looked_at = received_.size();
    if (should_stop_()) throw Stopped{};
    if (browser_.read_some(received_, kLookUp_s)) {
      waited_s = 0;
      continue;
    }
    waited_s += kLookUp_s;
    if (waited_s > kPatience_s || !browser_.is_running()) throw IoError("the browser has ended, or does not answer");
  }
}

}  // namespace freeplay::app
