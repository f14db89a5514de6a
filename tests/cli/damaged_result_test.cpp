// Damaged result files, and outputs in the place of inputs, as the verbs meet them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "cli/command_test.h"
#include "support/places.h"

namespace freeplay::test {

namespace {

using testing::HasSubstr;

std::string damaged_file(const std::string& name) {
  return test_dir() + "/reference/bad/" + name;
}

class DamagedResult : public CommandTest {
 protected:
  // Every verb that reads results; none may leave its output behind.
  void expect_refusal(const std::string& result, const std::string& reason) const {
    const std::vector<std::vector<std::string>> commands = {{"info", result},
                                                            {"export", result, "--csv", "out.csv"},
                                                            {"export", result, "--vtk", "vtk"},
                                                            {"view", result, "-o", "view.html"},
                                                            {"view", result, "--serve"},
                                                            {"plot", result, "-o", "plot.svg"}};
    for (const std::vector<std::string>& command : commands) {
      const CommandResult refused = freeplay(command);
      EXPECT_EQ(refused.exit_code, 6) << command[0] << ": signal " << refused.signal << refused.err;
      EXPECT_THAT(refused.err, HasSubstr(reason)) << command[0];
    }
    for (const char* output : {"view.html", "plot.svg"}) EXPECT_FALSE(exists(output)) << output;
  }
};

// One flipped bit in the heap of variable-length texts, where HDF5 has no checksums.
TEST_F(DamagedResult, OnWhichHdf5CrashesIsRefused) {
  expect_refusal(damaged_file("h5_1bit_segv.h5"), "damaged in a way that HDF5 cannot cope with");
}

// Time of the processor, which a busy machine does not change, of the command and of the process that tries the file.
double seconds_of_commands() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

TEST_F(DamagedResult, OnWhichHdf5NeverEndsIsRefusedSoon) {
  const std::string file = damaged_file("h5_1bit_hang.h5");
  const std::vector<std::vector<std::string>> commands = {{"info", file}, {"export", file, "--csv", "out.csv"}};
  for (const std::vector<std::string>& command : commands) {
    const double before = seconds_of_commands();
    const CommandResult refused = freeplay(command);
    EXPECT_EQ(refused.exit_code, 6) << command[0];
    EXPECT_THAT(refused.err, HasSubstr("damaged in a way that HDF5 cannot cope with")) << command[0];
    EXPECT_LT(seconds_of_commands() - before, 4) << command[0];
  }
}

// The file is tried in a process of its own, which would go on for two seconds of its time.
TEST_F(DamagedResult, IsNotTriedAnyMoreWhenASignalHasEndedTheCommand) {
  RunningCommand command(folder_, {"info", damaged_file("h5_1bit_hang.h5")});
  pid_t child = 0;
  wait_until([&] {
    std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", command.id()));
    return static_cast<bool>(children >> child);
  });
  command.send(SIGTERM);
  EXPECT_EQ(command.wait().signal, SIGTERM);
  // Whoever inherits it has to take its status first.
  constexpr int kBeforeTime = 10;  // numbers between the state and the time of the processor, in ticks
  double used_s = 0;
  wait_until([&] {
    std::ifstream status(fmt::format("/proc/{}/stat", child));
    std::string word, state;
    if (!(status >> word >> word >> state) || state == "Z") return true;
    for (int i = 0; i < kBeforeTime; ++i) status >> word;
    double ticks = 0;
    if (status >> ticks) used_s = ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return false;
  });
  EXPECT_LT(used_s, 1);
}

TEST_F(DamagedResult, ThatWasCutShortIsRefusedAndNotExportedAsZeros) {
  expect_refusal(damaged_file("trunc60.h5"), "it was cut short");
}

TEST_F(DamagedResult, ThatIsAPipeIsRefusedAtOnce) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const CommandResult refused = freeplay({"export", "pipe", "--csv", "-"});
  EXPECT_EQ(refused.exit_code, 6);
  EXPECT_THAT(refused.err, HasSubstr("not a regular file"));
}

// The file of a study, cut short at many places.
TEST_F(DamagedResult, ThatIsAStudyCutShortIsRefusedByEveryVerb) {
  write("links.yaml", kPendulum);
  ASSERT_EQ(freeplay({"sweep", "links.yaml", "--over", "l=1m,2m,3m", "--set", "simulate.duration=50 ms", "--measure",
                      "max(elbow.force)", "--out", "whole", "--quiet"})
                .exit_code,
            0);
  const std::string bytes = read("whole/sweep.h5");
  std::filesystem::create_directory(folder_ / "s");
  for (const double share : {0.0, 0.01, 0.2, 0.6, 0.9}) {
    write("s/sweep.h5", bytes.substr(0, static_cast<std::size_t>(share * static_cast<double>(bytes.size()))));
    const std::vector<std::vector<std::string>> commands = {{"info", "s"},
                                                            {"plot", "s", "-o", "plot.svg"},
                                                            {"view", "s", "-o", "view.html"},
                                                            {"view", "s", "--serve"},
                                                            {"resume", "s"}};
    for (const std::vector<std::string>& command : commands) {
      const CommandResult refused = freeplay(command);
      EXPECT_EQ(refused.exit_code, 6) << share << " " << command[0] << ": signal " << refused.signal << refused.err;
      EXPECT_THAT(refused.err, HasSubstr("cannot read s/sweep.h5")) << share << " " << command[0];
    }
  }
  for (const char* output : {"view.html", "plot.svg"}) EXPECT_FALSE(exists(output)) << output;
}

class OutputOntoInput : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("links.yaml", kPendulum);
    ASSERT_EQ(freeplay({"run", "links.yaml", "--out", "r", "--quiet"}).exit_code, 0);
    before_ = read("r/result.h5");
    std::filesystem::create_symlink("r/result.h5", folder_ / "link.csv");
    std::filesystem::create_hard_link(folder_ / "r/result.h5", folder_ / "plot.svg");
  }
  void expect_refusal(const std::vector<std::string>& command, const std::string& reason) const {
    const CommandResult refused = freeplay(command);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr(reason));
    EXPECT_TRUE(read("r/result.h5") == before_) << "the result was changed";
  }
  std::string before_;
};

