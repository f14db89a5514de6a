// Two bodies with a joint between them that move in any way, and the rates of their gaps against differences.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::test::moving_pair {

struct Motion {
  Frame start;
  Vec3 v, omega;  // world
  Frame at(double t) const {
    const double angle = omega.norm() * t;
    return {Eigen::AngleAxisd(angle, omega.normalized()).toRotationMatrix() * start.R, start.p + v * t};
  }
  Vec3 velocity_of(const Vec3& point) const { return v + omega.cross(point - start.p); }
};

class Draw {
 public:
  double operator()(double scale) { return scale * std::uniform_real_distribution<double>(-1, 1)(engine_); }
  Vec3 vector(double scale) { return {(*this)(scale), (*this)(scale), (*this)(scale)}; }
  Mat3 rotation(double largest_angle) {
    const double angle = (*this)(largest_angle);  // one draw after the other: arguments have no order
    return Eigen::AngleAxisd(angle, vector(1).normalized()).toRotationMatrix();
  }
  Frame frame() { return {rotation(3), vector(0.5)}; }

 private:
  std::mt19937_64 engine_{11};
};

inline std::vector<SpatialContactPoint> evaluate(const SpatialGap& gap, const Frame& child, const Frame& parent) {
  std::vector<SpatialContactPoint> points(static_cast<std::size_t>(gap.point_count()));
  gap.evaluate(child, parent, points);
  return points;
}

// A child whose joint frame is off that of the parent by a displacement and a small rotation in the joint's axes.
inline Frame child_off(const Frame& parent, const Frame& on_parent, const Frame& on_child, const Vec3& d,
                       const Mat3& turn) {
  const Mat3 joint_axes = parent.R * on_parent.R;
  const Mat3 R = joint_axes * turn * on_child.R.transpose();
  return {R, parent.point(on_parent.p) + joint_axes * d - R * on_child.p};
}

// dg/dt by central differences against n . (v_A - v_B) of the material points, of all points that are in use.
inline void expect_rates(const SpatialGap& gap, const Motion& child, const Motion& parent, double tolerance) {
  constexpr double h = 1e-7;  // where a curvature jumps between the two ends they are off by as much
  const auto now = evaluate(gap, child.at(0), parent.at(0)), before = evaluate(gap, child.at(-h), parent.at(-h)),
             after = evaluate(gap, child.at(h), parent.at(h));
  for (std::size_t i = 0; i < now.size(); ++i) {
    const SpatialContactPoint& at = now[i];
    if (!std::isfinite(before[i].gap + at.gap + after[i].gap)) continue;
    const double rate = at.normal.dot(child.velocity_of(at.point_a) - parent.velocity_of(at.point_b));
    EXPECT_NEAR(rate, (after[i].gap - before[i].gap) / (2 * h), tolerance) << "point " << i;
    EXPECT_NEAR(at.normal.norm(), 1, 1e-14);
    EXPECT_NEAR(at.tangent.norm(), 1, 1e-14);
    // The normal of round play is the way from an axis, of a millimetre and more, over its length: positions are
    // rounded.
    EXPECT_NEAR(at.normal.dot(at.tangent), 0, 1e-16 / 1e-3);
    EXPECT_LT((at.point_a - at.point_b - at.gap * at.normal).norm(), 1e-14);
    EXPECT_EQ(at.normal_is, SpatialContactPoint::Normal::kDefined);
  }
}

struct TwoBodies {
  Frame on_child, on_parent;
  Motion child, parent;
  // Off by up to `play` across and `along` along the joint, at any poses and velocities.
  TwoBodies(Draw& draw, double play, double along) {
    on_child = draw.frame();
    on_parent = draw.frame();
    parent = {draw.frame(), draw.vector(2), draw.vector(4)};
    Vec3 d = Vec3{draw(play), draw(play), draw(along)};
    d.x() += std::copysign(play / 2, draw(1));
    child = {child_off(parent.start, on_parent, on_child, d, draw.rotation(0.02)), draw.vector(2), draw.vector(4)};
  }
};

}  // namespace freeplay::test::moving_pair
