// A pin in a slot with play in space: against the same slot in the plane, statics by hand, the ideal joint, and a
// rebound from the end of the slot. Points (contact/play/slot_play.h): 1 and 2 the left and the right wall at the
// pin's end at -z, 3 and 4 at +z; 5 and 6 the ends of the slot; 7 to 10 the head at -z, 11 to 14 the one at +z.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/grid_rows.h"
#include "physics/model_run.h"

namespace freeplay::test::spatial_slot_test {
namespace {

using std::numbers::pi;

constexpr double kGravity = 9.81;

// The Scotch yoke of the examples as a spatial model, its guide ideal.
std::string yoke_in_space() {
  return R"yaml(
freeplay: 1
space: spatial
gravity: [0, -9.81 m/s^2, 0]
parameters: {speed: 600 rpm, radius: 50 mm, slot: {word: clearance}, play: 0.1 mm}
bodies:
  crank: {mass: 1 kg, inertia: [2e-3 kg m^2, 2e-3 kg m^2, 2e-3 kg m^2]}
  yoke: {mass: 2 kg, inertia: [0.02 kg m^2, 0.02 kg m^2, 0.02 kg m^2]}
joints:
  bearing: {type: revolute, parent: ground, child: crank, initial: {q: 0 deg, u: speed}}
  rail: {type: prismatic, parent: ground, child: yoke}
  pin:
    type: pin_in_slot
    model: slot
    parent: yoke
    child: crank
    axis: [0, 1, 0]
    second_axis: [0, 0, 1]
    at_child: [radius, 0, 0]
    clearance: play
    journal_radius: 10 mm
    length: 120 mm
    width: 20 mm
    head_radius: 15 mm
    contact: {impact: newton, restitution: 0.3, friction: 0.05}
drivers: {motor: {on: bearing, motion: speed*t}}
simulate: {integrator: moreau-midpoint, step: 10 us, duration: 0.05 s}
)yaml";
}

// Both ends of the pin do together what the circle does in the plane.
TEST(SlotInSpace, AScotchYokeMovesAsInThePlane) {
  const ModelRun plane = run_example("scotch_yoke", {"guide=ideal", "simulate.duration=0.05 s"});
  const ModelRun space = run_model(parse_model(yoke_in_space(), "yoke.yaml"));
  ASSERT_EQ(plane.rows(), space.rows());
  EXPECT_LT(largest_difference(plane["yoke.x"], space["yoke.x"]), 1e-9);
  EXPECT_LT(largest_difference(plane["yoke.vx"], space["yoke.vx"]), 1e-6);
  EXPECT_GE(space.record.impacts.size(), 4U);
}

// A block that is guided by a pin of its own in a slot of the ground; its centre of mass is `at` in the joint's axes.
std::string hanging_block(const std::string& at, const std::string& gravity, const std::string& more) {
  return fmt::format(R"yaml(
freeplay: 1
space: spatial
gravity: [{1}]
bodies: {{block: {{mass: 2 kg, inertia: [0.01 kg m^2, 0.02 kg m^2, 0.03 kg m^2]}}}}
joints:
  slot:
    type: pin_in_slot
    model: clearance
    parent: ground
    child: block
    at_child: [{0}]
    clearance: 0.1 mm
    axial_clearance: 0.2 mm
    journal_radius: 5 mm
    length: 100 mm
    width: 40 mm
    head_radius: 20 mm
    contact: {{impact: newton, restitution: 0}}
{2}
)yaml",
                     at, gravity, more);
}

double last(const ModelRun& run, const std::string& channel) {
  return run[channel].back();
}

// The weight hangs 8 mm from the middle of the pin, towards +z: N_1 + N_2 = m g, (N_2 - N_1) w/2 = m g 8 mm.
TEST(SlotInSpace, BothEndsOfThePinShareTheLoadAsALever) {
  const ModelRun run =
      run_model(parse_model(hanging_block("0, 0, -8 mm", "0, -9.81 m/s^2, 0",
                                          "simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: 0.2 s}"),
                            "lever.yaml"));
  const double weight = 2 * kGravity;
  EXPECT_NEAR(last(run, "slot.normal_force_2"), weight * (0.5 - 8.0 / 40), 1e-6 * weight);
  EXPECT_NEAR(last(run, "slot.normal_force_4"), weight * (0.5 + 8.0 / 40), 1e-6 * weight);
  EXPECT_NEAR(last(run, "slot.normal_force_1") + last(run, "slot.normal_force_3"), 0, 1e-12);
  EXPECT_NEAR(last(run, "slot.force_y"), weight, 1e-6 * weight);
  EXPECT_NEAR(last(run, "block.y"), -1e-4, 2e-6);
}

