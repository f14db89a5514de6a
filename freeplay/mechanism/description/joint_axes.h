// The frame of a joint type that has two axes in the file, `axis` and `second_axis`.
#pragma once

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

}  // namespace freeplay::mechanism
