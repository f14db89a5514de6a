// What a signal does to a run. The result file's own tests kill a writer at random moments; here it is the command.
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "cli/command_test.h"
#include "support/places.h"

namespace freeplay::test {

namespace {

using nlohmann::json;
using testing::HasSubstr;

class InterruptedRun : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("long.yaml", kLongRun);
  }
  // `info` reads files that are still being written.
  json info_of_result() const { return json::parse(freeplay({"info", "results/long", "--json"}).out); }
  void wait_for_rows(std::int64_t rows) const {
    wait_until([&] { return exists("results/long/result.h5") && info_of_result()["rows"] >= rows; });
  }
};

TEST_F(InterruptedRun, EndsCleanlyWithExitCode130) {
  for (const int signal : {SIGINT, SIGTERM}) {
    RunningCommand run(folder_, {"run", "long.yaml", "--json"});
    wait_for_rows(1);
    run.send(signal);
    const CommandResult result = run.wait();
    EXPECT_EQ(result.exit_code, 130);
    const json summary = json::parse(result.out);
    EXPECT_EQ(summary["status"], "interrupted");
    EXPECT_LT(summary["time"], 1e6);

    const json info = info_of_result();
    EXPECT_EQ(info["status"], "interrupted");
    EXPECT_EQ(info["rows"], summary["rows"]);
    EXPECT_EQ(info["time_last"], summary["time"]);
    std::filesystem::remove_all(folder_ / "results");
  }
}

TEST_F(InterruptedRun, KilledRunLeavesAReadableFile) {
  for (int round = 1; round <= 3; ++round) {
    RunningCommand run(folder_, {"run", "long.yaml", "--quiet"});
    wait_for_rows(1000 * round);
    run.send(SIGKILL);
    EXPECT_EQ(run.wait().signal, SIGKILL);
    const json info = info_of_result();
    EXPECT_EQ(info["status"], "running or killed");
    EXPECT_TRUE(info["summary"].is_null());
    EXPECT_GE(info["rows"], 1000 * round);
    const CommandResult csv = freeplay({"export", "results/long", "--csv", "-", "--channels", "energy.total"});
    EXPECT_EQ(csv.exit_code, 0) << csv.err;
    EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), info["rows"].get<std::int64_t>() + 1);
    std::filesystem::remove_all(folder_ / "results");
  }
}

TEST_F(InterruptedRun, DrawsABarOnATerminalAndClearsIt) {
  // A bare root folder without /dev/pts has no terminals to offer.
  if (::access("/dev/pts/ptmx", F_OK) != 0) GTEST_SKIP() << "no pseudo-terminals on this machine";
  RunningCommand run(folder_, {"run", "long.yaml"}, RunningCommand::Stderr::kTerminal);
  wait_until([&] { return run.terminal_text().find("ETA") != std::string::npos; });
  run.send(SIGINT);
  const CommandResult result = run.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.err, HasSubstr("░"));
  EXPECT_THAT(result.err, HasSubstr("ETA"));
  EXPECT_THAT(result.err, testing::EndsWith("\r\x1b[K"));
  EXPECT_THAT(result.out, HasSubstr("interrupted"));
}

// 144 bricks to a tolerance below the rounding of any velocity: the first step tries every solver to its end, which
// takes minutes. A command that waits for the end of the step does not say these words.
TEST_F(InterruptedRun, IsNotWaitedForWithinAStepThatTakesMinutes) {
  const std::string wall = examples_dir() + "/wall_of_bricks.yaml";
  const std::vector<std::string> hard = {"--set",   "bricks=12", "--set",
                                         "rows=12", "--set",     "simulate.solver_tolerance=1e-18 m/s"};
  for (const std::string verb : {"run", "compare"}) {
    SCOPED_TRACE(verb);
    std::vector<std::string> words = {verb, wall};
    words.insert(words.end(), hard.begin(), hard.end());
    if (verb == "compare") words.insert(words.end(), {"--with", "nsgs"});
    RunningCommand command(folder_, words);
    // Far behind the reading of the model, whose end by a signal has no words either.
    wait_until([&] { return command.cpu_seconds() > 2; });
    command.send(SIGTERM);
    const CommandResult result = command.wait();
    EXPECT_EQ(result.exit_code, 130);
    EXPECT_THAT(result.err, HasSubstr("interrupted within a step that takes long"));
  }
}

TEST_F(InterruptedRun, OfAFitIsNotWaitedForEither) {
  write("ball.csv", "time,ball.x\n0,-0.2\n1e-5,-0.2\n2e-5,-0.2\n3e-5,-0.2\n");
  RunningCommand command(
      folder_, {"fit", examples_dir() + "/wall_of_bricks.yaml", "--data", "ball.csv", "--parameters", "speed", "--set",
                "bricks=12", "--set", "rows=12", "--set", "simulate.solver_tolerance=1e-18 m/s"});
  wait_until([&] { return command.cpu_seconds() > 2; });
  command.send(SIGTERM);
  const CommandResult result = command.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.err, HasSubstr("within a step that takes long: a fit that has not ended leaves nothing"));
}

}  // namespace

}  // namespace freeplay::test
