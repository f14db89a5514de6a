// Piles: many solids in a box, with friction, without restitution.
#include <algorithm>

#include "physics/model_run.h"

namespace freeplay::test::spheres_in_box_test {
namespace {

ModelRun settle(const std::string& step, const std::string& duration, const Overrides& more = {}) {
  Overrides overrides = {"simulate.step=" + step, "simulate.duration=" + duration};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return run_example("spheres_in_box", overrides, {"energy.total", "energy.kinetic", "step.residual"});
}

void expect_certified_and_passive(const ModelRun& run) {
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_GT(run.summary.impacts, 100);
  EXPECT_LE(largest(run["step.residual"]), 1e-6);
  const std::vector<double>& energy = run["energy.total"];
  EXPECT_LE(*std::max_element(energy.begin(), energy.end()), energy.front() * (1 + 1e-6));
}

TEST(SpheresInBox, SettleCertifiedWithoutPenetrationAndWithoutEnergyFromNowhere) {
  const double radius = 0.04;
  const ModelRun coarse = settle("2 ms", "0.4 s"), fine = settle("1 ms", "0.4 s");
  expect_certified_and_passive(coarse);
  expect_certified_and_passive(fine);
  EXPECT_LT(coarse.summary.max_penetration_m, 1e-3 * radius);
  // Second order in the step; single contacts, of which the deepest counts, scatter about that.
  EXPECT_LT(fine.summary.max_penetration_m, 0.35 * coarse.summary.max_penetration_m);
}

// The scene that is built in as code.
ModelRun settle_boxes(const std::string& step) {
  const std::string text =
      "freeplay: 1\nsystem: spheres_in_box\nparameters: {N: 0, boxes: 50, radius: 50 mm}\n"
      "simulate: {integrator: moreau-midpoint, activation: anticipated, velocity_forces: implicit, "
      "solver_tolerance: 1e-6 m/s, duration: 0.5 s, step: " +
      step + "}\n";
  return run_model(parse_model(text, "boxes.yaml"), {.channels = {"energy.total", "energy.kinetic", "step.residual"}});
}

TEST(BoxesInBox, SettleCertifiedWithoutPenetrationAndWithoutEnergyFromNowhere) {
  const double half_edge = 0.05;
  const ModelRun coarse = settle_boxes("2 ms"), fine = settle_boxes("1 ms");
  expect_certified_and_passive(coarse);
  expect_certified_and_passive(fine);
  EXPECT_LT(coarse.summary.max_penetration_m, 1e-3 * half_edge);
  // Corners meet other faces and edges within a step: the deepest of all scatters too much to show the second order
  // that spheres show.
  EXPECT_LT(fine.summary.max_penetration_m, 0.5 * coarse.summary.max_penetration_m);
}

}  // namespace
}  // namespace freeplay::test::spheres_in_box_test
