// The examples lubricated_crank and worn_bearing against what their pages say.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::tribology_examples_test {
namespace {

constexpr double kPi = std::numbers::pi;

struct Extremes {
  double force_N = 0, least_Nm = 0, largest_Nm = 0, eccentricity = 0;
};

// From the second turn of the crank on.
Extremes extremes(const ModelRun& run, bool has_oil) {
  Extremes found;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    if (run.time()[i] < 0.04) continue;
    found.force_N = std::max(found.force_N, std::hypot(run["wristpin.force_x"][i], run["wristpin.force_y"][i]));
    found.least_Nm = std::min(found.least_Nm, run["motor.torque"][i]);
    found.largest_Nm = std::max(found.largest_Nm, run["motor.torque"][i]);
    if (has_oil) found.eccentricity = std::max(found.eccentricity, run["wristpin.eccentricity_ratio"][i]);
  }
  return found;
}

TEST(LubricatedCrank, OilMakesTheForcesThoseOfTheIdealPin) {
  const ModelRun oil = run_example("lubricated_crank"), ideal = run_example("lubricated_crank", {"play=ideal"});
  ASSERT_EQ(oil.summary.status, RunStatus::kCompleted);
  const Extremes with_oil = extremes(oil, true), without_play = extremes(ideal, false);
  EXPECT_NEAR(without_play.force_N, 244.7, 0.1);
  EXPECT_NEAR(with_oil.force_N, without_play.force_N, 0.1);
  EXPECT_NEAR(with_oil.least_Nm, without_play.least_Nm, 0.05);
  EXPECT_NEAR(with_oil.largest_Nm, without_play.largest_Nm, 0.05);
  EXPECT_NEAR(with_oil.eccentricity, 0.874, 0.001);
  EXPECT_EQ(oil.summary.contacts_begun, 0);
  // What the motor puts in goes into the oil and into the swing of the kinetic energy.
  EXPECT_LT(oil.summary.max_energy_drift_J, 1e-6 * oil.summary.account.damping_loss);
  EXPECT_NEAR(oil.summary.account.damping_loss, 0.1495, 1e-4);
}

TEST(LubricatedCrank, WithoutOilThePinRattles) {
  const Extremes dry = extremes(run_example("lubricated_crank", {"bearing=dry"}), false);
  EXPECT_GT(dry.force_N, 300);
  EXPECT_LT(dry.least_Nm, -16);
  EXPECT_GT(dry.largest_Nm, 14.5);
}

// The film of a centred journal is a damper: the eccentricity falls as the viscosity grows.
TEST(LubricatedCrank, ThickOilHoldsThePinNearTheMiddle) {
  const std::vector<std::string> channels = {"wristpin.force_x", "wristpin.force_y", "motor.torque",
                                             "wristpin.eccentricity_ratio"};
  double before = 1;
  for (const char* viscosity : {"viscosity=0.4 Pa s", "viscosity=2 Pa s", "viscosity=10 Pa s"}) {
    const Extremes oil =
        extremes(run_example("lubricated_crank", {viscosity, "simulate.integrator=cvode-bdf"}, channels), true);
    EXPECT_LT(oil.eccentricity, 0.8 * before) << viscosity;
    before = oil.eccentricity;
  }
  EXPECT_LT(before, 0.12);
}

// The load of weight and unbalance, its direction and the way of the journal's surface, sector by sector.
TEST(WornBearing, EverySectorHasTheWearOfTheLoadThatPassesOverIt) {
  const ModelRun run = run_example("worn_bearing", {"friction=0"}, {"energy.total"});
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted);
  const auto found = std::find_if(run.summary.wear.begin(), run.summary.wear.end(),
                                  [](const SurfaceWear& wear) { return wear.surface == "bearing"; });
  ASSERT_NE(found, run.summary.wear.end());
  const double w = 20 * kPi, m = 4, g = 9.81, a = 1e-3 * w * w, R = 15e-3, k = 1e-4 / 0.5e9, turns = 10;
  constexpr std::size_t kSectors = 90;
  ASSERT_EQ(found->cells.size(), kSectors);
  std::vector<double> expected(kSectors, 0.0);
  double total = 0;
  constexpr int kParts = 200000;
  for (int i = 0; i < kParts; ++i) {
    const double angle = 2 * kPi * (i + 0.5) / kParts;
    const double x = m * a * std::cos(angle), y = m * (a * std::sin(angle) - g);
    const double volume = turns * k * std::hypot(x, y) * R * 2 * kPi / kParts;
    const double sector = std::floor((std::atan2(y, x) + 2 * kPi) / (2 * kPi / kSectors) + 0.5);
    expected[static_cast<std::size_t>(sector) % kSectors] += volume;
    total += volume;
  }
  EXPECT_NEAR(total, 7.699e-12, 1e-15);
  EXPECT_NEAR(found->volume_m3, total, 2e-3 * total);
  double sum = 0;
  for (std::size_t i = 0; i < kSectors; ++i) {
    EXPECT_NEAR(found->cells[i].volume_m3, expected[i], 0.01 * total) << i;  // a sector has 6 to 16 per cent of it
    sum += found->cells[i].volume_m3;
  }
  EXPECT_NEAR(sum, found->volume_m3, 1e-12 * total);
}

TEST(WornBearing, FrictionTurnsTheWornArcByItsAngle) {
  const auto middle = [](const char* friction) {
    const ModelRun run = run_example("worn_bearing", {friction}, {"energy.total"});
    double moment = 0, volume = 0;
    for (const SurfaceWear& wear : run.summary.wear) {
      if (wear.surface != "bearing") continue;
      for (const WearCell& cell : wear.cells) moment += cell.volume_m3 * (cell.from + cell.to) / 2;
      volume = wear.volume_m3;
    }
    return moment / volume;
  };
  EXPECT_NEAR(middle("friction=0"), 1.5 * kPi, 0.01);
  EXPECT_NEAR(middle("friction=0.1"), 1.5 * kPi - std::atan(0.1), 0.01);
}

}  // namespace
}  // namespace freeplay::test::tribology_examples_test
