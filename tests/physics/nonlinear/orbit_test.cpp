// Periodic motions and their multipliers against linear theory, saltation and an independent integration.
#include "freeplay/study/dynamics/orbit.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "freeplay/study/dynamics/attractors.h"
#include "freeplay/study/sweep/sweep.h"
#include "physics/model_run.h"

namespace freeplay::test::orbit_test {
namespace {

using std::numbers::pi;

// A mass of 1 kg on a guide with a force of its place x, speed v and the time.
std::string sliding_mass(const std::string& force, const std::string& simulate) {
  return "freeplay: 1\nspace: planar\nparameters: {x0: 1 m, v0: 0.1 m/s}\n"
         "bodies:\n  m: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: x0, vx: v0}}\n"
         "joints:\n  guide: {type: prismatic, parent: ground, axis: [1, 0], child: m}\n"
         "forces:\n  all: {type: force, on: m, value: [\"" +
         force + "\", 0 N]}\nsimulate: {integrator: dopri5, tolerance: 1e-12, " + simulate + "}\n";
}

PeriodicOrbit orbit_of(const ModelFile& file, const OrbitOptions& options) {
  return find_orbit(file, build_model(file), options);
}

// x'' = -100 x - 2 v + 5 cos(7 t): multipliers exp((-1 +- i sqrt(99)) T), amplitude 5/|100 - 49 + 14 i|.
TEST(Orbit, OfADrivenOscillatorHasItsClosedForm) {
  const ModelFile file =
      parse_model(sliding_mass("5 N*cos(7/s*t) - 100 N/m*m.x - 2 N s/m*m.vx", "duration: 1 s"), "oscillator.yaml");
  OrbitOptions options;
  options.period_s = 2 * pi / 7;
  const PeriodicOrbit orbit = orbit_of(file, options);
  ASSERT_TRUE(orbit.is_found) << orbit.message;
  EXPECT_LE(orbit.iterations, 3) << "the map is linear";
  const std::complex<double> answer = 5.0 / std::complex<double>(100 - 49, 14);
  EXPECT_NEAR(orbit.start.q[0], answer.real(), 1e-8);
  EXPECT_NEAR(orbit.start.u[0], -7 * answer.imag(), 1e-7);
  ASSERT_EQ(orbit.multipliers.size(), 2U);
  const std::complex<double> expected = std::exp(std::complex<double>(-1, std::sqrt(99)) * options.period_s);
  EXPECT_NEAR(orbit.multipliers[0].real(), expected.real(), 1e-6);
  EXPECT_NEAR(std::abs(orbit.multipliers[0].imag()), std::abs(expected.imag()), 1e-6);
  EXPECT_NEAR(orbit.largest_multiplier(), std::abs(expected), 1e-6);
}

// The same oscillator, moved by the angle of a crank that a motor turns by its motion, 7 rad/s: however many turns the
// crank has made before the search begins, it makes one in a period.
constexpr const char* kCrankDriven = R"yaml(freeplay: 1
space: planar
parameters: {omega: 7 rad/s, damping: 2 N s/m}
bodies:
  m: {mass: 1 kg, inertia: 1 kg m^2}
  crank: {mass: 1 kg, inertia: 1 kg m^2}
joints:
  guide: {type: prismatic, parent: ground, axis: [1, 0], child: m}
  bearing: {type: revolute, parent: ground, child: crank}
drivers: {motor: {on: bearing, motion: omega*t}}
forces:
  all: {type: force, on: m, value: ["5 N*cos(crank.angle) - 100 N/m*m.x - damping*m.vx", 0 N]}
simulate: {integrator: dopri5, tolerance: 1e-12, duration: 6*2*pi/omega}
)yaml";

TEST(Orbit, OfACrankThatIsDrivenIsFoundAfterAnyNumberOfTurns) {
  const ModelFile file = parse_model(kCrankDriven, "crank.yaml");
  for (const int periods : {0, 1, 5}) {
    OrbitOptions options;
    options.period_s = 2 * pi / 7;
    options.settle_s = periods * options.period_s;
    const PeriodicOrbit orbit = orbit_of(file, options);
    ASSERT_TRUE(orbit.is_found) << periods << orbit.message;
    EXPECT_NEAR(orbit.start.q[0], (5.0 / std::complex<double>(100 - 49, 14)).real(), 1e-8) << periods;
    EXPECT_NEAR(orbit.largest_multiplier(), std::exp(-options.period_s), 1e-6) << periods;
  }
}

TEST(Orbit, OfACrankThatIsDrivenIsAMeasureOfAStudy) {
  SweepPlan plan;
  plan.model = "crank.yaml";
  plan.text = kCrankDriven;
  plan.over = {"damping=2 N s/m,3 N s/m"};
  plan.orbit = "2*pi/omega";
  const SweepRunner runner(plan);
  for (const std::int64_t index : {0, 1}) {
    const std::optional<SweepRow> row = runner.run(index, {}, nullptr);
    ASSERT_TRUE(row && row->status == SweepStatus::kCompleted);
    EXPECT_NEAR(row->values[1], std::exp(-row->values[0] / 2 * 2 * pi / 7), 1e-6) << "the size of the multipliers";
  }
}

// One impact in each period: the multipliers are those of a turn in phase space and the saltation of the impact.
TEST(Orbit, WithImpactsHasTheMultipliersOfTheirSaltation) {
  constexpr double kNatural = 10, kAmplitude = 10, kRestitution = 0.7;
  for (const double drive : {18.0, 24.0}) {
    const Overrides settings = {fmt::format("drive_frequency={} rad/s", drive), "duration=60 s",
                                "simulate.tolerance=1e-12"};
    const ModelRun run = run_example("impact_oscillator", settings, {"slider.x"});
    const ImpactRecord& last = run.record.impacts.back();
    const double period = 2 * pi / drive;
    const double a = kAmplitude * std::cos(drive * last.time_s), v = last.normal_velocity_before;
    const double c = std::cos(kNatural * period), s = std::sin(kNatural * period);
    const Mat2 turn = (Mat2() << c, s / kNatural, -kNatural * s, c).finished();
    const Mat2 saltation = (Mat2() << -kRestitution, 0, (1 + kRestitution) * a / v, -kRestitution).finished();
    const double trace = (saltation * turn).trace(), determinant = (saltation * turn).determinant();
    OrbitOptions options;
    options.period_s = period;
    options.settle_s = 20;
    const PeriodicOrbit orbit = orbit_of(load_example("impact_oscillator", settings), options);
    ASSERT_TRUE(orbit.is_found) << orbit.message;
    EXPECT_EQ(orbit.impacts, 1);
    const std::complex<double> sum = orbit.multipliers.at(0) + orbit.multipliers.at(1);
    EXPECT_NEAR(sum.real(), trace, 1e-4 * (1 + std::abs(trace))) << drive;
    EXPECT_NEAR((orbit.multipliers[0] * orbit.multipliers[1]).real(), determinant, 1e-4);
    EXPECT_NEAR(determinant, kRestitution * kRestitution, 1e-12);
  }
}

// Van der Pol's oscillator, mu = 1: period 6.6632868593 (Andersen and Geer 1982); the multiplier that is not 1 is
// exp of the divergence along the motion (Liouville), here by a Runge-Kutta method of its own.
TEST(Orbit, ThatNothingDrivesHasItsPeriodFound) {
  const ModelFile file =
      parse_model(sliding_mass("(1 N s/m)*(1 - (m.x/(1 m))^2)*m.vx - 1 N/m*m.x", "duration: 1 s"), "van_der_pol.yaml");
  OrbitOptions options;
  options.period_s = 6.5;
  options.is_period_free = true;
  options.settle_s = 26;
  const PeriodicOrbit orbit = orbit_of(file, options);
  ASSERT_TRUE(orbit.is_found) << orbit.message;
  EXPECT_NEAR(orbit.period_s, 6.66328685932, 1e-7);
  double x = orbit.start.q[0], v = orbit.start.u[0], divergence = 0;
  constexpr int kSteps = 20000;
  const double h = orbit.period_s / kSteps;
  const auto force = [](double place, double speed) { return (1 - place * place) * speed - place; };
  for (int i = 0; i < kSteps; ++i) {
    const double k1x = v, k1v = force(x, v), k2x = v + h / 2 * k1v, k2v = force(x + h / 2 * k1x, v + h / 2 * k1v);
    const double k3x = v + h / 2 * k2v, k3v = force(x + h / 2 * k2x, v + h / 2 * k2v);
    const double k4x = v + h * k3v, k4v = force(x + h * k3x, v + h * k3v);
    const double before = 1 - x * x;
    x += h / 6 * (k1x + 2 * k2x + 2 * k3x + k4x);
    v += h / 6 * (k1v + 2 * k2v + 2 * k3v + k4v);
    divergence += h / 2 * (before + 1 - x * x);
  }
  ASSERT_EQ(orbit.multipliers.size(), 2U);
  EXPECT_NEAR(orbit.multipliers[0].real(), 1, 1e-5);
  EXPECT_NEAR(orbit.largest_multiplier(), std::exp(divergence), 1e-5);
}

TEST(Orbit, TellsWhereThereIsNone) {
  const ModelFile file = parse_model(sliding_mass("1 N", "duration: 1 s"), "pushed.yaml");
  OrbitOptions options;
  options.period_s = 1;
  const PeriodicOrbit orbit = orbit_of(file, options);
  EXPECT_FALSE(orbit.is_found);
  EXPECT_NE(orbit.message, "");
  options.period_s = 0;
  EXPECT_THROW(orbit_of(file, options), ModelError);
  options.period_s = 1;
  EXPECT_THROW(orbit_of(load_example("slider_crank"), options), ModelError);
}

// x'' = x - x^3 - v/2: what begins with less energy than the hump between the wells has stays in its own.
TEST(Basins, OfTwoWellsAreToldByTheirPoints) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "basins_of_two_wells";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  SweepPlan plan;
  plan.model = "wells.yaml";
  plan.text = sliding_mass("1 N/m*m.x - 1 N/m^3*m.x^3 - 0.5 N s/m*m.vx", "duration: 60 s");
  plan.over = {"x0=-1.2 m,-0.9 m,-0.6 m,0.6 m,0.9 m,1.2 m", "v0=-0.2 m/s,0.2 m/s"};
  plan.section.at = "every(1 s)";
  plan.section.points = {"x=m.x"};
  plan.section.skip = 50;
  plan.section.turns = 6;
  SweepOptions options;
  options.out = folder;
  const SweepTable table = run_sweep(plan, options, {}).table;
  const Attractors found = find_attractors(table);
  ASSERT_EQ(found.list.size(), 2U);
  EXPECT_EQ(found.list[0].period, 1);
  EXPECT_EQ(found.list[0].runs, 6);
  EXPECT_NEAR(found.list[0].points[0], -1, 1e-4);
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    EXPECT_EQ(found.of_row[i], table.rows[i].values[0] < 0 ? 0 : 1) << i;
  EXPECT_EQ(attractor_text(table, found.list[1]).substr(0, 14), "period 1: x = ");
  std::filesystem::remove_all(folder);
}

// Without impacts the slider swings with the amplitude a = F/(w^2 - w0^2): it grazes a stop at that distance.
TEST(ImpactOscillator, GrazesAStopAtItsAmplitude) {
  const double amplitude_m = 10 / (26.0 * 26.0 - 100);
  for (const double distance : {0.999, 1.001}) {
    const ModelRun run = run_example(
        "impact_oscillator", {"amplitude=-10 N", fmt::format("x0={:.17g} m", amplitude_m), "v0=0 m/s",
                              fmt::format("offset={:.17g} m", distance * amplitude_m), "simulate.tolerance=1e-10"});
    EXPECT_EQ(run.summary.impacts > 0, distance < 1) << distance;
  }
}

}  // namespace
}  // namespace freeplay::test::orbit_test
