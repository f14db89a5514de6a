// Bodies whose shapes are surfaces stand on a plane.
#include <cmath>

#include "physics/model_run.h"

namespace freeplay::test::standing_surfaces_test {
namespace {

// The centre of mass is 30 mm above the floor where the body stands. It falls by less than 3 mm and leans by 1 deg.
ModelRun dropped(const std::string& shape) {
  const std::string text = R"(freeplay: 1
space: spatial
gravity: [0, 0, -9.81 m/s^2]
bodies:
  body:
    mass: 1 kg
    inertia: [1e-3 kg m^2, 1e-3 kg m^2, 1.5e-3 kg m^2]
    initial: {z: 33 mm, rotation: {axis: [1, 0.3, 0], angle: 1 deg}}
    shapes: {skin: )" + shape +
                           R"(}
ground: {shapes: {floor: {type: plane, normal: [0, 0, 1]}}}
contacts: {foot: {between: [body.skin, ground.floor], impact: newton, restitution: 0, friction: 0.3}}
simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: 0.3 s}
)";
  return run_model(parse_model(text, "standing.yaml"));
}

class StandingSurface : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(StandingSurface, FallsOnItsFeetAndRests) {
  const ModelRun run = dropped(GetParam().second);
  const std::size_t last = run.rows() - 1;
  // No deeper than a step leads it that has fallen by 3 mm.
  EXPECT_NEAR(run["body.z"][last], 0.03, std::sqrt(2 * 9.81 * 0.003) * 1e-4);
  EXPECT_NEAR(run.rotation("body", last)(2, 2), 1, 1e-6);  // upright
  EXPECT_LT(run.vector("body.v", last, "").norm(), 1e-6);
  EXPECT_LT(run.vector("body.omega", last).norm(), 1e-5);
  double least = run["energy.total"].front();
  for (const double energy : run["energy.total"]) {
    EXPECT_LE(energy, least + 1e-12);
    least = std::min(least, energy);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, StandingSurface,
    testing::Values(std::pair("cone", "{type: cone, at: [0, 0, -30 mm], radius: 50 mm, height: 120 mm}"),
                    std::pair("lid_of_a_paraboloid",
                              "{type: paraboloid, at: [0, 0, 60 mm], axis: [0, 0, -1], radius: 50 mm, height: 90 mm}"),
                    std::pair("ring", "{type: torus, at: [0, 0, -20 mm], radius: 60 mm, tube_radius: 10 mm}"),
                    std::pair("turned_pot",
                              "{type: revolution, at: [0, 0, -30 mm], profile: {type: polygon, vertices: "
                              "[[0, 0], [40 mm, 0], [60 mm, 80 mm], [0, 80 mm]]}}")),
    [](const auto& one) { return one.param.first; });

}  // namespace
}  // namespace freeplay::test::standing_surfaces_test