// Along the pin the upper head carries the weight. It hangs 12 mm from the pin along the slot, which the rim of 20 mm
// bears: sum N = m g, and the moments of the four points about y and x are those of the weight.
TEST(SlotInSpace, TheHeadHoldsThePinUpright) {
  const ModelRun run =
      run_model(parse_model(hanging_block("-12 mm, 0, 0", "0, 0, -9.81 m/s^2",
                                          "simulate: {integrator: moreau-midpoint, step: 20 us, duration: 0.3 s}"),
                            "head.yaml"));
  const double weight = 2 * kGravity;
  double force[4] = {}, sum = 0;
  for (int k = 0; k < 4; ++k) {
    force[k] = last(run, fmt::format("slot.normal_force_{}", 11 + k));
    sum += force[k];
    EXPECT_NEAR(last(run, fmt::format("slot.normal_force_{}", 7 + k)), 0, 1e-12) << "the lower head is free";
  }
  EXPECT_NEAR(sum, weight, 1e-6 * weight);
  EXPECT_NEAR((force[0] - force[2]) * 0.02, weight * 0.012, 1e-6 * weight);
  EXPECT_NEAR(force[1], force[3], 1e-6 * weight);
  // It lands with sqrt(2 g a) = 63 mm/s, which is 1.3 um in a step.
  EXPECT_NEAR(last(run, "block.z"), -2e-4, 2e-6);
}

// 30 mm away no rim of 20 mm can hold it on one side: the lower head comes up on the other one.
TEST(SlotInSpace, BothHeadsTakePartWhereTheWeightIsFarOut) {
  const ModelRun run =
      run_model(parse_model(hanging_block("-30 mm, 0, 0", "0, 0, -9.81 m/s^2",
                                          "simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: 0.5 s}"),
                            "tilted.yaml"));
  const double weight = 2 * kGravity;
  // The upper head rests at x, the lower one is pressed against the plate at -x: both gaps are closed by the tilt
  // (w/2 + a) cos(tilt) - r sin(tilt) = w/2. Seen from the middle of the pin, both points are then farther out.
  const double to_head = 0.02 + 2e-4, rim = 0.02;
  const double tilt = std::acos(0.02 / std::hypot(to_head, rim)) - std::atan2(rim, to_head);
  const double arm = rim * std::cos(tilt) + to_head * std::sin(tilt);
  const double upper = last(run, "slot.normal_force_11"), lower = last(run, "slot.normal_force_9");
  EXPECT_NEAR(upper - lower, weight, 1e-9 * weight);
  EXPECT_NEAR((upper + lower) * arm, weight * 0.03 * std::cos(tilt), 1e-3 * weight * 0.03);
}

// The end is met by both ends of the pin at once.
TEST(SlotInSpace, ThePinComesBackFromTheEndOfItsSlot) {
  std::string model =
      hanging_block("0, 0, 0", "0, 0, 0", "simulate: {integrator: moreau-midpoint, step: 10 us, duration: 0.1 s}");
  model.replace(model.find("restitution: 0"), 14, "restitution: 0.6");
  model.replace(model.find("mass: 2 kg"), 10, "initial: {vx: 1 m/s}, mass: 2 kg");
  const ModelRun run = run_model(parse_model(model, "end.yaml"));
  EXPECT_NEAR(largest(run["block.x"]), 0.05 + 1e-4, 2e-5);
  EXPECT_NEAR(last(run, "block.vx"), -0.6, 1e-12);
  EXPECT_EQ(run.record.impacts.size(), 2U);
}

