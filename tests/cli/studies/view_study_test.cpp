// `view` of a study: its page, single runs that are made again, and a server that makes them when they are asked for.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command_test.h"
#include "freeplay/io/result/result_reader.h"
#include "freeplay/io/sweep/sweep_file.h"

namespace freeplay::test::view_study_command {

namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;
using StudyWords = std::vector<std::string>;

class ViewStudy : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("pendulum.yaml", kPendulum);
  }
  void sweep(const StudyWords& more) const {
    StudyWords words = {"sweep", "pendulum.yaml", "--out", "study", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    const CommandResult result = freeplay(words);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  // What the run measured when it was made again.
  std::vector<double> measures_of(int run) const {
    const ResultReader result(folder_ / fmt::format("study/run_{}/result.h5", run));
    std::vector<double> values;
    for (const MeasuredValue& measure : result.summary()->measures) values.push_back(measure.value);
    return values;
  }
};
const StudyWords kTwoParameters = {"--over",    "speed=0:1 rad/s:4",      "--over",    "l=1m,2m",
                                   "--measure", "top=max(elbow.force_x)", "--measure", "turn=final(upper.angle)"};

TEST_F(ViewStudy, IsAPageBesideTheStudy) {
  sweep(kTwoParameters);
  const CommandResult result = freeplay({"view", "study"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("study/view.html  "));
  EXPECT_THAT(result.out, HasSubstr(" MB, shows 8 runs\n"));
  EXPECT_THAT(read("study/view.html"), StartsWith("<!doctype html>"));
  EXPECT_LT(read("study/view.html").size(), 5'000'000U);
}

// With other channels recorded and the motion beside them: the numbers are those of the study all the same.
TEST_F(ViewStudy, MakesARunAgainWithTheSameBits) {
  sweep(kTwoParameters);
  const SweepTable table = read_sweep(folder_ / "study/sweep.h5");
  for (const int run : {0, 5}) {
    const CommandResult result = freeplay({"view", "study", "--run", std::to_string(run)});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, StartsWith(fmt::format("study/run_{}/view.html", run)));
    const std::vector<double> again = measures_of(run), &row = table.rows[static_cast<std::size_t>(run)].values;
    ASSERT_EQ(again.size(), 2U);
    EXPECT_EQ(again[0], row[2]);
    EXPECT_EQ(again[1], row[3]);
  }
}

// By what it was made from, not by its time: files are copied, and a study grows.
TEST_F(ViewStudy, AKeptRunOfAnotherStudyIsMadeAgain) {
  const auto kept_mass = [&] {
    const CommandResult result = freeplay({"view", "study", "--run", "1"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return measures_of(1).at(0);
  };
  sweep({"--over", "m=1kg,2kg", "--measure", "turn=final(upper.angle)"});
  const double first = kept_mass();
  const auto time_made = std::filesystem::last_write_time(folder_ / "study/run_1/result.h5");
  EXPECT_EQ(kept_mass(), first);
  EXPECT_EQ(std::filesystem::last_write_time(folder_ / "study/run_1/result.h5"), time_made) << "kept";
  std::filesystem::remove(folder_ / "study/sweep.h5");
  sweep({"--over", "speed=1rad/s,2rad/s", "--measure", "turn=final(upper.angle)"});
  std::filesystem::last_write_time(folder_ / "study/run_1/result.h5",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_NE(kept_mass(), first) << "newer than the study, but of another one";
}

TEST_F(ViewStudy, ShowsTwoRunsOverEachOther) {
  sweep(kTwoParameters);
  const CommandResult result = freeplay({"view", "study", "--run", "1", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("study/run_1/view_both.html"));
}

// A run that followed its neighbour begins where that one ended, not where the model says.
TEST_F(ViewStudy, ARunThatFollowedItsNeighbourBeginsWhereThatOneEnded) {
  sweep({"--over", "speed=1 rad/s:2 rad/s:4", "--follow", "up", "--measure", "turn=final(upper.angle)"});
  const SweepTable table = read_sweep(folder_ / "study/sweep.h5");
  ASSERT_EQ(freeplay({"view", "study", "--run", "2"}).exit_code, 0);
  EXPECT_EQ(measures_of(2)[0], table.rows[2].values[1]);
}

TEST_F(ViewStudy, RunsThatCannotBeShownSayWhy) {
  sweep({"--over", "m=1kg,-1kg", "--measure", "turn=final(upper.angle)"});
  const CommandResult refused = freeplay({"view", "study", "--run", "1"});
  EXPECT_EQ(refused.exit_code, 3) << refused.err;
  const CommandResult missing = freeplay({"view", "study", "--run", "7"});
  EXPECT_EQ(missing.exit_code, 6) << missing.err;
  EXPECT_THAT(missing.err, HasSubstr("the study has no run 7: it has 2 of 2, numbered from 0"));
  write("pendulum.yaml", kPendulum + "# another text\n");
  EXPECT_EQ(freeplay({"view", "study", "--run", "0"}).exit_code, 0) << "the text of the model is in the study";
  std::filesystem::remove_all(folder_ / "study/run_0");
  EXPECT_THAT(freeplay({"view", "study", "--run", "0", "--model", "pendulum.yaml"}).err,
              HasSubstr("is not the model that the study was made from"));
}

TEST_F(ViewStudy, OptionsThatDoNotFitAreUsageErrors) {
  sweep(kTwoParameters);
  EXPECT_EQ(freeplay({"view", "study", "--film", "a.webm"}).exit_code, 2);
  EXPECT_EQ(freeplay({"view", "study", "study"}).exit_code, 2);
  EXPECT_EQ(freeplay({"view", "study", "--run", "-1"}).exit_code, 2);
  ASSERT_EQ(freeplay({"run", "pendulum.yaml", "--quiet"}).exit_code, 0);
  EXPECT_EQ(freeplay({"view", "results/pendulum", "--run", "1"}).exit_code, 2);
}

std::string ask_port(int port, const std::string& target, const std::string& more = "") {
  const int id = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  std::string answer;
  if (::connect(id, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0) {
    const std::string request = fmt::format("GET {} HTTP/1.1\r\nHost: localhost:{}\r\n{}\r\n", target, port, more);
    ::send(id, request.data(), request.size(), MSG_NOSIGNAL);
    char bytes[65536];
    for (ssize_t count = 0; (count = ::recv(id, bytes, sizeof bytes, 0)) > 0;)
      answer.append(bytes, static_cast<std::size_t>(count));
  }
  ::close(id);
  return answer;
}

class StudyServer : public ViewStudy {
 protected:
  void start(const StudyWords& words) {
    command_ = std::make_unique<RunningCommand>(folder_, words);
    std::string out;
    wait_until([&] {
      out = printed_address();
      return !out.empty() || !command_->is_running();
    });
    const std::string prefix = "http://localhost:";
    ASSERT_THAT(out, StartsWith(prefix));
    port_ = std::stoi(out.substr(prefix.size()));
  }
  std::string printed_address() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (!entry.path().filename().string().starts_with(".stream")) continue;
      const std::string text = read(entry.path().filename().string());
      if (text.find("Ctrl-C") != std::string::npos) return text;
    }
    return {};
  }
  std::string get(const std::string& target, const std::string& more = "") const {
    return ask_port(port_, target, more);
  }
  static int status(const std::string& answer) { return answer.size() > 12 ? std::stoi(answer.substr(9, 3)) : -1; }
  static json header_of(const std::string& answer) {
    const std::string block = answer.substr(answer.find("\r\n\r\n") + 4);
    std::uint32_t length = 0;
    std::memcpy(&length, block.data(), sizeof length);
    return json::parse(block.substr(4, length));
  }
  json made(int run) const {
    json state;
    wait_until([&] {
      const std::string answer = get(fmt::format("/run/{}/make", run), "X-Freeplay: make\r\n");
      state = json::parse(answer.substr(answer.find("\r\n\r\n") + 4));
      return state["state"] == "done" || state["state"] == "failed";
    });
    return state;
  }

  std::unique_ptr<RunningCommand> command_;
  int port_ = 0;
};

TEST_F(StudyServer, MakesRunsWhenThePageAsksForThem) {
  sweep({"--over", "m=1kg,2kg,-1kg", "--measure", "turn=final(upper.angle)"});
  start({"view", "study", "--serve"});
  EXPECT_EQ(status(get("/")), 200);
  const json study = header_of(get("/data"));
  EXPECT_EQ(study["freeplay_study"], 1);
  EXPECT_EQ(study["rows"], 3);
  EXPECT_EQ(status(get("/run/1/")), 404) << "not made yet";
  EXPECT_EQ(status(get("/run/1/make")), 403) << "as a page of another site can ask";
  EXPECT_FALSE(exists("study/run_1"));
  EXPECT_EQ(made(1)["state"], "done");
  EXPECT_EQ(status(get("/run/1/")), 200);
  EXPECT_EQ(header_of(get("/run/1/data"))["freeplay_view"], 1);
  const json refused = made(2);
  EXPECT_EQ(refused["state"], "failed");
  EXPECT_THAT(refused["message"].get<std::string>(), HasSubstr("error"));
  for (const char* target : {"/run/1", "/run/x/", "/run/-1/", "/run/1/result.h5", "/run/1/../2/", "/run//"})
    EXPECT_EQ(status(get(target)), 404) << target;
}

TEST_F(StudyServer, ServesTwoRunsWithTheirNames) {
  sweep(kTwoParameters);
  start({"view", "study", "--run", "1", "3", "--serve"});
  EXPECT_THAT(get("/"), HasSubstr(">serve:WyJydW5fMSIsInJ1bl8zIl0=<")) << "[\"run_1\",\"run_3\"] in base64";
  EXPECT_EQ(header_of(get("/data"))["overrides"][1], "l=2 m");
  EXPECT_EQ(header_of(get("/second"))["overrides"][1], "l=2 m");
  EXPECT_NE(header_of(get("/data"))["overrides"][0], header_of(get("/second"))["overrides"][0]);
}

}  // namespace

}  // namespace freeplay::test::view_study_command
