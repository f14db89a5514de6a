// Faults at every place: the command runs with tests/faults/shim below it, which lets the n-th request to the file
// system fail, or kills the process there. The short form takes some of the places; `./dev faults` takes all of them
// (FREEPLAY_LONG_FAULTS=1).
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <regex>
#include <sstream>

#include "cli/command_test.h"
#include "freeplay/core/error.h"
#include "freeplay/io/export/csv_export.h"
#include "freeplay/io/result/result_reader.h"

namespace freeplay::test {

namespace {

using testing::HasSubstr;

bool is_long_form() {
  return std::getenv("FREEPLAY_LONG_FAULTS") != nullptr;
}

class InjectedFault : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("ball.yaml", kBallOnFloor);
    write("pendulum.yaml", kPendulum);
    ASSERT_EQ(freeplay({"run", "ball.yaml", "--out", "whole", "--quiet"}).exit_code, 0);
    whole_ = csv_of("whole/result.h5");
  }

  // The command with a fault below it. `was_met` tells whether there was a request of that number.
  CommandResult with_fault(const std::string& fault, const std::vector<std::string>& arguments) {
    std::filesystem::remove(folder_ / "mark");
    ::setenv("FREEPLAY_FAULT", fault.c_str(), 1);
    ::setenv("FREEPLAY_FAULT_MARK", (folder_ / "mark").c_str(), 1);
    ::setenv("LD_PRELOAD", FREEPLAY_FAULT_SHIM, 1);
    RunningCommand command(folder_, arguments);
    for (const char* name : {"FREEPLAY_FAULT", "FREEPLAY_FAULT_MARK", "LD_PRELOAD"}) ::unsetenv(name);
    CommandResult result = command.wait();
    was_met_ = exists("mark");
    return result;
  }

  std::string csv_of(const std::string& result) const {
    std::ostringstream text;
    write_csv(ResultReader(folder_ / result), {}, text);
    return text.str();
  }

  // Readable, and with nothing but rows of the whole run. Returns their number; 0 if there is no file.
  std::int64_t expect_first_rows_of_whole(const std::string& result, const std::string& what) const {
    if (!exists(result)) return 0;
    try {
      const std::string csv = csv_of(result);
      EXPECT_EQ(whole_.compare(0, csv.size(), csv), 0) << what << ": a row that the whole run does not have";
      return std::count(csv.begin(), csv.end(), '\n') - 1;
    } catch (const IoError& error) {
      ADD_FAILURE() << what << ": " << error.what();
      return 0;
    }
  }

  // Calls `check(n)` for the first, the second, ... request until one was not met; in the short form for a few dozen.
  template <class Check>
  int at_every_request(Check check) {
    int places = 0;
    for (int n = 1;; n += is_long_form() || n < 8 ? 1 : 13) {
      check(n);
      if (!was_met_ || HasFailure()) return places;
      ++places;
    }
  }

  bool was_met_ = false;
  std::string whole_;
};

const std::vector<std::string> kRun = {"run", "ball.yaml", "--out", "r", "--quiet"};
const std::vector<std::string> kSweep = {
    "sweep",     "pendulum.yaml",    "--over", "l=1m,2m,3m", "--set",   "simulate.duration=0.1s",
    "--measure", "max(elbow.force)", "--out",  "s",          "--quiet", "--workers",
    "1"};

TEST_F(InjectedFault, AFullDiskAtAnyWriteOfARunIsToldAndTheRowsThatItCallsSafeAreThere) {
  const int places = at_every_request([&](int n) {
    std::filesystem::remove_all(folder_ / "r");
    const std::string what = "write " + std::to_string(n);
    const CommandResult result = with_fault("write:" + std::to_string(n) + ":full", kRun);
    if (!was_met_) {
      EXPECT_EQ(result.exit_code, 0) << what << result.err;
      return;
    }
    EXPECT_EQ(result.exit_code, 6) << what << ", signal " << result.signal;
    EXPECT_THAT(result.err, HasSubstr("cannot write r/result.h5: No space left on device")) << what;
    EXPECT_FALSE(exists("r/result.h5.partial")) << what;
    const std::int64_t rows = expect_first_rows_of_whole("r/result.h5", what);
    std::smatch safe;
    if (std::regex_search(result.err, safe, std::regex("its first ([0-9]+) rows"))) {
      EXPECT_GE(rows, std::stoll(safe[1])) << what;
    }
  });
  EXPECT_GT(places, 20);
  std::printf("full disk at %d writes\n", places);
}

