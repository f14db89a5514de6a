#include "freeplay/math/rotation.h"

namespace freeplay::math {

// Not in the header, none of these: whoever includes it would compile Eigen's conversions once more.

Vec4 quaternion_from_rotation(const Mat3& R) {
  const Eigen::Quaterniond q(R);
  const Vec4 e(q.w(), q.x(), q.y(), q.z());
  return e[0] < 0 ? Vec4(-e) : e;
}

Vec3 rotation_vector_from_rotation(const Mat3& R) {
  const Eigen::AngleAxisd angle_axis(R);
  return angle_axis.angle() * angle_axis.axis();
}

// As Eigen's FromTwoVectors, which takes the axis between opposite vectors from a singular value decomposition: that
// alone takes longer to compile than any other source of this folder.
Mat3 rotation_between(const Vec3& from, const Vec3& to) {
  const Vec3 a = from.normalized(), b = to.normalized();
  const double cosine = b.dot(a);
  if (cosine < -0.5) {
    // Towards opposite vectors 1 + cosine loses its digits: the quaternion below misses unit length by eps / (1 +
    // cosine). Here the rotation is made of two orthonormal triads, so that R a = b and R^T R = 1 hold to rounding.
    // Only the axis has an error of eps / |a x b|, which is in the nature of the thing; vectors that are as good as
    // opposite take any.
    const Vec3 normal = a.cross(b);
    const double length = normal.norm();
    const Vec3 axis = length > 1e-8 ? Vec3(normal / length) : Vec3(a.unitOrthogonal());
    const Vec3 n_a = (axis - axis.dot(a) * a).normalized(), n_b = (axis - axis.dot(b) * b).normalized();
    return b * a.transpose() + n_b * n_a.transpose() + b.cross(n_b) * a.cross(n_a).transpose();
  }
  const double s = std::sqrt((1 + cosine) * 2);  // twice the cosine of half the angle
  const Vec3 v = a.cross(b) * (1 / s);
  return Eigen::Quaterniond(s * 0.5, v.x(), v.y(), v.z()).toRotationMatrix();
}

}  // namespace freeplay::math
