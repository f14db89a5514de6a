// The largest Lyapunov exponent against closed forms, a linearised map and an exact map with its own tangent.
#include "freeplay/study/dynamics/lyapunov.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/model/model.h"
#include "freeplay/study/dynamics/lyapunov_spectrum.h"
#include "freeplay/study/dynamics/parting.h"
#include "physics/model_run.h"

namespace freeplay::test::lyapunov_test {
namespace {

using std::numbers::pi;

LyapunovExponent exponent_of(const ModelFile& file, const LyapunovOptions& options) {
  const Model model = build_model(file);
  return largest_lyapunov_exponent(file, model, options);
}

ModelFile oscillator(double damping, const std::string& simulate) {
  return parse_model(
      fmt::format("freeplay: 1\nspace: planar\nbodies:\n  m: {{mass: 1 kg, inertia: 1 kg m^2, initial: {{x: 0.3 m}}}}\n"
                  "joints:\n  guide: {{type: prismatic, parent: ground, axis: [1, 0], child: m}}\n"
                  "forces:\n  spring: {{type: force, on: m, value: [\"5 N - 100 N/m*m.x - {} N s/m*m.vx\", 0 N]}}\n"
                  "simulate: {{{}}}\n",
                  damping, simulate),
      "oscillator.yaml");
}

TEST(Lyapunov, ADampedOscillatorForgetsAtHalfItsDamping) {
  const LyapunovExponent found =
      exponent_of(oscillator(2, "integrator: dopri5, tolerance: 1e-12, duration: 20 s"), {.transient_s = 5});
  ASSERT_TRUE(found.is_complete) << found.message;
  EXPECT_NEAR(found.per_s, -1, 5e-3);  // c/(2 m); the distance swings within a period
}

TEST(Lyapunov, AnUndampedOscillatorNeitherForgetsNorMagnifies) {
  const LyapunovExponent found =
      exponent_of(oscillator(0, "integrator: dopri5, tolerance: 1e-12, duration: 60 s"), {.transient_s = 5});
  ASSERT_TRUE(found.is_complete) << found.message;
  EXPECT_NEAR(found.per_s, 0, 5e-3);
}

// Van der Pol's oscillator on its limit cycle: along it neighbours keep their distance, across it they forget at the
// mean of the divergence 1 - x^2 (Liouville), here over 30 periods by a Runge-Kutta method of its own.
double mean_divergence_of_van_der_pol() {
  const double h = 6.66328685932 / 5000;
  double x = 2, v = 0, sum = 0;
  const auto force = [](double place, double speed) { return (1 - place * place) * speed - place; };
  for (int i = 0; i < 40 * 5000; ++i) {
    if (i >= 10 * 5000) sum += (1 - x * x) / (30 * 5000);
    const double k1x = v, k1v = force(x, v), k2x = v + h / 2 * k1v, k2v = force(x + h / 2 * k1x, v + h / 2 * k1v);
    const double k3x = v + h / 2 * k2v, k3v = force(x + h / 2 * k2x, v + h / 2 * k2v);
    const double k4x = v + h * k3v, k4v = force(x + h * k3x, v + h * k3v);
    x += h / 6 * (k1x + 2 * k2x + 2 * k3x + k4x);
    v += h / 6 * (k1v + 2 * k2v + 2 * k3v + k4v);
  }
  return sum;
}

TEST(LyapunovSpectrum, OfALimitCycleHasAZeroAndARateThatForgets) {
  const ModelFile file = parse_model(
      "freeplay: 1\nspace: planar\nbodies:\n  m: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: 1 m}}\n"
      "joints:\n  guide: {type: prismatic, parent: ground, axis: [1, 0], child: m}\n"
      "forces:\n  all: {type: force, on: m, value: [\"(1 N s/m)*(1 - (m.x/(1 m))^2)*m.vx - 1 N/m*m.x\", 0 N]}\n"
      "simulate: {integrator: dopri5, tolerance: 1e-10, duration: 400 s}\n",
      "van_der_pol.yaml");
  const Model model = build_model(file);
  const LyapunovExponent one = exponent_of(file, {.transient_s = 50});
  ASSERT_TRUE(one.is_complete) << one.message;
  EXPECT_NEAR(one.per_s, 0, 5e-3);
  const LyapunovSpectrum all = lyapunov_spectrum(file, model, {.transient_s = 50});
  ASSERT_TRUE(all.is_complete) << all.message;
  ASSERT_EQ(all.per_s.size(), 2U);
  EXPECT_NEAR(all.per_s[0], 0, 5e-3);
  EXPECT_NEAR(all.per_s[1], mean_divergence_of_van_der_pol(), 2e-2);
}

// One impact in each period T: a turn in phase space, then the saltation matrix of the impact. Its multipliers tell the
// rate at which neighbours are forgotten; where they are complex, both are e in size, and the exponent is ln(e)/T.
TEST(Lyapunov, PeriodicImpactsForgetByTheMultipliersOfTheirMap) {
  constexpr double kNatural = 10, kAmplitude = 10, kRestitution = 0.7;
  for (const double drive : {18.0, 24.0}) {
    const Overrides settings = {fmt::format("drive_frequency={} rad/s", drive), "duration=60 s",
                                "simulate.tolerance=1e-12"};
    const ModelRun run = run_example("impact_oscillator", settings, {"slider.x"});
    const ImpactRecord &last = run.record.impacts.back(), &before = run.record.impacts[run.record.impacts.size() - 2];
    const double period = 2 * pi / drive;
    ASSERT_NEAR(last.time_s - before.time_s, period, 1e-9) << "an impact in every period";
    const double a = kAmplitude * std::cos(drive * last.time_s), v = last.normal_velocity_before;
    const double c = std::cos(kNatural * period), s = std::sin(kNatural * period);
    const Mat2 turn = (Mat2() << c, s / kNatural, -kNatural * s, c).finished();
    const Mat2 saltation = (Mat2() << -kRestitution, 0, (1 + kRestitution) * a / v, -kRestitution).finished();
    const double largest = (saltation * turn).eigenvalues().cwiseAbs().maxCoeff();
    const LyapunovExponent found =
        exponent_of(load_example("impact_oscillator", settings), {.transient_s = 20, .interval_s = period * 0.37});
    ASSERT_TRUE(found.is_complete) << found.message;
    EXPECT_NEAR(found.per_s, std::log(largest) / period, 0.02 * std::abs(std::log(largest) / period)) << drive;
  }
}

LyapunovSpectrum spectrum_of(const ModelFile& file, const LyapunovOptions& options) {
  return lyapunov_spectrum(file, build_model(file), options);
}

// Overdamped: x'' = 5 - 100 x - 25 v has the rates -5/s and -20/s.
TEST(LyapunovSpectrum, OfAnOverdampedMassHasItsTwoRates) {
  const LyapunovSpectrum found = spectrum_of(oscillator(25, "integrator: dopri5, tolerance: 1e-12, duration: 4 s"),
                                             {.transient_s = 1, .interval_s = 0.02});
  ASSERT_TRUE(found.is_complete) << found.message;
  ASSERT_EQ(found.per_s.size(), 2U);
  EXPECT_NEAR(found.per_s[0], -5, 1e-2);
  EXPECT_NEAR(found.per_s[1], -20, 1e-2);
}

// Volumes in phase space shrink by e^2 at each impact, and in between by nothing: the exponents add up to 2 ln(e) times
// the impacts per second, in a chaotic motion as well.
TEST(LyapunovSpectrum, OfImpactsAddsUpToWhatTheyTake) {
  for (const auto& [drive, restitution] : {std::pair{24.0, 0.7}, std::pair{28.0, 0.8}}) {
    const Overrides settings = {fmt::format("drive_frequency={} rad/s", drive), "duration=120 s",
                                fmt::format("restitution={}", restitution), "simulate.tolerance=1e-11"};
    const ModelFile file = load_example("impact_oscillator", settings);
    const LyapunovSpectrum found = spectrum_of(file, {.transient_s = 20, .interval_s = 0.11});
    ASSERT_TRUE(found.is_complete) << found.message;
    const ModelRun run = run_example("impact_oscillator", settings, {"slider.x"});
    const auto impacts = static_cast<double>(std::count_if(run.record.impacts.begin(), run.record.impacts.end(),
                                                           [](const ImpactRecord& i) { return i.time_s > 20; }));
    const double expected = 2 * std::log(restitution) * impacts / 100;
    EXPECT_NEAR(found.sum_per_s(), expected, 0.03 * std::abs(expected)) << drive;
    const LyapunovExponent largest = exponent_of(file, {.transient_s = 20, .interval_s = 0.11});
    ASSERT_TRUE(largest.is_complete) << largest.message;
    EXPECT_EQ(largest.per_s > 0.5, drive == 28) << "chaos";
    EXPECT_NEAR(found.per_s[0], largest.per_s, 3 * (largest.error_per_s + found.error_per_s[0]) + 1e-3) << drive;
  }
}

// The table is moved, so that the ball alone has neighbours: two exponents, which add up to what the impacts take.
TEST(LyapunovSpectrum, OfAPrescribedMotionHasTheDirectionsThatItLeaves) {
  // Here the ball never comes to rest on the table, which would end a direction for good.
  constexpr double kShaking = 1.2, kRestitution = 0.8;
  const Overrides settings = {fmt::format("shaking={}", kShaking), fmt::format("restitution={}", kRestitution),
                              "duration=60 s"};
  const ModelFile file = load_example("shaken_table", settings);
  const LyapunovOptions options{.transient_s = 20, .interval_s = 0.037};
  const LyapunovSpectrum found = spectrum_of(file, options);
  ASSERT_TRUE(found.is_complete) << found.message;
  ASSERT_EQ(found.per_s.size(), 2U);
  const ModelRun run = run_example("shaken_table", settings, {"ball.y"});
  const auto impacts = static_cast<double>(std::count_if(run.record.impacts.begin(), run.record.impacts.end(),
                                                         [](const ImpactRecord& i) { return i.time_s > 20; }));
  const double expected = 2 * std::log(kRestitution) * impacts / 40;
  EXPECT_NEAR(found.sum_per_s(), expected, 0.03 * std::abs(expected));
  const LyapunovExponent largest = exponent_of(file, options);
  ASSERT_TRUE(largest.is_complete) << largest.message;
  EXPECT_NEAR(found.per_s[0], largest.per_s, 3 * (largest.error_per_s + found.error_per_s[0]) + 1e-2);
}

// A rod with its ends on two perpendicular rails. Its middle moves on a circle, and sliders of equal mass have a
// kinetic energy that does not depend on the angle, so that a spring and a damper on the angle make a linear equation
// of it:
//   J a'' = -k a - d a',   J = I + m L^2/4 + m_slider L^2;   here J = 1 kg m^2, k = 10 N m, d = 11 N m s: -1/s and
//   -10/s.
TEST(LyapunovSpectrum, OfALoopInThePlaneHasTheRatesOfItsOneFreedom) {
  const ModelFile file = parse_model(
      "freeplay: 1\nspace: planar\nbodies:\n"
      "  across: {mass: 0.5 kg, inertia: 0.01 kg m^2}\n  up: {mass: 0.5 kg, inertia: 0.01 kg m^2}\n"
      "  rod: {mass: 1 kg, inertia: 0.25 kg m^2, initial: {angle: 0.9 rad}}\n"
      "joints:\n"
      "  rail: {type: prismatic, parent: ground, axis: [1, 0], child: across}\n"
      "  mast: {type: prismatic, parent: ground, axis: [0, 1], child: up}\n"
      "  a: {type: revolute, parent: across, child: rod, at_child: [-0.5 m, 0]}\n"
      "  b: {type: revolute, parent: up, child: rod, at_child: [0.5 m, 0]}\n"
      "forces:\n  turn: {type: torque, on: rod, value: \"5 N m - 10 N m*rod.angle - 11 N m s*rod.omega\"}\n"
      "simulate: {integrator: dopri5, tolerance: 1e-12, duration: 8 s}\n",
      "trammel.yaml");
  const LyapunovSpectrum found = spectrum_of(file, {.transient_s = 2, .interval_s = 0.05});
  ASSERT_TRUE(found.is_complete) << found.message;
  ASSERT_EQ(found.per_s.size(), 2U) << "three bodies, one freedom";
  EXPECT_NEAR(found.per_s[0], -1, 1e-4);
  EXPECT_NEAR(found.per_s[1], -10, 1e-4);
}

// A ball that turns about its middle in oil forgets how fast it turned, w' = -(d/J) w, and never how it lay.
TEST(LyapunovSpectrum, OfASpatialRotationHasThreeDirectionsThatForgetAndThreeThatDoNot) {
  const ModelFile file = parse_model(
      "freeplay: 1\nspace: spatial\nbodies:\n"
      "  ball: {mass: 1 kg, inertia: [0.1 kg m^2, 0.1 kg m^2, 0.1 kg m^2], initial: {omega_x: 1 rad/s, omega_y: 2 "
      "rad/s, "
      "omega_z: -3 rad/s}}\n"
      "joints:\n  socket: {type: spherical, parent: ground, child: ball}\n"
      "forces:\n  oil: {type: torque, on: ball, frame: body, value: [\"-0.2 N m s*ball.omega_x\", \"-0.2 N m "
      "s*ball.omega_y\", "
      "\"-0.2 N m s*ball.omega_z\"]}\n"
      "simulate: {integrator: dopri5, tolerance: 1e-12, duration: 4 s}\n",
      "ball.yaml");
  const LyapunovSpectrum found = spectrum_of(file, {.transient_s = 1, .interval_s = 0.05});
  ASSERT_TRUE(found.is_complete) << found.message;
  ASSERT_EQ(found.per_s.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(found.per_s[i], i < 3 ? 0 : -2, 1e-4) << i;
}

// A wheel on a pin that is a constraint, in oil, whose turns a force counts: they belong to the state, too.
TEST(LyapunovSpectrum, OfAWheelWhoseTurnsAreCountedHasItsRate) {
  const ModelFile file = parse_model(
      "freeplay: 1\nspace: spatial\nbodies:\n"
      "  wheel: {mass: 1 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2], initial: {omega_z: 40 rad/s}}\n"
      "joints:\n  pin: {type: revolute, as: constraint, parent: ground, child: wheel, axis: [0, 0, 1]}\n"
      "forces:\n  oil: {type: torque, on: wheel, value: [0 N m, 0 N m, "
      "\"-2 N m s*wheel.omega_z + 80 N m - 1e-9 N m*pin.q/(1 rad)\"]}\n"
      "simulate: {integrator: dopri5, tolerance: 1e-11, duration: 4 s}\n",
      "wheel.yaml");
  const LyapunovSpectrum found = spectrum_of(file, {.transient_s = 1, .interval_s = 0.05});
  ASSERT_TRUE(found.is_complete) << found.message;
  ASSERT_EQ(found.per_s.size(), 2U);
  EXPECT_NEAR(found.per_s[0], 0, 1e-4);
  EXPECT_NEAR(found.per_s[1], -2, 1e-4);
}

TEST(LyapunovSpectrum, WithoutAnyFreedomIsRefused) {
  const ModelFile file = parse_model(
      "freeplay: 1\nspace: planar\nbodies:\n  crank: {mass: 1 kg, inertia: 1 kg m^2}\n"
      "joints:\n  pin: {type: revolute, parent: ground, child: crank}\n"
      "drivers:\n  motor: {on: pin, motion: 2 rad/s*t}\nsimulate: {integrator: dopri5, duration: 1 s}\n",
      "crank.yaml");
  EXPECT_THROW(spectrum_of(file, {}), ModelError);
  EXPECT_THROW(measure_parting(file, build_model(file), {}), ModelError);
}

// x'' = 100 x: neighbours part as exp(10 t), whatever the distances, up to the time that a difference needs to turn
// into the direction that grows: cosh(10 t) for a difference of positions alone.
TEST(Parting, NearAHilltopIsItsRate) {
  const ModelFile file = parse_model(
      "freeplay: 1\nspace: planar\nbodies:\n  m: {mass: 1 kg, inertia: 1 kg m^2}\n"
      "joints:\n  guide: {type: prismatic, parent: ground, axis: [1, 0], child: m}\n"
      "forces:\n  hill: {type: force, on: m, value: [\"100 N/m*m.x\", 0 N]}\n"
      "simulate: {integrator: dopri5, tolerance: 1e-10, duration: 3 s}\n",
      "hill.yaml");
  const PartingRate found =
      measure_parting(file, build_model(file), {.members = 3, .spread = 1e-12, .interval_s = 1e-3});
  ASSERT_TRUE(found.is_complete) << found.message;
  EXPECT_EQ(found.partings, 6) << "from 1e-9 to 1e-4 takes 1.15 s";
  EXPECT_NEAR(found.per_s, 10, 0.5);
  EXPECT_NEAR(found.tenfold_s(), std::log(10) / found.per_s, 1e-15);
}

TEST(Lyapunov, TimeSteppingWithImpactsIsRefused) {
  const ModelFile file = load_example("slider_crank");
  EXPECT_THROW(exponent_of(file, {}), ModelError);
}

}  // namespace
}  // namespace freeplay::test::lyapunov_test
