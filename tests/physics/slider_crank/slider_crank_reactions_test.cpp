// Joint forces of the slider-crank with clearance, against crank, rod and slider as three free bodies with explicit
// joint forces: nine equations of Newton and Euler, six of the joints. The contact impulses are taken from the run.
#include "physics/slider_crank/slider_crank_clearance.h"
#include "support/linear_algebra.h"

namespace freeplay::test::slider_crank_reactions_test {
namespace {

struct FreeBodies {
  Vec3 angular_accelerations;
  Vec2 bearing, crankpin, wristpin;  // parent on child, world axes
};

Vec2 along(double angle) {
  return {std::cos(angle), std::sin(angle)};
}
Vec2 turned(const Vec2& v) {  // by a right angle
  return {-v.y(), v.x()};
}

// At angles q with rates u. `load` and `load_moment` act on the slider, the moment about its centre.
FreeBodies solve_free_bodies(const flores::Parameters& p, const Vec3& q, const Vec3& u, const Vec2& load,
                             double load_moment) {
  // Unknown: x, y and angular acceleration of each body, then the forces of bearing, crankpin and wristpin.
  MatX A = MatX::Zero(15, 15);
  VecX b = VecX::Zero(15);
  const double m[3] = {p.m1, p.m2, p.m3}, J[3] = {p.J1, p.J2, p.J3};
  const auto force_on = [&](int body, int force, double sign, const Vec2& arm) {
    A(3 * body, force) = A(3 * body + 1, force + 1) = -sign;
    A(3 * body + 2, force) = sign * arm.y();
    A(3 * body + 2, force + 1) = -sign * arm.x();
  };
  for (int i = 0; i < 3; ++i) {
    A(3 * i, 3 * i) = A(3 * i + 1, 3 * i + 1) = m[i];
    A(3 * i + 2, 3 * i + 2) = J[i];
    b[3 * i + 1] = -m[i] * p.gravity;
  }
  b.segment<2>(6) += load;
  b[8] += load_moment;

  const Vec2 half1 = p.l1 / 2 * along(q[0]), half2 = p.l2 / 2 * along(q[1]);
  const struct {
    int parent, child;  // -1: ground
    Vec2 arm_parent, arm_child;
  } joints[3] = {{-1, 0, Vec2::Zero(), -half1}, {0, 1, half1, -half2}, {1, 2, half2, Vec2::Zero()}};
  for (int j = 0; j < 3; ++j) {
    const int force = 9 + 2 * j, row = 9 + 2 * j;
    // a_child + alpha x r - omega^2 r equals the same of the parent.
    const auto acceleration_of_point = [&](int body, double sign, const Vec2& arm) {
      A(row, 3 * body) = A(row + 1, 3 * body + 1) = sign;
      A.block<2, 1>(row, 3 * body + 2) = sign * turned(arm);
      b.segment<2>(row) += sign * u[body] * u[body] * arm;
    };
    force_on(joints[j].child, force, +1, joints[j].arm_child);
    acceleration_of_point(joints[j].child, +1, joints[j].arm_child);
    if (joints[j].parent < 0) continue;
    force_on(joints[j].parent, force, -1, joints[j].arm_parent);
    acceleration_of_point(joints[j].parent, -1, joints[j].arm_parent);
  }
  const VecX x = solve_dense(A, b);
  return {{x[2], x[5], x[8]}, x.segment<2>(9), x.segment<2>(11), x.segment<2>(13)};
}

std::vector<std::string> channels() {
  std::vector<std::string> list = kMotionChannels;
  for (const char* joint : {"bearing", "crankpin", "wristpin"}) {
    for (const char* component : {".force_x", ".force_y", ".moment"}) list.push_back(std::string(joint) + component);
  }
  for (int i = 1; i <= 4; ++i) {
    list.push_back(fmt::format("guide.normal_impulse_{}", i));
    list.push_back(fmt::format("guide.tangential_impulse_{}", i));
  }
  return list;
}

struct Comparison {
  Worst bearing, bearing_error, crankpin_error, wristpin_error, moment, acceleration, acceleration_error;
  int with_contact = 0;
};

Comparison compare_reactions(const flores::Parameters& p, int steps) {
  const ModelRun run = run_slider_crank(p, steps, {fmt::format("simulate.force_window={} s", p.step)}, channels());
  const auto force = [&](const char* joint, std::size_t row) {
    return Vec2(run[std::string(joint) + ".force_x"][row], run[std::string(joint) + ".force_y"][row]);
  };
  Comparison result;
  for (std::size_t row = 1; row < run.rows(); ++row) {
    // Means over the step: positions of its midpoint, rates of its start (they make the centripetal forces of the
    // scheme), impulses over its length.
    const Vec3 u_A = rates(run, row - 1), q_M = angles(run, row - 1) + p.step / 2 * u_A;
    Vec2 load = Vec2::Zero();
    double load_moment = 0;
    for (int i = 0; i < 4; ++i) {
      const double normal = run[fmt::format("guide.normal_impulse_{}", i + 1)][row] / p.step;
      const double tangential = run[fmt::format("guide.tangential_impulse_{}", i + 1)][row] / p.step;
      const Vec2 force_on_corner(tangential, i < 2 ? -normal : normal);
      const Vec2 corner = (i % 2 == 0 ? -p.a : p.a) * along(q_M[2]) + (i < 2 ? p.b : -p.b) * turned(along(q_M[2]));
      load += force_on_corner;
      load_moment += corner.x() * force_on_corner.y() - corner.y() * force_on_corner.x();
      result.with_contact += normal > 0;
    }
    const FreeBodies exact = solve_free_bodies(p, q_M, u_A, load, load_moment);
    // Crankpin and wristpin report in the axes of their parents.
    const auto in_axes = [](const Vec2& v, double angle) {
      return Vec2(along(angle).dot(v), turned(along(angle)).dot(v));
    };
    result.bearing(exact.bearing.norm());
    result.bearing_error((force("bearing", row) - exact.bearing).norm());
    result.crankpin_error((force("crankpin", row) - in_axes(exact.crankpin, q_M[0])).norm());
    result.wristpin_error((force("wristpin", row) - in_axes(exact.wristpin, q_M[1])).norm());
    for (const char* joint : {"bearing", "crankpin", "wristpin"}) {
      result.moment(run[std::string(joint) + ".moment"][row]);
    }
    const Vec3 mean_acceleration = (rates(run, row) - u_A) / p.step;
    result.acceleration(exact.angular_accelerations.cwiseAbs().maxCoeff());
    result.acceleration_error((mean_acceleration - exact.angular_accelerations).cwiseAbs().maxCoeff());
  }
  return result;
}

void expect_equal(const Comparison& c) {
  EXPECT_LE(c.bearing_error.value, 1e-8 * c.bearing.value);
  EXPECT_LE(c.crankpin_error.value, 1e-8 * c.bearing.value);
  EXPECT_LE(c.wristpin_error.value, 1e-8 * c.bearing.value);
  EXPECT_LE(c.moment.value, 1e-8 * c.bearing.value * 0.153);  // N m: revolute joints hold none
  EXPECT_LE(c.acceleration_error.value, 1e-8 * c.acceleration.value);
}

TEST(SliderCrankClearance, JointForcesAreThoseOfThreeFreeBodies) {
  const Comparison c = compare_reactions({}, 13784);
  expect_equal(c);
  EXPECT_GT(c.with_contact, 1000);
}

// Corners that strike one at a time turn the slider, and friction has arms.
TEST(SliderCrankClearance, JointForcesAreThoseOfThreeFreeBodiesWithTiltAndFriction) {
  flores::Parameters p;
  p.slider_omega = 50;
  p.restitution = 0.9;
  p.tangential_restitution = 0.3;
  p.friction = 0.3;
  p.step = 5e-5;
  const Comparison c = compare_reactions(p, 2000);
  expect_equal(c);
  EXPECT_GT(c.with_contact, 50);
}

// At the start, in a line, all inertia forces pull at the bearing: w^2 [m1 l1/2 + m2 (l1 + l1^2/(2 l2)) + m3 (l1 +
// l1^2/l2)] = 621.37 N, as in the mechanism without play. The first step reports the mean over its 10 us.
TEST(SliderCrankClearance, BearingStartsWithTheForceOfTheOuterDeadCentre) {
  const ModelRun run = run_slider_crank({}, 2, {}, channels());
  EXPECT_NEAR(run["bearing.force_x"][0], -621.37, 0.01);
  EXPECT_NEAR(run["bearing.force_x"][1], -621.37, 0.01);
}

}  // namespace
}  // namespace freeplay::test::slider_crank_reactions_test
