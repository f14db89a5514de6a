// The four-bar linkage with a rubber bushing in the rocker's pin.
#include <complex>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::four_bar_bushing_test {
namespace {

using Complex = std::complex<double>;
constexpr double kBase = 0.3, kCrank = 0.1, kCoupler = 0.25, kRocker = 0.2;  // of the example, m
constexpr double kStiffness = 1e5, kCubic = 2e11, kTorsion = 2, kSpeed = 4 * std::numbers::pi;

// Angles of coupler and rocker for a crank at theta (derived in four_bar_test.cpp).
struct Angles {
  double coupler, rocker;
};
Angles ideal_angles(double theta) {
  const Complex A = std::polar(kCrank, theta);
  const double s = std::abs(kBase - A);
  const double psi =
      std::arg(kBase - A) + std::acos((kCoupler * kCoupler + s * s - kRocker * kRocker) / (2 * kCoupler * s));
  return {psi, std::arg(A + std::polar(kCoupler, psi) - kBase)};
}

double deviation_from_ideal(const ModelRun& run) {
  Worst worst;
  for (std::size_t i = 0; i < run.rows(); ++i)
    worst(run["rocker.angle"][i] - ideal_angles(run["main_bearing.q"][i]).rocker);
  return worst.value;
}

TEST(FourBarBushing, OneWordMakesThePinExact) {
  const ModelRun run = run_example("four_bar_bushing", {"joints.rockerpin.model=ideal"});
  EXPECT_EQ(run.mechanism().degrees_of_freedom(), 0);
  EXPECT_LT(deviation_from_ideal(run), 1e-11);
}

TEST(FourBarBushing, StartsLikeTheIdealLinkage) {
  const ModelRun run = run_example("four_bar_bushing", {"turns=0.01"});
  const Angles start = ideal_angles(0);
  EXPECT_NEAR(run["coupler.angle"][0], start.coupler, 1e-12);
  EXPECT_NEAR(run["rocker.angle"][0], start.rocker, 1e-12);
  EXPECT_NEAR(run["rockerpin.q"][0], start.rocker - start.coupler - 88 * std::numbers::pi / 180, 1e-12);
  EXPECT_NEAR(run["rockerpin.eccentricity_x"][0], 0, 1e-13);
}

// Without damping the force is the law of the rubber, and it is what the rocker needs:  J chi'' = moments about its
// bearing.
TEST(FourBarBushing, ForceIsTheLawOfTheRubber) {
  const ModelRun run = run_example(
      "four_bar_bushing", {"joints.rockerpin.bushing.damping=0", "joints.rockerpin.bushing.torsional_damping=0"});
  Worst law, balance;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    for (const char axis : {'x', 'y'}) {
      const double e = run[std::string("rockerpin.eccentricity_") + axis][i];
      law(run[std::string("rockerpin.force_") + axis][i] + kStiffness * e + kCubic * e * e * e);
    }
    law(run["rockerpin.moment"][i] + kTorsion * run["rockerpin.q"][i]);
    // Forces on the rocker in world axes: those of the pin are given in the axes of the coupler.
    const Complex pin =
        Complex(run["rockerpin.force_x"][i], run["rockerpin.force_y"][i]) * std::polar(1.0, run["coupler.angle"][i]);
    const Complex bearing(run["rocker_bearing.force_x"][i], run["rocker_bearing.force_y"][i]);
    const Complex centre(run["rocker.x"][i] - kBase, run["rocker.y"][i]);
    // Newton: m a = pin + bearing + weight; with a = (i alpha - omega^2) r of the centre, along r and across it.
    const Complex force = (pin + bearing - Complex(0, 0.8 * 9.81)) / centre;
    const double omega = run["rocker.omega"][i];
    balance(force.real() + 0.8 * omega * omega);
  }
  EXPECT_LT(law.value, 1e-9);
  EXPECT_LT(balance.value, 1e-9);
  EXPECT_EQ(run["energy.damping_loss"].back(), 0);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-7);
}

// The deviation is that of the load over the stiffness.
TEST(FourBarBushing, TendsToTheIdealLinkageWithTheCompliance) {
  std::vector<double> deviation;
  for (const double stiffness : {1e6, 1e7}) {
    deviation.push_back(deviation_from_ideal(run_example(
        "four_bar_bushing",
        {fmt::format("stiffness={} N/m", stiffness), "turns=1", "joints.rockerpin.bushing.cubic_stiffness=0",
         fmt::format("joints.rockerpin.bushing.damping={} N s/m", 0.5 * std::sqrt(stiffness))})));
  }
  EXPECT_NEAR(deviation[0] / deviation[1], 10, 1);
}

// Virtual work: the torsion of the rubber asks the motor for  k phi dphi/dtheta  more, with the angles of the ideal
// linkage. Compared in the second turn, when the start has died away, with a stiff bushing.
TEST(FourBarBushing, TorsionAsksTheMotorForItsVirtualWork) {
  const Overrides stiff = {"stiffness=1e7 N/m", "joints.rockerpin.bushing.damping=2000 N s/m",
                           "joints.rockerpin.bushing.torsional_damping=0"};
  Overrides without = stiff;
  without.push_back("torsion=0");
  const ModelRun rubber = run_example("four_bar_bushing", stiff), sleeve = run_example("four_bar_bushing", without);
  Worst error, torque;
  std::size_t j = 0;
  for (std::size_t i = 0; i < rubber.rows(); ++i) {
    const double t = rubber.time()[i];
    if (t < 0.5 || std::abs(t / 1e-3 - std::round(t / 1e-3)) > 1e-6) continue;  // rows at every millisecond
    while (j < sleeve.rows() && sleeve.time()[j] < t - 1e-9) ++j;
    const double theta = kSpeed * t, step = 1e-5;
    const auto phi = [](double at) {
      return ideal_angles(at).rocker - ideal_angles(at).coupler - 88 * std::numbers::pi / 180;
    };
    const double slope = std::remainder(phi(theta + step) - phi(theta - step), 2 * std::numbers::pi) / (2 * step);
    const double expected = kTorsion * std::remainder(phi(theta), 2 * std::numbers::pi) * slope;
    torque(expected);
    error(rubber["motor.torque"][i] - sleeve["motor.torque"][j] - expected);
  }
  EXPECT_GT(torque.value, 0.3);
  EXPECT_LT(error.value, 2e-3 * torque.value);
}

TEST(FourBarBushing, RunsWithEveryIntegrator) {
  const ModelRun smooth = run_example("four_bar_bushing", {"turns=0.5"});
  for (const char* integrator : {"moreau-midpoint", "moreau-jean"}) {
    const ModelRun run = run_example(
        "four_bar_bushing", {"turns=0.5", "simulate.step=20 us", fmt::format("simulate.integrator={}", integrator)},
        {"rocker.angle"});
    EXPECT_NEAR(run["rocker.angle"].back(), smooth["rocker.angle"].back(), 2e-6) << integrator;
  }
}

}  // namespace
}  // namespace freeplay::test::four_bar_bushing_test
