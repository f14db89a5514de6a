// `freeplay compare`: several formulations of one file.
#include <gmock/gmock.h>

#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>

#include "cli/command_test.h"
#include "support/places.h"

namespace freeplay::test::compare_test {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::string kExamples = examples_dir();

const std::string kBall = R"(freeplay: 1
name: A <script>alert(1)</script> ball
space: planar
parameters: {restitution: 0.5, height: 1 m}
gravity: [0, -9.81 m/s^2]
bodies: {ball: {mass: 1 kg, inertia: 0.004 kg m^2, initial: {y: height + 0.1 m}, shapes: {skin: {type: circle, radius: 0.1 m}}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts: {bounce: {between: [ball.skin, ground.floor], impact: newton, restitution: restitution}}
simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: 1.6 s}
)";

class Compare : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("ball.yaml", kBall);
  }
  json compared(std::vector<std::string> arguments, int exit_code = 0) const {
    arguments.insert(arguments.begin(), "compare");
    arguments.emplace_back("--json");
    const CommandResult result = freeplay(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    return json::parse(result.out);
  }
};

TEST_F(Compare, TellsWhichOptionsDiffer) {
  const json report = compared({"ball.yaml", "--with", "auto", "--with", "solver_tolerance=1e-8 m/s", "--with",
                                "prox-jacobi,r_factor=row-sum", "--with", "impact_threshold=2 mm/s", "--with",
                                "tolerance=1e-6", "--with", "restitution=0.4", "--set", "simulate.duration=0.1 s"});
  std::vector<json> differences;
  for (const json& run : report["formulations"]) differences.push_back(run["differs_in"]);
  EXPECT_THAT(differences, testing::ElementsAre(json::array(), json{"solver_tolerance"}, json{"solver", "r_factor"},
                                                json{"impact_threshold"}, json::array(), json{"restitution"}));
}

// The two laws of lasting contacts part where the slider has begun to bounce on its guide.
TEST_F(Compare, ShowsWhatTheLawOfLastingContactsDoesToTheSliderCrank) {
  const json report = compared({kExamples + "/slider_crank.yaml", "--set", "duration=12ms", "--with",
                                "paper: lasting_contacts=paper", "--with", "kept: lasting_contacts=kept"});
  EXPECT_EQ(report["formulations"][1]["differs_in"], json{"lasting_contacts"});
  EXPECT_NEAR(report["first_disagreement"]["time"].get<double>(), 7.475e-3, 1e-4);
}

TEST_F(Compare, NamesTheFirstDisagreeingImpactOfTheSliderCrankAndItsCause) {
  const json report = compared({kExamples + "/slider_crank.yaml", "--set", "duration=12ms", "--with", "lemke", "--with",
                                "prox-gauss-seidel", "--with", "semismooth-newton", "--with", "moreau-jean", "--with",
                                "compliant: integrator=dopri5", "--out", "out"});
  EXPECT_EQ(report["reference"], "lemke");
  ASSERT_EQ(report["formulations"].size(), 5U);
  for (const json& run : report["formulations"]) {
    EXPECT_EQ(run["status"], "completed");
    EXPECT_GT(run["cost"]["steps"], 0);
    EXPECT_GT(run["cost"]["wall_seconds"], 0);
    EXPECT_EQ(freeplay({"info", run["result"]}).exit_code, 0);
  }
  // The first impact: the force law gives back 0.69 of the speed, the impact law 0.4.
  const json& first = report["first_disagreement"];
  EXPECT_EQ(first["formulation"], "compliant");
  EXPECT_EQ(first["contact"], "guide_1");
  EXPECT_EQ(first["impact"], 1);
  EXPECT_EQ(first["kind"], "impulse");
  EXPECT_EQ(first["cause"], "law");
  EXPECT_NEAR(first["time"], 0.00269, 1e-5);
  EXPECT_THAT(first["evidence"].get<std::string>(), HasSubstr("0.400 and 0.686"));
  // Two time-stepping rules leave each other by their errors, which are of first order; solvers do not at all.
  for (const json& pair : report["pairs"]) {
    if (pair["formulation"] == "moreau-jean") {
      ASSERT_FALSE(pair["partings"].empty());
      EXPECT_EQ(pair["partings"][0]["cause"], "step");
    } else if (pair["formulation"] != "compliant") {
      EXPECT_TRUE(pair["partings"].empty()) << pair;
      EXPECT_GT(pair["matched_impacts"], 5);
      EXPECT_LT(pair["largest_motion_difference"], 1e-6);
    }
  }
  EXPECT_TRUE(report["twin"]["differs"]);
  EXPECT_GT(report["twin"]["growth_rate"], 0);
  EXPECT_TRUE(report["twin"]["parted_at"].is_null());
  EXPECT_GT(report["quantities"].size(), 10U);
  EXPECT_TRUE(exists("out/compare.html"));
  EXPECT_EQ(json::parse(read("out/compare.json")), report);
}

