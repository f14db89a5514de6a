// Bodies by the dozen: energy, momentum and what is carried.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "physics/model_run.h"

namespace freeplay::test::piles_test {
namespace {

// A wall that floats, struck by a ball: nothing acts from outside, so the momentum stays to rounding, and contacts
// only take energy.
const std::string kFloatingWall = R"(freeplay: 1
space: planar
materials:
  brick: {density: 1800 kg/m^3, with: {brick: {restitution: 0, friction: 0.6}, iron: {restitution: 0.4, friction: 0.3}}}
  iron: {density: 7800 kg/m^3}
bodies:
  brick:
    material: brick
    inertia: from-shape
    thickness: 115 mm
    shapes: {face: {type: polygon, vertices: [[-120 mm, -35 mm], [120 mm, -35 mm], [120 mm, 35 mm], [-120 mm, 35 mm]]}}
    pattern: {count: 3, shift: [245 mm, 0], rows: 4, row_shift: [0, 70 mm], stagger: [122.5 mm, 0]}
  ball:
    material: iron
    inertia: from-shape
    thickness: 100 mm
    initial: {x: -190 mm, y: 90 mm, vx: 8 m/s}
    shapes: {skin: {type: circle, radius: 60 mm}}
groups:
  wall: {members: [brick, ball]}
simulate: {integrator: moreau-midpoint, activation: anticipated, solver_tolerance: 1e-9 m/s, step: 0.5 ms, duration: 60 ms}
)";

TEST(FloatingWall, KeepsItsMomentumAndGainsNoEnergy) {
  const ModelFile file = parse_model(kFloatingWall, "wall.yaml");
  const ModelRun run = run_model(file);
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_GT(run.summary.impacts, 3);
  const auto momentum = [&](const char* channel, std::size_t row) {
    double sum = 0;
    for (const BodySpec& body : file.mechanism.bodies) sum += body.mass_kg * run[body.name + channel][row];
    return sum;
  };
  const double start = momentum(".vx", 0);
  EXPECT_GT(start, 0);
  for (std::size_t row = 0; row < run.rows(); ++row) {
    ASSERT_NEAR(momentum(".vx", row), start, 1e-12 * start) << row;
    ASSERT_NEAR(momentum(".vy", row), 0, 1e-12 * start) << row;
    const std::size_t before = row > 0 ? row - 1 : 0;
    ASSERT_LE(run["energy.kinetic"][row], run["energy.kinetic"][before] * (1 + 1e-9)) << row;
  }
  EXPECT_LT(run["energy.kinetic"].back(), 0.9 * run["energy.kinetic"].front()) << "bricks without rebound take energy";
}

TEST(WallOfBricks, StandsUntilItIsStruckAndTheGroundCarriesIt) {
  const ModelFile file =
      load_example("wall_of_bricks", {"speed=0 m/s", "bodies.ball.initial.y=10 m", "duration=50 ms"});
  const ModelRun run = run_example("wall_of_bricks", {"speed=0 m/s", "bodies.ball.initial.y=10 m", "duration=50 ms"},
                                   {"brick_1.x", "brick_20.x", "brick_20.y", "wall.contacts", "energy.kinetic",
                                    "wall.penetration", "step.residual"});
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_EQ(file.mechanism.bodies.size(), 5u * 4 + 1) << "five rows of four, and the ball";
  for (const char* channel : {"brick_1.x", "brick_20.x", "brick_20.y"})
    EXPECT_NEAR(run[channel].back(), run[channel].front(), 1e-9) << channel;
  EXPECT_LE(largest(run["step.residual"]), 1e-6);
}

void expect_passive(const ModelRun& run, double tolerance) {
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_LE(largest(run["step.residual"]), tolerance);
  // What is not accounted for is of first order in the step: potential energy of the steps of impacts.
  EXPECT_LT(largest(run["energy.drift"]),
            0.03 * (run["energy.impact_loss"].back() + run["energy.friction_loss"].back()));
}

TEST(Hopper, DischargesWithoutEnergyFromNowhere) {
  const std::vector<std::string> common = {"energy.drift", "energy.impact_loss", "energy.friction_loss",
                                           "step.residual", "grains.penetration"};
  std::vector<std::string> channels = common;
  constexpr int kDiscs = 30;
  for (int i = 1; i <= kDiscs; ++i) channels.push_back(fmt::format("disc_{}.y", i));
  const ModelRun run =
      run_example("hopper", {fmt::format("count={}", kDiscs), "duration=0.4 s", "record={every: 4}"}, channels);
  expect_passive(run, 1e-6);
  EXPECT_LT(run.summary.max_penetration_m, 2e-4) << "a twentieth of a radius";
  int below = 0;
  for (int i = 1; i <= kDiscs; ++i) below += run[fmt::format("disc_{}.y", i)].back() < 0 ? 1 : 0;
  EXPECT_GT(below, 5) << "out of the opening";
}

// The work of the motor is what the charge has gained and lost: the drum itself turns evenly.
TEST(RotatingDrum, TakesItsEnergyFromTheMotor) {
  const ModelRun run = run_example("rotating_drum", {"count=12", "duration=0.4 s"},
                                   {"drum.angle", "energy.total", "energy.drift", "energy.impact_loss",
                                    "energy.friction_loss", "energy.input", "step.residual", "charge.contacts"});
  expect_passive(run, 1e-6);
  EXPECT_NEAR(run["drum.angle"].back(), 3 * 0.4, 1e-9);
  const double gained = run["energy.total"].back() - run["energy.total"].front();
  const double lost = run["energy.impact_loss"].back() + run["energy.friction_loss"].back();
  EXPECT_NEAR(run["energy.input"].back(), gained + lost, largest(run["energy.drift"]) * 1.001);
  EXPECT_GT(largest(run["charge.contacts"]), 3);
}

}  // namespace
}  // namespace freeplay::test::piles_test
