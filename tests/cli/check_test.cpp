#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/command_test.h"

namespace freeplay {

namespace {

using nlohmann::json;
using testing::HasSubstr;

class CheckCommand : public CommandTest {};

TEST_F(CheckCommand, SoundModelIsOk) {
  write("links.yaml", kPendulum);
  const CommandResult result = freeplay({"check", "links.yaml"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, testing::StartsWith("OK  Two links\n"));
  EXPECT_THAT(result.out, HasSubstr("2 bodies, 2 joints"));
  EXPECT_THAT(result.out, HasSubstr("2 degrees of freedom, 0 redundant rows"));
  EXPECT_FALSE(exists("results"));
}

TEST_F(CheckCommand, JsonCountsWhatThereIs) {
  write("parallel.yaml", kParallelogram);
  const json report = json::parse(freeplay({"check", "parallel.yaml", "--json"}).out);
  EXPECT_EQ(report["status"], "ok");
  EXPECT_EQ(report["bodies"], 4);
  EXPECT_EQ(report["joints"], 4);
  EXPECT_EQ(report["degrees_of_freedom"], 6) << "the parallelogram is driven, the ball is free";
  EXPECT_EQ(report["redundant_rows"], json({"p4.force_z", "p4.moment_x", "p4.moment_y"}));
  EXPECT_EQ(report["can_run"], true);
}

TEST_F(CheckCommand, ModelIsSoundEvenIfThisVersionCannotRunIt) {
  write("ball.yaml", kBallOnFloor);
  const std::string later = "simulate.integrator=event-driven";
  const CommandResult text = freeplay({"check", "ball.yaml", "--set", later});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("1 contact"));
  EXPECT_THAT(text.out, HasSubstr("this version cannot run the model"));
  const json report = json::parse(freeplay({"check", "ball.yaml", "--json", "--set", later}).out);
  EXPECT_EQ(report["can_run"], false);
  ASSERT_EQ(report["obstacles"].size(), 1u);
  EXPECT_EQ(report["obstacles"][0]["path"], "simulate.integrator");
  EXPECT_EQ(json::parse(freeplay({"check", "ball.yaml", "--json"}).out)["can_run"], true);
}

TEST_F(CheckCommand, MistakesOfEveryStageHaveAPlace) {
  write("links.yaml", kPendulum);
  // Found by the reader, by the mechanism, by the run loop.
  for (const char* change : {"joints.elbow.type=revolut", "joints.elbow.child=upper", "record=[elbow.force_z]"}) {
    const CommandResult result = freeplay({"check", "links.yaml", "--set", change});
    EXPECT_EQ(result.exit_code, 3) << change;
    EXPECT_THAT(result.err, testing::ContainsRegex(":[0-9]+:[0-9]+: error: ")) << change;
    EXPECT_EQ(result.out, "");
  }
}

// The reader's own tests look at the messages; this one at what a script sees.
TEST_F(CheckCommand, EveryBrokenModelGives3AndAHint) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FREEPLAY_TEST_DIR "/models/broken")) {
    if (entry.path().extension() != ".yaml") continue;
    const CommandResult result = freeplay({"check", entry.path().string()});
    EXPECT_EQ(result.exit_code, 3) << entry.path();
    EXPECT_THAT(result.err, HasSubstr("\n    hint: ")) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 100);
}

TEST_F(CheckCommand, ParametersOfASystemAreChecked) {
  write("system.yaml",
        "freeplay: 1\nsystem: double_pendulum\nparameters:\n  l1: 1 kg\n  omga1: 3 rad/s\n"
        "  m1: {word: heavy}\n  angle1: 0\nsimulate: {duration: 1 s}\n");
  const CommandResult result = freeplay({"check", "system.yaml"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("system.yaml:4:7: error: parameters.l1: must be a length, but is a mass"));
  EXPECT_THAT(result.err, HasSubstr("system.yaml:5:"));
  EXPECT_THAT(result.err, HasSubstr("did you mean 'omega1'?"));
  EXPECT_THAT(result.err, HasSubstr("must be a mass, but is the word 'heavy'"));
  EXPECT_THAT(result.err, HasSubstr("3 errors\n"));

  write("system.yaml", "freeplay: 1\nsystem: duoble_pendulum\nsimulate: {duration: 1 s}\n");
  EXPECT_THAT(freeplay({"check", "system.yaml"}).err,
              HasSubstr("system.yaml:2:9: error: system: there is no system 'duoble_pendulum'"));
}

}  // namespace

}  // namespace freeplay
