// Where events cannot be told apart, time stepping takes over, and the run says so. Painleve's two paradoxes, which it
// does not take over.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "physics/model_run.h"
#include "support/places.h"

namespace freeplay::test::hand_over_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The motor turns the pinion, and teeth that lose contact find it again within the backlash: 2 a tan(alpha) along the
// pitch circles, by which the angle of the wheel may differ from z1/z2 times that of the pinion.
TEST(HandOver, GearsWhoseEventsCannotBeToldApartGoOnAndTheRunSaysSo) {
  const ModelRun run =
      run_example("gear_teeth", {"simulate.integrator=event-driven", "simulate.step=~", "simulate.activation=~",
                                 "simulate.velocity_forces=~", "duration=8 ms"});
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_THAT(run.summary.warnings, Contains(HasSubstr("the events of closed contacts cannot be told apart")));
  EXPECT_GT(run.summary.handed_over_steps, 0);
  const double backlash_rad = 2 * 0.1e-3 * std::tan(20 * std::numbers::pi / 180) / 30e-3;
  const double late_rad = run["driven.q"].back() + run["drive.q"].back() * 20 / 30;
  EXPECT_LT(std::abs(late_rad), 1.01 * backlash_rad);
}

// 25 pairs of flanks: time stepping knows those that are near, by another list than that of the events.
TEST(HandOver, ManyPairsKeepTheirContacts) {
  const auto gears = [](const Overrides& overrides) {
    const ModelRun run = run_model(load_model(test_dir() + "/models/physics/gear_teeth.yaml", overrides));
    EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
    return run;
  };
  const ModelRun events = gears({"simulate.integrator=event-driven", "simulate.step=~", "simulate.activation=~",
                                 "simulate.velocity_forces=~", "simulate.duration=6 ms"});
  const ModelRun steps = gears({"simulate.step=10 us", "simulate.duration=6 ms"});
  EXPECT_GT(events.summary.handed_over_steps, 0);
  for (const char* channel : {"g1.omega", "g2.omega"})
    EXPECT_NEAR(events[channel].back(), steps[channel].back(), 1e-3 * std::abs(steps[channel].front())) << channel;
}

ModelRun run_by_events(const std::string& example, const std::string& duration) {
  return run_example(example,
                     {"simulate.integrator=event-driven", "simulate.step=~", "simulate.activation=~",
                      "simulate.velocity_forces=~", "simulate.duration=" + duration},
                     {"energy.total"});
}

const char* const kArm = R"yaml(freeplay: 1
name: Robot arm, three revolute joints with play in space
space: spatial
gravity: [0, 0, -9.81 m/s^2]
parameters:
  l: 400 mm
  m: 3 kg
  c: 0.05 mm
  ca: 0.1 mm
  rj: 15 mm
  lb: 40 mm
  e: 0.3
  mu: 0.1
  play: {word: clearance}
bodies:
  base: {mass: 10 kg, inertia: [0.1 kg m^2, 0.1 kg m^2, 0.1 kg m^2]}
  link1: {mass: m, inertia: [m*l^2/12, m*l^2/12, 1e-3 kg m^2]}
  link2: {mass: m, inertia: [m*l^2/12, m*l^2/12, 1e-3 kg m^2]}
  link3: {mass: m, inertia: [m*l^2/12, m*l^2/12, 1e-3 kg m^2]}
joints:
  yaw: {type: revolute, parent: ground, child: base}
  shoulder: {type: revolute, parent: base, child: link1, at_parent: [0, 0, 0], at_child: [0, 0, l/2], axis: [0, 1, 0], initial: {q: 30 deg}, model: play, clearance: c, axial_clearance: ca, length: lb, journal_radius: rj, contact: {impact: newton, restitution: e, friction: mu}}
  elbow: {type: revolute, parent: link1, child: link2, at_parent: [0, 0, -l/2], at_child: [0, 0, l/2], axis: [0, 1, 0], initial: {q: -20 deg}, model: play, clearance: c, axial_clearance: ca, length: lb, journal_radius: rj, contact: {impact: newton, restitution: e, friction: mu}}
  wrist: {type: revolute, parent: link2, child: link3, at_parent: [0, 0, -l/2], at_child: [0, 0, l/2], axis: [0, 1, 0], model: play, clearance: c, axial_clearance: ca, length: lb, journal_radius: rj, contact: {impact: newton, restitution: e, friction: mu}}
drivers:
  motor: {on: yaw, motion: "60 deg*(1-cos(2*pi*0.5Hz*t))"}
simulate: {integrator: event-driven, duration: 2 s}
)yaml";

// From 48.6 ms on its pins slide at nanometres per second, and friction turns what they do across that within
// nanoseconds: without a hand-over it takes 159 000 steps for half a millisecond.
TEST(HandOver, AnArmWhosePinsCreepGetsOnByTimeStepping) {
  const ModelRun run =
      run_model(parse_model(kArm, "arm.yaml", Overrides{"simulate.duration=49.5 ms", "simulate.max_step=20 ms"}));
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_THAT(run.summary.warnings, Contains(HasSubstr("10000 steps within 100 us")));
  EXPECT_LT(run.summary.evaluations, 400000);
  EXPECT_LT(run.summary.max_penetration_m, 1e-7);
}

TEST(HandOver, ATowerOfManyFacesIsLeftToTimeStepping) {
  const ModelRun run = run_by_events("jenga", "20 us");
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_THAT(run.summary.warnings, Contains(HasSubstr("rows are held at once")));
  EXPECT_LT(run.summary.evaluations, 10);
}

// At tan(phi) = 2 and mu = 2 a sliding tip has G_NN - mu |G_NT| = 1.6 - 2*1.2 < 0: a normal force drives it into the
// floor. A pull of more than the weight, which would lift the rod, leaves two solutions; less leaves none.
const char* const kPulledRod = R"(freeplay: 1
space: planar
parameters: {pull: 12 N, mu: 2}
gravity: [0, -9.81 m/s^2]
bodies:
  rod:
    mass: 1 kg
    inertia: 1 kg m^2/3
    initial: {y: 1 m*sin(atan(2)), angle: atan(2), vx: -1 m/s}
    shapes: {tip: {type: point, at: [-1 m, 0]}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
forces: {lift: {type: force, on: rod, value: [0 N, pull]}}
contacts: {slide: {between: [rod.tip, ground.floor], impact: newton, restitution: 0, friction: mu}}
simulate: {integrator: event-driven, duration: 10 ms}
)";

std::vector<std::string> warnings_of_rod(const Overrides& overrides) {
  const ModelRun run = run_model(parse_model(kPulledRod, "rod.yaml", overrides));
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  return run.summary.warnings;
}

TEST(Painleve, ARodThatIsLiftedHasSeveralAccelerations) {
  EXPECT_THAT(warnings_of_rod({}), ElementsAre(HasSubstr("the accelerations of 'slide' have several solutions")));
  EXPECT_THAT(warnings_of_rod({"mu=1"}), IsEmpty()) << "below 4/3 there is no paradox";
}

TEST(Painleve, ARodThatIsPressedHasNone) {
  EXPECT_THAT(warnings_of_rod({"pull=9 N"}), ElementsAre(HasSubstr("no accelerations fulfil the laws of 'slide'")));
}

}  // namespace
}  // namespace freeplay::test::hand_over_test
