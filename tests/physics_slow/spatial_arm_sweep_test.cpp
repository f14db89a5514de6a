// The robot arm of tests/physics/spatial/spatial_arm_test.cpp over friction, restitution and steps: every run
// completes, and every step is certified.
#include "physics/model_run.h"
#include "support/places.h"

namespace freeplay::test::spatial_arm_sweep_test {
namespace {

constexpr double kTolerance = 1e-9;  // m/s, the default

class ArmOfStep : public testing::TestWithParam<int> {};

TEST_P(ArmOfStep, CompletesWithEveryStepCertified) {
  const int step_us = GetParam();
  const double duration_s = std::min(0.4, 5e-3 * step_us);
  for (const double friction : {0.05, 0.1, 0.2, 0.3, 0.5}) {
    for (const double restitution : {0.0, 0.3, 0.6, 0.9}) {
      const Overrides overrides = {fmt::format("mu={}", friction), fmt::format("e={}", restitution),
                                   fmt::format("simulate.step={} us", step_us),
                                   fmt::format("simulate.duration={} s", duration_s)};
      const ModelRun run =
          run_model(load_model(test_dir() + "/models/physics/arm.yaml", overrides), {{"step.residual"}, 1});
      ASSERT_EQ(run.summary.status, RunStatus::kCompleted)
          << "mu " << friction << ", e " << restitution << ": " << run.summary.message;
      EXPECT_LE(run.summary.worst_residual_m_s, kTolerance) << "mu " << friction << ", e " << restitution;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Sweep, ArmOfStep, testing::Values(20, 50, 100, 200),
                         [](const auto& sweep) { return fmt::format("step{}us", sweep.param); });

}  // namespace
}  // namespace freeplay::test::spatial_arm_sweep_test