TEST_F(InjectedFault, AKillAtAnyWriteOfARunLeavesItsFirstRows) {
  for (const char* fault : {"kill", "torn"}) {
    const int places = at_every_request([&](int n) {
      std::filesystem::remove_all(folder_ / "r");
      const std::string what = std::string(fault) + " at write " + std::to_string(n);
      const CommandResult result = with_fault("write:" + std::to_string(n) + ":" + fault, kRun);
      EXPECT_EQ(result.signal, was_met_ ? SIGKILL : 0) << what;
      expect_first_rows_of_whole("r/result.h5", what);
    });
    EXPECT_GT(places, 20);
    std::printf("%s at %d writes\n", fault, places);
  }
}

TEST_F(InjectedFault, ASignalAtAnyWriteOfARunEndsItCleanly) {
  for (const char* fault : {"int", "term"}) {
    int interrupted = 0;
    const int places = at_every_request([&](int n) {
      std::filesystem::remove_all(folder_ / "r");
      const std::string what = std::string(fault) + " at write " + std::to_string(n);
      const CommandResult result = with_fault("write:" + std::to_string(n) + ":" + fault, kRun);
      // One that comes when the last step has been computed has nothing left to interrupt.
      EXPECT_TRUE(result.exit_code == 130 || result.exit_code == 0) << what << ": " << result.exit_code << result.err;
      interrupted += result.exit_code == 130 ? 1 : 0;
      const std::string status(ResultReader(folder_ / "r/result.h5").status());
      EXPECT_EQ(status, result.exit_code == 130 ? "interrupted" : "completed") << what;
      expect_first_rows_of_whole("r/result.h5", what);
    });
    EXPECT_GT(places, 20);
    EXPECT_GT(interrupted, places / 4);
    std::printf("%s at %d writes, %d runs interrupted\n", fault, places, interrupted);
  }
}

// What is not essential may fail in silence; everything else is told, and then no output pretends to be whole.
TEST_F(InjectedFault, AFailedOpenIsToldByEveryVerb) {
  const std::vector<std::vector<std::string>> commands = {kRun,
                                                          {"check", "ball.yaml"},
                                                          {"info", "whole"},
                                                          {"export", "whole", "--csv", "out.csv"},
                                                          {"export", "whole", "--vtk", "vtk", "--frames", "3"},
                                                          {"view", "whole", "-o", "view.html"},
                                                          kSweep};
  int total = 0;
  for (const std::vector<std::string>& command : commands) {
    const CommandResult good = freeplay(command);
    ASSERT_EQ(good.exit_code, 0) << command[0] << good.err;
    total += at_every_request([&](int n) {
      std::filesystem::remove_all(folder_ / "r");
      std::filesystem::remove_all(folder_ / "s");
      std::filesystem::remove(folder_ / "out.csv");
      const std::string what = command[0] + ", open " + std::to_string(n);
      const CommandResult result = with_fault("open:" + std::to_string(n) + ":denied", command);
      EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 6) << what << ": " << result.exit_code << result.err;
      if (result.exit_code == 6) {
        EXPECT_THAT(result.err, HasSubstr("error: ")) << what;
      }
      if (result.exit_code != 0) return;
      EXPECT_EQ(result.out, good.out) << what;
      if (command == kRun) {
        EXPECT_EQ(csv_of("r/result.h5"), whole_) << what;
      }
      if (command.back() == "out.csv") {
        EXPECT_EQ(read("out.csv"), whole_) << what;
      }
    });
  }
  EXPECT_GT(total, 10);
  std::printf("%d failed opens\n", total);
}

