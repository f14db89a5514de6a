// The slider-crank of the examples from the command line: parameters replaced, channels exported.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command_test.h"
#include "physics/slider_crank/flores_2010.h"
#include "support/places.h"

namespace freeplay::test {

namespace {

using nlohmann::json;
using testing::HasSubstr;

class SliderCrankCommand : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    std::filesystem::create_directory(folder_ / "examples");
    std::filesystem::copy_file(examples_dir() + "/slider_crank.yaml", folder_ / "examples/slider_crank.yaml");
  }

  // The last row of a run, in the order of `channels`.
  std::vector<double> last_row(const std::string& result, const std::string& channels) const {
    const CommandResult exported = freeplay({"export", result, "--csv", "table.csv", "--channels", channels});
    EXPECT_EQ(exported.exit_code, 0) << exported.err;
    std::istringstream table(read("table.csv"));
    std::string line, last;
    while (std::getline(table, line)) last = line;
    std::vector<double> values;
    std::istringstream fields(last);
    for (std::string field; std::getline(fields, field, ',');) values.push_back(std::stod(field));
    return values;
  }
};

constexpr const char* kMotion =
    "crank.angle,rod.angle,slider.angle,crank.omega,rod.omega,slider.omega,guide.gap_1,guide.gap_3";

void expect_motion(const test::flores::Parameters& p, int steps, const std::vector<double>& row) {
  test::flores::Vec3 q = test::flores::Vec3::Zero(), u(p.crank_omega, p.rod_omega, p.slider_omega);
  for (int k = 0; k < steps; ++k) test::flores::advance(p, q, u);
  ASSERT_EQ(row.size(), 9u);
  EXPECT_NEAR(row[0], steps * p.step, 1e-12);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(row[1 + i], q[static_cast<int>(i)], 1e-9);
    EXPECT_NEAR(row[4 + i], u[static_cast<int>(i)], 1e-8);
  }
  EXPECT_NEAR(row[7], test::flores::gaps(p, q)[0], 1e-9);
  EXPECT_NEAR(row[8], test::flores::gaps(p, q)[2], 1e-9);
}

TEST_F(SliderCrankCommand, RunsWithOtherFrictionAndClearance) {
  const CommandResult result = freeplay(
      {"run", "examples/slider_crank.yaml", "--set", "friction=0.05", "--set", "c=0.4 mm", "--out", "there", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["status"], "completed");
  EXPECT_EQ(summary["steps"], 13784);
  EXPECT_EQ(summary["rows"], 13785);
  EXPECT_EQ(summary["result"], "there/result.h5");
  EXPECT_GT(summary["impacts"], 10);
  EXPECT_GT(summary["max_penetration"], 0.0);
  EXPECT_LT(summary["worst_residual"], 1e-9);

  test::flores::Parameters p;
  p.friction = 0.05;
  p.c = 0.4e-3;
  expect_motion(p, 13784, last_row("there", kMotion));
}

TEST_F(SliderCrankCommand, EveryQuantityOfTheTableIsAParameter) {
  test::flores::Parameters p;
  p.l1 = 0.14, p.l2 = 0.33, p.a = 0.04, p.b = 0.02, p.c = 0.0008;
  p.m1 = 0.05, p.m2 = 0.06, p.m3 = 0.09, p.J1 = 9e-5, p.J2 = 7e-4, p.J3 = 5e-5;
  p.restitution = 0.3, p.tangential_restitution = 0.2, p.friction = 0.1;
  p.crank_omega = 120, p.rod_omega = -52, p.slider_omega = 3, p.step = 2e-5;
  const int steps = 1000;
  std::vector<std::string> arguments = {"run", "examples/slider_crank.yaml", "--out", "there", "--json"};
  for (const std::string& setting : p.overrides(steps)) {
    arguments.push_back("--set");
    arguments.push_back(setting);
  }
  const CommandResult result = freeplay(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_motion(p, steps, last_row("there", kMotion));
}

TEST_F(SliderCrankCommand, RecordsAnglesGapsImpulsesForcesAndEnergy) {
  const CommandResult run =
      freeplay({"run", "examples/slider_crank.yaml", "--set", "duration=1 ms", "--out", "there", "--quiet"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  std::string channels =
      "crank.angle,rod.angle,slider.angle,crank.omega,rod.omega,slider.omega,bearing.force_x,bearing.force_y,"
      "guide.eccentricity_y,energy.kinetic,energy.potential,energy.total,energy.impact_loss,energy.friction_loss,"
      "energy.drift";
  for (const char* corner : {"1", "2", "3", "4"}) {
    for (const char* name : {"gap_", "normal_impulse_", "tangential_impulse_", "normal_force_", "mode_"}) {
      channels += std::string(",guide.") + name + corner;
    }
  }
  EXPECT_EQ(last_row("there", channels).size(), 1u + 15 + 4 * 5);
}

TEST_F(SliderCrankCommand, GuideBecomesIdealByOneWord) {
  const CommandResult result =
      freeplay({"run", "examples/slider_crank.yaml", "--set", "joints.guide.model=ideal", "--out", "there", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["status"], "completed");
  EXPECT_EQ(summary["impacts"], 0);
}

}  // namespace

}  // namespace freeplay::test
