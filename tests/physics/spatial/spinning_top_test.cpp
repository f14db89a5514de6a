// The heavy symmetric top: steady precession, and what is conserved when it nods.
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::spinning_top_test {
namespace {

// Of the example file, SI.
constexpr double kMass = 0.5, kHeight = 0.06, I3 = 6.0e-4, I1 = 3.5e-4, kGravity = 9.81;
constexpr double kTipInertia = I1 + kMass * kHeight * kHeight;  // across the axis, about the tip
constexpr double kMoment = kMass * kGravity * kHeight;

// A top whose axis keeps the angle theta to the vertical while it precesses with W has, in axes that precess with it,
// the constant angular momentum  L = I_tip W sin(theta) e_across + I3 spin e_axis,  where spin is the whole angular
// velocity along the axis. It turns with W e_z, so that  dL/dt = W e_z x L,  horizontal and of the size
// W (I3 spin sin(theta) - I_tip W sin(theta) cos(theta)). Gravity's moment about the tip is m g h sin(theta). Hence
//   I_tip W^2 cos(theta) - I3 spin W + m g h = 0.
double steady_spin(double precession, double tilt) {
  return (kTipInertia * precession * precession * std::cos(tilt) + kMoment) / (I3 * precession);
}

struct Case {
  const char* name;
  double tilt, precession;
};

class SteadyPrecession : public testing::TestWithParam<Case> {
 protected:
  static ModelRun run() {
    const Case& c = GetParam();
    return run_example("spinning_top",
                       {fmt::format("tilt={:.17g} rad", c.tilt), fmt::format("precession={:.17g} rad/s", c.precession),
                        fmt::format("spin={:.17g} rad/s", steady_spin(c.precession, c.tilt)), "simulate.duration=2 s"});
  }
};

TEST_P(SteadyPrecession, KeepsTheTilt) {
  const ModelRun top = run();
  Worst height;
  for (std::size_t i = 0; i < top.rows(); ++i) height(top["top.z"][i] - kHeight * std::cos(GetParam().tilt));
  EXPECT_LT(height.value, 1e-9);
}

TEST_P(SteadyPrecession, TurnsAtTheRateOfTheFormula) {
  const ModelRun top = run();
  // The axis starts at azimuth -90 degrees: a rotation about x tips it towards -y.
  Worst angle;
  for (std::size_t i = 0; i < top.rows(); ++i) {
    const double azimuth = std::atan2(top["top.y"][i], top["top.x"][i]);
    const double expected = GetParam().precession * top.time()[i] - std::numbers::pi / 2;
    angle(std::remainder(azimuth - expected, 2 * std::numbers::pi));
  }
  EXPECT_LT(angle.value, 1e-7);
}

// The centre of mass moves on a circle: the tip carries the weight and pulls towards the vertical.
TEST_P(SteadyPrecession, TipCarriesWeightAndCentripetalForce) {
  const ModelRun top = run();
  const double w2 = GetParam().precession * GetParam().precession;
  Worst force;
  for (std::size_t i = 0; i < top.rows(); ++i) {
    const Vec3 expected(-kMass * w2 * top["top.x"][i], -kMass * w2 * top["top.y"][i], kMass * kGravity);
    force((top.vector("tip.force", i) - expected).norm());
  }
  EXPECT_LT(force.value, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Top, SteadyPrecession,
                         testing::Values(Case{"slow", 0.5, 3.0}, Case{"fast", 0.5, 40.0}, Case{"level", 1.5707963, 4.0},
                                         Case{"hanging", 2.0, 5.0}),
                         [](const auto& c) { return std::string(c.param.name); });

// The file computes the slower root of the quadratic equation from the spin.
TEST(SpinningTop, ExampleStartsInSteadyPrecession) {
  const ModelRun run = run_example("spinning_top");
  const double tilt = std::numbers::pi / 6, spin = 150;
  const double W = run["top.omega_y"][0] / std::sin(tilt);
  EXPECT_NEAR(steady_spin(W, tilt), spin, 1e-9);
  const double other_root = kMoment / (kTipInertia * std::cos(tilt)) / W;
  EXPECT_LT(W, other_root);
  EXPECT_NEAR(largest_difference(run["top.z"], std::vector<double>(run.rows(), kHeight * std::cos(tilt))), 0, 1e-9);
}

// Let go without precession it nods; gravity has no moment about the vertical nor about the axis of symmetry.
TEST(SpinningTop, NoddingKeepsEnergySpinAndVerticalAngularMomentum) {
  const ModelRun run = run_example("spinning_top", {"precession=0 rad/s"});
  const Mat3 J = Vec3(kTipInertia, kTipInertia, I3).asDiagonal();
  const auto vertical = [&](std::size_t i) { return (run.rotation("top", i) * J * run.vector("top.omega", i)).z(); };
  Worst momentum, spin;
  double lowest = 1;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    momentum(vertical(i) - vertical(0));
    spin(run["top.omega_z"][i] - 150);
    lowest = std::min(lowest, run["top.z"][i]);
  }
  EXPECT_LT(momentum.value, 1e-8 * vertical(0));
  EXPECT_LT(spin.value, 1e-9);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-8);

  // At its lowest the axis neither rises nor falls: what gravity gave is all in the precession. With u = cos(tilt) and
  // a = I3 spin, L_z = a u_0 makes the precession W = a (u_0 - u) / (I_tip (1 - u^2)), and I_tip W^2 (1 - u^2) / 2 =
  // m g h (u_0 - u) becomes  u^2 - 2 k u + 2 k u_0 - 1 = 0  with  k = a^2 / (4 I_tip m g h).
  const double u0 = std::cos(std::numbers::pi / 6), a = I3 * 150, k = a * a / (4 * kTipInertia * kMoment);
  const double u_low = k - std::sqrt(k * k - 2 * k * u0 + 1);
  EXPECT_LT(u_low, u0 - 0.05);
  EXPECT_NEAR(lowest, kHeight * u_low, 1e-5 * kHeight);  // the rows meet the turning point only nearly
}

}  // namespace
}  // namespace freeplay::test::spinning_top_test
