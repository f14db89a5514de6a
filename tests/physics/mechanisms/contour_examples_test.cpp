// Examples of contours: a Geneva drive, a ratchet, gears and an ellipse that rolls.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::contour_examples_test {
namespace {

constexpr double kPi = std::numbers::pi;

// ---- Geneva drive ----

// The angle of the wheel while the pin is in a slot, without play; `turned`: of the crank from the middle.
double wheel_angle(double turned) {
  const double a = 100e-3, r = a * std::sqrt(0.5);
  return -std::atan2(r * std::sin(turned), a - r * std::cos(turned));
}

TEST(GenevaDrive, TheWheelPeaksAtTheRatioOfFourSlotsAndIsHeldInBetween) {
  const ModelRun run = run_example("geneva_drive", {}, {"axle.q", "axle.u", "pin.gap_1", "lock.gap_1"});
  const double speed = 2 * kPi;
  double fastest = 0;
  Worst held;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    fastest = std::min(fastest, run["axle.u"][i]);
    const double turned = std::remainder(kPi + speed * run.time()[i], 2 * kPi);
    // Out of the slot it moves by no more than the play of the lock, 0.05 mm at the ends of the arcs.
    if (std::abs(turned) > 0.9) held(std::remainder(run["axle.q"][i], kPi / 2));
  }
  EXPECT_NEAR(-fastest / speed, 1 / (std::sqrt(2) - 1), 1e-4);
  EXPECT_LT(held.value, 2e-3);
  EXPECT_NEAR(run["axle.q"].back(), -kPi, 2e-3);  // two turns of the crank
  EXPECT_LT(run.summary.max_penetration_m, 1e-6);
}

// On the side of the slot that drives, the wheel is behind by the play.
TEST(GenevaDrive, ThePinLeadsTheWheelAlongItsSlot) {
  const ModelRun run = run_example("geneva_drive", {}, {"axle.q"});
  const double speed = 2 * kPi, play = 0.05e-3, a = 100e-3, r = a * std::sqrt(0.5);
  Worst behind;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double t = run.time()[i], turned = std::remainder(kPi + speed * t, 2 * kPi);
    if (t > 1 || std::abs(turned) > 0.3) continue;
    const double arm = std::hypot(a - r * std::cos(turned), r * std::sin(turned));
    behind((run["axle.q"][i] + kPi / 4 - wheel_angle(turned)) * arm / play);
  }
  EXPECT_NEAR(behind.value, 1, 1e-3);
}

// ---- ratchet ----

TEST(Ratchet, EveryCycleOfTheTorqueBringsOneToothForwardAndNoneBack) {
  const ModelRun run = run_example("ratchet", {}, {"axle.q", "axle.u"});
  const double pitch = 2 * kPi / 12, cycle = 0.25;
  double farthest = 0, back = 0;
  for (const double q : run["axle.q"]) {
    farthest = std::min(farthest, q);
    back = std::max(back, q - farthest);
  }
  EXPECT_LT(back, pitch / 2);
  // In the first quarter of a cycle the wheel lies against the pawl.
  const auto at = [&](double t) { return static_cast<std::size_t>(std::lround(t / 20e-6)); };
  for (int k = 1; k < 4; ++k) {
    const std::size_t now = at((k + 0.3) * cycle), before = at((k - 0.7) * cycle);
    EXPECT_NEAR(run["axle.q"][now] - run["axle.q"][before], -pitch, 1e-6) << "cycle " << k;
    EXPECT_LT(std::abs(run["axle.u"][now]), 1e-12);
  }
  EXPECT_LT(run.summary.max_penetration_m, 1e-7);
}

// At rest the moments of all contact forces about the axle balance the torque, up to the dry friction of the axle.
TEST(Ratchet, ThePawlCarriesTheTorque) {
  const ModelRun run = run_example("ratchet");
  const std::size_t row = static_cast<std::size_t>(std::lround(0.825 / 20e-6));
  double moment = 0;
  for (const std::string point : {"_1", "_2", "_3", "_4"}) {
    if (run["catch.mode" + point][row] == 0) continue;
    moment -= run["catch.point_x" + point][row] * run["catch.force_y" + point][row] -
              run["catch.point_y" + point][row] * run["catch.force_x" + point][row];  // on the wheel
  }
  const double torque = 0.1 * std::sin(2 * kPi * 4 * run.time()[row]);
  EXPECT_LT(std::abs(moment + torque), 0.02 * (1 + 1e-6));
  EXPECT_LT(moment, -0.05);
}

// ---- escapement ----

