// `view`: a page beside the result, and a server that only this machine can reach.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <list>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command_test.h"
#include "support/places.h"

namespace freeplay::test::view_command {

namespace {

using nlohmann::json;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class ViewCommand : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("ball.yaml", kBallOnFloor);
    ASSERT_EQ(freeplay({"run", "ball.yaml", "--quiet"}).exit_code, 0);
  }
};

TEST_F(ViewCommand, WritesAPageBesideTheResultAndSaysWhatItShows) {
  const CommandResult result = freeplay({"view", "results/ball"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("results/ball/view.html  "));
  EXPECT_THAT(result.out, HasSubstr(" MB, shows "));
  EXPECT_THAT(result.out, HasSubstr(" of 30 001 rows and "));
  const std::string page = read("results/ball/view.html");
  EXPECT_THAT(page, StartsWith("<!doctype html>"));
  const std::string element = "<script id=\"freeplay-data\" type=\"text/plain\">";
  const std::size_t at = page.find(element);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(page.substr(at + element.size(), 2), "eJ") << "base64 of what zlib begins with";
}

// Seven joints with play have so many channels that 6000 rows of them are 5.9 MB.
TEST_F(ViewCommand, APageOfManyChannelsHasFewerRowsAndStaysBelowFiveMegabytes) {
  const std::string model = examples_dir() + "/knuckle_press.yaml";
  ASSERT_EQ(freeplay({"run", model, "--set", "simulate.duration=0.31 s", "--out", "press", "--quiet"}).exit_code, 0);
  const CommandResult result = freeplay({"view", "press"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::uintmax_t size = std::filesystem::file_size(folder_ / "press/view.html");
  EXPECT_LT(size, 5'000'000U);
  EXPECT_GT(size, 4'000'000U) << "no fewer rows than need be: " << result.out;
  EXPECT_THAT(result.out, HasSubstr(" of 6 201 rows"));
}

TEST_F(ViewCommand, WritesThePageWhereItIsTold) {
  EXPECT_EQ(freeplay({"view", "results/ball/result.h5", "-o", "page.html"}).exit_code, 0);
  EXPECT_TRUE(exists("page.html"));
  EXPECT_FALSE(exists("results/ball/view.html"));
  std::filesystem::copy(folder_ / "results/ball/result.h5", folder_ / "other.h5");
  EXPECT_EQ(freeplay({"view", "other.h5"}).exit_code, 0);
  EXPECT_TRUE(exists("other.html")) << "a result with a name of its own";
}

TEST_F(ViewCommand, TwoResultsAreOnePageWithBothBlocksAndTheirNames) {
  ASSERT_EQ(freeplay({"run", "ball.yaml", "--quiet", "--out", "results/other"}).exit_code, 0);
  const CommandResult result = freeplay({"view", "results/ball", "results/other/"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("results/ball/view_both.html  "));
  EXPECT_THAT(result.out, EndsWith(", with a second run over it\n"));
  const std::string page = read("results/ball/view_both.html"), element = "type=\"text/plain\">";
  const std::size_t at = page.find(element) + element.size();
  const std::string data = page.substr(at, page.find('<', at) - at);
  const std::size_t first = data.find('|'), second = data.find('|', first + 1);
  ASSERT_NE(second, std::string::npos);
  EXPECT_EQ(data.substr(first + 1, 2), "eJ") << "base64 of what zlib begins with";
  EXPECT_EQ(data.substr(second + 1), "WyJiYWxsIiwib3RoZXIiXQ==") << "base64 of [\"ball\",\"other\"]";
  EXPECT_EQ(freeplay({"view", "results/ball", "results/other", "results/ball"}).exit_code, 2);
}

TEST_F(ViewCommand, OptionsOfAFilmWantAFilm) {
  for (const char* option : {"--from=1ms", "--to=2ms", "--speed=1/50", "--size=640x360", "--magnify=3"}) {
    const CommandResult result = freeplay({"view", "results/ball", option});
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_THAT(result.err, HasSubstr("add --film NAME.webm")) << option;
  }
  const CommandResult result = freeplay({"view", "results/ball", "--film", "film.avi"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("no ending that says what it is"));
  EXPECT_FALSE(exists("film.avi"));
}

TEST_F(ViewCommand, FilesThatAreNoResultsAreInputOutputErrors) {
  std::string half = read("results/ball/result.h5");
  half.resize(half.size() / 2);
  write("half.h5", half);
  write("empty.h5", "");
  for (const char* file : {"missing.h5", "ball.yaml", "half.h5", "empty.h5", "results"}) {
    for (const bool serve : {false, true}) {
      std::vector<std::string> words = {"view", file};
      if (serve) words.emplace_back("--serve");
      const CommandResult result = freeplay(words);
      EXPECT_EQ(result.exit_code, 6) << file;
      EXPECT_THAT(result.err, HasSubstr("cannot read ")) << file;
    }
  }
  const CommandResult result = freeplay({"view", "results/ball", "-o", "ball.yaml/page.html"});
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_THAT(result.err, HasSubstr("cannot write ball.yaml/page.html"));
}

TEST_F(ViewCommand, OptionsThatDoNotFitAreUsageErrors) {
  EXPECT_EQ(freeplay({"view"}).exit_code, 2);
  EXPECT_EQ(freeplay({"view", "results/ball", "--port", "8080"}).exit_code, 2) << "a port without --serve";
  EXPECT_EQ(freeplay({"view", "results/ball", "--serve", "-o", "page.html"}).exit_code, 2);
  EXPECT_EQ(freeplay({"view", "results/ball", "--serve", "--port", "70000"}).exit_code, 2);
  const CommandResult result = freeplay({"view", "results/ball", "--sreve"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean '--serve'?"));
}

// ---- The server --------------------------------------------------------------------------------------------------

class Socket {
 public:
  Socket() : id_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  ~Socket() { ::close(id_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  bool connect(in_addr address, int port) const {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr = address;
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    return ::connect(id_, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0;
  }
  bool connect(const char* address, int port) const {
    in_addr place{};
    ::inet_aton(address, &place);
    return connect(place, port);
  }
  void send(const std::string& text) const { ::send(id_, text.data(), text.size(), MSG_NOSIGNAL); }
  std::string ask(const std::string& request) const {
    if (::send(id_, request.data(), request.size(), MSG_NOSIGNAL) < 0) return "cannot send";
    std::string answer;
    char bytes[65536];
    for (ssize_t count = 0; (count = ::recv(id_, bytes, sizeof bytes, 0)) > 0;)
      answer.append(bytes, static_cast<std::size_t>(count));
    return answer;
  }

 private:
  int id_;
};

class Server : public ViewCommand {
 protected:
  void start(const std::string& result, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"view", result, "--serve"};
    words.insert(words.end(), more.begin(), more.end());
    command_ = std::make_unique<RunningCommand>(folder_, words);
    const std::string prefix = "http://localhost:";
    std::string out;
    wait_until([&] {
      out = latest_stream();
      return out.find("Ctrl-C") != std::string::npos || !command_->is_running();
    });
    ASSERT_THAT(out, StartsWith(prefix));
    port_ = std::stoi(out.substr(prefix.size()));
  }
  // The stream files are numbered through all tests of the program, two for each command.
  std::string latest_stream() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (!entry.path().filename().string().starts_with(".stream")) continue;
      const std::string text = read(entry.path().filename().string());
      if (text.find("http://localhost:") != std::string::npos) return text;
    }
    return {};
  }
  std::string ask_with_host(const std::string& line, const std::string& host) const {
    const Socket socket;
    if (!socket.connect("127.0.0.1", port_)) return "cannot connect";
    return socket.ask(line + " HTTP/1.1\r\nHost: " + host + "\r\nAccept: */*\r\n\r\n");
  }
  std::string get(const std::string& target) const {
    return ask_with_host("GET " + target, "localhost:" + std::to_string(port_));
  }
  static int status(const std::string& answer) { return answer.size() > 12 ? std::stoi(answer.substr(9, 3)) : -1; }
  static std::string body(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }
  static json header_of(const std::string& block) {
    std::uint32_t length = 0;
    std::memcpy(&length, block.data(), sizeof length);
    return json::parse(block.substr(4, length));
  }

  std::unique_ptr<RunningCommand> command_;
  int port_ = 0;
};

TEST_F(Server, GivesThePageAndItsDataAndNothingElse) {
  start("results/ball");
  const std::string page = get("/");
  EXPECT_EQ(status(page), 200);
  EXPECT_THAT(body(page), HasSubstr(">serve:</script>"));
  const json whole = header_of(body(get("/data")));
  EXPECT_EQ(whole["total_rows"], 30'001);
  EXPECT_LE(whole["rows"], 6000);
  const json part = header_of(body(get("/data?from=0.5&to=1&rows=10000")));
  EXPECT_NEAR(part["rows"].get<int>(), 5001, 3) << "all rows, as they fit: 0.5 s at 0.1 ms";
  EXPECT_EQ(header_of(body(get("/data?from=0&to=1%2E5e%2B0&rows=100")))["rows"], 100) << "numbers may be escaped";
  for (const char* target : {"/ball.yaml", "/../ball.yaml", "/data/", "/result.h5", "/favicon.ico", "//"})
    EXPECT_EQ(status(get(target)), 404) << target;
  EXPECT_EQ(body(ask_with_host("HEAD /", "127.0.0.1:" + std::to_string(port_))), "");
}

TEST_F(Server, BadRequestsGetAnExplanation) {
  start("results/ball");
  for (const auto& [query, text] :
       std::vector<std::pair<const char*, const char*>>{{"from=soon", "'from' must be a time in seconds"},
                                                        {"to=nan", "'to' must be a time in seconds"},
                                                        {"from=2&to=1", "'from' must not be later than 'to'"},
                                                        {"rows=1", "'rows' must be a whole number"},
                                                        {"rows=1e3", "'rows' must be a whole number"},
                                                        {"rows=99999999999999999999", "'rows' must be a whole number"},
                                                        {"form=1", "did you mean 'from'?"},
                                                        {"from=1&from=2", "the query is not of the form"},
                                                        {"from=%zz", "the query is not of the form"}}) {
    const std::string answer = get(std::string("/data?") + query);
    EXPECT_EQ(status(answer), 400) << query;
    EXPECT_THAT(body(answer), HasSubstr(text)) << query;
  }
  const std::string host = "localhost:" + std::to_string(port_);
  EXPECT_EQ(status(ask_with_host("POST /data", host)), 405);
  EXPECT_EQ(status(ask_with_host("GET data", host)), 400);
  EXPECT_EQ(status(ask_with_host("nonsense", host)), 400);
  EXPECT_EQ(status(ask_with_host("GET /" + std::string(100'000, 'x'), host)), 431);
  EXPECT_EQ(status(get("/")), 200) << "it still serves";
}

// A name of somebody else's that is made to mean 127.0.0.1 would let his page read results.
TEST_F(Server, RefusesRequestsThatNameAnotherHost) {
  start("results/ball");
  const std::string port = std::to_string(port_);
  EXPECT_EQ(status(ask_with_host("GET /data", "127.0.0.1:" + port)), 200);
  EXPECT_EQ(status(ask_with_host("GET /data", "LOCALHOST:" + port)), 200);
  for (const std::string& host : {std::string("evil.example:") + port, std::string("localhost"),
                                  std::string("localhost:1"), "localhost.evil.example:" + port, std::string()})
    EXPECT_EQ(status(ask_with_host("GET /data", host)), 403) << host;
  EXPECT_EQ(status(ask_with_host("GET /data", "localhost:" + port + "\r\nHost: evil.example")), 400) << "two";
}

TEST_F(Server, ListensOnLoopbackOnly) {
  start("results/ball");
  // sl local_address rem_address st ...: 0100007F is 127.0.0.1, 0A is "listening".
  std::ifstream table("/proc/net/tcp");
  const std::string port = fmt::format(":{:04X}", port_);
  std::vector<std::string> listening;
  std::string line;
  while (std::getline(table, line)) {
    std::istringstream words(line);
    std::string slot, local, remote, state;
    words >> slot >> local >> remote >> state;
    if (state == "0A" && local.ends_with(port)) listening.push_back(local);
  }
  EXPECT_THAT(listening, testing::ElementsAre("0100007F" + port));
  EXPECT_FALSE(Socket().connect("127.0.0.2", port_));
  ifaddrs* all = nullptr;
  ASSERT_EQ(::getifaddrs(&all), 0);
  for (const ifaddrs* own = all; own != nullptr; own = own->ifa_next) {
    if (own->ifa_addr == nullptr || own->ifa_addr->sa_family != AF_INET) continue;
    const in_addr address = reinterpret_cast<const sockaddr_in*>(own->ifa_addr)->sin_addr;
    if (ntohl(address.s_addr) == INADDR_LOOPBACK) continue;
    EXPECT_FALSE(Socket().connect(address, port_)) << ::inet_ntoa(address);
  }
  ::freeifaddrs(all);
}

TEST_F(Server, SilentConnectionsDoNotHoldUpOthers) {
  start("results/ball");
  const Socket silent[3];
  for (const Socket& socket : silent) ASSERT_TRUE(socket.connect("127.0.0.1", port_));
  EXPECT_EQ(status(get("/data")), 200);
}

TEST_F(Server, ManyConnectionsThatTrickleDoNotHoldUpOthers) {
  start("results/ball");
  std::list<Socket> trickling(40);
  for (const Socket& socket : trickling) {
    ASSERT_TRUE(socket.connect("127.0.0.1", port_));
    socket.send("G");
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(status(get("/data")), 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(8)) << "before any of them timed out";
}

TEST_F(Server, WithoutFreeDescriptorsKeepsAnsweringAndDoesNotSpin) {
  start("results/ball");
  // Its listening socket and streams take the first few; three connections are then too many.
  rlimit limit{};
  ASSERT_EQ(::prlimit(command_->id(), RLIMIT_NOFILE, nullptr, &limit), 0);
  limit.rlim_cur = 7;
  ASSERT_EQ(::prlimit(command_->id(), RLIMIT_NOFILE, &limit, nullptr), 0);
  const double before = command_->cpu_seconds();
  std::list<Socket> many(12);
  for (const Socket& socket : many) ASSERT_TRUE(socket.connect("127.0.0.1", port_));
  for (int i = 0; i < 500; ++i) sleep_briefly();
  EXPECT_EQ(status(get("/")), 200);
  EXPECT_LT(command_->cpu_seconds() - before, 0.5) << "in a second";
}

TEST_F(Server, EndsCleanlyOnASignal) {
  for (const int signal : {SIGINT, SIGTERM}) {
    start("results/ball");
    command_->send(signal);
    const CommandResult result = command_->wait();
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (entry.path().filename().string().starts_with(".stream")) std::filesystem::remove(entry.path());
    }
  }
}

TEST_F(Server, APortThatIsTakenIsAnInputOutputError) {
  start("results/ball");
  const CommandResult result = freeplay({"view", "results/ball", "--serve", "--port", std::to_string(port_)});
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_THAT(result.err, HasSubstr("cannot serve on 127.0.0.1:" + std::to_string(port_)));
}

TEST_F(Server, SeesTheRowsOfARunThatGoesOn) {
  write("long.yaml", kLongRun);
  RunningCommand run(folder_, {"run", "long.yaml", "--quiet"});
  wait_until([&] { return exists("results/long/result.h5"); });
  start("results/long");
  const auto rows = [&] { return header_of(body(get("/data?rows=10")))["total_rows"].get<std::int64_t>(); };
  const std::int64_t first = rows();
  wait_until([&] { return rows() > first; });
  EXPECT_EQ(header_of(body(get("/data")))["status"], "running or killed");
}

}  // namespace

}  // namespace freeplay::test::view_command
