// The joint table: every joint type is one row, a sequence of elementary motions and the rows that lock the rest.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "freeplay/mechanism/description/mechanism_spec.h"

namespace freeplay::mechanism {

// One step on the way from the joint's frame on the parent to its frame on the child. The axes are those of the frame
// that the motions before it have already moved.
struct ElementaryMotion {
  enum class Kind : std::uint8_t {
    kTranslate,  // along axis: 1 coordinate
    kRotate,     // about axis: 1 coordinate
    kBall        // any rotation: a unit quaternion; velocities are the angular velocity in the child frame's axes
  };
  Kind kind = Kind::kTranslate;
  int axis = 0;  // 0, 1, 2 = x, y, z

  int q_count() const { return kind == Kind::kBall ? 4 : 1; }
  int u_count() const { return kind == Kind::kBall ? 3 : 1; }
};

// A row that the joint imposes when it is a constraint instead of a tree edge. P, C: the joint's frames on parent,
// child.
struct LockedDirection {
  enum class Kind : std::uint8_t {
    kPoint,  // axis_P . (origin_C - origin_P) = 0
    kDot     // axis_P . axis_C = 0: two axes that stay perpendicular
  };
  Kind kind = Kind::kPoint;
  int axis_parent = 0;
  int axis_child = 0;  // kDot only
  std::string_view name;
};

struct JointType {
  std::string_view name;
  int main_axis;  // the frame axis that `axis:` of a model file names: 2 (z) or 0 (x)
  std::vector<ElementaryMotion> motions;
  std::vector<LockedDirection> locked;
  int second_axis = -1;             // the frame axis that `second_axis:` names; -1: the type has only one
  std::string_view in_the_plane{};  // of a type that only space has: what to use in the plane

  int q_count() const;
  int u_count() const;
  int turn_count() const;  // of motions that turn about one axis
  // Whether it keeps the frames together along axis k of the joint's frame, or from turning about it.
  bool holds_along(int k) const;
  bool holds_about(int k) const;
};

// nullptr for an unknown type.
const JointType* find_joint_type(std::string_view name, Space space);
std::span<const JointType> joint_types(Space space);

}  // namespace freeplay::mechanism
