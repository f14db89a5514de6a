// The angle between two frames whose z axes may tilt against each other: phi_z of tilt_and_turn_of, what is left when
// the tilt has been undone the shortest way. It prefers neither of the two, and
//   dphi_z/dt = n . (w_b - w_a),   n = (z_a + z_b) / (1 + z_a . z_b).
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/math/rotation.h"

namespace freeplay::mechanism {

inline constexpr double kOpposite = 1e-8;  // keeps numbers finite where the axes are opposite

// Between -pi and pi, about the z axes.
inline double turn_between(const Mat3& a, const Mat3& b) {
  const Vec4 e = quaternion_from_rotation(a.transpose() * b);
  return std::remainder(2 * std::atan2(e[3], e[0]), 2 * std::numbers::pi);
}

// n
inline Vec3 axis_between(const Vec3& z_a, const Vec3& z_b) {
  return (z_a + z_b) / std::max(1 + z_a.dot(z_b), kOpposite);
}

// dn/dt, from the rates of the two.
inline Vec3 axis_rate_between(const Vec3& z_a, const Vec3& z_b, const Vec3& rate_a, const Vec3& rate_b) {
  const double divisor = std::max(1 + z_a.dot(z_b), kOpposite);
  const double divisor_rate = rate_a.dot(z_b) + z_a.dot(rate_b);
  return (rate_a + rate_b - (z_a + z_b) * (divisor_rate / divisor)) / divisor;
}

}  // namespace freeplay::mechanism
