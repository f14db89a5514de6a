// `model: ideal` and `model: clearance` on the same guide.
#include "physics/slider_crank/slider_crank_clearance.h"

namespace freeplay::test {
namespace {

const Overrides kIdeal = {"joints.guide.model=ideal"};

// The free crank without play, to 1e-10: an error-controlled integrator.
double exact_ideal_speed(const std::string& duration) {
  const ModelRun run = run_example("slider_crank",
                                   {"joints.guide.model=ideal", "simulate.integrator=dopri5",
                                    "simulate.tolerance=1e-11", "step=1 ms", "duration=" + duration},
                                   {"crank.omega", "energy.drift"});
  EXPECT_LE(run.summary.max_energy_drift_J, 1e-8);
  return run["crank.omega"].back();
}

TEST(SliderCrankIdealLimit, OneWordTurnsThePlayOff) {
  const ModelRun run = run_example("slider_crank", kIdeal);
  ASSERT_EQ(run.rows(), 13785u);
  EXPECT_EQ(run.contacts->point_count(), 0);
  EXPECT_EQ(run.summary.impacts, 0);
  EXPECT_LE(largest(run["slider.y"]), 1e-12);
  EXPECT_LE(largest(run["slider.angle"]), 1e-12);
  EXPECT_LE(run.summary.worst_position_residual_m, 1e-12);
}

TEST(SliderCrankIdealLimit, TimeSteppingTendsToTheErrorControlledIntegrator) {
  const double exact = exact_ideal_speed("100 ms");
  double previous = 0;
  for (const double step : {1e-4, 1e-5, 1e-6}) {
    const ModelRun run =
        run_example("slider_crank", {"joints.guide.model=ideal", fmt::format("step={} s", step), "duration=100 ms"},
                    {"crank.omega", "energy.drift"});
    const double error = std::abs(run["crank.omega"].back() - exact);
    if (previous > 0) {
      EXPECT_NEAR(std::log10(previous / error), 1, 0.1);
    }
    previous = error;
  }
}

// Without friction, the play costs energy only where the slider crosses it: pushed with an acceleration a it arrives
// with v^2 <= 2 a 2c, so the loss, and with it the difference to the ideal mechanism, vanishes at least in proportion
// to c. Measured: 5.50, 1.57, 0.452, 0.106 rad/s.
TEST(SliderCrankIdealLimit, CrankSpeedTendsToTheIdealOneWithTheClearance) {
  const double exact = exact_ideal_speed("100 ms");
  const auto speed = [](double c, const char* step) {
    const ModelRun run = run_example(
        "slider_crank",
        {fmt::format("c={} m", c), "friction=0", step, "duration=100 ms", "simulate.velocity_forces=midpoint"},
        {"crank.omega"});
    EXPECT_LT(run.summary.max_penetration_m, c / 4);  // otherwise the step is too long to speak of a clearance c
    return run["crank.omega"].back();
  };
  double per_clearance = 5600;  // rad/s per m
  for (const double c : {1e-3, 0.3e-3, 0.1e-3, 0.03e-3}) {
    SCOPED_TRACE(c);
    const double coarse = speed(c, "step=2 us"), fine = speed(c, "step=1 us");
    // Extrapolated: impacts are noticed up to a step late, an error of first order.
    const double difference = std::abs(2 * fine - coarse - exact);
    EXPECT_LT(std::abs(fine - coarse), 0.05 * difference);
    EXPECT_LE(difference, per_clearance * c);
    per_clearance = difference / c;
  }
  EXPECT_LT(per_clearance * 0.03e-3, 0.001 * exact);
}

}  // namespace
}  // namespace freeplay::test
