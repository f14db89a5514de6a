// What the command tells of wear: summary, JSON, picture.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/command_test.h"

namespace freeplay::test::wear_command_test {
namespace {

using testing::HasSubstr;

const std::string kShaft = R"(freeplay: 1
name: A worn shaft
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  shaft: {mass: 3 kg, inertia: 0.01 kg m^2, initial: {y: -0.5 mm, omega: 50 rad/s}}
joints:
  main: {type: revolute, parent: ground, child: shaft, model: clearance, clearance: 0.5 mm, journal_radius: 10 mm,
         contact: {impact: newton, restitution: 0, wear: {coefficient: 1e-13/Pa, length: 20 mm}}}
simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 0.1 s}
record: [shaft.y]
)";

class WearCommand : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("shaft.yaml", kShaft);
  }
};

// 29.43 N along 0.1 s 0.5 m/s; at the bottom of the bore all in one sector of 5 degrees of 10.5 mm.
TEST_F(WearCommand, IsInTheSummaryAndInJson) {
  const CommandResult run = freeplay({"run", "shaft.yaml"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("main.bearing"));
  EXPECT_THAT(run.out, HasSubstr("m deep at 270 deg"));
  const nlohmann::json json = nlohmann::json::parse(freeplay({"run", "shaft.yaml", "--json"}).out);
  ASSERT_EQ(json.at("wear").size(), 2U);
  const nlohmann::json& bore = json.at("wear").at(1);
  EXPECT_EQ(bore.at("surface"), "bearing");
  EXPECT_NEAR(bore.at("volume").get<double>(), 1e-13 * 29.43 * 0.05, 1e-20);
  EXPECT_NEAR(bore.at("max_depth").get<double>(), 1e-13 * 29.43 * 0.05 / (0.0105 * 0.0872664626 * 0.02), 1e-16);
  EXPECT_EQ(bore.at("unit"), "rad");
}

TEST_F(WearCommand, IsPlottedByDirection) {
  ASSERT_EQ(freeplay({"run", "shaft.yaml", "--quiet"}).exit_code, 0);
  ASSERT_EQ(freeplay({"plot", "results/shaft", "--wear", "main", "-o", "wear.svg"}).exit_code, 0);
  for (const char* part : {"journal", "bearing", "main, depth along x"}) EXPECT_THAT(read("wear.svg"), HasSubstr(part));
  const CommandResult wrong = freeplay({"plot", "results/shaft", "--wear", "mian", "-o", "wear.svg"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'main'?"));
}

}  // namespace
}  // namespace freeplay::test::wear_command_test