// A recoil escapement pushes the pendulum back towards the middle all the time: it swings faster than free.
TEST(Escapement, EverySwingLetsOneToothPassAndTheWheelKeepsThePendulumGoing) {
  const ModelRun run = run_example("escapement", {}, {"axle.q", "pivot.q", "pivot.u"});
  const std::vector<double> swings = upward_crossings(run.time(), run["pivot.q"], run["pivot.u"]);
  ASSERT_GE(swings.size(), 4u);
  const double tooth = 2 * kPi / 15, free_period = 2 * kPi * std::sqrt((0.25 + 1e-3) / (9.81 * 0.5));
  const auto row = [](double t) { return static_cast<std::size_t>(std::lround(t / 0.2e-3)); };
  for (std::size_t i = 1; i < swings.size(); ++i) {
    const double period = swings[i] - swings[i - 1];
    EXPECT_LT(period, 0.999 * free_period);
    EXPECT_GT(period, 0.99 * free_period);
    EXPECT_NEAR(run["axle.q"][row(swings[i])] - run["axle.q"][row(swings[i - 1])], -tooth, 0.02 * tooth);
  }
  const auto swing = std::max_element(run["pivot.q"].end() - 7500, run["pivot.q"].end());  // of the last 1.5 s
  EXPECT_NEAR(*swing, kPi / 30, 0.01 * kPi / 30);
  EXPECT_LT(run.summary.max_penetration_m, 1e-7);
}

// ---- rolling ellipse ----

// With the centre at the height h(phi) and the contact at h' beside it, rolling conserves
//   E = (m (h^2 + h'^2) + I) phi'^2 / 2 + m g h.
double worst_speed(const std::string& step) {
  const ModelRun run = run_example("rolling_ellipse", {"step=" + step}, {"wheel.angle", "wheel.omega", "wheel.y"});
  const double a = 60e-3, b = 40e-3, inertia = (a * a + b * b) / 4, g = 9.81;
  const auto height = [&](double phi) { return std::hypot(a * std::sin(phi), b * std::cos(phi)); };
  const auto mass_at = [&](double phi) {
    const double slope = (a * a - b * b) * std::sin(phi) * std::cos(phi) / height(phi);
    return height(phi) * height(phi) + slope * slope + inertia;
  };
  const double energy = mass_at(0) * 169 / 2 + g * height(0);
  Worst speed;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double phi = run["wheel.angle"][i];
    const double omega = std::sqrt(2 * (energy - g * height(phi)) / mass_at(phi));
    speed((-run["wheel.omega"][i] - omega) / omega);
    EXPECT_LT(std::abs(run["wheel.y"][i] - height(phi)), 1e-6);
  }
  return speed.value;
}

TEST(RollingEllipse, KeepsItsEnergyToTheOrderOfTheStep) {
  const double coarse = worst_speed("0.2 ms"), fine = worst_speed("0.1 ms");
  EXPECT_LT(fine, 0.012);
  EXPECT_NEAR(coarse / fine, 2, 0.1);
}

// ---- gears ----

// Two rows per pitch are those of a step in which a tip leaves its flank: there the row of the step, which stands at
// its midpoint, is that of a corner.
TEST(GearTeeth, KeepTheirRatioAndTheirBacklash) {
  const ModelRun run = run_example("gear_teeth", {}, {"drive.q", "drive.u", "driven.q", "driven.u"});
  const double alpha = kPi / 9, a0 = 50e-3, a = 50.1e-3;
  const double working = std::acos(a0 / a * std::cos(alpha));
  const auto inv = [](double angle) { return std::tan(angle) - angle; };
  const double backlash = 2 * a * std::cos(working) * (inv(working) - inv(alpha)), base = 30e-3 * std::cos(alpha);
  std::size_t from = 2000, off = 0, count = 0;
  Worst place;
  for (std::size_t i = from; i < run.rows(); ++i, ++count) {
    off += std::abs(run["driven.u"][i] / run["drive.u"][i] + 2.0 / 3) > 1e-9;
    // It started in the middle of its play, and the load has brought it to one end.
    place(run["driven.q"][i] + run["drive.q"][i] * 2 / 3 - backlash / 2 / base);
  }
  const double pitches = static_cast<double>(count) * 20e-6 * 300 / 60 * 20;
  EXPECT_LE(static_cast<double>(off), 2 * (pitches + 1));
  EXPECT_LT(place.value, 2e-8);  // of the steps in which a tip leaves; otherwise 1e-13
}

}  // namespace
}  // namespace freeplay::test::contour_examples_test
