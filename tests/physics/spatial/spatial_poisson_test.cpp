// Impacts by Poisson's law with friction in space, by each integrator that knows them: motions of a plane must be those
// of the planar model, in whatever direction the plane stands.
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::spatial_poisson_test {
namespace {

ModelRun run_text(const std::string& text) {
  return run_model(parse_model(text, "impact.yaml", {}));
}

struct Rule {
  const char* simulate;
  double agreement;  // error control sees more coordinates in space
};
constexpr Rule kRules[] = {{"integrator: moreau-midpoint, activation: anticipated, step: 0.2 ms", 1e-9},
                           {"integrator: moreau-jean, step: 0.2 ms", 1e-9},
                           {"integrator: event-driven, tolerance: 1e-11", 1e-8}};

// ---- a superball between floor and table ----

std::string superball(const std::string& space, const std::string& gravity, const std::string& inertia,
                      const std::string& initial, const std::string& shapes, const std::string& law,
                      const std::string& simulate) {
  return fmt::format(R"(freeplay: 1
space: {0}
gravity: {1}
bodies:
  ball: {{mass: 50 g, inertia: {2}, initial: {{{3}}}, shapes: {{skin: {{type: {4}, radius: 25 mm}}}}}}
ground: {{shapes: {5}}}
contacts:
  low: {{between: [ball.skin, ground.floor], impact: poisson, {6}}}
  high: {{between: [ball.skin, ground.table], impact: poisson, {6}}}
simulate: {{{7}, duration: 0.28 s}}
)",
                     space, gravity, inertia, initial, space == "planar" ? "circle" : "sphere", shapes, law, simulate);
}

TEST(SpatialPoisson, ASuperballFliesInAPlaneAsInThePlane) {
  const double way = 0.6;
  for (const char* tangential : {"beitelschmidt", "glocker", "safe"}) {
    for (const Rule& rule : kRules) {
      SCOPED_TRACE(fmt::format("{} by {}", tangential, rule.simulate));
      const std::string law =
          fmt::format("tangential_law: {}, restitution: 0.9, tangential_restitution: 0.8, friction: 0.5", tangential);
      const ModelRun flat = run_text(
          superball("planar", "[0, -9.81 m/s^2]", "0.4*50 g*(25 mm)^2", "y: 0.2 m, vx: 3 m/s, vy: -3 m/s",
                    "{floor: {type: line, normal: [0, 1]}, table: {type: line, at: [0, 0.3 m], normal: [0, -1]}}", law,
                    rule.simulate));
      const std::string moment = "0.4*50 g*(25 mm)^2";
      const ModelRun solid = run_text(superball(
          "spatial", "[0, 0, -9.81 m/s^2]", fmt::format("[{0}, {0}, {0}]", moment),
          fmt::format("z: 0.2 m, vx: 3 m/s*cos({0}), vy: 3 m/s*sin({0}), vz: -3 m/s", way),
          "{floor: {type: plane, normal: [0, 0, 1]}, table: {type: plane, at: [0, 0, 0.3 m], normal: [0, 0, -1]}}", law,
          rule.simulate));
      ASSERT_EQ(solid.summary.status, RunStatus::kCompleted);
      EXPECT_EQ(solid.record.impacts.size(), flat.record.impacts.size());
      EXPECT_GE(flat.record.impacts.size(), 2u);
      EXPECT_NEAR(solid["ball.z"].back(), flat["ball.y"].back(), rule.agreement);
      EXPECT_NEAR(solid["ball.x"].back(), std::cos(way) * flat["ball.x"].back(), rule.agreement);
      EXPECT_NEAR(solid["ball.y"].back(), std::sin(way) * flat["ball.x"].back(), rule.agreement);
      EXPECT_NEAR(solid["ball.vx"].back(), std::cos(way) * flat["ball.vx"].back(), rule.agreement);
      EXPECT_NEAR(solid["ball.vy"].back(), std::sin(way) * flat["ball.vx"].back(), rule.agreement);
      EXPECT_NEAR(solid["ball.vz"].back(), flat["ball.vy"].back(), rule.agreement);
      EXPECT_LE(solid.summary.worst_residual_m_s, 1e-9);
    }
  }
}

// ---- energy ----

// A slender rod along a = (0.8, 0.6, 0) that is lifted to 45 degrees falls on its end: T_E/T_A = 1.3516 by the law of
// the paper, as in the plane. Its end is a ball of 1 um. The run may end early.
RunSummary fall_on_end(const std::string& simulate, const std::string& law) {
  const ModelFile file = parse_model(fmt::format(R"(freeplay: 1
space: spatial
parameters: {{J: 1 kg m^2/12, I: 1e-3 kg m^2}}
bodies:
  rod:
    mass: 1 kg
    inertia: [[0.36*J + 0.64*I, 0.48*(I - J), 0], [0.48*(I - J), 0.64*J + 0.36*I, 0], [0, 0, J]]
    initial: {{z: sqrt(0.125)*1 m + 0.101 mm, vz: -1 m/s, rotation: {{axis: [0.6, -0.8, 0], angle: 45 deg}}}}
    shapes: {{end: {{type: sphere, radius: 1 um, at: [-0.4 m, -0.3 m, 0]}}}}
ground: {{shapes: {{floor: {{type: plane, normal: [0, 0, 1]}}}}}}
contacts:
  touch: {{between: [rod.end, ground.floor], impact: poisson, tangential_law: {1}, restitution: 1, friction: 0.7}}
simulate: {{{0}, duration: 0.4 ms}}
)",
                                                 simulate, law),
                                     "end.yaml", {});
  const Model model = build_model(file);
  MemorySink record;
  return Simulation(*model.system, *model.contacts, file.simulate, {}).run(record, {});
}

TEST(SpatialPoisson, AGainIsCountedLimitedOrTheEndInEachIntegrator) {
  for (const char* integrator : {"integrator: moreau-midpoint, activation: anticipated, step: 20 us",
                                 "integrator: moreau-jean, step: 20 us", "integrator: event-driven"}) {
    SCOPED_TRACE(integrator);
    const RunSummary as_it_is = fall_on_end(integrator, "beitelschmidt");
    EXPECT_EQ(as_it_is.status, RunStatus::kCompleted);
    EXPECT_EQ(as_it_is.gaining_impacts, 1);
    EXPECT_NEAR(as_it_is.impact_gain_J, 0.5 * 0.3516, 1e-4);
    EXPECT_NEAR(as_it_is.energy_final_J, 0.5 * 1.3516, 1e-4);

    const RunSummary limited = fall_on_end(std::string(integrator) + ", impact_energy: limit", "beitelschmidt");
    EXPECT_EQ(limited.gaining_impacts, 1);
    EXPECT_NEAR(limited.energy_final_J, 0.5, 1e-8) << "no more is taken than was gained";

    const RunSummary stopped = fall_on_end(std::string(integrator) + ", impact_energy: stop", "beitelschmidt");
    EXPECT_EQ(stopped.status, RunStatus::kFailed);
    EXPECT_EQ(stopped.failure, StepStatus::kImpactGainsEnergy);

    for (const char* law : {"glocker", "safe"}) {
      const RunSummary run = fall_on_end(std::string(integrator) + ", impact_energy: stop", law);
      EXPECT_EQ(run.status, RunStatus::kCompleted) << law;
      EXPECT_EQ(run.gaining_impacts, 0) << law;
    }
  }
}

}  // namespace
}  // namespace freeplay::test::spatial_poisson_test
