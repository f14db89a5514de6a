// The four-bar linkage against its closed form, in the plane and overconstrained in space.
#include <gmock/gmock.h>

#include <complex>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::four_bar_test {
namespace {

using Complex = std::complex<double>;
constexpr Complex kI{0, 1};
constexpr double kBase = 0.3, kCrank = 0.1, kCoupler = 0.25, kRocker = 0.2;  // of the example file, m
constexpr Complex kPoint{0.125, 0.1};                                        // centre of the coupler from the crankpin
constexpr double kSpeed = 120 * 2 * std::numbers::pi / 60, kGravity = 9.81;

// Angle of a link against the x axis, and its first two derivatives.
struct Turn {
  double angle = 0, omega = 0, alpha = 0;
  Complex direction() const { return std::polar(1.0, angle); }
  // Of a point at `arm` in link axes, relative to the link's origin.
  Complex velocity(Complex arm) const { return kI * omega * arm * direction(); }
  Complex acceleration(Complex arm) const { return (kI * alpha - omega * omega) * arm * direction(); }
};

struct FourBar {
  Turn crank, coupler, rocker;
};

// The pin B lies on circles about the crankpin A and the rocker's bearing D: in the triangle A D B the law of cosines
// gives the angle at A. The loop equation  a e^(i theta) + c e^(i psi) = b + r e^(i chi)  is differentiated once and
// twice; times e^(-i chi) or e^(-i psi) its imaginary (real) part leaves one unknown rate (acceleration).
FourBar closed_form(double t) {
  const double a = kCrank, c = kCoupler, r = kRocker, theta = kSpeed * t, w = kSpeed;
  const Complex A = std::polar(a, theta), AD = kBase - A;
  const double s = std::abs(AD);
  const double psi = std::arg(AD) + std::acos((c * c + s * s - r * r) / (2 * c * s));
  const double chi = std::arg(A + std::polar(c, psi) - kBase);
  const double psi1 = a * w * std::sin(chi - theta) / (c * std::sin(psi - chi));
  const double chi1 = a * w * std::sin(psi - theta) / (r * std::sin(psi - chi));
  const double psi2 = (r * chi1 * chi1 - a * w * w * std::cos(theta - chi) - c * psi1 * psi1 * std::cos(psi - chi)) /
                      (c * std::sin(psi - chi));
  const double chi2 = (a * w * w * std::cos(theta - psi) + c * psi1 * psi1 - r * chi1 * chi1 * std::cos(chi - psi)) /
                      (r * std::sin(chi - psi));
  return {{theta, w, 0}, {psi, psi1, psi2}, {chi, chi1, chi2}};
}

double angle_difference(double a, double b) {
  return std::remainder(a - b, 2 * std::numbers::pi);
}

Complex planar(const ModelRun& run, const std::string& prefix, std::size_t row) {
  return {run[prefix + "x"][row], run[prefix + "y"][row]};
}

double cross(Complex r, Complex F) {
  return (std::conj(r) * F).imag();
}

TEST(FourBar, PositionsFollowTheClosedForm) {
  const ModelRun run = run_example("four_bar");
  ASSERT_EQ(run.rows(), 361u);
  Worst angle, position;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const FourBar exact = closed_form(run.time()[i]);
    angle(angle_difference(run["crank.angle"][i], exact.crank.angle));
    angle(angle_difference(run["coupler.angle"][i], exact.coupler.angle));
    angle(angle_difference(run["rocker.angle"][i], exact.rocker.angle));
    const Complex C = kCrank * exact.crank.direction() + kPoint * exact.coupler.direction();
    position(std::abs(planar(run, "coupler.", i) - C));
    position(std::abs(planar(run, "rocker.", i) - kBase - kRocker / 2 * exact.rocker.direction()));
  }
  EXPECT_LT(angle.value, 1e-11);
  EXPECT_LT(position.value, 1e-12);
}

TEST(FourBar, VelocitiesFollowTheClosedForm) {
  const ModelRun run = run_example("four_bar");
  Worst omega, velocity;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const FourBar exact = closed_form(run.time()[i]);
    omega(run["crank.omega"][i] - kSpeed);
    omega(run["coupler.omega"][i] - exact.coupler.omega);
    omega(run["rocker.omega"][i] - exact.rocker.omega);
    const Complex v = exact.crank.velocity(kCrank) + exact.coupler.velocity(kPoint);
    velocity(std::abs(planar(run, "coupler.v", i) - v));
  }
  EXPECT_LT(omega.value, 1e-10);
  EXPECT_LT(velocity.value, 1e-11);
}

