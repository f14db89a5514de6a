// A press with play in six pins and its guide, driven by a motor on a pin with play.
#include <cmath>

#include "physics/model_run.h"

namespace freeplay::test::knuckle_press_test {
namespace {

ModelRun run_press(const Overrides& overrides) {
  Overrides all = {"friction=0", "simulate.step=0.1 ms", "simulate.duration=0.5 s"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return run_example("knuckle_press", all);
}

double mean_difference(const ModelRun& a, const ModelRun& b, const std::string& channel) {
  double sum = 0;
  const std::size_t first = a.rows() / 5;  // the parts have fallen into their bearings
  for (std::size_t i = first; i < a.rows(); ++i) sum += std::abs(a[channel][i] - b[channel][i]);
  return sum / static_cast<double>(a.rows() - first);
}

// With the play the motion and the motor's torque tend to those of the ideal press, with order one.
TEST(KnucklePress, TendsToTheIdealPressAsThePlayVanishes) {
  const ModelRun ideal = run_press({"play=ideal"});
  std::vector<double> ram, knee, torque;
  for (const char* c : {"clearance=0.1 mm", "clearance=0.05 mm", "clearance=0.025 mm"}) {
    const ModelRun loose = run_press({c});
    EXPECT_LT(largest_difference(loose["main.q"], ideal["main.q"]), 1e-12) << "the driver is obeyed";
    ram.push_back(mean_difference(loose, ideal, "ram.y"));
    knee.push_back(mean_difference(loose, ideal, "knee.q"));
    torque.push_back(mean_difference(loose, ideal, "motor.torque"));
    // The motor pays for the impacts, which take less and less.
    EXPECT_LT(std::abs(loose["energy.drift"].back()), 2e-3);
  }
  EXPECT_NEAR(std::log2(ram[0] / ram[2]) / 2, 1, 0.05);
  EXPECT_NEAR(std::log2(knee[0] / knee[2]) / 2, 1, 0.05);
  EXPECT_NEAR(std::log2(torque[0] / torque[2]) / 2, 1, 0.2);
  EXPECT_LT(ram[2], 5 * 0.025e-3) << "five joints with play between the ground and the ram";
}

// What presses in one step presses in the next: the contact problem starts there, and its solution is found by one
// linear system. From the velocities of bodies that fall freely, every eleventh step took a search of seven pivots.
TEST(KnucklePress, FindsContactsThatLastWithoutASearch) {
  const ModelRun run = run_example("knuckle_press", {"simulate.duration=0.1 s"});
  double pivots = 0;
  for (const double iterations : run["step.iterations"]) pivots += iterations;
  EXPECT_LT(pivots, 0.02 * static_cast<double>(run.rows()));
  EXPECT_LT(run.summary.worst_residual_m_s, 1e-9);
}

}  // namespace
}  // namespace freeplay::test::knuckle_press_test
