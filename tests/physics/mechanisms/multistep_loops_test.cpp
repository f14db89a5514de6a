// Mechanisms with bilateral rows under CVODE: closing the loops after a step must not make it begin anew, at order 1.
#include <gtest/gtest.h>

#include "../model_run.h"

namespace freeplay::test::multistep_loops_test {
namespace {

ModelRun run_pendulum(const std::string& joint, const std::string& integrator) {
  return run_model(parse_model(
      "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\n"
      "bodies: {a: {mass: 1 kg, inertia: 1e-2 kg m^2}, b: {mass: 1 kg, inertia: 1e-2 kg m^2}}\n"
      "joints:\n"
      "  first: {type: revolute, parent: ground, child: a, at_child: [-0.2 m, 0], " +
          joint +
          "}\n"
          "  second: {type: revolute, parent: a, at_parent: [0.2 m, 0], child: b, at_child: [-0.2 m, 0], " +
          joint + "}\nsimulate: {tolerance: 1e-8, duration: 1 s, step: 10 ms, integrator: " + integrator + "}\n",
      "pendulum.yaml"));
}

// It took 100 to 300 steps per millisecond.
TEST(MultistepLoops, RowsCostNoMoreStepsThanATree) {
  for (const std::string integrator : {"cvode-bdf", "cvode-adams"}) {
    const ModelRun tree = run_pendulum("as: tree", integrator), rows = run_pendulum("as: constraint", integrator);
    EXPECT_LT(rows.summary.steps, 3 * tree.summary.steps) << integrator;
    EXPECT_NEAR(rows["b.angle"].back(), tree["b.angle"].back(), 1e-5) << integrator;
    EXPECT_LT(rows.summary.worst_position_residual_m, 1e-11) << integrator;
  }
}

TEST(MultistepLoops, FrictionByLoadIsFollowedInAsManySteps) {
  const std::string friction = "friction: {mu: 0.2, pin_radius: 20 mm}";
  const ModelRun expected = run_pendulum(friction, "dopri5");
  for (const std::string integrator : {"cvode-bdf", "cvode-adams"}) {
    const ModelRun run = run_pendulum(friction, integrator);
    EXPECT_LT(run.summary.steps, 20000) << integrator;
    EXPECT_NEAR(run["b.angle"].back(), expected["b.angle"].back(), 1e-4) << integrator;
  }
}

}  // namespace
}  // namespace freeplay::test::multistep_loops_test
