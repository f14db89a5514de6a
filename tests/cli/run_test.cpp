#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/command_test.h"

namespace freeplay::test {

namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class RunCommand : public CommandTest {};

TEST_F(RunCommand, WritesTheResultIntoAFolderNamedAfterTheModel) {
  write("links.yaml", kPendulum);
  const CommandResult result = freeplay({"run", "links.yaml"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(exists("results/links/result.h5"));
  for (const char* text :
       {"Two links", "completed", "steps", "rejected", "evaluations", "impacts", "worst residual", "position residual",
        "largest penetration", "energy drift", "wall time", "rows", "results/links/result.h5"}) {
    EXPECT_THAT(result.out, HasSubstr(text));
  }
  EXPECT_THAT(result.out, Not(HasSubstr("\x1b"))) << "colours only on a terminal";
  EXPECT_EQ(result.err, "");
}

TEST_F(RunCommand, JsonIsOneObjectWithTheSummaryInFullPrecision) {
  write("links.yaml", kPendulum);
  const CommandResult result = freeplay({"run", "links.yaml", "--json", "--out", "there"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["status"], "completed");
  EXPECT_EQ(summary["exit_code"], 0);
  EXPECT_EQ(summary["model"], "Two links");
  EXPECT_EQ(summary["integrator"], "dopri5");
  EXPECT_EQ(summary["result"], "there/result.h5");
  EXPECT_EQ(summary["time"], 2.0);
  EXPECT_GT(summary["steps"], 10);
  EXPECT_EQ(summary["rows"], summary["steps"].get<int>() + 1) << "row 0 is the initial state";
  EXPECT_EQ(summary["impacts"], 0);
  EXPECT_EQ(summary["max_penetration"], 0.0);
  for (const char* key : {"worst_residual", "position_residual", "energy_drift", "max_energy_drift", "energy_final",
                          "wall_seconds", "steps_per_second", "rejected_steps", "evaluations"}) {
    EXPECT_TRUE(summary[key].is_number()) << key;
  }
  EXPECT_EQ(summary["message"], "");
  EXPECT_EQ(summary["notes"], json::array());
  EXPECT_EQ(summary["warnings"], json::array());

  // Both links turn about the pivot with 90 deg/s: T = 1/2 (m l^2/3 + m l^2/12 + m (3 l/2)^2) omega^2 with m = 2 kg.
  const double omega = 90 * 0.017453292519943295;
  EXPECT_NEAR(summary["energy_initial"], 0.5 * 2 * (1.0 / 3 + 1.0 / 12 + 2.25) * omega * omega, 1e-12);
}

TEST_F(RunCommand, SetReplacesParametersAndOptions) {
  write("links.yaml", kPendulum);
  const CommandResult result = freeplay(
      {"run", "links.yaml", "--set", "speed=0", "--set", "simulate.duration=0.5s", "--json", "--set", "m=1kg"});
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["time"], 0.5);
  EXPECT_EQ(summary["energy_initial"], 0.0);
}

TEST_F(RunCommand, QuietPrintsNothing) {
  write("links.yaml", kPendulum);
  const CommandResult result = freeplay({"run", "links.yaml", "--quiet"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST_F(RunCommand, SaysWhatIsRedundant) {
  write("parallel.yaml", kParallelogram);
  const CommandResult result = freeplay({"run", "parallel.yaml", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json notes = json::parse(result.out)["notes"];
  ASSERT_FALSE(notes.empty());
  EXPECT_THAT(notes.back(), HasSubstr("3 redundant rows: p4.force_z, p4.moment_x, p4.moment_y"));
}

TEST_F(RunCommand, TwoRunsGiveTheSameBits) {
  write("parallel.yaml", kParallelogram);
  for (const char* folder : {"a", "b"}) {
    ASSERT_EQ(freeplay({"run", "parallel.yaml", "--out", folder}).exit_code, 0);
    ASSERT_EQ(freeplay({"export", folder, "--csv", std::string(folder) + ".csv"}).exit_code, 0);
  }
  EXPECT_GT(read("a.csv").size(), 10'000u);
  EXPECT_EQ(read("a.csv"), read("b.csv"));
}

TEST_F(RunCommand, BrokenModelGivesEveryPlaceAndLeavesNothingBehind) {
  write("broken.yaml",
        "freeplay: 1\nspace: planar\nbodies:\n  a: {mass: 3 m, inertia: 1 kg m^2}\n  b: {mas: 3 kg}\n"
        "simulate: {duration: 1 s}\n");
  const CommandResult result = freeplay({"run", "broken.yaml", "--out", "there"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("broken.yaml:4:13: error: bodies.a.mass"));
  EXPECT_THAT(result.err, HasSubstr("broken.yaml:5:"));
  EXPECT_THAT(result.err, HasSubstr("did you mean 'mass'"));
  EXPECT_THAT(result.err, HasSubstr(" errors\n"));
  EXPECT_FALSE(exists("there"));
}

TEST_F(RunCommand, BrokenModelKeepsTheResultOfAnEarlierRun) {
  write("links.yaml", kPendulum);
  ASSERT_EQ(freeplay({"run", "links.yaml"}).exit_code, 0);
  const std::string before = read("results/links/result.h5");
  for (const char* change : {"m=-1kg", "simulate.integrator=euler", "record=[upper.z]", "simulate.step=5s"})
    EXPECT_EQ(freeplay({"run", "links.yaml", "--set", change}).exit_code, 3) << change;
  EXPECT_EQ(read("results/links/result.h5"), before);
}

TEST_F(RunCommand, ErrorsAreJsonToo) {
  write("links.yaml", kPendulum);
  const CommandResult result = freeplay({"run", "links.yaml", "--json", "--set", "record=[upper.x, upper.omgea]"});
  EXPECT_EQ(result.exit_code, 3);
  const json report = json::parse(result.out);
  EXPECT_EQ(report["status"], "error");
  EXPECT_EQ(report["exit_code"], 3);
  ASSERT_EQ(report["errors"].size(), 1u);
  EXPECT_EQ(report["errors"][0]["message"], "there is no channel 'upper.omgea'");
  EXPECT_EQ(report["errors"][0]["hint"], "did you mean 'upper.omega'?");
  EXPECT_GT(report["errors"][0]["line"], 0);
}

TEST_F(RunCommand, ContactsWithoutTheLawThatTheIntegratorNeedsAreRefusedWithTheirPlace) {
  write("ball.yaml", kBallOnFloor);
  const CommandResult result = freeplay({"run", "ball.yaml", "--set", "simulate.integrator=dopri5"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("ball.yaml:9:3: error: contacts.bounce"));
  EXPECT_THAT(result.err, HasSubstr("'dopri5' needs a force law"));
  EXPECT_THAT(result.err, HasSubstr("add 'force: {law: hertz, stiffness: 1e9 N/m^1.5}'"));
  EXPECT_THAT(result.err, HasSubstr("1 error\n"));
}

TEST_F(RunCommand, WarnsWhenAPartSinksIntoItsWall) {
  write("pendulum.yaml",
        "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\n"
        "bodies: {rod: {mass: 300 g, inertia: 4e-3 kg m^2}}\n"
        "joints: {pivot: {type: revolute, parent: ground, child: rod, at_child: [-200 mm, 0], model: clearance,\n"
        "  clearance: 0.2 mm, journal_radius: 5 mm, initial: {q: 30 deg},\n"
        "  contact: {impact: newton, restitution: 0.5, friction: 0.1}}}\n"
        "simulate: {integrator: moreau-midpoint, lasting_contacts: paper, step: 1 ms, duration: 0.5 s}\n");
  const CommandResult result = freeplay({"run", "pendulum.yaml", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ASSERT_EQ(json::parse(result.out)["warnings"].size(), 1u);
  EXPECT_THAT(json::parse(result.out)["warnings"][0], HasSubstr("'pivot' penetrates its wall"));
  const CommandResult cured = freeplay(
      {"run", "pendulum.yaml", "--json", "--set", "simulate.activation=anticipated", "--set", "simulate.step=20 us"});
  EXPECT_EQ(json::parse(cured.out)["warnings"].size(), 0u);
}

TEST_F(RunCommand, AnUnknownIntegratorIsAnsweredWithThoseThatExist) {
  write("links.yaml", kPendulum);
  const CommandResult result = freeplay({"run", "links.yaml", "--set", "simulate.integrator=euler"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("unknown integrator 'euler'"));
  EXPECT_THAT(result.err, HasSubstr("possible: dopri5, cvode-bdf, cvode-adams, moreau-midpoint, moreau-jean, "
                                    "event-driven or nlp-variable-step\n"));
}

TEST_F(RunCommand, UnwritableFolderIsAnInputOutputError) {
  write("links.yaml", kPendulum);
  const CommandResult result = freeplay({"run", "links.yaml", "--json", "--out", "links.yaml/there"});
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_THAT(result.err, HasSubstr("error: cannot write links.yaml/there/result.h5"));
  EXPECT_EQ(json::parse(result.out)["exit_code"], 6);
  EXPECT_EQ(freeplay({"run", "missing.yaml"}).exit_code, 6);
}

// The force is not defined after 0.5 s.
TEST_F(RunCommand, FailedRunKeepsWhatItHasAndSaysWhy) {
  write("log.yaml", R"yaml(freeplay: 1
space: planar
bodies: {block: {mass: 1 kg, inertia: 1 kg m^2}}
forces: {pull: {type: force, on: block, value: ["1 N * log(1 - t/0.5s)", 0]}}
simulate: {duration: 1 s}
)yaml");
  const CommandResult result = freeplay({"run", "log.yaml", "--json"});
  EXPECT_EQ(result.exit_code, 4) << result.out << result.err;
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_EQ(summary["exit_code"], 4);
  EXPECT_NEAR(summary["time"], 0.5, 1e-3);
  EXPECT_THAT(summary["message"], HasSubstr("a value is not finite"));
  EXPECT_THAT(result.err, HasSubstr("error: the run failed at t = 0."));
  EXPECT_THAT(result.err, HasSubstr("hint: "));
  const json info = json::parse(freeplay({"info", "results/log", "--json"}).out);
  EXPECT_EQ(info["status"], "failed");
  EXPECT_EQ(info["rows"], summary["rows"]);
}

// A force with a pole at 0.5 s: step control ends at the smallest step allowed.
TEST_F(RunCommand, StepSizeLimitHasItsOwnExitCode) {
  write("pole.yaml", R"(freeplay: 1
space: planar
bodies: {block: {mass: 1 kg, inertia: 1 kg m^2}}
forces: {pull: {type: force, on: block, value: ["1 N / (1 - t/0.5s)^2", 0]}}
simulate: {duration: 1 s, min_step: 1 us}
)");
  const CommandResult result = freeplay({"run", "pole.yaml"});
  EXPECT_EQ(result.exit_code, 5) << result.out << result.err;
  EXPECT_THAT(result.err, HasSubstr("min_step"));
  EXPECT_THAT(result.out, HasSubstr("failed"));
}

}  // namespace

}  // namespace freeplay::test
