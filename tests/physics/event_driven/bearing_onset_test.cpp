// A spatial bearing with play, friction, stops and a controller: where its contacts begin to slide, steps stay long.
#include "physics/model_run.h"

namespace freeplay::test::bearing_onset_test {
namespace {

const std::string kBearing = R"(freeplay: 1
space: spatial
gravity: [0, 0, -9.81 m/s^2]
parameters: {l: 400 mm, m: 3 kg}
bodies:
  link: {mass: m, inertia: [m*l^2/12, m*l^2/12, 1e-3 kg m^2]}
joints:
  shoulder:
    type: revolute
    model: clearance
    parent: ground
    child: link
    at_child: [0, 0, l/2]
    axis: [0, 1, 0]
    initial: {q: 30 deg}
    clearance: 0.05 mm
    axial_clearance: 0.1 mm
    length: 40 mm
    journal_radius: 15 mm
    stops: {lower: -60 deg, upper: 60 deg, restitution: 0.3}
    contact: {impact: newton, restitution: 0.3, friction: 0.1}
drivers:
  motor: {on: shoulder, pid: {target: "50 deg", p: 300 N m, d: 12 N m s}, torque_limit: 50 N m}
simulate: {integrator: event-driven, duration: 0.2 s}
)";

ModelRun run_at(const std::string& tolerance) {
  return run_model(parse_model(kBearing, "bearing.yaml", std::vector<std::string>{"simulate.tolerance=" + tolerance}));
}

// It took 139 000 steps, 90 000 of them within two microseconds behind the instant at which friction was full.
TEST(BearingOnset, TakesNoShortStepsWhereSlidingBegins) {
  const ModelRun run = run_at("1e-9"), finer = run_at("1e-10");
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  ASSERT_EQ(finer.summary.status, RunStatus::kCompleted) << finer.summary.message;
  EXPECT_LT(run.summary.steps, 20000);
  EXPECT_NEAR(run["shoulder.q"].back(), finer["shoulder.q"].back(), 1e-7);
  EXPECT_NEAR(run["shoulder.u"].back(), finer["shoulder.u"].back(), 1e-5);
  EXPECT_NEAR(run["energy.friction_loss"].back(), finer["energy.friction_loss"].back(), 1e-6);
  EXPECT_LT(largest(run["energy.drift"]), 1e-8);
}

}  // namespace
}  // namespace freeplay::test::bearing_onset_test
