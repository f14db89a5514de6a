// Time stepping of mechanisms with loops and drivers: reactions, motor torque and work against error-controlled
// integration.
#include "physics/model_run.h"

namespace freeplay::test {
namespace {

TEST(MoreauWithLoops, ReactionsAndMotorTorqueTendToThoseOfDopri5) {
  const std::vector<std::string> channels = {"motor.torque", "main_bearing.force_x", "main_bearing.force_y",
                                             "rocker_bearing.force_x", "rocker_bearing.force_y"};
  const ModelRun smooth = run_example("four_bar", {"simulate.duration=0.1 s"}, channels);
  std::vector<double> worst;
  for (const char* step : {"simulate.step=40 us", "simulate.step=20 us", "simulate.step=10 us"}) {
    const ModelRun stepped =
        run_example("four_bar", {"simulate.duration=0.1 s", "simulate.integrator=moreau-midpoint", step}, channels);
    Worst difference;
    for (const std::string& channel : channels) {
      difference((stepped[channel].back() - smooth[channel].back()) / largest(smooth[channel]));
    }
    worst.push_back(difference.value);
  }
  EXPECT_LT(worst[0], 2e-2);
  EXPECT_NEAR(worst[0] / worst[1], 2, 0.3) << "first order";
  EXPECT_NEAR(worst[1] / worst[2], 2, 0.3);
}

TEST(MoreauWithLoops, LedgerKnowsWhatTheMotorPutsIn) {
  const ModelRun smooth = run_example("four_bar", {}, {"energy.input"});
  std::vector<double> drift;
  for (const char* step : {"simulate.step=40 us", "simulate.step=20 us"}) {
    const ModelRun stepped = run_example("four_bar", {"simulate.integrator=moreau-midpoint", step},
                                         {"energy.input", "energy.drift", "energy.kinetic"});
    EXPECT_NEAR(stepped["energy.input"].back(), smooth["energy.input"].back(), 2e-2 * largest(smooth["energy.input"]));
    drift.push_back(largest(stepped["energy.drift"]) / largest(stepped["energy.kinetic"]));
  }
  EXPECT_LT(drift[0], 1e-2);
  EXPECT_NEAR(drift[0] / drift[1], 2, 0.3) << "what is left is the first-order error of the rule";
}

}  // namespace
}  // namespace freeplay::test
