// A pin in a slot: ideal against the closed form of the Scotch yoke, with play against the ideal one, against the same
// slot written as two lines, and against pendulums and rebounds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::pin_in_slot_test {
namespace {

using std::numbers::pi;

constexpr double kRadius = 0.05, kSpeed = 20 * pi, kYokeMass = 2;

// x = r cos(w t) without any play, and the pin pushes the yoke with -m r w^2 cos(w t), across the slot.
TEST(PinInSlot, AnIdealYokeMovesAsACosine) {
  const ModelRun run =
      run_example("scotch_yoke", {"slot=ideal", "guide=ideal", "simulate.duration=0.1 s", "simulate.integrator=dopri5",
                                  "simulate.tolerance=1e-10", "simulate.step=1 ms"});
  Worst position, force;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double phase = std::cos(kSpeed * run.time()[i]);
    position(run["yoke.x"][i] - kRadius * phase);
    force(std::abs(run["pin.force_y"][i]) - std::abs(kYokeMass * kRadius * kSpeed * kSpeed * phase));
  }
  EXPECT_LT(position.value, 1e-9);
  EXPECT_LT(force.value, 1e-6 * kYokeMass * kRadius * kSpeed * kSpeed);
}

// The yoke is never farther from the ideal one than the play allows, and comes nearer in proportion to it.
TEST(PinInSlot, PlayToZeroConvergesToTheIdealYoke) {
  const auto distance = [](double play_mm) {
    const ModelRun run =
        run_example("scotch_yoke", {"guide=ideal", fmt::format("slot_play={} mm", play_mm), "simulate.duration=0.2 s"});
    Worst worst;
    for (std::size_t i = 0; i < run.rows(); ++i) worst(run["yoke.x"][i] - kRadius * std::cos(kSpeed * run.time()[i]));
    return worst.value;
  };
  const double wide = distance(0.4), narrow = distance(0.1);
  EXPECT_LT(wide, 0.4e-3 * 1.02);  // and what one step of 10 us at the pin's speed goes too far
  EXPECT_LT(narrow, 0.1e-3 * 1.05);
  EXPECT_NEAR(std::log(wide / narrow) / std::log(4), 1, 0.05);
}

// The same walls as two lines that a circle touches: another gap function for the same mechanism.
TEST(PinInSlot, IsTheSlotOfTwoLines) {
  const std::string lines = R"yaml(
freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  crank: {mass: 1 kg, inertia: 2e-3 kg m^2, shapes: {pin: {type: circle, at: [50 mm, 0], radius: 10 mm}}}
  yoke:
    mass: 2 kg
    inertia: 0.02 kg m^2
    initial: {x: 50 mm}
    shapes:
      left: {type: line, at: [-10.1 mm, 0], normal: [1, 0]}
      right: {type: line, at: [10.1 mm, 0], normal: [-1, 0]}
joints:
  bearing: {type: revolute, parent: ground, child: crank, initial: {u: 600 rpm}}
  rail: {type: prismatic, parent: ground, child: yoke}
contacts:
  pin_l: {between: [crank.pin, yoke.left], impact: newton, restitution: 0.3, friction: 0.05}
  pin_r: {between: [crank.pin, yoke.right], impact: newton, restitution: 0.3, friction: 0.05}
drivers: {motor: {on: bearing, motion: 600 rpm*t}}
simulate: {integrator: moreau-midpoint, step: 10 us, duration: 0.05 s}
)yaml";
  const ModelRun by_lines = run_model(parse_model(lines, "lines.yaml"));
  const ModelRun by_slot = run_example("scotch_yoke", {"guide=ideal", "simulate.duration=0.05 s"});
  ASSERT_EQ(by_lines.rows(), by_slot.rows());
  EXPECT_LT(largest_difference(by_lines["yoke.x"], by_slot["yoke.x"]), 1e-9);
  EXPECT_LT(largest_difference(by_lines["yoke.vx"], by_slot["yoke.vx"]), 1e-6);
  EXPECT_GE(by_slot.record.impacts.size(), 2U);
}

// A part with a pin in a slot of the ground.
std::string part_in_slot(const std::string& slot, const std::string& start, const std::string& law,
                         const std::string& simulate) {
  return "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\n"
         "bodies: {part: {mass: 1 kg, inertia: 1e-4 kg m^2, initial: {" +
         start +
         "}}}\n"
         "joints:\n  slot: {type: pin_in_slot, model: clearance, parent: ground, child: part, journal_radius: 5 mm, " +
         slot + ", contact: {impact: newton, " + law + "}}\nsimulate: {" + simulate + "}\n";
}

