// Elastic couplings against closed forms, and their limit of infinite stiffness.
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "couplings/gear_pair.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/simulation/recording/memory_sink.h"

namespace freeplay::test::compliant_coupling_test {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kMass = 1 / (0.04 * 0.04 / 2e-3 + 0.06 * 0.06 / 9e-3);  // kg along the pitch line
const std::string kMotor = "forces: {motor: {type: torque, on: wheel_1, value: 3 N m}}\n";

// m s'' + k s = m r1 T/J1 from rest:  s = (r1 T/J1) (1 - cos w t)/w^2,  and q1 is ahead of the ideal one by
// J2/i^2 / (J1 + J2/i^2) s/r1: order one in 1/k.
TEST(CompliantGear, OscillatesAboutTheIdealOneAndTendsToIt) {
  std::vector<double> worst;
  for (const double stiffness : {1e5, 4e5, 1.6e6}) {
    const ModelRun run = run_text(gear_pair(fmt::format(", model: compliant, stiffness: {} N/m", stiffness), kMotor,
                                            simulate_by("dopri5", 0.05)));
    const double w = std::sqrt(stiffness / kMass);
    Worst error, ahead;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      const double t = run.time()[i], s = 0.04 * 3 / 2e-3 * (1 - std::cos(w * t)) / (w * w);
      error(run["mesh.position"][i] - s);
      error((run["mesh.force"][i] + stiffness * s) / stiffness);
      ahead(run["shaft_1.q"][i] - 0.5 * 500 * t * t);
      EXPECT_NEAR(run["shaft_1.q"][i] - 0.5 * 500 * t * t, 2.0 / 3 * s / 0.04, 1e-8);
    }
    EXPECT_LT(error.value, 1e-9) << stiffness;
    EXPECT_LT(run.summary.max_energy_drift_J, 1e-8) << stiffness;
    worst.push_back(ahead.value);
  }
  EXPECT_NEAR(std::log(worst.front() / worst.back()) / std::log(16.0), 1, 0.01);
}

// s'' + 2 D w s' + w^2 s = 0 from s' = v.
TEST(CompliantGear, DecaysAsADampedOscillatorAndBooksTheLoss) {
  const double w = 1000, D = 0.1, v = 0.4;
  const std::string coupling =
      fmt::format(", model: compliant, stiffness: {} N/m, damping: {} N s/m", kMass * w * w, 2 * D * w * kMass);
  for (const std::string integrator : {"dopri5", "cvode-bdf", "event-driven"}) {
    const ModelRun run = run_text(gear_pair(
        coupling, "", simulate_by(integrator, 0.03) + (integrator == "event-driven" ? ", tolerance: 1e-11" : ""),
        ", initial: {u: 10 rad/s}"));
    const double wd = w * std::sqrt(1 - D * D);
    Worst error;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      const double t = run.time()[i];
      error(run["mesh.position"][i] - v / wd * std::exp(-D * w * t) * std::sin(wd * t));
    }
    EXPECT_LT(error.value, 1e-8) << integrator;
    EXPECT_NEAR(run["energy.damping_loss"].back(), run["energy.total"].front() - run["energy.total"].back(), 1e-8);
    EXPECT_GT(run["energy.damping_loss"].back(), 0.9 * 0.5 * kMass * v * v);
  }
}

// Free flight of j/v through the play and half a period of the flank, twice: period 2 j/v + 2 pi/w.
TEST(CompliantGear, WithPlayHasThePeriodOfFlightAndFlank) {
  const double stiffness = 1e6, play = 0.2e-3, v = 0.4;
  const ModelRun run =
      run_text(gear_pair(fmt::format(", model: compliant, stiffness: {} N/m, backlash: {} m", stiffness, play), "",
                         simulate_by("dopri5", 0.1, 2e-6), ", initial: {u: 10 rad/s}"));
  const std::vector<double> times = upward_crossings(run.time(), run["mesh.position"], run["mesh.rate"]);
  ASSERT_GE(times.size(), 10u);
  const double period = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
  EXPECT_NEAR(period, 2 * play / v + 2 * kPi * std::sqrt(kMass / stiffness), 1e-8);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-7);
}

