// A pin that runs around its bore under the nonlinear program, in steps of about a radian: the step whose normals are
// those of its end takes nothing from nowhere, however long it is.
#include <gtest/gtest.h>

#include "physics/model_run.h"

namespace freeplay::test::whirling_pin_test {
namespace {

ModelRun run_whirling(const std::string& simulate) {
  return run_model(parse_model(R"yaml(
freeplay: 1
space: planar
bodies: {arm: {mass: 2 kg, inertia: 0.03 kg m^2, initial: {x: 0.1 m, y: -0.1 mm, vx: 0.7 m/s, vy: 0, omega: 0}}}
joints:
  pin:
    type: revolute
    model: clearance
    parent: ground
    child: arm
    at_child: [-0.1 m, 0]
    clearance: 0.1 mm
    journal_radius: 10 mm
    contact: {impact: newton, restitution: 0}
simulate: {integrator: nlp-variable-step, initial_overlap: 1 nm, duration: 20 ms, )yaml" +
                                   simulate + "}\n",
                               "whirling.yaml"));
}

// The program projects the free velocity on those that end the step inside, and rest is one of these: no step gains
// energy. 0.7 m/s in a play of 0.1 mm is 1.4 rad in the longest of these steps.
TEST(WhirlingPin, DiscStepsGainNoEnergy) {
  for (const char* step : {"0.02 ms", "0.2 ms", "1 ms"}) {
    const ModelRun run = run_whirling(std::string("constraint: disc, step_choice: fixed, max_step: ") + step);
    for (std::size_t i = 1; i < run.rows(); ++i)
      ASSERT_LE(run["energy.kinetic"][i], run["energy.kinetic"][i - 1] * (1 + 1e-9)) << step << ", row " << i;
  }
}

// Steps with the normals of their start fail where the pin would turn too far; they were shortened to the longest that
// just did not, and gained energy until none did.
TEST(WhirlingPin, AChosenStepThatTurnsTooFarIsADiscStep) {
  const ModelRun run = run_whirling("min_step: 1 us, max_step: 0.2 ms");
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  EXPECT_LT(largest(run["energy.kinetic"]), 1.1 * run["energy.kinetic"][0]);
}

// A pin with play, stops and dry friction under a torque that drives it from stop to stop.
TEST(WhirlingPin, AnArmWithPlayIsDrivenAgainstItsStops) {
  const ModelRun run = run_model(parse_model(R"yaml(
freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies: {arm: {mass: 2 kg, inertia: 0.03 kg m^2}}
joints:
  pin:
    type: revolute
    model: clearance
    parent: ground
    child: arm
    at_child: [-0.1 m, 0]
    clearance: 0.1 mm
    journal_radius: 10 mm
    dry_friction: 0.1 N m
    contact: {impact: newton, restitution: 0}
    stops: {lower: -20 deg, upper: 20 deg}
forces: {spring: {type: torsional_spring, on: pin, stiffness: 5 N m}}
drivers: {motor: {on: pin, torque: "3 N m*sin(20/s*t)"}}
simulate: {integrator: nlp-variable-step, min_step: 1 us, max_step: 0.2 ms, duration: 0.3 s}
)yaml",
                                             "driven.yaml"));
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_LT(largest(run["energy.kinetic"]), 2) << "the torque and the weight do no more work than that";
  EXPECT_GE(run["energy.impact_loss"].back(), 0);
}

}  // namespace
}  // namespace freeplay::test::whirling_pin_test