// Newton and Euler for each body with the accelerations of the closed form: nine equations for the nine unknown
// reactions, so the reported ones are right if and only if all nine hold.
TEST(FourBar, ReactionsAndMotorTorqueSatisfyNewtonAndEuler) {
  const ModelRun run = run_example("four_bar");
  const Mechanism& mechanism = run.mechanism();
  const auto mass = [&](std::size_t body) { return mechanism.bodies[body].mass_kg; };
  const auto inertia = [&](std::size_t body) { return mechanism.bodies[body].inertia_kg_m2(2, 2); };
  const Complex g = -kI * kGravity;
  Worst newton, euler, pin_moment;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const FourBar exact = closed_form(run.time()[i]);
    const Complex e1 = exact.crank.direction(), e2 = exact.coupler.direction(), e3 = exact.rocker.direction();
    // What the parent exerts on the child, in world axes: the channels are in the parent's axes.
    const Complex main = planar(run, "main_bearing.force_", i);
    const Complex crankpin = e1 * planar(run, "crankpin.force_", i);
    const Complex rockerpin = e2 * planar(run, "rockerpin.force_", i);
    const Complex bearing = planar(run, "rocker_bearing.force_", i);
    const double torque = run["motor.torque"][i];

    const Complex a1 = exact.crank.acceleration(kCrank / 2);
    const Complex a2 = exact.crank.acceleration(kCrank) + exact.coupler.acceleration(kPoint);
    const Complex a3 = exact.rocker.acceleration(kRocker / 2);
    newton(std::abs(main - crankpin + mass(1) * (g - a1)));
    newton(std::abs(crankpin - rockerpin + mass(2) * (g - a2)));
    newton(std::abs(rockerpin + bearing + mass(3) * (g - a3)));

    const Complex half1 = kCrank / 2 * e1, half3 = kRocker / 2 * e3;
    euler(torque + cross(-half1, main) + cross(half1, -crankpin));
    euler(cross(-kPoint * e2, crankpin) + cross((kCoupler - kPoint) * e2, -rockerpin) -
          inertia(2) * exact.coupler.alpha);
    euler(cross(half3, rockerpin) + cross(-half3, bearing) - inertia(3) * exact.rocker.alpha);
    pin_moment(run["main_bearing.moment"][i] - torque);
    for (const char* pin : {"crankpin.moment", "rockerpin.moment", "rocker_bearing.moment"}) pin_moment(run[pin][i]);
  }
  EXPECT_LT(newton.value, 1e-9);  // N; the forces reach 50 N
  EXPECT_LT(euler.value, 1e-10);
  EXPECT_LT(pin_moment.value, 1e-10);
}

// Simpson's rule over the recorded torque; the rate is constant.
TEST(FourBar, MotorTorqueTimesRateIsTheEnergyInput) {
  const ModelRun run = run_example("four_bar", {"simulate.step=2*pi/speed/720"});
  const std::vector<double>& torque = run["motor.torque"];
  const double h = run.time()[1];
  double work = 0;
  Worst input, total;
  for (std::size_t i = 2; i < run.rows(); i += 2) {
    work += kSpeed * h / 3 * (torque[i - 2] + 4 * torque[i - 1] + torque[i]);
    input(run["energy.input"][i] - work);
    total(run["energy.total"][i] - run["energy.total"][0] - work);
  }
  EXPECT_LT(input.value, 1e-8);
  EXPECT_LT(total.value, 1e-8);
  EXPECT_GT(largest(run["energy.input"]), 0.5);  // the claim is not about zeros
  EXPECT_NEAR(work, 0, 1e-8);                    // what a turn takes it gives back
}

TEST(FourBar, LoopStaysClosedOverAThousandTurns) {
  const ModelRun run = run_example("four_bar", {"simulate.duration=1000*2*pi/speed", "simulate.step=2*pi/speed/36"},
                                   {"main_bearing.q", "rocker.angle", "rocker.omega"});
  EXPECT_NEAR(run["main_bearing.q"].back(), 2000 * std::numbers::pi, 1e-9);
  EXPECT_LE(run.summary.worst_position_residual_m, 1e-12);
  EXPECT_LE(run.summary.worst_residual_m_s, 1e-10);
  EXPECT_NEAR(run["rocker.angle"].back(), run["rocker.angle"].front(), 1e-10);
  EXPECT_NEAR(run["rocker.omega"].back(), run["rocker.omega"].front(), 1e-9);
}

