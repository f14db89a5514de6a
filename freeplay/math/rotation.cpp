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
  if (cosine < -1 + 1e-12) {  // half a turn, about whatever axis
    const Vec3 axis = a.unitOrthogonal();
    return 2 * axis * axis.transpose() - Mat3::Identity();
  }
  const double s = std::sqrt((1 + cosine) * 2);  // twice the cosine of half the angle
  const Vec3 v = a.cross(b) * (1 / s);
  return Eigen::Quaterniond(s * 0.5, v.x(), v.y(), v.z()).toRotationMatrix();
}

}  // namespace freeplay::math
