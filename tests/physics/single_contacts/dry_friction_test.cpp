// Blocks that stick and slip: on an incline, thrown along a floor, stacked.
#include <numbers>

#include "freeplay/complementarity/problem/solver.h"
#include "physics/single_contacts/analytic_benchmarks.h"

namespace freeplay::test::dry_friction_test {
namespace {

constexpr double kGravity = 9.81, kStep = 1e-4;
constexpr double kIncline = std::numbers::pi / 6;
const double kSin = 0.5, kCos = std::cos(kIncline);

// Sum over the two corners that stand on the slope.
double corners(const ModelRun& run, const std::string& channel, std::size_t row) {
  return run["support." + channel + "_1"][row] + run["support." + channel + "_2"][row];
}

// First row from which on the block moves no more against `direction`.
std::size_t turning_row(const ModelRun& run, double direction) {
  std::size_t row = 0;
  while (row + 1 < run.rows() && direction * run["block.vx"][row] > 1e-12) ++row;
  return row;
}

TEST(BlockOnIncline, SlidesWithConstantAcceleration) {
  const ModelRun run = run_example("block_on_incline");
  const double a = kGravity * (kSin - 0.3 * kCos);
  expect_benchmark("incline 30deg mu .3: v(1s)=g(sin-mu cos)", a, run["block.vx"].back());
  expect_benchmark("incline 30deg mu .3: x(1s)", a / 2, run["block.x"].back());
  // It starts exactly on the slope, so the contact is closed from the first step on.
  EXPECT_LT(largest(run["support.gap_1"]), 1e-15);
  EXPECT_LT(largest(run["block.vy"]), 1e-15);
  EXPECT_LT(largest(run["block.angle"]), 1e-15);
}

// Friction acts below the centre of mass: with N = m g cos, N_2 - N_1 = mu N height/length.
TEST(BlockOnIncline, LowerCornerCarriesMore) {
  const ModelRun run = run_example("block_on_incline");
  const double N = kGravity * kCos;
  for (const std::size_t row : {std::size_t{1}, run.rows() - 1}) {
    EXPECT_NEAR(run["support.normal_force_1"][row], N / 2 * (1 - 0.3 / 2), 1e-9);
    EXPECT_NEAR(run["support.normal_force_2"][row], N / 2 * (1 + 0.3 / 2), 1e-9);
    EXPECT_NEAR(corners(run, "tangential_force", row), -0.3 * N, 1e-9);
  }
}

TEST(BlockOnIncline, SticksIfFrictionExceedsTheSlope) {
  const ModelRun run = run_example("block_on_incline", {"friction=0.7"});
  expect_benchmark("incline mu .7: sticks, v=0", 0, largest(run["block.vx"]));
  Worst tangential, normal;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    tangential(corners(run, "tangential_impulse", i) / kStep + kGravity * kSin);
    normal(corners(run, "normal_impulse", i) / kStep - kGravity * kCos);
    ASSERT_EQ(run["support.mode_1"][i], static_cast<double>(ContactMode::kStick));
  }
  const std::size_t last = run.rows() - 1;
  expect_benchmark("incline mu .7: lambda_T=-m g sin", -kGravity * kSin,
                   corners(run, "tangential_impulse", last) / kStep);
  expect_benchmark("incline mu .7: lambda_N=m g cos", kGravity * kCos, corners(run, "normal_impulse", last) / kStep);
  EXPECT_LT(tangential.value, 1e-10);
  EXPECT_LT(normal.value, 1e-10);
}

TEST(BlockOnIncline, StopsOnARoughSlope) {
  const ModelRun run = run_example("block_on_incline", {"friction=0.7", "speed=2 m/s", "duration=2.2 s"});
  const double a = kGravity * (0.7 * kCos - kSin);
  const std::size_t stop = turning_row(run, 1);
  // The last row in motion is the one before.
  expect_benchmark("incline mu .7, v0=2 downhill: stopping time v0/(g(mu cos-sin))", 2 / a, run.time()[stop - 1]);
  expect_benchmark("incline mu .7, v0=2 downhill: stopping distance", 2 * 2 / (2 * a), run["block.x"].back());
  EXPECT_EQ(run["block.x"][stop], run["block.x"].back());
  EXPECT_NEAR(run["energy.friction_loss"].back(), 2 + kGravity * kSin * run["block.x"].back(), 1e-10);
}

TEST(BlockOnIncline, ComesBackSlowerThanItWentUp) {
  const ModelRun run = run_example("block_on_incline", {"speed=-3 m/s"});
  const double up = kGravity * (kSin + 0.3 * kCos), down = kGravity * (kSin - 0.3 * kCos);
  const std::size_t turn = turning_row(run, -1);
  expect_benchmark("incline mu .3, v0=3 uphill: turning time", 3 / up, run.time()[turn - 1]);
  expect_benchmark("incline mu .3, v0=3 uphill: v(1s) on the way back", down * (1 - 3 / up), run["block.vx"].back());
}

// Between sticking and slipping lies mu = tan(incline), whatever mass and size.
TEST(BlockOnIncline, AngleOfFrictionSeparatesRestFromMotion) {
  for (const double degrees : {10.0, 30.0, 45.0}) {
    const double limit = std::tan(degrees * std::numbers::pi / 180);
    for (const double factor : {0.999999, 1.000001}) {
      const ModelRun run = run_example(
          "block_on_incline", {fmt::format("incline={} deg", degrees), fmt::format("friction={:.17g}", factor * limit),
                               "step=1 ms", "mass=3 kg", "length=400 mm"});
      const double a = kGravity * std::sin(degrees * std::numbers::pi / 180) * (1 - factor);
      EXPECT_NEAR(run["block.vx"].back(), std::max(a, 0.0), 1e-12) << degrees << " " << factor;
    }
  }
}

// The same with the floor tilted. Its gaps are zero only up to rounding, and sooner or later rounding opens the contact
// for one step: the block falls g cos dt^2 into the slope, and the next step takes the momentum of both. The speed
// along the slope then is what it was, since friction is proportional to the impulse. It happens once: the depth
// remains.
TEST(BlockOnIncline, TiltedFloorAndTiltedGravityAgree) {
  const ModelRun gravity = run_example("block_on_incline");
  const ModelRun floor = run_test_model("tilted_floor");
  ASSERT_EQ(gravity.rows(), floor.rows());
  const double step_without_contact = kGravity * kCos * kStep;
  Worst speed, way, away;
  int open_steps = 0;
  for (std::size_t i = 0; i < floor.rows(); ++i) {
    const double x = kCos * floor["block.x"][i] - kSin * floor["block.y"][i];
    const double vx = kCos * floor["block.vx"][i] - kSin * floor["block.vy"][i];
    const double vy = kSin * floor["block.vx"][i] + kCos * floor["block.vy"][i];
    way(x - gravity["block.x"][i]);
    if (std::abs(vy + step_without_contact) < 1e-12) {
      ++open_steps;
      continue;
    }
    speed(vx - gravity["block.vx"][i]);
    away(vy);
  }
  EXPECT_LE(open_steps, 1);
  EXPECT_LT(speed.value, 1e-11);
  EXPECT_LT(way.value, 0.3 * step_without_contact * kStep + 1e-11);  // one step without friction
  EXPECT_LT(away.value, 1e-12);
  EXPECT_LT(floor.summary.max_penetration_m, step_without_contact * kStep + 1e-12);
}

// Friction that is made convex lifts a sliding body at mu times its speed. Coulomb's law does not.
TEST(SlidingBlock, IsNotLifted) {
  for (const char* step : {"10 ms", "1 ms", "0.1 ms"}) {
    for (const char* solver : {"auto", "lemke", "enumerative"}) {
      const ModelRun run =
          run_example("sliding_block", {std::string("step=") + step, std::string("simulate.solver=") + solver});
      EXPECT_LE(largest(run["block.vy"]), 1e-9) << step << " " << solver;
      EXPECT_LE(largest(run["block.omega"]), 1e-9) << step << " " << solver;
      EXPECT_LE(largest(run["slide.gap_2"]), 1e-9) << step << " " << solver;
    }
  }
}

// An iteration stops at its tolerance, not at zero: one corner ends the step 1e-12 m above the floor, counts as open
// under `activation: gap`, and drops for a step. `anticipated` is made for resting contact, and with it nothing
// happens.
TEST(SlidingBlock, IsNotLiftedByIterationsEither) {
  for (const SolverEntry& entry : solver_registry()) {
    const SolverTraits traits = entry.make()->traits();
    if (traits.is_relaxed || !traits.takes_friction) continue;
    const ModelRun run = run_example(
        "sliding_block", {"simulate.solver=" + entry.name, "simulate.activation=anticipated", "duration=0.9 s"});
    EXPECT_LE(largest(run["block.vy"]), 1e-8) << entry.name;
    EXPECT_LE(largest(run["block.omega"]), 1e-7) << entry.name;
    EXPECT_LE(largest(run["slide.gap_2"]), 1e-9) << entry.name;
    EXPECT_EQ(run.record.summary.fallback_steps, 0) << entry.name;
  }
}

// The relaxed cone projects (u_N, u_T) = (0, 5 m/s) onto u_N >= mu |u_T|: u_N = 5 mu/(1 + mu^2) = 2 m/s, at every step.
TEST(SlidingBlock, IsLiftedByTheRelaxedCone) {
  for (const double step : {1e-3, 1e-4}) {
    const ModelRun run = run_example(
        "sliding_block", {fmt::format("step={} s", step), "simulate.solver=relaxed-cone", "duration=50 ms"});
    EXPECT_EQ(run.record.summary.status, RunStatus::kCompleted);
    EXPECT_EQ(run.record.summary.fallback_steps, 0);
    EXPECT_NEAR(largest(run["block.vy"]), 2, 3 * kGravity * step);
    EXPECT_NEAR(run.record.summary.worst_residual_m_s, 2, 3 * kGravity * step) << "graded by Coulomb's law";
  }
}

TEST(SlidingBlock, StopsWhereCoulombSays) {
  const double a = 0.5 * kGravity, step = 1e-3;
  const ModelRun run = run_example("sliding_block");
  EXPECT_NEAR(run.time()[turning_row(run, 1)], 5 / a, step);
  EXPECT_NEAR(run["block.x"].back(), 5 * 5 / (2 * a), a * step * step);
  EXPECT_LT(std::abs(run["block.vx"].back()), 1e-15);
  EXPECT_NEAR(run["energy.friction_loss"].back(), 12.5, 1e-12);
}

// Thrown from a height it lands with both corners: Lambda_N = m v_n takes mu v_n from its speed and lifts nothing.
TEST(SlidingBlock, LandsWithoutALift) {
  const ModelRun run = run_example("sliding_block", {"drop_height=20 mm", "step=0.1 ms", "duration=0.2 s"});
  ASSERT_FALSE(run.record.impacts.empty());
  const double fall = std::sqrt(2 * kGravity * 0.02);
  std::size_t row = 0;
  while (run.time()[row] < run.record.impacts.back().time_s) ++row;
  EXPECT_NEAR(run["block.vx"][row], 5 - 0.5 * fall, kGravity * kStep);
  Worst speed, turn;
  for (; row < run.rows(); ++row) {
    speed(run["block.vy"][row]);
    turn(run["block.omega"][row]);
  }
  EXPECT_LE(speed.value, 1e-9);
  EXPECT_LE(turn.value, 1e-9);
}

// 1 kg on 2 kg, mu = 0.4 between them, smooth floor. Together they take a = F/3; friction can give the upper one mu g.
TEST(StackedBlocks, MoveTogetherUntilFrictionIsUsedUp) {
  const ModelRun gentle = run_test_model("stacked_blocks", {"pull=6 N"});
  expect_benchmark("stacked blocks F=6: v_A(1s)", 6.0 / 3, gentle["upper.vx"].back());
  expect_benchmark("stacked blocks F=6: v_B(1s)", 6.0 / 3, gentle["lower.vx"].back());
  const ModelRun hard = run_test_model("stacked_blocks", {"pull=20 N"});
  expect_benchmark("stacked blocks F=20: v_A(1s)", 0.4 * kGravity, hard["upper.vx"].back());
  expect_benchmark("stacked blocks F=20: v_B(1s)", (20 - 0.4 * kGravity) / 2, hard["lower.vx"].back());
  for (const ModelRun* run : {&gentle, &hard}) {
    for (const char* channel : {"upper.vy", "lower.vy", "upper.omega", "lower.omega"})
      EXPECT_LT(largest((*run)[channel]), 1e-12) << channel;
  }
  // The limit is F = mu g (m_A + m_B) = 11.772 N.
  const ModelRun below = run_test_model("stacked_blocks", {"pull=11.7719 N"});
  EXPECT_NEAR(below["upper.vx"].back(), below["lower.vx"].back(), 1e-12);
  const ModelRun above = run_test_model("stacked_blocks", {"pull=11.7721 N"});
  EXPECT_GT(above["lower.vx"].back() - above["upper.vx"].back(), 4e-5);
}

}  // namespace
}  // namespace freeplay::test::dry_friction_test
