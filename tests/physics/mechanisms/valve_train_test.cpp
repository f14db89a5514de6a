// The valve train against its kinematics and the hand calculation of the speed at which it floats.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::valve_train_test {
namespace {

// Of the example file.
constexpr double kLift = 8e-3, kLash = 0.2e-3, kCamArm = 30e-3, kValveArm = 45e-3, kRatio = kValveArm / kCamArm;
constexpr double kPushrod = 0.12, kRocker = 0.15, kInertia = 3e-5, kValve = 0.1, kStiffness = 30e3, kPreload = 250;
constexpr double kMu = 0.05, kPin = 8e-3, kGravity = 9.81, kSharpness = 3;  // lift cos^3

// At the top of the lift, at the cam speed w, the pushrod is to be accelerated downwards by a = 3 lift w^2. It leaves
// the cam where no force is left there:
//   pushrod   m_p a = F_2 + m_p g
//   valve     m_v rho a = F_s - m_v g - F_3
//   rocker    J a/(L_c cos) = cos (F_3 L_v - F_2 L_c) - mu r (F_2 + F_3 - m_r g)
// linear in a. The arms are level at half of the lift. Friction is that of the way back.
double float_speed() {
  const double cosine = std::cos(std::asin(kLift / 2 / kCamArm));
  const double spring = kPreload + kStiffness * (kRatio * kLift - kLash);
  const auto left = [&](double a) {
    const double rod = kPushrod * (a - kGravity), stem = spring - kValve * (kGravity + kRatio * a);
    return cosine * (stem * kValveArm - rod * kCamArm) - kMu * kPin * (rod + stem - kRocker * kGravity) -
           kInertia * a / (kCamArm * cosine);
  };
  const double a = left(0) / (left(0) - left(1));
  return std::sqrt(a / (kSharpness * kLift));
}

ModelRun run_at(double speed) {
  return run_example("valve_train", {fmt::format("cam_speed={:.17g} rad/s", speed)});
}

// The lift of the cam, times the ratio of the arms, less the lash: the pads are round and the faces level.
TEST(ValveTrain, ValveFollowsTheCamByTheRatioOfTheArms) {
  const ModelRun run = run_example("valve_train");
  const double speed = 2000 * std::numbers::pi / 30;
  Worst lift;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double cam = kLift * std::pow(std::max(0.0, -std::cos(speed * run.time()[i])), 3);
    // Where the valve is well off its seat.
    if (kRatio * cam - kLash > 1e-3) lift(run["seat.q"][i] + kRatio * cam - kLash);
  }
  EXPECT_LT(lift.value, 3e-5);  // a step of 10 us at 2.5 m/s
  EXPECT_LT(*std::max_element(run["cam.gap"].begin(), run["cam.gap"].end()), 1e-5);
}

// While it lifts. The valve comes back to its seat with the speed at the end of the lash.
double largest_gap_at_the_top(const ModelRun& run, double speed) {
  double gap = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    if (std::cos(speed * run.time()[i]) < -0.7) gap = std::max(gap, run["cam.gap"][i]);
  }
  return gap;
}

TEST(ValveTrain, FloatsAboveTheSpeedOfTheHandCalculation) {
  const double speed = float_speed();
  EXPECT_NEAR(speed * 30 / std::numbers::pi, 3001.66, 0.01);
  EXPECT_LT(largest_gap_at_the_top(run_at(0.98 * speed), 0.98 * speed), 1e-6);
  EXPECT_GT(largest_gap_at_the_top(run_at(1.02 * speed), 1.02 * speed), 1e-5);
}

}  // namespace
}  // namespace freeplay::test::valve_train_test
