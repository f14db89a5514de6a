// A roller on a contour: against the pitch curve, the path of the roller's centre in the cam's axes. With the polar
// radius r(phi), s = -phi counter-clockwise and the outward normal n, the centre is x(s) + R n(s).
#include <algorithm>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::cam_roller_test {
namespace {

constexpr double kSpeed = 20 * std::numbers::pi, kBase = 30e-3, kLift = 12e-3, kRoller = 10e-3;  // of the example file
constexpr double kFollowerMass = 0.45, kRollerMass = 0.05, kStiffness = 4000, kPreload = 60, kGravity = 9.81;

struct Place {
  Vec2 contour, centre, normal;  // in the cam's axes
};

Place place(double phi) {
  const double r = kBase + kLift / 2 * (1 - std::cos(phi)), slope = kLift / 2 * std::sin(phi);
  const Vec2 e(std::sin(phi), std::cos(phi)), along(std::cos(phi), -std::sin(phi));  // de/dphi
  const Vec2 tangent = (slope * e + r * along).normalized();                         // clockwise
  Place at;
  at.contour = r * e;
  at.normal = {-tangent.y(), tangent.x()};
  at.centre = at.contour + kRoller * at.normal;
  return at;
}

// phi of the contact when the cam has turned by `turn`, the follower standing in the direction of y.
double contact_angle(double turn) {
  double low = turn - 0.5, high = turn + 0.5;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    const Vec2 c = place(middle).centre;
    const double direction = turn + std::remainder(std::atan2(c.x(), c.y()) - turn, 2 * std::numbers::pi);
    (direction < turn ? low : high) = middle;
  }
  return (low + high) / 2;
}
double height(double t) {
  return place(contact_angle(kSpeed * t)).centre.norm();
}

TEST(CamRoller, TheFollowerRidesOnThePitchCurve) {
  const ModelRun run = run_example("cam_roller");
  Worst gap, position, velocity;
  for (std::size_t i = 100; i < run.rows(); i += 50) {
    const double t = run.time()[i], h = 1e-5;
    gap(run["contact.gap"][i]);
    position(run["follower.y"][i] - height(t));
    velocity(run["follower.vy"][i] - (height(t + h) - height(t - h)) / (2 * h));
  }
  EXPECT_LT(gap.value, 1e-8);
  EXPECT_LT(position.value, 1e-8);
  EXPECT_LT(velocity.value, 1e-6);
}

// In any two steps.
TEST(CamRoller, TheContactForceCarriesSpringWeightAndInertia) {
  const ModelRun run = run_example("cam_roller");
  const double dt = run.time()[1];
  const std::size_t half = 1;
  for (std::size_t i = 2000; i + half < run.rows(); i += 500) {
    const double t = run.time()[i], h = 1e-4;
    const double acceleration = (height(t + h) - 2 * height(t) + height(t - h)) / (h * h);
    const double needed = (kFollowerMass + kRollerMass) * (acceleration + kGravity) + kPreload +
                          kStiffness * (height(t) - kBase - kRoller);
    double carried = 0;
    for (std::size_t k = i - half + 1; k <= i + half; ++k) {
      // In world axes; n from the cam to the roller, t turned by -90 degrees.
      const double turn = kSpeed * (run.time()[k] - dt / 2);
      const Vec2 n = place(contact_angle(turn)).normal;
      const double n_x = std::cos(turn) * n.x() - std::sin(turn) * n.y();
      const double n_y = std::sin(turn) * n.x() + std::cos(turn) * n.y();
      carried += run["contact.normal_impulse"][k] * n_y - run["contact.tangential_impulse"][k] * n_x;
    }
    carried /= 2 * static_cast<double>(half) * dt;
    EXPECT_NEAR(carried, needed, 1e-6 * needed) << t;
  }
}

// Friction spins the roller up in a few milliseconds; from then on it rolls: equal velocities of both surfaces.
TEST(CamRoller, TheRollerSlidesFirstAndThenRolls) {
  const ModelRun run = run_example("cam_roller");
  EXPECT_EQ(run["contact.mode"][10], static_cast<double>(ContactMode::kSlip));
  for (std::size_t i = 1000; i < run.rows(); i += 100) {
    EXPECT_NE(run["contact.mode"][i], static_cast<double>(ContactMode::kSlip)) << run.time()[i];
    const double t = run.time()[i], turn = kSpeed * t;
    const Place at = place(contact_angle(turn));
    const auto in_world = [&](const Vec2& v) {
      return Vec2(std::cos(turn) * v.x() - std::sin(turn) * v.y(), std::sin(turn) * v.x() + std::cos(turn) * v.y());
    };
    const Vec2 n = in_world(at.normal), tangent(n.y(), -n.x()), x = in_world(at.contour);
    const double cam = kSpeed * tangent.dot(Vec2(-x.y(), x.x()));
    const double centre = tangent.y() * run["follower.vy"][i];
    // The roller's surface at -R n moves with omega k x (-R n) = -R omega (-n_y, n_x), along t: R omega.
    EXPECT_NEAR(centre + kRoller * run["roller.omega"][i], cam, 3e-3 * std::abs(cam)) << t;
  }
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-6);
}

// At the top the spring has to hold the follower back against its inertia, m y'' = -F: above that speed it floats.
TEST(CamRoller, AboveTheFloatSpeedTheFollowerJumps) {
  const double h = 1e-4 / kSpeed, top = std::numbers::pi / kSpeed;
  const double bend = (height(top + h) - 2 * height(top) + height(top - h)) / (h * h) / (kSpeed * kSpeed);
  const double mass = kFollowerMass + kRollerMass;
  const double float_speed = std::sqrt((mass * kGravity + kPreload + kStiffness * kLift) / (-mass * bend));
  const auto largest_gap = [&](double speed) {
    const ModelRun run = run_example("cam_roller", {fmt::format("cam_speed={} rad/s", speed), "duration=50 ms"});
    return *std::max_element(run["contact.gap"].begin(), run["contact.gap"].end());
  };
  EXPECT_LT(largest_gap(0.97 * float_speed), 2e-6);
  EXPECT_GT(largest_gap(1.03 * float_speed), 2e-5);
}

}  // namespace
}  // namespace freeplay::test::cam_roller_test