// Without friction a part swings on the outer wall as a pendulum of the length slot_radius + clearance: the period for
// an amplitude a is 2 pi sqrt(l/g) (1 + a^2/16 + 11 a^4/3072).
TEST(PinInSlot, APartSwingsInACurvedSlotAsAPendulum) {
  const double length = 0.2 + 1e-3, amplitude = 0.3;
  const std::string start =
      fmt::format("x: {} m, y: {} m", length * std::sin(amplitude), 0.2 - length * std::cos(amplitude));
  const ModelRun run = run_model(
      parse_model(part_in_slot("clearance: 1 mm, length: 200 mm, slot_radius: 200 mm", start, "restitution: 0",
                               "integrator: moreau-midpoint, step: 100 us, duration: 2 s, initial_overlap: 1 nm"),
                  "pendulum.yaml"));
  const std::vector<double> passes = upward_crossings(run.time(), run["part.x"], run["part.vx"]);
  ASSERT_EQ(passes.size(), 2U);
  const double a2 = amplitude * amplitude;
  const double period = 2 * pi * std::sqrt(length / 9.81) * (1 + a2 / 16 + 11 * a2 * a2 / 3072);
  EXPECT_NEAR(passes[1] - passes[0], period, 1e-5 * period);
  Worst off;
  for (std::size_t i = 0; i < run.rows(); ++i) off(std::hypot(run["part.x"][i], run["part.y"][i] - 0.2) - length);
  EXPECT_LT(off.value, 2e-7);
}

// A part that slides along the lower wall meets the round end: at half the height of the pin's play the normal is that
// of the end, and what comes back along the slot is the restitution of the speed along it.
TEST(PinInSlot, ThePinComesBackFromTheEndOfItsSlot) {
  const double clearance = 0.5e-3;
  std::string model = part_in_slot("clearance: 0.5 mm, length: 100 mm", "x: 0 m, y: 0 m, vx: 1 m/s", "restitution: 0.6",
                                   "integrator: moreau-midpoint, step: 10 us, duration: 0.1 s");
  model.replace(model.find("gravity: [0, -9.81 m/s^2]"), 25, "gravity: [0, 0]");
  const ModelRun run = run_model(parse_model(model, "end.yaml"));
  EXPECT_NEAR(largest(run["part.x"]), 0.05 + clearance, 2e-5);
  EXPECT_NEAR(run["part.vx"].back(), -0.6, 1e-12);
  ASSERT_EQ(run.record.impacts.size(), 1U);
}

TEST(PinInSlot, AWallThatIsNotThereHoldsNothing) {
  const auto height_after = [](const std::string& sides) {
    const ModelRun run = run_model(
        parse_model(part_in_slot("clearance: 0.5 mm, length: 100 mm, sides: " + sides, "x: 0 m, y: 0 m",
                                 "restitution: 0", "integrator: moreau-midpoint, step: 100 us, duration: 0.1 s"),
                    "sides.yaml"));
    return run["part.y"].back();
  };
  const double one_step = std::sqrt(2 * 9.81 * 0.5e-3) * 1e-4;  // what the part goes in the step that meets the wall
  EXPECT_NEAR(height_after("both"), -0.5e-3, one_step);
  EXPECT_NEAR(height_after("right"), -0.5e-3, one_step);  // seen along x the right wall is below
  EXPECT_NEAR(height_after("left"), -0.5 * 9.81 * 0.01, 1e-6);
}

// In space the slot lies across the pin's axis; the joint leaves a way along it and a turn about the pin.
TEST(PinInSlot, InSpaceAPartFallsAlongATiltedSlotAndTurns) {
  const ModelRun run = run_model(parse_model(R"yaml(
freeplay: 1
space: spatial
gravity: [0, 0, -10 m/s^2]
bodies: {part: {mass: 1 kg, inertia: [1e-3 kg m^2, 2e-3 kg m^2, 3e-3 kg m^2]}}
joints:
  slot:
    type: pin_in_slot
    parent: ground
    child: part
    axis: [3, 0, -4]
    second_axis: [0, 1, 0]
    initial: {q: [0 m, 0 rad], u: [0 m/s, 2 rad/s]}
simulate: {integrator: dopri5, duration: 1 s, tolerance: 1e-10}
)yaml",
                                             "space.yaml"));
  EXPECT_NEAR(run["slot.q_1"].back(), 0.5 * 8, 1e-8);  // 10 m/s^2 times 4/5
  EXPECT_NEAR(run["slot.q_2"].back(), 2, 1e-8);
  EXPECT_NEAR(run["part.omega_y"].back(), 2, 1e-8);
  // The attitude goes with the angular velocity: 2 rad about y.
  EXPECT_NEAR(run["part.e0"].back(), std::cos(1), 1e-8);
  EXPECT_NEAR(run["part.e2"].back(), std::sin(1), 1e-8);
}

}  // namespace
}  // namespace freeplay::test::pin_in_slot_test
