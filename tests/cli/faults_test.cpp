// What other programs, the shell and the system do to a run while it goes on: a second run, a removed folder, closed
// streams, limits.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command_test.h"
#include "support/places.h"

namespace freeplay::test {

namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Faults : public CommandTest {
 protected:
  // In a shell, in the test's folder; $F is the command.
  int shell(const std::string& script) const {
    const std::string line = "cd '" + folder_.string() + "' && F='" + command_path() + "' && " + script;
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  void start_long_run() {
    write("long.yaml", kLongRun);
    write("links.yaml", kPendulum);
    run_ = std::make_unique<RunningCommand>(folder_, std::vector<std::string>{"run", "long.yaml", "--out", "r"});
    wait_until([&] { return exists("r/result.h5"); });
  }
  std::unique_ptr<RunningCommand> run_;
};

TEST_F(Faults, ASecondRunIntoTheSameFolderIsRefusedAndTheFirstKeepsItsRows) {
  start_long_run();
  const CommandResult second = freeplay({"run", "links.yaml", "--out", "r"});
  EXPECT_EQ(second.exit_code, 6);
  EXPECT_THAT(second.err, HasSubstr("another run is writing it"));
  EXPECT_THAT(second.err, HasSubstr("--out"));
  run_->send(SIGINT);
  EXPECT_EQ(run_->wait().exit_code, 130);
  EXPECT_EQ(json::parse(freeplay({"info", "r", "--json"}).out)["attributes"]["name"], "A long run");
  EXPECT_FALSE(exists("r/result.h5.partial"));
  EXPECT_EQ(freeplay({"run", "links.yaml", "--out", "r"}).exit_code, 0) << "once the first has ended, it is free";
}

TEST_F(Faults, AKilledRunDoesNotKeepItsFolderLocked) {
  start_long_run();
  run_->send(SIGKILL);
  run_->wait();
  write("r/result.h5.partial", "left by one that was killed before its file was ready");
  EXPECT_EQ(freeplay({"run", "links.yaml", "--out", "r", "--quiet"}).exit_code, 0);
  EXPECT_FALSE(exists("r/result.h5.partial"));
}

TEST_F(Faults, ARunWhoseFolderIsRemovedDoesNotEndAsIfAllWereWell) {
  start_long_run();
  std::filesystem::remove_all(folder_ / "r");
  run_->send(SIGINT);
  const CommandResult result = run_->wait();
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_THAT(result.err, HasSubstr("removed or replaced while the run went on"));
  EXPECT_THAT(result.err, Not(HasSubstr("are safe")));
}

TEST_F(Faults, AClosedStreamNeverBecomesTheResultFile) {
  write("links.yaml", kPendulum);
  // The unused option gives a warning on stderr.
  EXPECT_EQ(shell("$F run links.yaml --set simulate.solver=lemke --out a >/dev/null 2>&-"), 0);
  EXPECT_EQ(shell("$F run links.yaml --set simulate.solver=lemke --out b --quiet <&- >&- 2>&-"), 0);
  for (const char* folder : {"a", "b"}) EXPECT_EQ(freeplay({"info", folder}).exit_code, 0) << folder;
  EXPECT_EQ(shell("$F list >&- 2>/dev/null"), 6) << "what cannot be printed is an error";
  EXPECT_EQ(shell("$F check none.yaml 2>/dev/full"), 6) << "an error that cannot be printed has its exit code";
}

TEST_F(Faults, ALimitOnTheSizeOfFilesIsAFailedWriteWithAReason) {
  write("long.yaml", kLongRun);
  EXPECT_EQ(shell("ulimit -f 2000 && $F run long.yaml --out r --quiet 2>err"), 6);
  EXPECT_THAT(read("err"), HasSubstr("File too large"));
  EXPECT_EQ(freeplay({"info", "r"}).exit_code, 0) << "the rows up to there can be read";
}

TEST_F(Faults, ASignalEndsACommandThatIsStillReadingItsModel) {
  // Many parameters that build on each other: a second or so of reading.
  std::string model = "freeplay: 1\nspace: planar\nparameters:\n  p0: 1\n";
  for (int i = 1; i < 200'000; ++i) model += "  p" + std::to_string(i) + ": p" + std::to_string(i - 1) + " + 1\n";
  write("slow.yaml", model + "bodies: {a: {mass: 1 kg, inertia: 1 kg m^2}}\nsimulate: {duration: 1 s}\n");
  RunningCommand run(folder_, {"run", "slow.yaml"});
  for (int i = 0; i < 25; ++i) sleep_briefly();
  ASSERT_TRUE(run.is_running());
  run.send(SIGINT);
  EXPECT_EQ(run.wait().signal, SIGINT) << "shells call that 130";
  EXPECT_FALSE(exists("results"));
}

TEST_F(Faults, EscapesForTerminalsAreRefusedInModels) {
  for (const char* name : {R"("\e]0;title\a")", R"("\x9b2J")", R"("a\rb")", R"("\0")"}) {
    write("escape.yaml", "freeplay: 1\nname: " + std::string(name) + kPendulum.substr(kPendulum.find("\nspace")));
    const CommandResult result = freeplay({"check", "escape.yaml"});
    EXPECT_EQ(result.exit_code, 3) << name;
    EXPECT_THAT(result.err, HasSubstr("escape.yaml:2:7: error: the text holds a control character")) << name;
    EXPECT_EQ((result.out + result.err).find_first_of("\x1b\x07\r\x9b"), std::string::npos) << name;
  }
}

TEST_F(Faults, EscapesForTerminalsInNamesOfFilesAreShownAsText) {
  const std::string name =
      "a\x1b[31mRED\xc2\x9b"
      "2J";
  write(name + ".yaml", kPendulum.substr(0, kPendulum.find("name:")) + kPendulum.substr(kPendulum.find("space:")));
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"check", name + ".yaml"},
                                             {"info", name + ".yaml"},
                                             {"run", name + ".yaml"},
                                             {"info", "results/" + name},
                                             {"export", "results/" + name, "--csv", "-", "--channels", "none" + name},
                                             {"run", name}}) {
    const CommandResult result = freeplay(command);
    EXPECT_THAT(result.out + result.err, HasSubstr("a\\x1b[31mRED\\x9b2J")) << command[0];
    EXPECT_THAT(result.out + result.err, Not(HasSubstr("\x1b"))) << command[0];
    EXPECT_THAT(result.out + result.err, Not(HasSubstr("\xc2\x9b"))) << command[0];
  }
}

