// Rotations: quaternions (e0, e1, e2, e3), body to world, and the maps between their rates and angular velocity.
#pragma once

#include <cmath>

#include "freeplay/math/types.h"

namespace freeplay::math {

inline Mat3 skew(const Vec3& a) {
  Mat3 result;
  result << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return result;
}

// Orthonormal for every e != 0, also when |e| != 1: between two normalisations an integrator's quaternion is not unit.
inline Mat3 rotation_from_quaternion(const Vec4& e) {
  const double scale = 2.0 / e.squaredNorm();
  const double e0 = e[0], e1 = e[1], e2 = e[2], e3 = e[3];
  Mat3 R;
  R << 1 - scale * (e2 * e2 + e3 * e3), scale * (e1 * e2 - e0 * e3), scale * (e1 * e3 + e0 * e2),
      scale * (e1 * e2 + e0 * e3), 1 - scale * (e1 * e1 + e3 * e3), scale * (e2 * e3 - e0 * e1),
      scale * (e1 * e3 - e0 * e2), scale * (e2 * e3 + e0 * e1), 1 - scale * (e1 * e1 + e2 * e2);
  return R;
}

// de/dt = 1/2 e * (0, omega), omega in body axes.
inline Vec4 quaternion_rate(const Vec4& e, const Vec3& omega) {
  return 0.5 *
         Vec4(-e[1] * omega[0] - e[2] * omega[1] - e[3] * omega[2], e[0] * omega[0] + e[2] * omega[2] - e[3] * omega[1],
              e[0] * omega[1] + e[3] * omega[0] - e[1] * omega[2], e[0] * omega[2] + e[1] * omega[1] - e[2] * omega[0]);
}

inline Vec4 quaternion_product(const Vec4& a, const Vec4& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

// Quaternion of the rotation vector phi (axis times angle).
inline Vec4 quaternion_from_rotation_vector(const Vec3& phi) {
  const double angle = phi.norm();
  // sin(x/2)/x tends to 1/2; the series is exact to rounding below 1e-4.
  const double s = angle > 1e-4 ? std::sin(angle / 2) / angle : 0.5 - angle * angle / 48;
  return {std::cos(angle / 2), s * phi[0], s * phi[1], s * phi[2]};
}

// With e0 >= 0.
Vec4 quaternion_from_rotation(const Mat3& R);

// Rotation vector of the rotation R, angle in [0, pi].
Vec3 rotation_vector_from_rotation(const Mat3& R);

// The rotation about an axis through `from` x `to` that takes the unit vector `from` to the unit vector `to`.
Mat3 rotation_between(const Vec3& from, const Vec3& to);

}  // namespace freeplay::math