TEST_F(InjectedFault, AFullDiskIsToldByEveryVerbThatWrites) {
  const std::vector<std::vector<std::string>> commands = {
      {"export", "whole", "--csv", "out.csv"},
      {"export", "whole", "--impacts", "impacts.csv"},
      {"export", "whole", "--events", "events.csv"},
      {"export", "whole", "--vtk", "vtk", "--frames", "3"},
      {"view", "whole", "-o", "view.html"},
      {"run", "ball.yaml", "--out", "r", "--quiet", "--dump-problems=2000"},
      {"compare", "ball.yaml", "--set", "simulate.duration=20 ms", "--with", "step=1 ms", "--out", "c", "--quiet"},
      kSweep};
  int total = 0;
  for (const std::vector<std::string>& command : commands) {
    const CommandResult good = freeplay(command);
    ASSERT_EQ(good.exit_code, 0) << command[0] << good.err;
    total += at_every_request([&](int n) {
      std::filesystem::remove_all(folder_ / "s");
      const std::string what = command[0] + ", write " + std::to_string(n);
      const CommandResult result = with_fault("write:" + std::to_string(n) + ":full", command);
      EXPECT_EQ(result.exit_code, was_met_ ? 6 : 0) << what << ": " << result.err;
      if (was_met_) {
        EXPECT_THAT(result.err, HasSubstr("No space left on device")) << what;
      }
    });
  }
  EXPECT_GT(total, 20);
  std::printf("full disk at %d writes of other verbs\n", total);
}

// The same command goes on with what is there, and the file is in the end the one of a study without faults.
TEST_F(InjectedFault, AStudyGoesOnToTheSameBytesAfterAFullDiskOrAKillAtAnyWrite) {
  ASSERT_EQ(freeplay(kSweep).exit_code, 0);
  const std::string whole = read("s/sweep.h5");
  for (const char* fault : {"full", "kill", "torn"}) {
    const int places = at_every_request([&](int n) {
      std::filesystem::remove_all(folder_ / "s");
      const std::string what = std::string(fault) + " at write " + std::to_string(n);
      with_fault("write:" + std::to_string(n) + ":" + fault, kSweep);
      const CommandResult again = freeplay(kSweep);
      EXPECT_EQ(again.exit_code, 0) << what << ": " << again.err;
      EXPECT_TRUE(read("s/sweep.h5") == whole) << what;
    });
    EXPECT_GT(places, 5);
    std::printf("%s at %d writes of a study\n", fault, places);
  }
}

TEST_F(InjectedFault, KillsAtRandomInstantsLeaveTheFirstRowsOfALongRun) {
  using Clock = std::chrono::steady_clock;
  write("long.yaml", kLongRun);
  // Kills before there is a file and after it: on a busy machine the file comes late.
  std::chrono::microseconds longest = std::chrono::milliseconds(100);
  {
    const Clock::time_point begin = Clock::now();
    RunningCommand reference(folder_, {"run", "long.yaml", "--out", "reference", "--quiet"});
    wait_until([&] { return exists("reference/result.h5"); });
    longest = std::max(longest, std::chrono::duration_cast<std::chrono::microseconds>(3 * (Clock::now() - begin)));
    wait_until([&] {
      return exists("reference/result.h5") && ResultReader(folder_ / "reference/result.h5").rows() > 200'000;
    });
    reference.send(SIGINT);
    EXPECT_EQ(reference.wait().exit_code, 130);
  }
  whole_ = csv_of("reference/result.h5");
  std::mt19937 random(2010);
  const int rounds = is_long_form() ? 1000 : 30;
  int files = 0;
  std::int64_t rows = 0;
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    std::filesystem::remove_all(folder_ / "r");
    RunningCommand run(folder_, {"run", "long.yaml", "--out", "r", "--quiet"});
    ::usleep(std::uniform_int_distribution<useconds_t>(1000, static_cast<useconds_t>(longest.count()))(random));
    run.send(SIGKILL);
    run.wait();
    files += exists("r/result.h5") ? 1 : 0;
    rows += expect_first_rows_of_whole("r/result.h5", "kill " + std::to_string(round));
  }
  EXPECT_GT(files, rounds / 4);
  std::printf("%d kills, %d files, %lld rows read\n", rounds, files, static_cast<long long>(rows));
}

}  // namespace

}  // namespace freeplay::test
