#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/command_test.h"
#include "support/places.h"

namespace freeplay::test {

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

// Every line is a sound model that no integrator of this version can run as it stands, or a value that only the
// simulation finds out about.
TEST_F(CheckCommand, RefusesWhatRunRefusesByTheSameWords) {
  write("ball.yaml", kBallOnFloor);
  write("pile.yaml",
        "freeplay: 1\nsystem: spheres_in_box\nparameters: {N: 4}\n"
        "simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 1 s}\n");
  const std::vector<std::vector<std::string>> cases = {
      {"ball.yaml", "simulate.integrator=dopri5", "'dopri5' needs a force law"},
      {"ball.yaml", "record=[ball.gap]", "there is no channel 'ball.gap'"},
      {"pile.yaml", "simulate.solver=lemke", "'lemke' takes no friction in space"},
      {"pile.yaml", "N=2000", "too many to record all of them"},
  };
  for (const std::vector<std::string>& one : cases) {
    const CommandResult checked = freeplay({"check", one[0], "--set", one[1]});
    EXPECT_EQ(checked.exit_code, 3) << one[1];
    EXPECT_THAT(checked.err, HasSubstr(one[2]));
    EXPECT_EQ(checked.out, "");
    const CommandResult run = freeplay({"run", one[0], "--set", one[1]});
    EXPECT_EQ(run.exit_code, 3) << one[1];
    EXPECT_EQ(checked.err, run.err) << one[1];
    const json info = json::parse(freeplay({"info", one[0], "--json", "--set", one[1]}).out);
    EXPECT_EQ(info["can_run"], false) << one[1];
    EXPECT_THAT(info["obstacles"][0]["message"].get<std::string>(), HasSubstr(one[2]));
  }
  EXPECT_EQ(freeplay({"check", "ball.yaml"}).exit_code, 0);
  EXPECT_EQ(freeplay({"check", "pile.yaml"}).exit_code, 0);
}

TEST_F(CheckCommand, WarnsAsRunDoesOfAKeyThatTheIntegratorDoesNotUse) {
  write("ball.yaml", kBallOnFloor);
  const std::vector<std::string> change = {"ball.yaml", "--set", "simulate.theta=0.7"};
  const std::string warning = "'moreau-midpoint' does not use 'simulate.theta'";
  EXPECT_THAT(freeplay({"check", change[0], change[1], change[2]}).out, HasSubstr(warning));
  for (const char* verb : {"check", "run"}) {
    const CommandResult result = freeplay({verb, change[0], change[1], change[2], "--json"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(json::parse(result.out)["warnings"], json::array({warning})) << verb;
  }
}

// Steps of 2 m dv/dF = 10 us and more are too long for the brake, and 50 us do not divide 1.07 ms.
TEST_F(CheckCommand, WarnsOfWhatRunFindsBeforeItsFirstStep) {
  write("brake.yaml", R"yaml(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies: {ram: {mass: 20 kg, inertia: 1 kg m^2}}
joints: {guide: {type: prismatic, parent: ground, child: ram, axis: [0, 1]}}
forces: {brake: {type: force, on: ram, value: [0, "-20 kN*tanh(ram.vy/(5 mm/s))"]}}
simulate: {integrator: moreau-midpoint, velocity_forces: midpoint, step: 50 us, duration: 1.07 ms, theta: 0.7}
)yaml");
  const json checked = json::parse(freeplay({"check", "brake.yaml", "--json"}).out)["warnings"];
  EXPECT_FALSE(exists("results"));
  ASSERT_EQ(checked.size(), 3U);
  EXPECT_THAT(checked[0].get<std::string>(), HasSubstr("does not use 'simulate.theta'"));
  EXPECT_THAT(checked[1].get<std::string>(), HasSubstr("is not a multiple of the step"));
  EXPECT_THAT(checked[2].get<std::string>(), HasSubstr("the step of 5e-05 s is too long for the damping of 'brake'"));
  const json run = json::parse(freeplay({"run", "brake.yaml", "--json"}).out)["warnings"];
  ASSERT_GE(run.size(), checked.size());
  for (std::size_t i = 0; i < checked.size(); ++i) EXPECT_EQ(checked[i], run[i]);
  EXPECT_THAT(freeplay({"check", "brake.yaml"}).out, HasSubstr("too long for the damping of 'brake'"));
  const CommandResult cured = freeplay({"check", "brake.yaml", "--json", "--set", "simulate.step=2us", "--set",
                                        "simulate.duration=1ms", "--unset", "simulate.theta"});
  EXPECT_EQ(json::parse(cured.out)["warnings"], json::array());
}

TEST_F(CheckCommand, RefusesAParameterWhosePlaceAnotherOneTakes) {
  for (const char* scene : {"roller_chain", "belt_drive"}) {
    SCOPED_TRACE(scene);
    write("drive.yaml", "freeplay: 1\nsystem: " + std::string(scene) +
                            "\nparameters:\n  driven_speed: 45 rad/s\n  torque: 12 N m\n"
                            "simulate: {integrator: moreau-midpoint, step: 5 us, duration: 1 ms}\n");
    const CommandResult both = freeplay({"check", "drive.yaml"});
    EXPECT_EQ(both.exit_code, 3);
    EXPECT_THAT(both.err,
                HasSubstr("drive.yaml:5:11: error: parameters.torque: has no effect: 'driven_speed' takes its "
                          "place"));
    EXPECT_THAT(both.err, HasSubstr("leave one of the two out, or give driven_speed: 0"));
    EXPECT_EQ(freeplay({"check", "drive.yaml", "--set", "driven_speed=0"}).exit_code, 0);
  }
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
  for (const auto& entry : std::filesystem::directory_iterator(test_dir() + "/models/broken")) {
    if (entry.path().extension() != ".yaml") continue;
    const CommandResult result = freeplay({"check", entry.path().string()});
    EXPECT_EQ(result.exit_code, 3) << entry.path();
    EXPECT_THAT(result.err, HasSubstr("\n    hint: ")) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 100);
}

const std::string kCompliantBall = R"(freeplay: 1
name: A ball that sinks in
space: planar
parameters: {law: {word: lankarani-nikravesh}, e: 0.5, vy: 0 m/s}
bodies:
  ball: {mass: 2 kg, inertia: 0.004 kg m^2, initial: {y: 1 m, vy: vy}, shapes: {skin: {type: circle, radius: 50 mm}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}, roller: {type: circle, at: [1 m, 0], radius: 20 mm}}}
contacts:
  bounce: {between: [ball.skin, ground.floor], impact: newton, restitution: e,
    force: {law: law, young: 207 GPa, poisson: 0.3}}
simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 1 s}
)";

