// The examples gear_rattle and dog_clutch against what their pages say.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "couplings/gear_pair.h"

namespace freeplay::test::coupling_examples_test {
namespace {

constexpr double kPi = std::numbers::pi;

std::size_t impacts_from(const ModelRun& run, double time_s) {
  return static_cast<std::size_t>(std::count_if(
      run.record.impacts.begin(), run.record.impacts.end(),
      [&](const ImpactRecord& impact) { return impact.time_s > time_s && impact.normal_velocity_before < -1e-6; }));
}

// The loose wheel stays on the driving flank while its drag slows it down faster than the driver slows down:
// amplitude (order speed)^2 / ratio <= drag / inertia.
TEST(GearRattleExample, BeginsWhereTheDragNoLongerHoldsTheFlank) {
  const double w = 2 * 1500 * 2 * kPi / 60, threshold = 0.1 * 1.5 / (1e-3 * w * w);
  EXPECT_NEAR(threshold, 1.52e-3, 1e-5);
  const auto run = [&](double share) {
    return run_example("gear_rattle", {fmt::format("amplitude={} rad", share * threshold), "duration=0.8 s"},
                       {"mesh.position", "energy.drift"});
  };
  EXPECT_EQ(impacts_from(run(0.95), 0.4), 0u);
  EXPECT_GT(impacts_from(run(1.1), 0.4), 10u);
}

TEST(GearRattleExample, KeepsItsEnergyAccountAndItsPlay) {
  const ModelRun run = run_example("gear_rattle");
  EXPECT_GT(run.record.impacts.size(), 40u);
  // At each landing a rebound of 2e-6 m/s is stopped by an impulse, which the engine bears at 6 m/s.
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-6 * run["energy.impact_loss"].back());
  EXPECT_LT(largest(run["mesh.position"]), 0.05e-3 * (1 + 1e-6));
  EXPECT_GT(run["energy.impact_loss"].back(), 0.005);
}

// From the middle of the play:  t = sqrt(2 (play/2) J/T),  speed T t/J. After the reversal through all of it.
TEST(DogClutchExample, StrikesWhenTheEngineHasCrossedThePlay) {
  const ModelRun run = run_example("dog_clutch");
  const double J = 0.05, T = 40, play = 6 * kPi / 180, reversal = 0.3;
  const ImpactRecord& first = run.record.impacts.front();
  EXPECT_NEAR(first.time_s, std::sqrt(play * J / T), 1e-7);
  EXPECT_NEAR(first.normal_velocity_before, -T / J * first.time_s, 1e-5);
  const auto& names = run.record.layout.contacts;
  const auto back = std::find_if(run.record.impacts.begin(), run.record.impacts.end(), [&](const ImpactRecord& impact) {
    return names[static_cast<std::size_t>(impact.contact)] == "claws_lower";
  });
  ASSERT_NE(back, run.record.impacts.end());
  // The engine slows down by T/J, and so did both by T/(J + J_load) the other way until then: relative to the load,
  // which turns on freely, it crosses the play with T/J.
  EXPECT_NEAR(back->time_s - reversal, std::sqrt(2 * play * J / T), 1e-6);
  EXPECT_NEAR(back->normal_velocity_before, -std::sqrt(2 * play * T / J), 1e-4);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-5);
  // Before the reversal both turn together.
  const auto row = static_cast<std::size_t>(std::lower_bound(run.time().begin(), run.time().end(), reversal - 1e-3) -
                                            run.time().begin());
  EXPECT_NEAR(run["claws.normal_force_upper"][row], T * 0.4 / 0.45, 1e-4);
}

}  // namespace
}  // namespace freeplay::test::coupling_examples_test
