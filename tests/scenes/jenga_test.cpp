// A tower of blocks: what its layers carry, and what a ball does to it.
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::jenga_test {
namespace {

constexpr double kBlock_kg = 700 * 0.075 * 0.0248 * 0.015;
constexpr double kBall_kg = 7800 * 4.0 / 3 * std::numbers::pi * 0.007 * 0.007 * 0.007;

// Statics does not say how the blocks of a layer share the load, but the sum over a layer is the weight above it: n
// layers of the weight w have the sum w (1 + 2 + ... + n). The faces lie on each other edge on edge at the sides of the
// tower.
TEST(Jenga, EveryLayerCarriesTheWeightAboveItAndNothingMoves) {
  for (const int layers : {2, 4}) {
    const ModelRun run =
        run_example("jenga", {fmt::format("layers={}", layers), "speed=0 m/s", "duration=20 ms", "struck=1"},
                    {"along_1.x", "along_2.z", "across_3.y", "across_3.z", "tower.normal_force", "tower.penetration",
                     "step.residual"});
    ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
    const double layer_N = 3 * kBlock_kg * 9.81;
    EXPECT_NEAR(run["tower.normal_force"].back(), layer_N * layers * (layers + 1) / 2, 1e-3 * layer_N);
    for (const char* channel : {"along_1.x", "along_2.z", "across_3.y", "across_3.z"})
      EXPECT_NEAR(run[channel].back(), run[channel].front(), 2e-8) << channel << ": 1e-6 m/s for 20 ms";
    EXPECT_LE(largest(run["step.residual"]), 1e-6);
  }
}

// A central impact with the restitution e at the middle of a block: (1 + e) v m/(m + M). What friction takes from it in
// the step of the blow, at most 2 mu g with the layers above on this block alone, is the tolerance.
TEST(Jenga, ABlockIsStruckOutAtTheSpeedOfACentralImpact) {
  const ModelRun run = run_example("jenga", {"layers=4", "struck=3", "duration=4 ms", "record={every: 1}"},
                                   {"along_5.vx", "along_4.vx", "across_4.vx", "ball.vx", "step.residual"});
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  const double e = 0.3, v = 3, total = kBall_kg + kBlock_kg;
  const double expected = (1 + e) * v * kBall_kg / total, rebound = v - (1 + e) * v * kBlock_kg / total;
  const double friction = 0.4 * 9.81 * (2 * 3 + 1) * 0.5e-3;
  const double fastest = largest(run["along_5.vx"]);
  EXPECT_LT(fastest, expected);
  EXPECT_GT(fastest, expected - friction);
  EXPECT_NEAR(run["ball.vx"].back(), rebound, friction);
  EXPECT_LT(largest(run["along_4.vx"]), 1e-4) << "its neighbour stays";
  EXPECT_LE(largest(run["step.residual"]), 1e-6);
}

}  // namespace
}  // namespace freeplay::test::jenga_test
