#include <gmock/gmock.h>

#include <cmath>
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

// A ball that falls 1 m - 0.1 m on the floor: v = sqrt(2 g 0.9 m), and the first blow has 1.7 m v.
TEST_F(RunCommand, EndsWithWhatItComesToAndWhatToTypeNext) {
  write("ball.yaml", kBallOnFloor);
  const CommandResult result = freeplay(
      {"run", "ball.yaml", "--set", "record=[ball.y, bounce.gap, bounce.mode, bounce.force_x, bounce.force_y]"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, testing::ContainsRegex("hardest blow  7\\.1[0-9]* N s in bounce at 0\\.42[0-9]* s\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("losses        [0-9.]+ J: impacts 100 %\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("peak force    [0-9.]+ k?N in bounce, mean of 3 ms"));
  EXPECT_THAT(result.out, testing::EndsWith("next: freeplay view results/ball   or   freeplay plot results/ball\n"));
  const json info = json::parse(freeplay({"info", "results/ball", "--json"}).out);
  EXPECT_NEAR(info["findings"]["blows"]["hardest"][0]["impulse"], 1.7 * std::sqrt(2 * 9.81 * 0.9), 0.02);
  EXPECT_GT(info["summary"]["peak_forces"][0]["value"], 100) << "kept by the result file";
  EXPECT_GT(info["summary"]["impact_loss"], 1);
}

// On a terminal of 80 columns no line of a message is longer, and words stay whole.
TEST_F(RunCommand, MessagesOnATerminalAreBrokenBetweenWords) {
  write("model.yaml", R"(freeplay: 1
space: planar
bodies: {a: {mass: 1 kg, inertia: 1 kg m^2}}
joints: {j: {type: revolute, parent: ground, child: a}}
drivers: {m: {on: j, torque: '1 N m*sqrt(0.5 - t/(1 s))'}}
simulate: {integrator: dopri5, duration: 1 s}
)");
  RunningCommand command(folder_, {"run", "model.yaml"}, RunningCommand::Stderr::kTerminal);
  while (command.is_running()) command.terminal_text();
  const std::string text = command.terminal_text();
  EXPECT_EQ(command.wait().exit_code, 4);
  const std::size_t error = text.find("the run failed");
  ASSERT_NE(error, std::string::npos) << text;
  const std::size_t hint = text.find("hint:", error);
  ASSERT_NE(hint, std::string::npos) << text;
  std::size_t longest = 0, column = 0;
  for (std::size_t i = hint; i < text.size(); ++i) {
    column = text[i] == '\n' ? 0 : column + 1;
    longest = std::max(longest, column);
  }
  EXPECT_LE(longest, 82u) << text;  // with the carriage return of the terminal
  EXPECT_GT(longest, 60u) << text;
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