// A stiffness that follows the teeth of the first wheel does work: what it puts in closes the ledger.
TEST(CompliantGear, TakesAStiffnessThatChangesWithTheTeeth) {
  const ModelRun run =
      run_text(gear_pair(", model: compliant, stiffness: 1e6 N/m * (1 + 0.3*cos(20*shaft_1.q))", kMotor,
                         simulate_by("dopri5", 0.1), ", initial: {u: 50 rad/s}", ", initial: {u: -33 rad/s}"));
  Worst error;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double k = 1e6 * (1 + 0.3 * std::cos(20 * run["shaft_1.q"][i]));
    error(run["mesh.force"][i] + k * run["mesh.position"][i]);
  }
  EXPECT_LT(error.value, 1e-9);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-7);
}

// Elastic shafts: bushings let the centres move, involutes then open or close the flanks and change the pressure angle.
// Without damping the whole is conservative, which it would not be if gap and line of action did not fit each other.
TEST(CompliantGear, InElasticBearingsKeepsItsEnergy) {
  const std::string bushing = ", model: bushing, bushing: {stiffness: 1e6 N/m}";
  for (const char* backlash : {"0 mm", "0.05 mm"}) {
    const ModelRun run = run_text(
        gear_pair(fmt::format(", pressure_angle: 20 deg, model: compliant, stiffness: 2e6 N/m, backlash: {}", backlash),
                  "", simulate_by("dopri5", 0.05, 1e-5), bushing + ", initial: {u: 20 rad/s}", bushing));
    EXPECT_GT(largest(run["shaft_2.eccentricity_x"]), 1e-5);
    EXPECT_LT(run.summary.max_energy_drift_J, 1e-6) << backlash;
  }
}

// Statics once more: the flank's spring passes the load on along the line of action.
TEST(CompliantGear, LoadsItsBearingsAlongTheLineOfAction) {
  const ModelRun run =
      run_text(gear_pair(", pressure_angle: 20 deg, model: compliant, stiffness: 1e6 N/m, damping: 2 kN s/m",
                         "forces: {load: {type: torque, on: wheel_2, value: 12 N m}}\n"
                         "drivers: {motor: {on: shaft_1, motion: 30 rad/s * t}}\n",
                         simulate_by("dopri5", 0.2), "", ", initial: {u: -20 rad/s}"));
  const double tangential = 12 / 0.06, radial = tangential * std::tan(20 * kPi / 180);
  EXPECT_NEAR(run["shaft_2.force_x"].back(), -radial, 1e-4);
  EXPECT_NEAR(run["shaft_2.force_y"].back(), -tangential, 1e-4);
  EXPECT_NEAR(run["mesh.force"].back(), -tangential, 1e-4);
}

// An elastic belt: the stiffness of both strands along the belt.
TEST(CompliantBelt, OscillatesWithItsStiffness) {
  std::string text = gear_pair("", "", simulate_by("dopri5", 0.05), ", initial: {u: 10 rad/s}");
  const std::string gear = "type: gear, first: shaft_1, second: shaft_2, ratio: 1.5, pitch_radius: 40 mm";
  text.replace(text.find(gear), gear.size(),
               "type: belt, first: shaft_1, second: shaft_2, radius_1: 40 mm, radius_2: 60 mm, model: compliant, "
               "stiffness: 1e5 N/m");
  const ModelRun run = run_text(text);
  const double w = std::sqrt(1e5 / kMass);
  Worst error;
  for (std::size_t i = 0; i < run.rows(); ++i) error(run["mesh.position"][i] - 0.4 / w * std::sin(w * run.time()[i]));
  EXPECT_LT(error.value, 1e-9);
}

// k (1 - t/10 ms) goes through zero at 10 ms.
TEST(CompliantGear, AStiffnessBelowZeroEndsTheRunWithItsName) {
  const ModelFile file = parse_model(
      gear_pair(", model: compliant, stiffness: '1e5 N/m*(1 - t/(10 ms))'", kMotor, simulate_by("dopri5", 0.05)),
      "gears");
  MemorySink sink;
  const Model model = build_model(file);
  const RunSummary summary = build_simulation(file, model)->run(sink, {}, {});
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_THAT(summary.message,
              testing::HasSubstr("the stiffness of coupling 'mesh' is negative or not finite at t = 0.01"));
  EXPECT_NEAR(summary.time_s, 0.01, 1e-3);
}

}  // namespace
}  // namespace freeplay::test::compliant_coupling_test