TEST(FourBar, TwoWaysToAssembleMirrorEachOtherAtTheStart) {
  const ModelRun open = run_example("four_bar", {"simulate.duration=1 ms", "simulate.step=1 ms"});
  const ModelRun crossed =
      run_example("four_bar", {"simulate.duration=1 ms", "simulate.step=1 ms",
                               "coupler_start=-acos((coupler_length^2+gap^2-rocker_length^2)/(2*coupler_length*gap))"});
  EXPECT_NEAR(open["rockerpin.q"][0], -crossed["rockerpin.q"][0], 1e-12);
  EXPECT_NEAR(open["rocker.y"][0], -crossed["rocker.y"][0], 1e-12);
}

TEST(FourBarSpatial, SaysWhichRowsAreRedundant) {
  const ModelFile file = load_example("four_bar_spatial");
  const auto mechanism = Mechanism::build(file.mechanism);
  // Three parallel axes already keep the rocker in the plane: its bearing locks z and two rotations once more.
  EXPECT_EQ(mechanism->row_count(), 6);  // five of the bearing, one of the motor
  EXPECT_EQ(mechanism->row_rank(), 3);
  EXPECT_THAT(
      mechanism->redundant_rows(),
      testing::UnorderedElementsAre("rocker_bearing.force_z", "rocker_bearing.moment_x", "rocker_bearing.moment_y"));
  EXPECT_EQ(mechanism->degrees_of_freedom(), 0);  // the motor takes the one that the linkage has
}

// Drawn back instead of projected: the loop opens by what the integrator tolerates, and the motion is the same.
TEST(FourBar, BaumgarteKeepsTheLoopClosedToo) {
  const ModelRun projected = run_example("four_bar"),
                 drawn = run_example("four_bar", {"simulate.baumgarte=200 Hz", "simulate.tolerance=1e-11"});
  EXPECT_GT(drawn.summary.worst_position_residual_m, 1e-15);
  EXPECT_LT(drawn.summary.worst_position_residual_m, 1e-8);
  EXPECT_NEAR(drawn["rocker.angle"].back(), projected["rocker.angle"].back(), 1e-7);
}

TEST(FourBarSpatial, MotionAndReactionsAreThoseOfThePlane) {
  const ModelRun plane = run_example("four_bar"), space = run_example("four_bar_spatial");
  ASSERT_EQ(plane.rows(), space.rows());
  for (const char* body : {"crank", "coupler", "rocker"}) {
    const std::string name = body;
    for (const char* channel : {".x", ".y", ".vx", ".vy"})
      EXPECT_LT(largest_difference(plane[name + channel], space[name + channel]), 1e-9) << name << channel;
    EXPECT_LT(largest_difference(plane[name + ".omega"], space[name + ".omega_z"]), 1e-9) << name;
    for (const char* channel : {".z", ".vz", ".omega_x", ".omega_y"})
      EXPECT_LT(largest(space[name + channel]), 1e-12) << name << channel;
  }
  for (const char* joint : {"main_bearing", "crankpin", "rockerpin", "rocker_bearing"}) {
    const std::string name = joint;
    EXPECT_LT(largest_difference(plane[name + ".force_x"], space[name + ".force_x"]), 1e-9) << name;
    EXPECT_LT(largest_difference(plane[name + ".force_y"], space[name + ".force_y"]), 1e-9) << name;
    EXPECT_LT(largest_difference(plane[name + ".moment"], space[name + ".moment_z"]), 1e-9) << name;
    // Any set of out-of-plane reactions in equilibrium would do; the one of minimum norm is none at all.
    for (const char* channel : {".force_z", ".moment_x", ".moment_y"})
      EXPECT_LT(largest(space[name + channel]), 1e-9) << name << channel;
  }
  EXPECT_LT(largest_difference(plane["motor.torque"], space["motor.torque"]), 1e-9);
  EXPECT_LE(space.summary.worst_position_residual_m, 1e-12);
}

}  // namespace
}  // namespace freeplay::test::four_bar_test
