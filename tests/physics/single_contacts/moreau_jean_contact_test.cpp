// moreau-jean with impacts and friction. Where the forces are constant, theta = 1/2 is moreau-midpoint to rounding, and
// its closed forms hold.
#include "physics/single_contacts/analytic_benchmarks.h"
#include "physics/slider_crank/slider_crank_clearance.h"

namespace freeplay::test {
namespace {

const Overrides kJean = {"simulate.integrator=moreau-jean"};

Overrides with_jean(Overrides more) {
  more.insert(more.end(), kJean.begin(), kJean.end());
  return more;
}

TEST(MoreauJean, IsTheMidpointRuleUnderConstantForces) {
  for (const char* example :
       {"bouncing_ball", "block_on_incline", "sliding_block", "two_blocks", "sphere_tangential_restitution"}) {
    SCOPED_TRACE(example);
    const ModelRun midpoint = run_example(example), jean = run_example(example, kJean);
    ASSERT_EQ(midpoint.record.impacts.size(), jean.record.impacts.size());
    for (std::size_t c = 0; c < midpoint.record.columns.size(); ++c) {
      const std::string& name = midpoint.record.layout.channels[c].name;
      if (name.starts_with("step.") || name.find(".mode") != std::string::npos) continue;
      EXPECT_LT(largest_difference(midpoint[name], jean[name]), 1e-9) << name;
    }
  }
}

TEST(MoreauJeanBall, ImpactsAreAGeometricSeriesThatEndsInRest) {
  const double h = 1, g = 9.81, e = 0.5, dt = 1e-4, fall = std::sqrt(2 * h / g);
  for (const char* theta : {"0.5", "1"}) {
    SCOPED_TRACE(theta);
    const ModelRun run = run_example("bouncing_ball", with_jean({std::string("simulate.theta=") + theta}));
    ASSERT_GE(run.record.impacts.size(), 4u);
    double sum = 0;
    for (int k = 1; k <= 4; ++k) {
      EXPECT_NEAR(run.record.impacts[static_cast<std::size_t>(k - 1)].time_s, fall * (1 + 2 * sum), 4 * k * dt) << k;
      sum += std::pow(e, k);
    }
    std::size_t row = run.rows();
    while (row > 0 && run["bounce.normal_impulse"][row - 1] > 0) --row;
    EXPECT_NEAR(run.time()[row - 1], fall * (1 + e) / (1 - e), 3 * dt / (e * e * (1 - e)));
    EXPECT_NEAR(run["bounce.normal_impulse"].back() / dt, g, 1e-9);
  }
}

TEST(MoreauJeanBlock, SticksAndSlipsOnTheInclineExactly) {
  const double g = 9.81, cosine = std::sqrt(0.75);
  const ModelRun slips = run_example("block_on_incline", kJean);
  EXPECT_NEAR(slips["block.vx"].back(), g * (0.5 - 0.3 * cosine), 1e-11);
  EXPECT_NEAR(slips["block.x"].back(), g * (0.5 - 0.3 * cosine) / 2, 1e-11);
  const ModelRun sticks = run_example("block_on_incline", with_jean({"friction=0.7"}));
  EXPECT_LT(largest(sticks["block.vx"]), 1e-12);
  EXPECT_NEAR(sticks["support.tangential_force_1"].back() + sticks["support.tangential_force_2"].back(), -g / 2, 1e-9);
}

TEST(MoreauJeanBlock, SlidingDoesNotLiftIt) {
  for (const char* theta : {"0.5", "1"}) {
    const ModelRun run = run_example("sliding_block", with_jean({std::string("simulate.theta=") + theta}));
    EXPECT_LT(largest(run["block.vy"]), 1e-12) << theta;
    EXPECT_LT(std::abs(run["block.vx"].back()), 1e-12) << theta << ": stands after 1.02 s";
  }
}

// A mass on a spring strikes a stop at its position of rest with e = 1: half an oscillation after half an oscillation,
// pi/omega each. Noticed up to a step late, an impact sends the mass back from inside the stop: up to two steps each.
TEST(MoreauJeanStop, SpringReturnsTheMassInHalfPeriods) {
  const ModelRun run =
      run_test_model("oscillator", {"wall=0 m", "restitution=1", "start=-0.1 m", "step=0.1 ms", "duration=2 s"});
  const double half = std::numbers::pi / 10;
  ASSERT_EQ(run.record.impacts.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(run.record.impacts[k].time_s, half * (static_cast<double>(k) + 0.5), 2e-4 * static_cast<double>(k + 1));
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-10) << "the ledger is exact with an impact in the step, too";
}

// A stiff spring presses the mass against the stop: the impulse of a step carries the force of the spring.
TEST(MoreauJeanStop, CarriesAStiffSpring) {
  const ModelRun run =
      run_test_model("oscillator", {"wall=-1 mm", "start=-1 mm", "restitution=0", "stiffness=1e8 N/m", "theta=1"});
  EXPECT_NEAR(run["guide.normal_impulse_upper"].back() / 0.01, 1e8 * 1e-3, 1e-4);
  EXPECT_LT(std::abs(run["guide.u"].back()), 1e-9);
}

TEST(MoreauJeanSliderCrank, ApproachesTheEventDrivenSolution) {
  flores::Parameters p;
  const ModelRun run = run_slider_crank(p, 13800, kJean, kPassageChannels);
  const Passage two = passage(p, run, 2);
  EXPECT_NEAR(two.time, 0.137554495, 3e-4);
  EXPECT_NEAR(two.crank_omega, 146.418171, 0.65);
  EXPECT_NEAR(two.energy, 7.1411716, 0.065);
}

// Without contact the errors are of second order: a hundredth of these with a tenth of the step. moreau-midpoint loses
// 0.1 rad/s and 0.014 J at this step.
TEST(MoreauJeanSliderCrank, FreeFlightKeepsTheCrankSpeed) {
  for (const double step : {1e-5, 1e-6}) {
    flores::Parameters p;
    p.c = 5;
    p.step = step;
    const ModelRun run = run_slider_crank(p, static_cast<int>(std::lround(0.02 / step)), kJean,
                                          {"crank.omega", "rod.omega", "energy.drift"});
    const double scale = step * step / 1e-10;
    EXPECT_NEAR(run["crank.omega"].back(), 76.672432, 3e-4 * scale + 1e-6);
    EXPECT_NEAR(run["rod.omega"].back(), 10.567582, 1e-4 * scale + 1e-6);
    EXPECT_LT(largest(run["energy.drift"]), 4e-5 * scale);
  }
}

TEST(MoreauJeanFourBar, RunsWithPlayInAPinAndADriver) {
  const ModelRun run = run_example("four_bar_clearance", with_jean({"simulate.projection=1 um"}));
  EXPECT_GT(run.summary.impacts, 0);
  EXPECT_LT(run.summary.max_penetration_m, 1.001e-6);
  EXPECT_LT(run.summary.worst_residual_m_s, 1e-8);
}

// The motion does not depend on what is recorded, and going back to a state repeats the steps from there.
TEST(MoreauJeanSliderCrank, RecordingReactionsChangesNothing) {
  flores::Parameters p;
  const ModelRun few = run_slider_crank(p, 400, kJean, {"crank.omega"});
  const ModelRun all = run_slider_crank(p, 400, kJean, {});
  EXPECT_EQ(few["crank.omega"], all["crank.omega"]);
}

}  // namespace
}  // namespace freeplay::test
