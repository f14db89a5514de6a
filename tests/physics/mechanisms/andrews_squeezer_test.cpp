// Andrews' squeezing mechanism against the published solution of the IVP test set.
#include "physics/mechanisms/andrews_squeezer_reference.h"
#include "physics/model_run.h"

namespace freeplay::test {
namespace {

constexpr std::array kAngles = {"beta.q", "theta.q", "gamma.q", "phi.q", "delta.q", "omega.q", "epsilon.q"};
// Test Set for IVP Solvers, problem andrews, at t = 0.03 s.
constexpr std::array kPublished = {15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                                   0.5244099658805304, 0.5347301163226948, 1.048080741042263};

TEST(AndrewsSqueezer, ReachesThePublishedAngles) {
  const ModelRun run = run_example("andrews_squeezer");
  ASSERT_NEAR(run.time().back(), 0.03, 1e-15);
  for (std::size_t k = 0; k < kAngles.size(); ++k)
    EXPECT_NEAR(run[kAngles[k]].back(), kPublished[k], 1e-6) << kAngles[k];
}

// An independent integration of the benchmark's equations in extended precision agrees with the published angles to
// 2e-9, and with itself at half the step to 2e-12, of which order 5 leaves 1e-13: that is how far the published digits
// go.
TEST(AndrewsSqueezer, ErrorFallsWithTheToleranceToTwelveDigits) {
  const SqueezerReference reference;
  const SqueezerReference::Angles exact = reference.angles_at_end(6000);
  ASSERT_LT((exact - reference.angles_at_end(3000)).cwiseAbs().maxCoeff(), 3e-12);
  for (int k = 0; k < 7; ++k) ASSERT_NEAR(static_cast<double>(exact[k]), kPublished[static_cast<std::size_t>(k)], 2e-9);

  double previous = 1;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    // One grid interval: the step control alone decides.
    const ModelRun run =
        run_example("andrews_squeezer", {fmt::format("simulate.tolerance={}", tolerance), "simulate.step=30 ms"},
                    {kAngles.begin(), kAngles.end()});
    Worst error;
    for (std::size_t k = 0; k < 7; ++k) error(run[kAngles[k]].back() - static_cast<double>(exact[static_cast<int>(k)]));
    EXPECT_LT(error.value, 100 * tolerance);
    EXPECT_LT(error.value, previous / 5);
    previous = error.value;
  }
}

// The published multipliers of the start: with g_1 = P_on_K2 - P_on_K3 and M q'' = f - G^T lambda the pin pushes K3
// with +lambda; at rest the other two pins carry nothing.
TEST(AndrewsSqueezer, PinForcesAtTheStartAreThePublishedMultipliers) {
  const ModelRun run = run_example("andrews_squeezer");
  const double angle = run["K2.angle"][0], c = std::cos(angle), s = std::sin(angle);
  const double Fx = run["pin_K3.force_x"][0], Fy = run["pin_K3.force_y"][0];  // in axes of K2
  EXPECT_NEAR(c * Fx - s * Fy, 98.5668703962410896, 1e-9);
  EXPECT_NEAR(s * Fx + c * Fy, -6.12268834425566266, 1e-9);
  for (const char* pin : {"pin_K4.force_x", "pin_K4.force_y", "pin_K6.force_x", "pin_K6.force_y"})
    EXPECT_NEAR(run[pin][0], 0, 1e-9) << pin;
}

// The crank's torque puts in torque times angle; kinetic and spring energy hold exactly that.
TEST(AndrewsSqueezer, MotorWorkIsTorqueTimesAngle) {
  const ModelRun run = run_example("andrews_squeezer");
  Worst work;
  for (std::size_t i = 0; i < run.rows(); ++i)
    work(run["energy.input"][i] - 0.033 * (run["beta.q"][i] - run["beta.q"][0]));
  EXPECT_LT(work.value, 1e-10);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-10);
  EXPECT_LE(run.summary.worst_position_residual_m, 1e-12);
  EXPECT_LE(run.summary.worst_residual_m_s, 1e-10);
}

TEST(AndrewsSqueezer, HasOneDegreeOfFreedomAndNoRedundancy) {
  const auto mechanism = Mechanism::build(load_example("andrews_squeezer").mechanism);
  EXPECT_EQ(mechanism->coordinate_count(), 7);
  EXPECT_EQ(mechanism->row_count(), 6);
  EXPECT_EQ(mechanism->degrees_of_freedom(), 1);
  EXPECT_TRUE(mechanism->redundant_rows().empty());
  EXPECT_TRUE(mechanism->assembly_notes().empty());
}

}  // namespace
}  // namespace freeplay::test
