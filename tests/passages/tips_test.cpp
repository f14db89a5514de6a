// Points of stars that fly at each other head on, in runs: they are struck, and nothing flies through unseen.
#include <algorithm>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::tips_test {
namespace {

// The points of a star of five, in mm, the first one in the direction `angle`.
std::string star(double angle) {
  std::string text;
  for (int i = 0; i < 10; ++i) {
    const double r = i % 2 == 0 ? 60 : 20, a = angle + std::numbers::pi * i / 5;
    text += fmt::format("{}[{:.17g} mm, {:.17g} mm]", i == 0 ? "" : ", ", r * std::cos(a), r * std::sin(a));
  }
  return "{type: polygon, vertices: [" + text + "]}";
}

struct Flight {
  double sideways_m, speed_m_s, step_s, tilt_rad;
};

// The tips are 10 mm apart at the start.
ModelRun fly(const Flight& flight, const std::string& integrator) {
  return run_model(parse_model(
      fmt::format("freeplay: 1\nspace: planar\nbodies: {{star: {{mass: 1 kg, inertia: 1 kg m^2, initial: {{x: {:.17g} "
                  "m, y: {:.17g} m, vy: {} m/s}}, shapes: {{s: {}}}}}}}\nground: {{shapes: {{t: {}}}}}\n"
                  "contacts: {{c: {{between: [star.s, ground.t], impact: newton, restitution: 0.5}}}}\n"
                  "record: [star.x, star.vx, star.vy, star.omega]\n"
                  "simulate: {{duration: {} s, integrator: {}, step: {} s}}\n",
                  flight.sideways_m - 0.06 * std::sin(flight.tilt_rad), 0.07 + 0.06 * std::cos(flight.tilt_rad),
                  -flight.speed_m_s, star(-std::numbers::pi / 2 + flight.tilt_rad), star(std::numbers::pi / 2),
                  0.02 / flight.speed_m_s, integrator, flight.step_s),
      "model.yaml"));
}

class HeadOnTips : public testing::TestWithParam<std::string> {};

TEST_P(HeadOnTips, AreStruckWhereverTheyStandInTheStep) {
  for (const double tilt : {0.0, 0.3}) {
    for (const double sideways : {0.0, 1e-9, 1e-7, 1e-6, 1e-5}) {
      for (const auto& [speed, step] : {std::pair{1.0, 1e-4}, {1.0, 1.3e-5}, {10.0, 1e-4}, {0.1, 1e-3}}) {
        const ModelRun run = fly({sideways, speed, step, tilt}, GetParam());
        SCOPED_TRACE(fmt::format("tilt {} sideways {} speed {} step {}", tilt, sideways, speed, step));
        ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
        EXPECT_GE(run.summary.impacts, 1);
        EXPECT_LE(run.summary.max_penetration_m, 2 * speed * step);
        const std::size_t end = run.rows() - 1;
        const double vx = run["star.vx"][end], vy = run["star.vy"][end], omega = run["star.omega"][end];
        EXPECT_LT(0.5 * (vx * vx + vy * vy + omega * omega), 0.5 * speed * speed * (1 - 0.01)) << "an impact costs";
        EXPECT_GT(vy, -0.99 * speed) << "the star did not fly through";
      }
    }
  }
}

// Head on exactly the flanks on both sides are struck alike, and the star goes back with half of its speed.
TEST_P(HeadOnTips, WithoutAnyOffsetGoStraightBack) {
  for (const auto& [speed, step] : {std::pair{1.0, 1e-4}, {10.0, 1e-4}, {0.1, 1e-3}}) {
    const ModelRun run = fly({0, speed, step, 0}, GetParam());
    const std::size_t end = run.rows() - 1;
    EXPECT_NEAR(run["star.vy"][end], 0.5 * speed, 1e-6 * speed);
    EXPECT_NEAR(run["star.vx"][end], 0, 1e-6 * speed);
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, HeadOnTips, testing::Values("moreau-midpoint", "moreau-jean", "event-driven"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace freeplay::test::tips_test
