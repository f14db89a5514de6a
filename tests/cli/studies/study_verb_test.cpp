// `freeplay study FILE`: a family of runs that a file describes; and a GPU that fails on the way.
#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/command_test.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "support/fake_gpu.h"
#include "support/places.h"

namespace freeplay::test {

namespace {

using testing::HasSubstr;

class StudyVerb : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("pendulum.yaml", kPendulum);
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    std::filesystem::create_directories(folder_ / "cache");
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    CommandTest::TearDown();
  }
};

constexpr const char* kStudyText = R"(study: 1
model: pendulum.yaml
set: {simulate.duration: 0.2 s}
over:
  speed: 0:1 rad/s:4
  l: [1 m, 2 m]
measure: {turn: final(upper.angle)}
)";

TEST_F(StudyVerb, IsSharedAmongTasksAsASweepIs) {
  write("shared.study.yaml",
        "study: 1\nmodel: pendulum.yaml\nover: {l: \"1m:2m:5\"}\nmeasure: {top: max(upper.omega)}\n");
  ASSERT_EQ(freeplay({"study", "shared.study.yaml", "--out", "whole", "--quiet"}).exit_code, 0);
  for (const std::string part : {"0/2", "1/2"})
    ASSERT_EQ(freeplay({"study", "shared.study.yaml", "--out", "parts", "--part", part, "--quiet"}).exit_code, 0);
  EXPECT_EQ(freeplay({"study", "shared.study.yaml", "--out", "parts", "--resume", "--quiet"}).exit_code, 0);
  EXPECT_TRUE(read("parts/sweep.h5") == read("whole/sweep.h5"));
  const CommandResult job =
      freeplay({"study", "shared.study.yaml", "--out", "job", "--slurm=job.sh", "--tasks", "3", "--quiet"});
  EXPECT_EQ(job.exit_code, 0) << job.err;
  EXPECT_THAT(read("job.sh"), testing::AllOf(HasSubstr("--array=0-2"), HasSubstr("--over l=1m:2m:5")));
}

TEST_F(StudyVerb, RunsWhatTheSameWordsOfSweepRun) {
  write("swing.study.yaml", kStudyText);
  const CommandResult study = freeplay({"study", "swing.study.yaml", "--csv", "a.csv", "--quiet"});
  ASSERT_EQ(study.exit_code, 0) << study.err;
  EXPECT_TRUE(exists("results/swing_study/sweep.h5"));
  const CommandResult sweep =
      freeplay({"sweep", "pendulum.yaml", "--set", "simulate.duration=0.2 s", "--over", "speed=0:1 rad/s:4", "--over",
                "l=1 m,2 m", "--measure", "turn=final(upper.angle)", "--csv", "b.csv", "--quiet", "--out", "b"});
  ASSERT_EQ(sweep.exit_code, 0) << sweep.err;
  EXPECT_EQ(read("a.csv"), read("b.csv"));
  EXPECT_EQ(read("results/swing_study/sweep.h5"), read("b/sweep.h5"));
}

TEST_F(StudyVerb, TakesOtherValuesFromTheCommandLine) {
  write("swing.study.yaml", kStudyText);
  const CommandResult study = freeplay({"study", "swing.study.yaml", "--over", "speed=0:1 rad/s:7", "--json"});
  ASSERT_EQ(study.exit_code, 0) << study.err;
  EXPECT_EQ(nlohmann::json::parse(study.out)["runs"], 14);
}

TEST_F(StudyVerb, SaysWhatIsWrongWithItsFile) {
  write("bad.study.yaml", "study: 1\nmodel: pendulum.yaml\novre: {speed: 0:1 rad/s:4}\nturns: many\nbackend: gpu\n");
  const CommandResult bad = freeplay({"study", "bad.study.yaml"});
  EXPECT_EQ(bad.exit_code, 3);
  EXPECT_THAT(bad.err, HasSubstr("bad.study.yaml:3:1"));
  EXPECT_THAT(bad.err, HasSubstr("did you mean 'over'"));
  EXPECT_THAT(bad.err, HasSubstr("'many'"));
  EXPECT_THAT(bad.err, HasSubstr("engine, compiled, cuda or auto"));
  write("none.study.yaml", "- 1\n");
  EXPECT_EQ(freeplay({"study", "none.study.yaml"}).exit_code, 3);
  write("empty.study.yaml", "");
  EXPECT_THAT(freeplay({"study", "empty.study.yaml"}).err,
              HasSubstr("empty.study.yaml:1:1: error: a study is a block"));
  const CommandResult model = freeplay({"study", "pendulum.yaml"});
  EXPECT_EQ(model.exit_code, 3);
  EXPECT_THAT(model.err, HasSubstr("pendulum.yaml:1:1: error: this is a model"));
  EXPECT_THAT(model.err, HasSubstr("1 error\n"));
  EXPECT_EQ(freeplay({"study", "absent.study.yaml"}).exit_code, 6);
}