TEST_F(Compare, ABallAgreesUntilItsImpactsAccumulate) {
  const json report = compared({"ball.yaml", "--with", "lemke", "--with", "moreau-jean", "--out", "o"});
  ASSERT_EQ(report["accumulations"].size(), 1U);
  const json& cluster = report["accumulations"][0];
  EXPECT_NEAR(cluster["ratio"], 0.5, 0.01);
  // t = sqrt(2 h / g) (1 + e) / (1 - e)
  EXPECT_NEAR(cluster["limit"], 3 * std::sqrt(2 / 9.81), 5e-3);
  EXPECT_TRUE(report["first_disagreement"].is_null());
  // Approach speeds 4.4, 2.2, ... m/s; those below 0.5 % of the first are not compared: 2^-7 = 0.8 % is the last.
  EXPECT_GE(report["pairs"][0]["matched_impacts"], 7);
  EXPECT_LT(report["pairs"][0]["largest_time_difference"], 1e-3);
}

TEST_F(Compare, WithoutFormulationsThoseThatTheModelAllowsAreRun) {
  const json report = compared({"ball.yaml"});
  EXPECT_EQ(report["formulations"].size(), 6U);
  EXPECT_EQ(report["formulations"][5]["label"], "event-driven");
  EXPECT_GT(report["formulations"][5]["events"], 5);
  EXPECT_TRUE(report["first_disagreement"].is_null());
  for (const json& pair : report["pairs"]) EXPECT_GE(pair["matched_impacts"], 5) << pair;
  EXPECT_TRUE(exists("results/ball_compare/compare.html"));
  EXPECT_TRUE(exists("results/ball_compare/moreau-jean_auto/result.h5"));
}

TEST_F(Compare, HostileNamesAreTextAndThePageNeedsNothingElse) {
  compared({"ball.yaml", "--with", "<img onerror>: lemke", "--with", "nsgs", "--out", "o"});
  const std::string page = read("o/compare.html");
  EXPECT_THAT(page, HasSubstr("A &lt;script&gt;alert(1)&lt;/script&gt; ball"));
  EXPECT_THAT(page, HasSubstr("&lt;img onerror"));
  // Two scripts of its own at the end, the numbers of the curves and what draws them; before these no name has become
  // an element, and nothing is loaded: the page forbids it to itself.
  const std::size_t numbers = page.find("<script"), program = page.find("<script", numbers + 1);
  ASSERT_NE(program, std::string::npos);
  EXPECT_EQ(page.find("<script", program + 1), std::string::npos);
  const std::string text = page.substr(0, numbers);
  for (const char* forbidden : {"<img", "http:", "https:", "<link", "@import", "url("})
    EXPECT_THAT(text, Not(HasSubstr(forbidden)));
  EXPECT_THAT(text, HasSubstr("Content-Security-Policy\" content=\"default-src 'none';"));
  const std::size_t begin = page.find('>', numbers) + 1;
  const std::string json_text = page.substr(begin, page.find("</script>", begin) - begin);
  EXPECT_THAT(json_text, Not(HasSubstr("<")));
  EXPECT_EQ(json::parse(json_text)["runs"][0]["label"], "<img onerror>");
}

TEST_F(Compare, ThePageBeginsWithATableThatSaysWhatDiffers) {
  compared({"ball.yaml", "--with", "lemke", "--with", "half: step=0.5ms", "--out", "o"});
  const std::string page = read("o/compare.html");
  const std::size_t table = page.find("what differs"), curves = page.find("<h2>Curves</h2>");
  ASSERT_NE(table, std::string::npos);
  EXPECT_LT(table, curves);
  EXPECT_LT(curves, page.find("Where they diverge"));
  EXPECT_THAT(page, HasSubstr("step: 0.0005 s instead of "));
  EXPECT_THAT(page, HasSubstr("<a href=\"view_both.html"));
  EXPECT_THAT(page, HasSubstr("See lemke and half move over each other"));
  EXPECT_THAT(read("o/view_both.html"), HasSubstr("|WyJsZW1rZSIsImhhbGYiXQ==<")) << "[\"lemke\",\"half\"] in base64";
}

TEST_F(Compare, AFormulationThatCannotRunIsReportedAndTheOthersGoOn) {
  const json report =
      compared({"ball.yaml", "--with", "dopri5", "--with", "lemke", "--with", "moreau-jean", "--out", "o"});
  EXPECT_EQ(report["formulations"][0]["status"], "cannot run");
  EXPECT_THAT(report["formulations"][0]["reason"].get<std::string>(), HasSubstr("needs a force law"));
  EXPECT_EQ(report["reference"], "lemke");
  EXPECT_EQ(report["pairs"].size(), 1U);
  // A single run is no comparison: the exit code is that of the failure.
  EXPECT_EQ(compared({"ball.yaml", "--with", "dopri5", "--with", "lemke", "--out", "o"}, 3)["exit_code"], 3);
}

