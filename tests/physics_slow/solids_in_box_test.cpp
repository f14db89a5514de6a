// Piles of angular bodies: whatever edges and corners meet while they fall and come to rest, no contact is lost and
// none jumps into a wall.
#include <algorithm>

#include "physics/model_run.h"

namespace freeplay::test::solids_in_box_test {
namespace {

// `shape` in the place of the example's cubes, 100 mm in size.
ModelRun settle_solids(const std::string& shape, int count, const std::string& duration) {
  return run_example(
      "spheres_in_box",
      {"N=0", fmt::format("boxes={}", count), "radius=50 mm", "simulate.step=1 ms",
       "simulate.solver_tolerance=1e-3 m/s", "simulate.duration=" + duration, "bodies.cube.shapes.skin=" + shape},
      {"energy.total", "energy.kinetic", "step.residual", "pile.penetration"});
}

void expect_no_jumps(const ModelRun& run) {
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_GT(run.summary.impacts, 100);
  EXPECT_LE(largest(run["step.residual"]), 1e-3);
  for (const std::string& warning : run.summary.warnings)
    EXPECT_EQ(warning.find("jumped"), std::string::npos) << warning;
  // Within a step a corner that turns at 30 rad/s and slides at 3 m/s leaves the plane of its contact by
  // 30 * 3 * (1 ms)^2 = 0.1 mm; several such steps may follow each other.
  EXPECT_LT(largest(run["pile.penetration"]), 0.5e-3);
  const std::vector<double>& energy = run["energy.total"];
  EXPECT_LE(*std::max_element(energy.begin(), energy.end()), energy.front() * (1 + 1e-6));
}

TEST(SolidsInBox, TwoHundredBoxesFallWithoutAJump) {
  expect_no_jumps(settle_solids("{type: box, size: [2*radius, 2*radius, 2*radius]}", 200, "0.6 s"));
}

TEST(SolidsInBox, FlatAndLongBoxesFallWithoutAJump) {
  expect_no_jumps(settle_solids("{type: box, size: [2*radius, 1.4*radius, 0.5*radius]}", 60, "0.5 s"));
}

TEST(SolidsInBox, CapsulesFallWithoutAJump) {
  expect_no_jumps(settle_solids("{type: capsule, radius: 0.5*radius, length: radius, axis: [0, 0, 1]}", 60, "0.5 s"));
}

TEST(SolidsInBox, CylindersFallWithoutAJump) {
  expect_no_jumps(
      settle_solids("{type: cylinder, radius: 0.6*radius, length: 1.4*radius, axis: [0, 0, 1]}", 60, "0.5 s"));
}

}  // namespace
}  // namespace freeplay::test::solids_in_box_test