// What sweep says of an option stands in a line of the file, unless the command line has said something else.
TEST_F(StudyVerb, TellsWhereTheFileHasWhatSweepRefuses) {
  const auto told = [&](const std::string& text, std::vector<std::string> more = {}) {
    write("bad.study.yaml", "study: 1\nmodel: pendulum.yaml\n" + text);
    more.insert(more.begin(), {"study", "bad.study.yaml"});
    const CommandResult bad = freeplay(more);
    EXPECT_EQ(bad.exit_code, 3) << bad.out;
    return bad.err;
  };
  const std::string over = "over: {speed: 0:1 rad/s:4}\n", measure = "measure:\n  far: max(upper.angle)\n";
  const std::string at = "bad.study.yaml:";
  EXPECT_THAT(told("over:\n  l: 1m:2m:3\n  speed: 0:1 kg:4\n" + measure), HasSubstr(at + "5:3: error: "));
  EXPECT_THAT(told("over:\n  l: 1m:2m:3\n  speed: 0 m:1 kg:4\n" + measure), HasSubstr(at + "5:3: error: "));
  EXPECT_THAT(told("over:\n  sped: 0:1 rad/s:4\n" + measure), HasSubstr(at + "4:3: error: "));
  EXPECT_THAT(told(over + measure + "  fast: max(upper.v)\n"), HasSubstr(at + "6:3: error: measure.fast: "));
  EXPECT_THAT(told("over: {speed: 0:1 rad/s}\n" + measure + "sample: sobol:0\n"),
              HasSubstr(at + "6:1: error: 'sobol:0' does not say"));
  EXPECT_THAT(told(over + measure + "set: {dur: 1s}\n"), HasSubstr(at + "6:7: error: "));
  EXPECT_THAT(told(over + "section: every(3 m)\npoint: {x: upper.angle}\n"),
              HasSubstr(at + "4:1: error: the period is not a time"));
  EXPECT_THAT(told(over + "section: every(3 s)\npoint: {x: upper.v}\n"), HasSubstr(at + "5:1: error: "));
  EXPECT_THAT(told(over + measure, {"--over", "speed=0:1 kg:3"}), HasSubstr("--over: error: "));
  EXPECT_THAT(told(over + measure + "set: {l: 1 m}\n", {"--set", "dur=1s"}), HasSubstr("--set:1:1: error: "));
}

// Two workers have a batch each of two launches: if the fourth launch fails, one batch is done, and stays done.
TEST_F(StudyVerb, KeepsTheRowsThatWereDoneWhenTheGpuFails) {
  const FakeGpu gpu(folder_ / "gpu");
  const std::vector<std::string> words = {
      "sweep",     examples_dir() + "/slider_crank.yaml", "--set",     "duration=30 ms", "--over",    "c=0.2mm:1mm:24",
      "--measure", "tilt=max(abs(slider.angle))",         "--backend", "cuda",           "--workers", "2"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return freeplay(more);
  };
  const CommandResult whole = with({"--out", "whole", "--csv", "whole.csv", "--quiet"});
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  FakeGpu::set_calls(3);
  const CommandResult failed = with({"--out", "out", "--quiet"});
  EXPECT_EQ(failed.exit_code, 6);
  EXPECT_THAT(failed.err, HasSubstr("the GPU failed: unspecified launch failure"));
  EXPECT_THAT(failed.err, HasSubstr("the same command goes on from there"));
  const std::size_t kept = read_sweep(folder_ / "out/sweep.h5").rows.size();
  EXPECT_GE(kept, 8U);
  EXPECT_LT(kept, 24U);
  FakeGpu::mend();
  const CommandResult again = with({"--out", "out", "--csv", "out.csv", "--json"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(again.out)["done_earlier"], kept);
  EXPECT_EQ(read("out.csv"), read("whole.csv"));
}

}  // namespace

}  // namespace freeplay::test
