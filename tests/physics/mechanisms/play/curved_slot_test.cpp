// A pin in a curved slot, ideal and as a bushing: a pendulum of the slot's radius, and a way with two ends.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::curved_slot_test {
namespace {

using std::numbers::pi;

constexpr double kGravity = 9.81, kRadius = 0.2;

std::string part_in_slot(const std::string& slot, const std::string& simulate, const std::string& space = "planar") {
  const bool is_planar = space == "planar";
  return fmt::format(
      "freeplay: 1\nspace: {}\ngravity: [0, -9.81 m/s^2{}]\nbodies: {{part: {{mass: 2 kg, inertia: {}}}}}\n"
      "joints:\n  slot: {{type: pin_in_slot, parent: ground, child: part, journal_radius: 5 mm, clearance: 0.1 mm, "
      "{}}}\n"
      "simulate: {{{}}}\n",
      space, is_planar ? "" : ", 0", is_planar ? "1e-4 kg m^2" : "[1e-4 kg m^2, 1e-4 kg m^2, 1e-4 kg m^2]", slot,
      simulate);
}

// Of a pendulum with the amplitude a, up to its term of sixth order.
double period_of_pendulum(double length, double a) {
  const double a2 = a * a;
  return 2 * pi * std::sqrt(length / kGravity) * (1 + a2 / 16 + 11 * a2 * a2 / 3072 + 173 * a2 * a2 * a2 / 737280);
}

// The pin's centre runs on the arc, whose centre lies to the left of x: above. `initial` counts along the arc.
TEST(CurvedSlot, AnIdealPartSwingsAsAPendulumOfTheSlotsRadius) {
  const double amplitude = 0.3;
  for (const std::string space : {"planar", "spatial"}) {
    for (const std::string simulate :
         {"integrator: event-driven, tolerance: 1e-10, step: 1 ms", "integrator: dopri5, tolerance: 1e-10, step: 1 ms",
          "integrator: moreau-midpoint, step: 50 us"}) {
      SCOPED_TRACE(space + ", " + simulate);
      const ModelRun run = run_model(parse_model(
          part_in_slot(fmt::format("slot_radius: {} m, initial: {{q: [{} m, 0]}}", kRadius, kRadius * amplitude),
                       simulate + ", duration: 2 s", space),
          "pendulum.yaml"));
      EXPECT_NEAR(run["part.x"][0], kRadius * std::sin(amplitude), 1e-14);
      EXPECT_NEAR(run["part.y"][0], kRadius * (1 - std::cos(amplitude)), 1e-14);
      const std::vector<double> passes = upward_crossings(run.time(), run["part.x"], run["part.vx"]);
      ASSERT_EQ(passes.size(), 2U);
      const bool steps = simulate.find("moreau") != std::string::npos;
      EXPECT_NEAR(passes[1] - passes[0], period_of_pendulum(kRadius, amplitude), steps ? 1e-6 : 1e-7);
      Worst off, along, load;
      for (std::size_t i = 1; i < run.rows(); ++i) {
        const double x = run["part.x"][i], y = run["part.y"][i] - kRadius, angle = std::atan2(x, -y);
        off(std::hypot(x, y) - kRadius);
        along(run["slot.q_1"][i] - kRadius * angle);
        // m (g cos + v^2/R), with v^2 = 2 g R (cos - cos a)
        const double force = std::hypot(run["slot.force_x"][i], run["slot.force_y"][i]);
        load(force - 2 * kGravity * (3 * std::cos(angle) - 2 * std::cos(amplitude)));
      }
      EXPECT_LT(off.value, 1e-11);
      EXPECT_LT(along.value, 1e-11);
      EXPECT_LT(load.value, steps ? 2e-2 : 1e-6);
    }
  }
}

// The bushing holds the pin along the normal of the slot where the pin is, and lets it slide along the way.
TEST(CurvedSlot, ABushingTendsToTheIdealSlot) {
  const auto period = [](double stiffness) {
    const ModelRun run = run_model(parse_model(
        part_in_slot(
            fmt::format("model: bushing, bushing: {{stiffness: {} N/m, damping: 400 N s/m}}, slot_radius: {} m, "
                        "initial: {{q: [60 mm, 0]}}",
                        stiffness, kRadius),
            "integrator: dopri5, tolerance: 1e-9, step: 1 ms, duration: 2 s"),
        "bushing.yaml"));
    const std::vector<double> passes = upward_crossings(run.time(), run["part.x"], run["part.vx"]);
    EXPECT_EQ(passes.size(), 2U);
    // Beside the way by the load over the stiffness, at most 3 - 2 cos a weights.
    Worst off;
    for (std::size_t i = 50; i < run.rows(); ++i)
      off(std::hypot(run["part.x"][i], run["part.y"][i] - kRadius) - kRadius);
    EXPECT_LT(off.value, 1.2 * 2 * kGravity / stiffness);
    return passes[1] - passes[0];
  };
  const double ideal = period_of_pendulum(kRadius, 0.3);
  const double soft = period(1e4) - ideal, stiff = period(1e5) - ideal;
  EXPECT_GT(soft, 0) << "the pendulum is longer by what the bushing gives";
  EXPECT_NEAR(std::log10(soft / stiff), 1, 0.1);
}

// 20 mm of way along y: the part falls to its end and, where it is thrown back, rises by e^2 of its fall.
TEST(CurvedSlot, TheEndsOfASlotHoldThePinWithoutPlay) {
  for (const std::string model : {"ideal", "bushing"}) {
    for (const std::string integrator : {"event-driven", "moreau-midpoint", "dopri5"}) {
      SCOPED_TRACE(model + " " + integrator);
      const ModelRun run = run_model(parse_model(
          part_in_slot(
              fmt::format("axis: [0, 1], model: {}, length: 20 mm, bushing: {{stiffness: 1e5 N/m, damping: 100 N "
                          "s/m}}, contact: {{impact: newton, restitution: 0.5, force: {{law: kelvin-voigt, "
                          "stiffness: 1e7 N/m, damping: 1e4 N s/m}}}}",
                          model),
              fmt::format("integrator: {}, duration: 0.5 s, step: 0.1 ms", integrator)),
          "ends.yaml"));
      double lowest = 0;
      for (const double y : run["part.y"]) lowest = std::min(lowest, y);
      const bool is_rigid = integrator != "dopri5";
      EXPECT_GT(lowest, is_rigid ? -10.05e-3 : -10.2e-3);
      EXPECT_NEAR(run["part.y"].back(), -10e-3, is_rigid ? 5e-5 : 1e-5);
      if (integrator != "event-driven") continue;
      const double fall = std::sqrt(2 * 0.01 / kGravity), speed = std::sqrt(2 * 0.01 * kGravity);
      const double apex = fall + 0.5 * speed / kGravity;
      const std::size_t row = static_cast<std::size_t>(std::lround(apex / 1e-4));
      double highest = -1;
      for (std::size_t i = row - 20; i < row + 20; ++i) highest = std::max(highest, run["part.y"][i]);
      EXPECT_NEAR(highest, -10e-3 + 0.25 * 10e-3, 1e-6);
    }
  }
}

TEST(CurvedSlot, WhatASlotCannotBeIsAnErrorWithItsCure) {
  for (const std::string slot : {"sides: left", "slot_radius: 10 mm, length: 70 mm"}) {
    try {
      parse_model(part_in_slot(slot, "integrator: event-driven, duration: 1 s"), "wrong.yaml");
      ADD_FAILURE() << slot;
    } catch (const ModelError& error) {
      for (const Diagnostic& mistake : error.diagnostics()) EXPECT_FALSE(mistake.hint.empty()) << error.what();
    }
  }
}

}  // namespace
}  // namespace freeplay::test::curved_slot_test