TEST_F(Compare, MistakesAreFoundBeforeAnythingRuns) {
  const std::pair<std::vector<std::string>, std::pair<int, const char*>> cases[] = {
      {{"--with", "sovler=lemke"}, {3, "did you mean 'solver'"}},
      {{"--with", "solver=lemk"}, {3, "did you mean 'lemke'"}},
      {{"--with", "restitution=1 m"}, {3, "--with"}},
      {{"--with", "lemke,,nsgs"}, {2, "empty entry"}},
      {{"--channels", "ball.yy"}, {2, "did you mean 'ball.y'"}},
      {{"--set", "restitution"}, {2, "KEY=VALUE"}},
  };
  for (const auto& [arguments, expected] : cases) {
    std::vector<std::string> all = {"compare", "ball.yaml", "--out", "o"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const CommandResult result = freeplay(all);
    EXPECT_EQ(result.exit_code, expected.first) << result.err;
    EXPECT_THAT(result.err, HasSubstr(expected.second));
    EXPECT_FALSE(exists("o"));
  }
}

// The part rests on its track at the start, where 1e-9 of its velocity is rounding, and bounces later: chaos, which the
// twin shows if it gets off.
// Tolerances at which the runs part later than the perturbed twin.
TEST_F(Compare, SaysThatTheFeederIsChaotic) {
  const json report =
      compared({kExamples + "/conveyor.yaml", "--set", "duration=3 s", "--set", "transient=1 s", "--with",
                "event-driven, tolerance=1e-11", "--with", "tight: event-driven, tolerance=1e-13", "--out", "o"});
  EXPECT_TRUE(report["twin"]["differs"]);
  EXPECT_EQ(report["twin"]["perturbation"], 1e-6);
  EXPECT_GT(report["twin"]["growth_rate"], 1);
  ASSERT_FALSE(report["first_disagreement"].is_null()) << "two tolerances part as well";
  EXPECT_EQ(report["first_disagreement"]["cause"], "chaos");
  EXPECT_THAT(report["first_disagreement"]["evidence"].get<std::string>(),
              HasSubstr("magnifies differences, tenfold in"));
}

TEST_F(Compare, WhatTheModelMeasuresIsInTheTable) {
  write("measured.yaml", kBall + "measure: {drop: initial(ball.y) - min(ball.y)}\n");
  const json report = compared({"measured.yaml", "--with", "lemke", "--with", "event-driven", "--out", "o"});
  const json& drop = report["quantities"][0];
  EXPECT_EQ(drop["group"], "measure");
  EXPECT_EQ(drop["name"], "drop");
  for (const json& value : drop["values"]) EXPECT_NEAR(value["whole"], 1, 1e-3);
}

TEST_F(Compare, ChosenChannelsAreTheCurves) {
  const json report =
      compared({"ball.yaml", "--with", "lemke", "--with", "nsgs", "--channels", "ball.y,ball.vy", "--out", "o"});
  EXPECT_EQ(report["channels"], json({"ball.y", "ball.vy"}));
  EXPECT_THAT(read("o/compare.html"), HasSubstr("aria-label=\"ball.vy\""));
}

TEST_F(Compare, AModelWithoutImpactsIsComparedByItsMotion) {
  write("coded.yaml", kLongRun);
  const json report =
      compared({"coded.yaml", "--with", "duration=2s", "--with", "duration=2s, tolerance=1e-3", "--out", "o"});
  EXPECT_TRUE(report["twin"]["differs"]);
  EXPECT_TRUE(report["first_disagreement"].is_null());
  EXPECT_GT(report["pairs"][0]["largest_motion_difference"], 1e-6);
}

TEST_F(Compare, AnInterruptLeavesAReportOfWhatIsThere) {
  write("long.yaml", kLongRun);
  RunningCommand run(folder_, {"compare", "long.yaml", "--with", "short: duration=1s", "--with", "dopri5", "--with",
                               "cvode-bdf", "--json", "--out", "o"});
  wait_until([&] { return exists("o/dopri5/result.h5"); });
  run.send(SIGINT);
  const CommandResult result = run.wait();
  EXPECT_EQ(result.exit_code, 130);
  const json report = json::parse(result.out);
  EXPECT_TRUE(report["interrupted"]);
  EXPECT_EQ(report["formulations"][0]["status"], "completed");
  EXPECT_EQ(report["formulations"][1]["status"], "interrupted");
  EXPECT_EQ(report["formulations"][2]["status"], "not started");
  EXPECT_THAT(read("o/compare.html"), HasSubstr("interrupted"));
}

}  // namespace freeplay::test::compare_test
