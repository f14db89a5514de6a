// The drop test of a landing gear against its statics, its energy in closed form, and another integration of its two
// equations of motion.
#include <algorithm>
#include <array>
#include <cmath>

#include "physics/model_run.h"

namespace freeplay::test::landing_gear_test {
namespace {

// Of the example file.
constexpr double kSprung = 2000, kWheel = 100, kSink = 3, kGravity = 9.81, kTyre = 1.5e6, kTyreDamping = 1e3;
constexpr double kPreload = 8e3, kColumn = 0.4, kPolytrope = 1.3, kOrifice = 6e3, kViscous = 2e3;
constexpr double kStroke = 0.35, kStop = 2e7, kRadius = 0.3;

double gas_force(double closure) {
  return kPreload * std::pow(1 - closure / kColumn, -kPolytrope);
}

// At rest the gas carries the sprung mass:  F_0 (1 - s/s_g)^-n = m g,  and the tyre all of it.
TEST(LandingGear, SettlesWhereTheGasCarriesTheAirframe) {
  const ModelRun run = run_example("landing_gear", {"duration=25 s"});
  const double closure = kColumn * (1 - std::pow(kPreload / (kSprung * kGravity), 1 / kPolytrope));
  EXPECT_NEAR(run["strut.q"].back(), closure, 1e-5);
  EXPECT_NEAR(run["tyre.gap"].back(), -(kSprung + kWheel) * kGravity / kTyre, 1e-6);
}

// Without damping, and between its stops, energy is conserved; that of the gas is
//   F_0 s_g/(n - 1) ((1 - s/s_g)^(1 - n) - 1).
// The stop that the gas presses the strut on is elastic then, too.
TEST(LandingGear, ConservesEnergyWithoutDamping) {
  const ModelRun run = run_example("landing_gear", {"orifice=0 N s^2/m^2", "viscous=0 N s/m", "tyre_damping=0 N s/m",
                                                    "stop_restitution=1", "sink_speed=1.5 m/s", "duration=0.5 s"});
  const auto energy = [&](std::size_t i) {
    const double s = run["strut.q"][i], depth = std::max(0.0, -run["tyre.gap"][i]);
    const double gas = kPreload * kColumn / (kPolytrope - 1) * (std::pow(1 - s / kColumn, 1 - kPolytrope) - 1);
    const double beyond = std::max({0.0, -s, s - kStroke});
    const double v1 = run["airframe.vy"][i], v2 = run["wheel.vy"][i];
    return 0.5 * (kSprung * v1 * v1 + kWheel * v2 * v2) +
           kGravity * (kSprung * run["airframe.y"][i] + kWheel * run["wheel.y"][i]) + gas +
           0.5 * (kTyre * depth * depth + kStop * beyond * beyond);
  };
  Worst drift;
  for (std::size_t i = 0; i < run.rows(); ++i) drift(energy(i) - energy(0));
  EXPECT_LT(drift.value, 1e-3);  // of 2.4 kJ
  EXPECT_GT(*std::max_element(run["strut.q"].begin(), run["strut.q"].end()), 0.25);
}

// y_1, y_2 from where the tyre touches and the strut is as long as its stop allows; Runge and Kutta.
struct Peaks {
  double closure = 0, load = 0;
};
Peaks integrate() {
  using Vec = std::array<double, 4>;
  const double log_e = std::log(0.3), zeta = -log_e / std::hypot(std::acos(-1.0), log_e);
  const double stop_damping = 2 * zeta * std::sqrt(kStop * kSprung * kWheel / (kSprung + kWheel));
  const auto tyre = [](const Vec& s) { return s[1] < 0 ? std::max(0.0, -kTyre * s[1] - kTyreDamping * s[3]) : 0; };
  const auto rate = [&](const Vec& s) {
    const double q = s[1] - s[0], u = s[3] - s[2];
    double apart = gas_force(q) + kOrifice * u * std::abs(u) + kViscous * u;
    if (q < 0) apart -= std::max(0.0, -kStop * q - stop_damping * u);
    if (q > kStroke) apart += std::max(0.0, kStop * (q - kStroke) + stop_damping * u);
    return Vec{s[2], s[3], apart / kSprung - kGravity, (tyre(s) - apart) / kWheel - kGravity};
  };
  const auto moved = [](const Vec& s, double h, const Vec& k) {
    return Vec{s[0] + h * k[0], s[1] + h * k[1], s[2] + h * k[2], s[3] + h * k[3]};
  };
  constexpr double kStep = 5e-6;
  Vec s = {kPreload / kStop, 0, -kSink, -kSink};
  Peaks peaks;
  for (int i = 0; i < 200000; ++i) {
    const Vec k1 = rate(s), k2 = rate(moved(s, kStep / 2, k1)), k3 = rate(moved(s, kStep / 2, k2)),
              k4 = rate(moved(s, kStep, k3));
    for (std::size_t j = 0; j < 4; ++j) s[j] += kStep / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
    peaks.closure = std::max(peaks.closure, s[1] - s[0]);
    peaks.load = std::max(peaks.load, tyre(s));
  }
  return peaks;
}

TEST(LandingGear, MeetsAnotherIntegrationOfItsEquations) {
  const ModelRun run = run_example("landing_gear", {"duration=1 s"});
  const Peaks expected = integrate();
  EXPECT_NEAR(*std::max_element(run["strut.q"].begin(), run["strut.q"].end()), expected.closure, 1e-5);
  const std::vector<double>& load = run["tyre.normal_force"];
  EXPECT_NEAR(*std::max_element(load.begin(), load.end()), expected.load, 2e-3 * expected.load);  // at rows
  EXPECT_LT(largest(run["energy.drift"]), 1e-2);                                                  // of 30 kJ
}

// Twice as fast it bottoms out: the upper stop takes what is left.
TEST(LandingGear, BottomsOutAtTwiceTheSpeed) {
  const ModelRun run = run_example("landing_gear", {"sink_speed=7 m/s", "orifice=1 kN s^2/m^2", "duration=0.5 s"});
  const double beyond = *std::max_element(run["strut.q"].begin(), run["strut.q"].end()) - kStroke;
  EXPECT_GT(beyond, 1e-4);
  EXPECT_LT(beyond, 10e-3);
}

}  // namespace
}  // namespace freeplay::test::landing_gear_test