constexpr const char* kFreeBody = R"(freeplay: 1
space: planar
bodies: {a: {mass: 1 kg, inertia: 0.1 kg m^2, initial: {vx: 1 m/s}}}
simulate: {integrator: INTEGRATOR, step: 0.66 s, duration: 1 s}
)";

std::string free_body(const std::string& integrator) {
  std::string text = kFreeBody;
  return text.replace(text.find("INTEGRATOR"), 10, integrator);
}

TEST_F(Faults, AnIntegratorWithErrorControlEndsExactlyAtTheDuration) {
  write("short.yaml", free_body("dopri5"));
  const CommandResult result = freeplay({"run", "short.yaml", "--json"});
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["time"], 1.0);
  EXPECT_EQ(summary["warnings"], json::array());
}

TEST_F(Faults, ADurationThatEqualStepsDoNotDivideIsTold) {
  write("short.yaml", free_body("moreau-midpoint"));
  const CommandResult result = freeplay({"run", "short.yaml", "--json"});
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["time"], 1.32);
  EXPECT_THAT(summary["warnings"].dump(), HasSubstr("not a multiple of the step, 0.66 s: the run ends at t = 1.32 s"));
  const CommandResult divided = freeplay({"run", "short.yaml", "--set", "simulate.step=0.1 s", "--json"});
  EXPECT_EQ(json::parse(divided.out)["warnings"], json::array());
}

}  // namespace

}  // namespace freeplay::test
