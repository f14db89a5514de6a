// The axes of a joint's frame, from what the file says about them.
#pragma once

#include <cmath>
#include <numbers>

#include "freeplay/math/rotation.h"
#include "freeplay/mechanism/description/joint_table.h"

namespace freeplay::mechanism {

// Right-handed, whichever two of its three axes the type names. `first`: unit; `second`: not parallel to it.
inline Mat3 joint_axes(const JointType& type, const Vec3& first, const Vec3& second) {
  const Vec3 across = (second - first.dot(second) * first).normalized();
  const bool is_next = type.second_axis == (type.main_axis + 1) % 3;
  Mat3 R;
  R.col(type.main_axis) = first;
  R.col(type.second_axis) = across;
  R.col(3 - type.main_axis - type.second_axis) = is_next ? first.cross(across) : across.cross(first);
  return R;
}

// In the parent's axes. `axis` and `second_axis`, where given, are directions across each other.
inline Mat3 frame_axes(const JointSpec& joint, const JointType& type, Space space) {
  const Vec3 main = Vec3::Unit(type.main_axis), axis = joint.axis.value_or(main).normalized();
  if (joint.second_axis) return joint_axes(type, axis, joint.second_axis->normalized());
  if (!joint.axis) return Mat3::Identity();
  if (space == Space::kPlanar)
    return Eigen::AngleAxisd(std::atan2(axis.y(), axis.x()), Vec3::UnitZ()).toRotationMatrix();
  // Opposite to the default axis: half a turn about the next axis of the frame.
  if (axis.dot(main) < -1 + 1e-12)
    return Eigen::AngleAxisd(std::numbers::pi, Vec3::Unit((type.main_axis + 1) % 3)).toRotationMatrix();
  return rotation_between(main, axis);
}

}  // namespace freeplay::mechanism
