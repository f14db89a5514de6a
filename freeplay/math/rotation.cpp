#include "freeplay/math/rotation.h"

namespace freeplay {

// Not in the header, none of these: whoever includes it would compile Eigen's conversions once more, and for
// rotation_between a singular value decomposition, from which Eigen takes the axis between opposite vectors.

Vec4 quaternion_from_rotation(const Mat3& R) {
  const Eigen::Quaterniond q(R);
  const Vec4 e(q.w(), q.x(), q.y(), q.z());
  return e[0] < 0 ? Vec4(-e) : e;
}

Vec3 rotation_vector_from_rotation(const Mat3& R) {
  const Eigen::AngleAxisd angle_axis(R);
  return angle_axis.angle() * angle_axis.axis();
}

Mat3 rotation_between(const Vec3& from, const Vec3& to) {
  return Eigen::Quaterniond::FromTwoVectors(from, to).toRotationMatrix();
}

}  // namespace freeplay
