// `freeplay fit` as a user meets it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/command_test.h"

namespace freeplay::test {

namespace {

using nlohmann::json;
using testing::HasSubstr;

class FitVerb : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("pendulum.yaml", kPendulum);
    // What another pendulum does, as a logger would have written it.
    ASSERT_EQ(freeplay({"run", "pendulum.yaml", "--set", "speed=1.3 rad/s", "--set", "l=0.9m", "--set",
                        "simulate.step=10ms", "--out", "truth", "--quiet"})
                  .exit_code,
              0);
    ASSERT_EQ(freeplay({"export", "truth", "--csv", "data.csv", "--channels", "upper.angle,lower.omega"}).exit_code, 0);
  }
};

TEST_F(FitVerb, FindsTheParametersOfARunOnAllCoresAndWritesWhatItFound) {
  const CommandResult result =
      freeplay({"fit", "pendulum.yaml", "--data", "data.csv", "--parameters", "l=0.5m:2m,speed", "--out", "fit"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("converged"));
  EXPECT_THAT(result.out, HasSubstr("freeplay run pendulum.yaml --set \"l=0."));
  EXPECT_THAT(result.err, HasSubstr("iteration 1: relative error"));
  const json found = json::parse(read("fit/fit.json"));
  EXPECT_NEAR(found["parameters"]["l"]["value"].get<double>(), 0.9, 1e-5);
  EXPECT_NEAR(found["parameters"]["speed"]["value"].get<double>(), 1.3, 1e-5);
  EXPECT_EQ(found["parameters"]["speed"]["unit"], "1/s");
  EXPECT_THAT(read("fit/fit.csv"), HasSubstr("time,upper.angle,upper.angle.fit,upper.angle.residual,lower.omega"));
  EXPECT_THAT(read("fit/fit.svg"), HasSubstr("residuals"));
}

TEST_F(FitVerb, HasOneObjectOfJson) {
  const CommandResult result = freeplay({"fit", "pendulum.yaml", "--data", "data.csv", "--parameters", "speed",
                                         "--channels", "upper.angle", "--set", "l=0.9m", "--json", "--out", "fit"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json found = json::parse(result.out);
  EXPECT_EQ(found["status"], "converged");
  EXPECT_EQ(found["channels"].size(), 1U);
  EXPECT_EQ(found["exit_code"], 0);
}

TEST_F(FitVerb, FailsWhereTheDataTellNothing) {
  write("thrown.yaml", R"yaml(freeplay: 1
space: planar
parameters: {speed: 1 m/s, e: 0.5}
bodies: {ball: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: 1 m, vx: speed}, shapes: {skin: {type: point}}}}
ground: {shapes: {wall: {type: line, at: [0, 0], normal: [1, 0]}}}
contacts: {knock: {between: [ball.skin, ground.wall], impact: newton, restitution: e}}
simulate: {integrator: event-driven, duration: 1 s}
)yaml");
  write("thrown.csv", "time,ball.x\n0,1\n0.25,1.25\n0.5,1.5\n0.75,1.75\n");
  const CommandResult result = freeplay({"fit", "thrown.yaml", "--data", "thrown.csv", "--parameters", "e=0:1", "--set",
                                         "speed=1.1 m/s", "--out", "fit"});
  EXPECT_EQ(result.exit_code, 4) << result.out;
  EXPECT_THAT(result.err, HasSubstr("do not tell any of the parameters"));
  EXPECT_THAT(result.out, HasSubstr("undetermined"));
  EXPECT_EQ(result.out.find("converged"), std::string::npos);
}

// Data of a ball between two walls (fit_test.cpp of study): from 1 m/s downhill there is a valley that explains
// nothing.
TEST_F(FitVerb, SaysWhatItKnowsOfOtherMinima) {
  write("walls.yaml", R"yaml(freeplay: 1
space: planar
parameters: {speed: 1 m/s}
bodies: {ball: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: 0.5 m, vx: speed}, shapes: {skin: {type: point}}}}
ground: {shapes: {left: {type: line, at: [0, 0], normal: [1, 0]}, right: {type: line, at: [1 m, 0], normal: [-1, 0]}}}
contacts:
  a: {between: [ball.skin, ground.left], impact: newton, restitution: 1, friction: 0}
  b: {between: [ball.skin, ground.right], impact: newton, restitution: 1, friction: 0}
simulate: {integrator: event-driven, duration: 10 s, max_step: 0.1 s}
)yaml");
  std::string data = "time,ball.x\n";
  for (int i = 0; i < 100; ++i) {
    const double way = std::fmod(0.5 + 0.17 * i, 2);
    data += fmt::format("{},{}\n", 0.1 * i, way <= 1 ? way : 2 - way);
  }
  write("walls.csv", data);
  const auto fitted = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"fit",          "walls.yaml",          "--data", "walls.csv",
                                      "--parameters", "speed=0.5m/s:2.5m/s", "--out",  "fit"};
    words.insert(words.end(), more.begin(), more.end());
    return freeplay(words).out;
  };
  const std::string one = fitted({"--starts", "0"}), best = fitted({});
  EXPECT_THAT(one, HasSubstr("no nearer to the data than the mean of the data is"));
  EXPECT_THAT(one, HasSubstr("leave out --starts 0"));
  EXPECT_THAT(best, HasSubstr("converged"));
  EXPECT_THAT(best, HasSubstr("from 21 starts"));
  EXPECT_THAT(best, HasSubstr("there are local minima: 1 of "));
  EXPECT_NEAR(json::parse(read("fit/fit.json"))["parameters"]["speed"]["value"].get<double>(), 1.7, 1e-9);
}

TEST_F(FitVerb, TellsOfMistakesByItsExitCode) {
  const auto told = [&](const std::string& data, const std::string& parameters, int code,
                        const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"fit",          "pendulum.yaml", "--data", data,
                                      "--parameters", parameters,      "--out",  "no"};
    words.insert(words.end(), more.begin(), more.end());
    const CommandResult result = freeplay(words);
    EXPECT_EQ(result.exit_code, code) << result.err;
    return result.err;
  };
  write("bad.csv", "time,upper.angel\n0,1\n1,1\n");
  write("negative.csv", "time,upper.angle\n0,0\n0.5,0.1\n1,0.2\n");
  EXPECT_THAT(told("bad.csv", "speed", 3), HasSubstr("did you mean 'upper.angle'"));
  EXPECT_THAT(told("data.csv", "sped", 3), HasSubstr("did you mean 'speed'"));
  EXPECT_EQ(told("none.csv", "speed", 6).empty(), false);
  EXPECT_FALSE(exists("no"));
  EXPECT_THAT(told("negative.csv", "m=-2kg:-1kg", 4), HasSubstr("the runs with all of the 21 starts have failed"));
  EXPECT_EQ(json::parse(read("no/fit.json"))["minima"], json::array());
  EXPECT_THAT(told("negative.csv", "m=-2kg:-1kg", 4, {"--starts", "0"}),
              HasSubstr("the run with the first values has failed"));
}

}  // namespace

}  // namespace freeplay::test
