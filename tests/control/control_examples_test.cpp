// The examples of drives and controllers: a steering linkage and a robot arm, both with play.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test {
namespace {

// ---- Steering: the arm's end is where the circles about the kingpin and the rack's end meet.

constexpr double kTrack = 1.4, kArm = 0.15, kSlant = 18 * std::numbers::pi / 180, kHalfRack = 0.3, kBehind = 0.16;

double rod_length() {
  return std::hypot(kTrack / 2 - kArm * std::sin(kSlant) - kHalfRack, kBehind - kArm * std::cos(kSlant));
}

// Angle of the right wheel for the rack at x: by the law of cosines between kingpin, arm and rod.
double right_wheel(double x, double rod) {
  const double dx = x + kHalfRack - kTrack / 2, dy = -kBehind, D = std::hypot(dx, dy);
  const double at_kingpin = std::acos((kArm * kArm + D * D - rod * rod) / (2 * kArm * D));
  return std::remainder(std::atan2(dy, dx) + at_kingpin + std::numbers::pi / 2 + kSlant, 2 * std::numbers::pi);
}
double left_wheel(double x, double rod) {
  return -right_wheel(-x, rod);
}

TEST(SteeringLinkage, IdealJointsTurnTheWheelsAsTheTriangleSays) {
  const ModelRun run = run_example("steering_linkage", {"joints=ideal", "simulate.step=0.2 ms"},
                                   {"guide.q", "left.angle", "right.angle"});
  Worst worst;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    worst(run["right.angle"][i] - right_wheel(run["guide.q"][i], rod_length()));
    worst(run["left.angle"][i] - left_wheel(run["guide.q"][i], rod_length()));
  }
  EXPECT_LT(worst.value, 1e-11);
  const auto [least, most] = std::minmax_element(run["right.angle"].begin(), run["right.angle"].end());
  const auto [right, left] = std::minmax({right_wheel(0.05, rod_length()), right_wheel(-0.05, rod_length())});
  EXPECT_NEAR(*least, right, 1e-9) << "the rack at one end of its stroke";
  EXPECT_NEAR(*most, left, 1e-9);
}

// The ends of a rod are between rod - 2 c and rod + 2 c apart: so are the wheels, and they come near to both bounds,
// since the tyres press the play to one side and then to the other.
TEST(SteeringLinkage, PlayKeepsTheWheelsBetweenTwoIdealLinkages) {
  for (const double c : {0.1e-3, 0.2e-3}) {
    const ModelRun run = run_example("steering_linkage", {fmt::format("clearance={} m", c), "simulate.step=50 us"},
                                     {"guide.q", "left.angle", "right.angle", "left_outer.eccentricity_x"});
    Worst outside;
    double nearest = 1, deviation = 0;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      const double x = run["guide.q"][i];
      const auto look = [&](double angle, double one, double other, double ideal) {
        const auto [least, most] = std::minmax(one, other);
        outside(std::max({0.0, least - angle, angle - most}));
        nearest = std::min({nearest, angle - least, most - angle});
        deviation = std::max(deviation, std::abs(angle - ideal));
      };
      const double rod = rod_length();
      look(run["right.angle"][i], right_wheel(x, rod - 2 * c), right_wheel(x, rod + 2 * c), right_wheel(x, rod));
      look(run["left.angle"][i], left_wheel(x, rod - 2 * c), left_wheel(x, rod + 2 * c), left_wheel(x, rod));
    }
    EXPECT_LT(outside.value, 1e-6) << "but for penetration";
    EXPECT_LT(nearest, 2e-5) << "the tyres use up the play";
    EXPECT_NEAR(deviation / (2 * c), 10.2, 0.2) << "about 1 / (arm times the sine between arm and rod)";
  }
}

// ---- The arm holds its last pose: statics of three links, whose angles against the vertical are alpha.

TEST(RobotArm, HoldsItsPoseWithTheTorquesOfStatics) {
  const ModelRun run = run_example(
      "robot_arm_play", {"simulate.step=200 us"},
      {"shoulder.q", "elbow.q", "wrist.q", "shoulder_motor.torque", "elbow_motor.torque", "wrist_motor.torque",
       "shoulder_motor.integral", "wrist_motor.integral", "link3.x", "link3.y", "link3.z", "energy.drift"});
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted);
  const double deg = std::numbers::pi / 180, g = 9.81, l = 0.4, m = 3;
  // The integrals leave no error, whatever the play.
  EXPECT_NEAR(run["shoulder.q"].back(), 70 * deg, 2e-5);
  EXPECT_NEAR(run["elbow.q"].back(), 30 * deg, 2e-5);
  EXPECT_NEAR(run["wrist.q"].back(), -30 * deg, 1e-4);
  const double s1 = std::sin(70 * deg), s2 = std::sin(100 * deg), s3 = std::sin(70 * deg);
  const double wrist = m / 2 * g * l * s3, elbow = wrist + 1.5 * m * g * l * s2,
               shoulder = elbow + 2.5 * m * g * l * s1;
  EXPECT_NEAR(run["wrist_motor.torque"].back(), wrist, 0.01);
  EXPECT_NEAR(run["elbow_motor.torque"].back(), elbow, 0.03);
  EXPECT_NEAR(run["shoulder_motor.torque"].back(), shoulder, 0.03);
  // The integral gives what p and d do not, there without an error.
  EXPECT_NEAR(run["shoulder_motor.integral"].back(), shoulder / 12000, 1e-5);
  // Three journals rest on their bores: the last link hangs 3 c lower, in a plane turned by 90 deg.
  const double y = -l * (s1 + s2 + s3 / 2);
  const double z = -l * (std::cos(70 * deg) + std::cos(100 * deg) + std::cos(70 * deg) / 2);
  EXPECT_NEAR(run["link3.y"].back(), y, 3e-5);
  EXPECT_NEAR(run["link3.z"].back() - z, -3 * 0.05e-3, 3e-5);
}

// Ideal joints are the limit: between them the angles differ by what the play lets the controllers not see.
TEST(RobotArm, FollowsItsTargetsWithAndWithoutPlay) {
  const double deg = std::numbers::pi / 180;
  for (const char* joints : {"joints=ideal", "joints=clearance"}) {
    const ModelRun run = run_example("robot_arm_play", {joints, "simulate.step=200 us", "simulate.duration=1.2 s"},
                                     {"shoulder.q", "elbow.q", "wrist.q", "wrist_motor.torque"});
    Worst shoulder, wrist;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      const double swing = (1 - std::cos(std::numbers::pi * std::min(run.time()[i], 1.0))) / 2;
      shoulder(run["shoulder.q"][i] - (30 + 40 * swing) * deg);
      wrist(run["wrist.q"][i] - -30 * swing * deg);
    }
    EXPECT_LT(shoulder.value, 0.02) << joints;
    EXPECT_LT(wrist.value, 0.04) << joints;
  }
}

}  // namespace
}  // namespace freeplay::test
