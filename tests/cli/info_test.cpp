#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/command_test.h"
#include "support/places.h"

namespace freeplay::test {

namespace {

using nlohmann::json;
using testing::HasSubstr;

class InfoCommand : public CommandTest {};

TEST_F(InfoCommand, DrawsTheTreeOfAModel) {
  write("parallel.yaml", kParallelogram);
  const CommandResult result = freeplay({"info", "parallel.yaml", "--set", "a=20cm"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, testing::StartsWith("Parallelogram in space\nA. Author (2001), figure 3\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("a +0\\.2 +m +20cm"));
  EXPECT_THAT(result.out, HasSubstr("ground\n  ├─ crank"));
  EXPECT_THAT(result.out, HasSubstr("\n  │  └─ rod"));
  EXPECT_THAT(result.out, HasSubstr("\n  │     └─ rocker"));
  EXPECT_THAT(result.out, HasSubstr("\n  └─ ball"));
  EXPECT_THAT(result.out, testing::ContainsRegex("p4 +revolute +rocker ─ ground +5 rows +closes a loop"));
  EXPECT_THAT(result.out, HasSubstr("6 = 9 velocities - rank 3 of 6 bilateral rows"));
  EXPECT_THAT(result.out, HasSubstr("p4.force_z   the other rows prevent 'p4' from moving along its z axis already"));
  EXPECT_THAT(result.out, HasSubstr("p4.moment_x  the other rows prevent 'p4' from turning about its x axis already"));
  EXPECT_THAT(result.out, testing::ContainsRegex("crank +x \\[m\\], y \\[m\\]"));
}

TEST_F(InfoCommand, MarksReversedJointsAndConstraints) {
  write("model.yaml", R"(freeplay: 1
space: planar
bodies: {a: {mass: 1 kg, inertia: 1 kg m^2}, b: {mass: 1 kg, inertia: 1 kg m^2}}
joints:
  up: {type: revolute, parent: a, child: ground}
  side: {type: prismatic, parent: ground, child: b, as: constraint}
simulate: {duration: 1 s}
)");
  const CommandResult result = freeplay({"info", "model.yaml"});
  EXPECT_THAT(result.out, testing::ContainsRegex("a +up +revolute +q1 +reversed"));
  EXPECT_THAT(result.out, testing::ContainsRegex("side +prismatic +ground ─ b +2 rows +as constraint"));
}

TEST_F(InfoCommand, ShowsWhatTheModelMeasures) {
  write("fall.yaml", R"(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies: {a: {mass: 1 kg, inertia: 1 kg m^2}}
simulate: {duration: 2 s}
measure: {depth: -min(a.y), never: 'at(a.y, 3 s)', turns: final(a.angle)/(2*pi)}
)");
  ASSERT_EQ(freeplay({"run", "fall.yaml", "--out", "r", "--quiet"}).exit_code, 0);
  const CommandResult result = freeplay({"info", "r"});
  EXPECT_THAT(result.out, testing::ContainsRegex("depth +19\\.62 m\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("never +nan m\n"));
  const json measures = json::parse(freeplay({"info", "r", "--json"}).out)["summary"]["measures"];
  EXPECT_NEAR(measures["depth"], 19.62, 1e-9);
  EXPECT_TRUE(measures["never"].is_null());
  EXPECT_EQ(measures["turns"], 0);
}

TEST_F(InfoCommand, ShowsBushings) {
  write("model.yaml", R"(freeplay: 1
space: planar
bodies: {a: {mass: 1 kg, inertia: 1 kg m^2}}
joints:
  eye: {type: revolute, model: bushing, parent: ground, child: a, bushing: {stiffness: [2 kN/mm, 1 kN/mm], damping: 9 N s/m}}
simulate: {duration: 1 s}
)");
  const CommandResult result = freeplay({"info", "model.yaml"});
  EXPECT_THAT(result.out, testing::ContainsRegex("a +no joint +free"));
  EXPECT_THAT(result.out, testing::ContainsRegex("eye +revolute +ground ─ a +2e\\+06 1e\\+06 N/m, 0 N m"));
  const json info = json::parse(freeplay({"info", "model.yaml", "--json"}).out);
  EXPECT_EQ(info["degrees_of_freedom"], 3);
  EXPECT_EQ(info["bushings"][0]["joint"], "eye");
  EXPECT_EQ(info["bushings"][0]["stiffness"], (json{2e6, 1e6, 0.0}));
  EXPECT_EQ(info["bushings"][0]["damping"], (json{9.0, 9.0, 0.0}));
}

// cos(90 deg) is 6e-17 in floating point. The numbers of the JSON are those that a run starts from.
TEST_F(InfoCommand, ShowsFrictionLawsAndBelts) {
  const CommandResult result = freeplay({"info", examples_dir() + "/stick_slip_oscillator.yaml"});
  EXPECT_THAT(result.out,
              HasSubstr("block.outline ─ ground.belt, friction_law: stribeck, ground.belt runs along itself\n"));
}

TEST_F(InfoCommand, RoundingNoiseIsShownAsZero) {
  write("links.yaml", kPendulum);
  const std::vector<std::string> upright = {"info", "links.yaml", "--set", "joints.shoulder.initial.q=90 deg"};
  const CommandResult text = freeplay(upright);
  EXPECT_THAT(text.out, testing::ContainsRegex("upper +0 +0\\.5 "));
  EXPECT_THAT(text.out, testing::Not(testing::ContainsRegex("e-1[5-9]")));
  std::vector<std::string> as_json = upright;
  as_json.emplace_back("--json");
  const double x = json::parse(freeplay(as_json).out)["initial_state"]["upper.x"];
  EXPECT_NE(x, 0);
  EXPECT_NEAR(x, 0, 1e-15);
}

TEST_F(InfoCommand, JsonOfAModelIsInSiUnits) {
  write("links.yaml", kPendulum);
  const json info = json::parse(freeplay({"info", "links.yaml", "--json", "--set", "l=50cm"}).out);
  EXPECT_EQ(info["kind"], "model");
  EXPECT_EQ(info["degrees_of_freedom"], 2);
  EXPECT_EQ(info["parameters"][0], (json{{"name", "l"}, {"text", "50cm"}, {"value", 0.5}, {"unit", "m"}}));
  EXPECT_EQ(info["parameters"][3]["word"], "hertz");
  EXPECT_EQ(info["tree"][1]["body"], "lower");
  EXPECT_EQ(info["tree"][1]["parent"], "upper");
  EXPECT_EQ(info["initial_state"]["lower.x"], 0.75);
  EXPECT_EQ(info["channels"][0], (json{{"name", "upper.x"}, {"unit", "m"}}));
  EXPECT_EQ(info["can_run"], true);
}

TEST_F(InfoCommand, DescribesASystemGivenAsCode) {
  write("long.yaml", kLongRun);
  const CommandResult result = freeplay({"info", "long.yaml"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("system 'double_pendulum'"));
  EXPECT_THAT(result.out, HasSubstr("2 = 2 velocities"));
}

TEST_F(InfoCommand, DescribesAResult) {
  write("links.yaml", kPendulum);
  ASSERT_EQ(freeplay({"run", "links.yaml", "--set", "l=50cm"}).exit_code, 0);
  for (const char* path : {"results/links", "results/links/result.h5"}) {
    const CommandResult text = freeplay({"info", path});
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_THAT(text.out, testing::StartsWith("Two links  completed\n"));
    EXPECT_THAT(text.out, HasSubstr("0 to 2 s"));
    EXPECT_THAT(text.out, HasSubstr("energy drift"));
  }
  const json info = json::parse(freeplay({"info", "results/links", "--json"}).out);
  EXPECT_EQ(info["kind"], "result");
  EXPECT_EQ(info["status"], "completed");
  EXPECT_EQ(info["time_last"], 2.0);
  EXPECT_EQ(info["summary"]["status"], "completed");
  const json attributes = info["attributes"];
  EXPECT_EQ(attributes["model"], kPendulum);
  EXPECT_EQ(attributes["model_file"], "links.yaml");
  EXPECT_EQ(attributes["integrator"], "dopri5");
  EXPECT_EQ(json::parse(attributes["parameters"].get<std::string>())["l"]["value"], 0.5);
  EXPECT_EQ(json::parse(attributes["overrides"].get<std::string>()), json({"l=50cm"}));
  EXPECT_EQ(json::parse(attributes["simulate"].get<std::string>())["duration"], 2.0);
}

TEST_F(InfoCommand, MissingFileIsAnInputOutputError) {
  EXPECT_EQ(freeplay({"info", "missing"}).exit_code, 6);
  std::filesystem::create_directory(folder_ / "empty");
  EXPECT_EQ(freeplay({"info", "empty"}).exit_code, 6);
}

}  // namespace

}  // namespace freeplay::test