// The same pair of law and nominal restitution as of the ball below: the number depends on nothing else.
TEST_F(CheckCommand, TellsWhatTheStopsOfAJointWillDo) {
  write("arm.yaml", R"(freeplay: 1
space: planar
bodies: {arm: {mass: 1 kg, inertia: 0.5 kg m^2}}
joints:
  shoulder: {type: revolute, parent: ground, child: arm,
    stops: {upper: 30 deg, restitution: 0.5, force: {law: lankarani-nikravesh, stiffness: 1e5 N m/rad^1.5}}}
simulate: {integrator: dopri5, duration: 1 s}
)");
  const CommandResult text = freeplay({"check", "arm.yaml"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("shoulder, stops: lankarani-nikravesh, K = 100000 N m/rad^1.5\n"));
  EXPECT_THAT(text.out, HasSubstr("impact at 1 rad/s, assumed, of 0.5 kg m^2 (shoulder_upper): penetration "));
  EXPECT_THAT(text.out, HasSubstr("restitution: nominal 0.5, delivered 0.7252\n"));
}

TEST_F(CheckCommand, TellsWhatACompliantContactWillDo) {
  write("ball.yaml", kCompliantBall);
  const CommandResult text = freeplay({"check", "ball.yaml"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("bounce: lankarani-nikravesh, K = 3.39096e+10 N/m^1.5\n"));
  EXPECT_THAT(text.out, HasSubstr("impact at 1 m/s, assumed, of 2 kg: penetration "));
  EXPECT_THAT(text.out, HasSubstr("restitution: nominal 0.5, delivered 0.7252\n"));
  EXPECT_THAT(text.out, HasSubstr("warning: 'lankarani-nikravesh' delivers a restitution of 0.7252 instead of 0.5; "
                                  "'law: exact-restitution' delivers the nominal one"));

  const json exact = json::parse(
      freeplay({"check", "ball.yaml", "--json", "--set", "law=exact-restitution", "--set", "vy=-3m/s"}).out);
  ASSERT_EQ(exact["force_laws"].size(), 1u);
  const json& bounce = exact["force_laws"][0];
  EXPECT_EQ(bounce["contact"], "bounce");
  EXPECT_NEAR(bounce["stiffness"], 3.39096023e10, 1e2);
  EXPECT_EQ(bounce["stiffness_unit"], "N/m^1.5");
  EXPECT_EQ(bounce["speed"], 3);
  EXPECT_EQ(bounce["speed_is_assumed"], false);
  EXPECT_NEAR(bounce["mass"], 2, 1e-12);
  // Hertz' impact: delta = (5 m v^2/4K)^0.4, T = 2.94328 delta/v
  const double depth = std::pow(5 * 2 * 9 / (4 * 3.39096023e10), 0.4);
  EXPECT_NEAR(bounce["penetration"], depth, 1e-6 * depth);
  EXPECT_NEAR(bounce["contact_time"], 2.94328 * depth / 3, 1e-5 * depth);
  EXPECT_NEAR(bounce["delivered_restitution"], 0.5, 1e-12);
  EXPECT_EQ(bounce["nominal_restitution"], 0.5);
  EXPECT_EQ(exact["warnings"], json::array());
}

TEST_F(CheckCommand, WarnsOutsideTheRangeOfALaw) {
  write("ball.yaml", kCompliantBall);
  const auto warnings = [&](const std::vector<std::string>& changes) {
    std::vector<std::string> arguments = {"check", "ball.yaml", "--json", "--set", "e=1"};
    for (const std::string& change : changes) arguments.insert(arguments.end(), {"--set", change});
    return json::parse(freeplay(arguments).out)["warnings"];
  };
  EXPECT_EQ(warnings({}), json::array());
  const json fast = warnings({"vy=-5000m/s"});
  ASSERT_EQ(fast.size(), 1u);
  EXPECT_THAT(fast[0].get<std::string>(), HasSubstr("bounce: an impact at 5000 m/s goes "));
  EXPECT_THAT(fast[0].get<std::string>(), HasSubstr("'lankarani-nikravesh' holds up to 0.0045 m only"));

  const std::string rollers = "contacts.bounce.between=[ball.skin, ground.roller]";
  EXPECT_EQ(warnings({rollers, "law=johnson", "contacts.bounce.force.length=10mm"}), json::array());
  const json soft =
      warnings({rollers, "law=johnson", "contacts.bounce.force.length=10mm", "contacts.bounce.force.young=10kPa"});
  ASSERT_EQ(soft.size(), 1u);
  EXPECT_THAT(soft[0].get<std::string>(), HasSubstr("its tangent is taken"));
}

TEST_F(CheckCommand, EveryModelThatCannotBeBuiltGives3AndItsPlace) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_dir() + "/models/unbuildable")) {
    const CommandResult result = freeplay({"check", entry.path().string()});
    EXPECT_EQ(result.exit_code, 3) << entry.path();
    EXPECT_THAT(result.err, testing::ContainsRegex(":[0-9]+:[0-9]+: error: ")) << entry.path();
    EXPECT_THAT(result.err, HasSubstr("\n    hint: ")) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 60);
}

// Seven links of 50 mm between bearings that are 400 mm apart.
TEST_F(CheckCommand, AChainThatDoesNotCloseGives3AndByHowMuchAndWhichWay) {
  const CommandResult result = freeplay({"check", test_dir() + "/models/unbuildable/chain_that_does_not_close.yaml"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("'pin_7' stays open by 50 mm"));
  EXPECT_THAT(result.err, HasSubstr("in the direction [-1, 0]"));
  EXPECT_THAT(result.err, HasSubstr("It is nearest to closing with pin_0 0 deg"));
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

}  // namespace freeplay::test