TEST_F(OutputOntoInput, IsRefusedByEveryVerbUnderWhateverName) {
  const std::string reason = "would be written over";
  expect_refusal({"export", "r", "--csv", "r/result.h5"}, reason);
  expect_refusal({"export", "r", "--csv", "link.csv"}, reason);
  expect_refusal({"export", "r", "--impacts", "./r/../r/result.h5"}, reason);
  expect_refusal({"export", "r", "--events", "r/result.h5"}, reason);
  expect_refusal({"plot", "plot.svg"}, reason);
  expect_refusal({"plot", "r", "energy.total", "-o", "plot.svg"}, reason);
  expect_refusal({"view", "r", "-o", "link.csv"}, reason);
}

TEST_F(OutputOntoInput, IsRefusedWhereTheModelHasTheNameOfTheResult) {
  std::filesystem::create_directory(folder_ / "m");
  write("m/result.h5", kPendulum);
  expect_refusal({"run", "m/result.h5", "--out", "m"}, "would be written over");
  EXPECT_EQ(read("m/result.h5"), kPendulum);
}

TEST_F(OutputOntoInput, TwoTablesInOneFileAreRefused) {
  expect_refusal({"export", "r", "--csv", "t.csv", "--impacts", "t.csv"}, "--csv and --impacts name the same file");
  expect_refusal({"export", "r", "--impacts", "t.csv", "--events", "t.csv"}, "the same file");
  expect_refusal({"export", "r", "--csv", "-", "--events", "-"}, "the same file");
}

TEST_F(OutputOntoInput, APageGoesThroughALinkAndIntoAPipeInsteadOfReplacingThem) {
  write("page.html", "old");
  std::filesystem::create_symlink("page.html", folder_ / "page_link.html");
  EXPECT_EQ(freeplay({"view", "r", "-o", "page_link.html"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "page_link.html"));
  EXPECT_THAT(read("page.html"), testing::StartsWith("<!doctype html>"));
  std::filesystem::create_symlink("/dev/null", folder_ / "null.html");
  EXPECT_EQ(freeplay({"view", "r", "-o", "null.html"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_character_file(folder_ / "null.html"));
}

}  // namespace

}  // namespace freeplay::test
