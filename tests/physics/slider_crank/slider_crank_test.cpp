// The driven slider-crank against closed-form kinematics and a Newton-Euler calculation by hand.
#include <complex>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::slider_crank_test {
namespace {

using Complex = std::complex<double>;
constexpr Complex kI{0, 1};
constexpr double l1 = 0.153, l2 = 0.306;              // m
constexpr double m1 = 0.038, m2 = 0.038, m3 = 0.076;  // kg
constexpr double J2 = 5.9e-4;                         // kg m^2; the crank does not accelerate, the slider not turn
constexpr double kSpeed = 150, kGravity = 9.81;

struct SliderCrank {
  double theta = 0, phi = 0, phi1 = 0, phi2 = 0;  // crank, rod and the rod's rates
  double x = 0, v = 0, a = 0;                     // slider
  Complex bearing, crankpin, wristpin;            // force of the parent on the child, world axes
  double guide = 0, torque = 0;
};

SliderCrank closed_form(double t) {
  SliderCrank s;
  const double w = kSpeed, g = kGravity;
  s.theta = w * t;
  const double ct = std::cos(s.theta), st = std::sin(s.theta);

  // The slider stays on y = 0:  l1 sin(theta) + l2 sin(phi) = 0,  differentiated twice.
  s.phi = std::asin(-l1 / l2 * st);
  const double cp = std::cos(s.phi), sp = std::sin(s.phi);
  s.phi1 = -l1 * w * ct / (l2 * cp);
  s.phi2 = (l1 * w * w * st + l2 * s.phi1 * s.phi1 * sp) / (l2 * cp);
  s.x = l1 * ct + std::sqrt(l2 * l2 - l1 * l1 * st * st);
  s.v = -l1 * w * st - l2 * s.phi1 * sp;
  s.a = -l1 * w * w * ct - l2 * (s.phi2 * sp + s.phi1 * s.phi1 * cp);
  const Complex e1(ct, st), e2(cp, sp);
  const Complex a1 = -w * w * l1 / 2 * e1;
  const Complex a2 = -w * w * l1 * e1 + l2 / 2 * (kI * s.phi2 - s.phi1 * s.phi1) * e2;

  // Slider, along x: the guide has no friction. The wristpin's y component follows from the rod's moments about its
  // centre, J2 phi'' = -l2/2 [cos(phi) (C_y + S_y) - sin(phi) (C_x + S_x)],  with C = S + m2 (a2 - g).
  const double Sx = m3 * s.a;
  const Complex carried = m2 * (a2 + kI * g);
  const double Sy = (sp * (2 * Sx + carried.real()) - 2 * J2 * s.phi2 / l2) / (2 * cp) - carried.imag() / 2;
  s.wristpin = {Sx, Sy};
  s.crankpin = s.wristpin + carried;
  s.bearing = s.crankpin + m1 * (a1 + kI * g);
  s.guide = m3 * g - Sy;
  // Crank, about its centre; its speed is constant.
  const Complex both = s.bearing + s.crankpin;
  s.torque = l1 / 2 * (ct * both.imag() - st * both.real());
  return s;
}

Complex force(const ModelRun& run, const std::string& joint, std::size_t row) {
  return {run[joint + ".force_x"][row], run[joint + ".force_y"][row]};
}

TEST(SliderCrank, SliderFollowsTheClosedForm) {
  const ModelRun run = run_example("slider_crank_ideal");
  ASSERT_EQ(run.rows(), 721u);
  Worst position, velocity, rod_angle, rod_omega;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const SliderCrank exact = closed_form(run.time()[i]);
    position(run["slider.x"][i] - exact.x);
    position(run["guide.q"][i] - exact.x);  // a loop closure measures its coordinate too
    position(run["slider.y"][i]);
    velocity(run["slider.vx"][i] - exact.v);
    velocity(run["guide.u"][i] - exact.v);
    rod_angle(run["rod.angle"][i] - exact.phi);
    rod_omega(run["rod.omega"][i] - exact.phi1);
  }
  EXPECT_LT(position.value, 1e-12);
  EXPECT_LT(velocity.value, 1e-10);
  EXPECT_LT(rod_angle.value, 1e-11);
  EXPECT_LT(rod_omega.value, 1e-9);
}

TEST(SliderCrank, JointForcesAreThoseOfTheHandCalculation) {
  const ModelRun run = run_example("slider_crank_ideal");
  Worst scale, pins, guide, torque;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const SliderCrank exact = closed_form(run.time()[i]);
    const Complex crank_axes = std::polar(1.0, -exact.theta), rod_axes = std::polar(1.0, -exact.phi);
    scale(std::abs(exact.bearing));
    pins(std::abs(force(run, "bearing", i) - exact.bearing));
    pins(std::abs(force(run, "crankpin", i) - crank_axes * exact.crankpin));
    pins(std::abs(force(run, "wristpin", i) - rod_axes * exact.wristpin));
    guide(std::abs(force(run, "guide", i) - kI * exact.guide));
    guide(run["guide.moment"][i] / l1);  // none: the pin is in the slider's centre of mass
    torque(run["motor.torque"][i] - exact.torque);
    torque(run["bearing.moment"][i] - exact.torque);
  }
  // In the outer dead centre the bearing holds all inertia forces: w^2 [m1 l1/2 + m2 (l1 + l1^2/(2 l2)) +
  // m3 (l1 + l1^2/l2)] = 621.37 N, and the weights beside them are small.
  EXPECT_NEAR(scale.value, 621.37, 0.01);
  EXPECT_LT(pins.value, 1e-10 * scale.value);
  EXPECT_LT(guide.value, 1e-10 * scale.value);
  EXPECT_LT(torque.value, 1e-10 * scale.value * l1);
}

// Table 1's start, as the paper prints it for the mechanism with play: the rod turns with -75 rad/s, E = 7.49554875 J.
TEST(SliderCrank, StartsWithTheEnergyOfThePaper) {
  const ModelRun run = run_example("slider_crank_ideal");
  EXPECT_NEAR(run["rod.omega"][0], -75, 1e-9);
  EXPECT_NEAR(run.summary.energy_initial_J, 7.49554875, 1e-8);
}

TEST(SliderCrank, LoopStaysClosedOverAThousandTurns) {
  const ModelRun run =
      run_example("slider_crank_ideal", {"simulate.duration=1000*2*pi/speed", "simulate.step=2*pi/speed/36"},
                  {"bearing.q", "slider.x"});
  EXPECT_NEAR(run["bearing.q"].back(), 2000 * std::numbers::pi, 1e-9);
  EXPECT_LE(run.summary.worst_position_residual_m, 1e-12);
  EXPECT_LE(run.summary.worst_residual_m_s, 1e-10);
  EXPECT_NEAR(run["slider.x"].back(), l1 + l2, 1e-12);
}

}  // namespace
}  // namespace freeplay::test::slider_crank_test
