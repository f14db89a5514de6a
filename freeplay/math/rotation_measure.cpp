#include "freeplay/math/rotation_measure.h"

#include <algorithm>
#include <cmath>

#include "freeplay/math/rotation.h"

namespace freeplay::math {

namespace {

constexpr double kSmallAngle = 1e-4;  // below it two terms of the series are exact to rounding
constexpr double kTurnedOver = 1e-8;  // keeps numbers finite where an axis is turned over and the tilt has no direction

}  // namespace

RotationMeasure rotation_vector_of(const Mat3& R) {
  RotationMeasure measure;
  measure.phi = rotation_vector_from_rotation(R);
  const double angle = measure.phi.norm();
  // J^-1 = I - [phi]/2 + b [phi]^2,  b = (1 - angle/2 cot(angle/2)) / angle^2
  const double half = 0.5 * angle;
  const double b = angle < kSmallAngle ? 1.0 / 12 + angle * angle / 720
                                       : (1 - half * std::cos(half) / std::sin(half)) / (angle * angle);
  const Mat3 S = skew(measure.phi);
  measure.A += -0.5 * S + b * S * S;
  return measure;
}

RotationMeasure tilt_and_turn_of(const Mat3& R) {
  RotationMeasure measure;
  const Vec3 n = R.col(2);
  const Vec3 across(-n.y(), n.x(), 0);  // e_z x n, the axis of the tilt times its sine
  const double sine = across.norm(), tilt = std::atan2(sine, n.z());
  double g = 1 + tilt * tilt / 6, h = 1.0 / 3 + tilt * tilt * 2 / 15;
  if (tilt > kSmallAngle) {
    const double s = std::max(sine, kTurnedOver);
    g = tilt / s;
    h = (s - tilt * n.z()) / (s * s * s);
  }
  const Vec4 e = quaternion_from_rotation(R);
  measure.phi = g * across;
  measure.phi.z() = 2 * std::atan2(e[3], e[0]);

  // tilt vector = g e_z x n,  dg/dn_z = -h,  dn/dt = omega x n
  const Mat3 n_rate = -skew(n);
  measure.A = g * skew(Vec3::UnitZ()) * n_rate - h * across * n_rate.row(2);
  // The tilt alone turns about axes across the bisector b of the two z axes, the turn about n: omega.b = n.b dphi_z/dt.
  measure.A.row(2) = (n + Vec3::UnitZ()).transpose() / std::max(1 + n.z(), kTurnedOver);
  return measure;
}

RotationMeasure cross_angles_of(const Mat3& R) {
  RotationMeasure measure;
  const double sine = -R(0, 1), cosine = std::hypot(R(1, 1), R(2, 1));  // of phi_z
  measure.phi = {std::atan2(R(2, 1), R(1, 1)), std::atan2(R(0, 2), R(0, 0)), std::atan2(sine, cosine)};

  // omega = dphi_x/dt e_x + dphi_z/dt z + dphi_y/dt (cosine y - sine e_x),  with y and z as Rx(phi_x) turns them.
  const double divisor = std::max(cosine, kTurnedOver);
  const Vec3 y(0, std::cos(measure.phi.x()), std::sin(measure.phi.x())), z(0, -y.z(), y.y());
  measure.A.row(0) = Vec3::UnitX() + sine / divisor * y;
  measure.A.row(1) = y / divisor;
  measure.A.row(2) = z;
  return measure;
}

}  // namespace freeplay::math