// A slotted arm that a crank turns to and fro, and a couple that presses it against the pin: quick return. The pivot of
// the arm is 0.2 m from that of the crank, whose pin runs on a circle of 50 mm.
std::string slotted_arm() {
  return R"yaml(
freeplay: 1
space: spatial
gravity: [0, 0, -9.81 m/s^2]
parameters: {word: {word: clearance}, c: 0.4 mm, k: 1e7 N/m}
bodies:
  crank: {mass: 1 kg, inertia: [2e-3 kg m^2, 2e-3 kg m^2, 2e-3 kg m^2]}
  arm: {mass: 2 kg, inertia: [0.02 kg m^2, 0.02 kg m^2, 0.02 kg m^2]}
joints:
  bearing: {type: revolute, parent: ground, child: crank, initial: {q: 30 deg, u: 60 rpm}}
  pivot: {type: revolute, parent: ground, child: arm, at_parent: [-0.2 m, 0, 0]}
  slot:
    type: pin_in_slot
    model: word
    parent: arm
    child: crank
    at_parent: [0.2 m, 0, 0]
    at_child: [50 mm, 0, 0]
    clearance: c
    journal_radius: 8 mm
    length: 140 mm
    width: 30 mm
    head_radius: 20 mm
    contact: {impact: newton, restitution: 0}
    bushing: {stiffness: k, damping: 2e3 N s/m, torsional_stiffness: 0.01 m^2 * k, torsional_damping: 10 N m s}
drivers:
  motor: {on: bearing, motion: 30 deg + 60 rpm*t}
  weight: {on: pivot, torque: -20 N m}
simulate: {integrator: event-driven, tolerance: 1e-10, step: 1 ms, duration: 1 s}
)yaml";
}

ModelRun run_slotted_arm(const std::vector<std::string>& overrides) {
  return run_model(parse_model(slotted_arm(), "arm.yaml", overrides));
}

// Errors of the arm's angle and of the motor's couple, after the arm has come to lie on the pin.
std::pair<double, double> errors_against_ideal(const std::string& word, double size) {
  static const ModelRun ideal = run_slotted_arm({"word=ideal"});
  const ModelRun run =
      run_slotted_arm({"word=" + word, fmt::format("c=0.4 mm * {}", size), fmt::format("k=1e6 N/m / {}", size)});
  Worst angle, couple;
  const std::vector<std::size_t> rows = rows_at_multiples(run.time(), 1e-3),
                                 of_ideal = rows_at_multiples(ideal.time(), 1e-3);
  EXPECT_EQ(rows.size(), of_ideal.size());
  for (std::size_t i = rows.size() / 4; i < std::min(rows.size(), of_ideal.size()); ++i) {
    angle(run["pivot.q"][rows[i]] - ideal["pivot.q"][of_ideal[i]]);
    couple(run["motor.torque"][rows[i]] - ideal["motor.torque"][of_ideal[i]]);
  }
  return {angle.value, couple.value};
}

// The closed form of the ideal arm: tan q = r sin phi / (a + r cos phi).
TEST(SlotInSpace, TheIdealArmFollowsItsCrank) {
  const ModelRun run = run_slotted_arm({"word=ideal"});
  Worst angle;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double phi = pi / 6 + 2 * pi * run.time()[i];
    angle(run["pivot.q"][i] - std::atan2(0.05 * std::sin(phi), 0.2 + 0.05 * std::cos(phi)));
  }
  EXPECT_LT(angle.value, 1e-9);
}

class SlotLimit : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, SlotLimit, testing::Values("clearance", "bushing"),
                         [](const auto& one) { return one.param; });

TEST_P(SlotLimit, MotionAndForcesTendToTheIdealJointWithOrderOne) {
  const auto [wide_q, wide_M] = errors_against_ideal(GetParam(), 1);
  const auto [narrow_q, narrow_M] = errors_against_ideal(GetParam(), 0.25);
  EXPECT_NEAR(std::log(wide_q / narrow_q) / std::log(4), 1, 0.05) << wide_q << " " << narrow_q;
  EXPECT_NEAR(std::log(wide_M / narrow_M) / std::log(4), 1, 0.1) << wide_M << " " << narrow_M;
}

}  // namespace
}  // namespace freeplay::test::spatial_slot_test
