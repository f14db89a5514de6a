// Stops and dry friction of a cylindrical joint, along its axis and about it, whatever its model is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::cylindrical_stops_test {
namespace {

std::string bar_on_a_rod(const std::string& joint, const std::string& simulate) {
  return fmt::format(
      "freeplay: 1\nspace: spatial\nbodies: {{bar: {{mass: 10 kg, inertia: [0.1 kg m^2, 0.1 kg m^2, 0.02 kg m^2]}}}}\n"
      "joints:\n  rod: {{type: cylindrical, parent: ground, child: bar, length: 100 mm, clearance: 0.05 mm, "
      "journal_radius: 10 "
      "mm, contact: {{impact: newton, restitution: 0}}, bushing: {{stiffness: 1e6 N/m, damping: 100 N s/m, "
      "torsional_stiffness: 1e4 N m, torsional_damping: 1 N m s}}, {}}}\nsimulate: {{{}}}\n",
      joint, simulate);
}

const std::vector<std::string> kModels = {"ideal", "clearance", "bushing"};

// 2 m/s, slowed by 3 m/s^2, meets 0.3 m with v^2 = 4 - 6 * 0.3, comes back with 0.8 of that and rests v^2/6 farther
// down.
TEST(CylindricalStops, TheShiftIsStoppedAndRubs) {
  const double back = 0.64 * (4 - 6 * 0.3);
  for (const std::string& model : kModels) {
    for (const std::string integrator : {"event-driven", "moreau-midpoint", "moreau-jean"}) {
      const ModelRun run = run_model(
          parse_model(bar_on_a_rod("model: " + model +
                                       ", stops: {lower: 0 m, upper: 0.3 m, restitution: 0.8}, dry_friction: 30 N, "
                                       "initial: {u: [2 m/s, 3 rad/s]}",
                                   "integrator: " + integrator + ", step: 0.1 ms, duration: 1 s"),
                      "shift.yaml"));
      const bool has_events = integrator == "event-driven";
      EXPECT_NEAR(run["rod.q_1"].back(), 0.3 - back / 6, has_events ? 1e-9 : 2e-3) << model << " " << integrator;
      EXPECT_NEAR(run["rod.q_2"].back(), 3, 1e-6) << model << " " << integrator;
      EXPECT_NEAR(run["energy.friction_loss"].back(), 30 * (0.3 + back / 6), has_events ? 1e-6 : 0.1)
          << model << " " << integrator;
      EXPECT_EQ(run["rod.mode_friction"].back(), static_cast<double>(ContactMode::kStick))
          << model << " " << integrator;
    }
  }
}

// 0.5 N m against 0.02 kg m^2 and 8 rad/s, up to a stop at 60 deg that gives nothing back; along the axis nothing acts.
TEST(CylindricalStops, TheTurnIsStoppedAndRubs) {
  const double stop = std::numbers::pi / 3;
  for (const std::string& model : kModels) {
    const ModelRun run = run_model(
        parse_model(bar_on_a_rod("model: " + model +
                                     ", stops: {lower: [none, -60 deg], upper: [none, 60 deg]}, dry_friction: [0 N, "
                                     "0.5 N m], initial: {u: [1 m/s, 8 rad/s]}",
                                 "integrator: event-driven, step: 1 ms, duration: 0.5 s"),
                    "turn.yaml"));
    EXPECT_NEAR(run["rod.q_2"].back(), stop, 1e-8) << model;
    EXPECT_NEAR(run["rod.q_1"].back(), 0.5, 1e-8) << model;
    EXPECT_NEAR(run["energy.friction_loss"].back(), 0.5 * stop, 1e-6) << model;
    EXPECT_NEAR(run["energy.impact_loss"].back(), 0.5 * 0.02 * 64 - 0.5 * stop, 1e-6) << model;
  }
}

TEST(CylindricalStops, AForceLawIsThatOfOneOfThem) {
  const ModelRun run = run_model(parse_model(
      bar_on_a_rod(
          "stops: {upper: 0.1 m, force: {law: kelvin-voigt, stiffness: 1e6 N/m, damping: 0 N s/m}}, initial: {u: "
          "[1 m/s, 0]}",
          "integrator: dopri5, tolerance: 1e-9, step: 1 ms, duration: 0.3 s"),
      "force.yaml"));
  EXPECT_NEAR(run["rod.u_1"].back(), -1, 1e-6);
  EXPECT_THROW(
      parse_model(bar_on_a_rod("stops: {upper: [0.1 m, 1 rad], force: {law: kelvin-voigt, stiffness: 1e6 N/m}}",
                               "integrator: dopri5, duration: 1 s"),
                  "two.yaml"),
      ModelError);
}

}  // namespace
}  // namespace freeplay::test::cylindrical_stops_test
