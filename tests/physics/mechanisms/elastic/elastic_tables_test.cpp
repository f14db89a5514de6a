// Convergence in the number of shape functions: the tables of the pages, computed.
#include <numbers>

#include "freeplay/mechanism/description/beam_shapes.h"
#include "physics/doc_table.h"
#include "physics/model_run.h"

namespace freeplay::test::elastic_tables_test {
namespace {

// Speed of the return, and time of contact over 2 L/c: both tend to 1.
TEST(ElasticTables, TheBarComesBackWithItsSpeedAfterTheTimeOfTheWave) {
  const double c = std::sqrt(210e9 / 7850), arrival = 1e-4;
  double last_speed = 0;
  for (const std::vector<double>& row : doc_table("examples/bar_impact.md", "| shapes | speed of the return")) {
    const int n = static_cast<int>(row[0]);
    const ModelRun run =
        run_example("bar_impact", {fmt::format("bodies.bar.elastic.axial_modes={}", n), "simulate.force_window=0.2us"},
                    {"bar.vx", "energy.total", "energy.impact_loss", "strike.normal_impulse"});
    double last_touch = 0;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      if (run["strike.normal_impulse"][i] > 0) last_touch = run.time()[i];
    }
    const double loss = run["energy.impact_loss"].back() / run["energy.total"].front();
    EXPECT_NEAR(run["bar.vx"].back(), row[1], 6e-5) << n;
    EXPECT_NEAR(100 * loss, row[2], 6e-3) << n;
    EXPECT_NEAR(100.0 / (2 * n + 1), row[3], 6e-3) << n;
    EXPECT_NEAR((last_touch - arrival) * c / 2, row[4], 6e-4) << n;
    EXPECT_GT(run["bar.vx"].back(), last_speed);
    last_speed = run["bar.vx"].back();
  }
}

// Angular momentum about the hinge,  integral of rho A x (x phi' + w'),  at the end over that at the start.
double momentum_ratio(const ModelRun& run, int n, double speed) {
  const std::vector<BeamShape> shapes = bending_shapes(BendingShapes::kCantilever, n, 1);
  double H = run["hinge.u"].back() / 3;
  for (int j = 0; j < n; ++j) {
    double m = 0;
    for (const QuadraturePoint& point : gauss_points(60, 1))
      m += point.weight * point.s * shapes[static_cast<std::size_t>(j)].value(point.s);
    H += m * run[fmt::format("beam.modal_{}_rate", j + 1)].back();
  }
  return H / (-speed / 3);
}

TEST(ElasticTables, TheBeamGivesItsAngularMomentumBack) {
  for (const std::vector<double>& row : doc_table("examples/cantilever_impact.md", "| shapes of the run")) {
    const int n = static_cast<int>(row[0]);
    const std::string modes = fmt::format("bodies.beam.elastic.bending_modes={}", n);
    const ModelRun impact =
        run_example("cantilever_impact", {modes, "speed=1 rad/s", "duration=1.2 ms", "simulate.step=1 us"});
    ASSERT_FALSE(impact.record.impacts.empty()) << n;
    const double impulse = impact.record.impacts.front().normal_impulse;
    const ModelRun run = run_example("cantilever_impact", {modes, "speed=1e-4 rad/s"});
    EXPECT_NEAR(impulse, row[1], 1e-6) << n;
    EXPECT_NEAR(momentum_ratio(run, n, 1e-4), row[2], 1e-3) << n;
  }
}

// Deflection of the tip of a cantilever under a force there, by the engine's stiffness: every shape is 1 at the tip, so
// that it is the sum of 1/K_jj; in beam theory L^3/3EI.
TEST(ElasticTables, TheTipGivesWayAsBeamTheorySays) {
  for (const std::vector<double>& row : doc_table("theory/elastic.md", "| shapes of the cantilever")) {
    const int n = static_cast<int>(row[0]);
    const std::string text = fmt::format(
        "freeplay: 1\nspace: planar\n"
        "bodies: {{beam: {{elastic: {{length: 1 m, mass_per_length: 1 kg/m, start: [0, 0], bending: cantilever, "
        "bending_modes: {}, bending_stiffness: 100 N m^2}}}}}}\n"
        "joints: {{clamp: {{type: fixed, parent: ground, child: beam}}}}\n"
        "simulate: {{integrator: dopri5, step: 1 ns, duration: 1 ns}}\n",
        n);
    const ModelRun run = run_model(parse_model(text, "cantilever.yaml"));
    const double deflection = run.mechanism().elastic_bodies[0].stiffness.diagonal().cwiseInverse().sum();
    EXPECT_NEAR(100 * (1 - 300 * deflection) / row[1], 1, 6e-3) << n;
  }
}

}  // namespace
}  // namespace freeplay::test::elastic_tables_test
