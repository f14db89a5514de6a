// A beam with many shape functions strikes a stop: what it gives back converges (docs/examples/cantilever_impact.md).
#include "freeplay/mechanism/description/beam_shapes.h"
#include "physics/model_run.h"

namespace freeplay::test::cantilever_impact_modes_test {
namespace {

// Angular momentum about the hinge,  integral of rho A x (x phi' + w'),  at the end over that at the start: -0.65 +-
// 0.02 in the reference, with six to twelve shape functions. Six and nine are in physics.
TEST(CantileverImpactWithManyModes, GivesTheAngularMomentumOfTheReferenceBack) {
  constexpr int kModes = 12;
  constexpr double kSpeed = 1e-4;
  const ModelRun run = run_example("cantilever_impact", {fmt::format("bodies.beam.elastic.bending_modes={}", kModes),
                                                         fmt::format("speed={} rad/s", kSpeed)});
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  const std::vector<BeamShape> shapes = bending_shapes(BendingShapes::kCantilever, kModes, 1);
  double H = run["hinge.u"].back() / 3;
  for (std::size_t j = 0; j < kModes; ++j) {
    double m = 0;
    for (const QuadraturePoint& point : gauss_points(80, 1)) m += point.weight * point.s * shapes[j].value(point.s);
    H += m * run[fmt::format("beam.modal_{}_rate", j + 1)].back();
  }
  EXPECT_NEAR(H / (-kSpeed / 3), -0.65, 0.02);
}

}  // namespace
}  // namespace freeplay::test::cantilever_impact_modes_test
