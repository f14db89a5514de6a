#include "freeplay/mechanism/description/joint_table.h"

#include <algorithm>

namespace freeplay::mechanism {

namespace {

using Motion = ElementaryMotion;
using Locked = LockedDirection;
constexpr Motion kTx{Motion::Kind::kTranslate, 0}, kTy{Motion::Kind::kTranslate, 1}, kTz{Motion::Kind::kTranslate, 2};
constexpr Motion kRx{Motion::Kind::kRotate, 0}, kRy{Motion::Kind::kRotate, 1}, kRz{Motion::Kind::kRotate, 2};
constexpr Motion kBall{Motion::Kind::kBall, 0};
constexpr Locked kX{Locked::Kind::kPoint, 0, 0, "force_x"}, kY{Locked::Kind::kPoint, 1, 0, "force_y"},
    kZ{Locked::Kind::kPoint, 2, 0, "force_z"};
// Perpendicular axes. With all three, the frames coincide; with the first two, their z axes do. The last one alone
// keeps the arms of a universal joint's cross apart: x, which turns in the parent, and y, which turns in the child.
constexpr Locked kAboutX{Locked::Kind::kDot, 1, 2, "moment_x"}, kAboutY{Locked::Kind::kDot, 0, 2, "moment_y"},
    kAboutZ{Locked::Kind::kDot, 0, 1, "moment_z"};

const std::vector<JointType>& table(Space space) {
  // Locked directions: in the plane every joint that forbids turning has the one row about z.
  static const std::vector<JointType> planar = {
      {"fixed", 2, {}, {kX, kY, kAboutZ}},  {"revolute", 2, {kRz}, {kX, kY}}, {"prismatic", 0, {kTx}, {kY, kAboutZ}},
      {"spherical", 2, {kRz}, {kX, kY}},     // in the plane the same as a revolute joint
      {"pin_in_slot", 0, {kTx, kRz}, {kY}},  // the slot along x
      {"free", 2, {kTx, kTy, kRz}, {}},
  };
  static const std::vector<JointType> spatial = {
      {"fixed", 2, {}, {kX, kY, kZ, kAboutX, kAboutY, kAboutZ}},
      {"revolute", 2, {kRz}, {kX, kY, kZ, kAboutX, kAboutY}},
      {"prismatic", 0, {kTx}, {kY, kZ, kAboutX, kAboutY, kAboutZ}},
      {"cylindrical", 2, {kTz, kRz}, {kX, kY, kAboutX, kAboutY}, -1, "revolute or prismatic"},
      {"planar", 2, {kTx, kTy, kRz}, {kZ, kAboutX, kAboutY}, -1, "free"},
      {"pin_in_slot", 0, {kTx, kRz}, {kY, kZ, kAboutX, kAboutY}, 2},  // the slot along x, the pin along z
      {"universal", 0, {kRx, kRy}, {kX, kY, kZ, kAboutZ}, 1, "revolute"},
      {"spherical", 2, {kBall}, {kX, kY, kZ}},
      {"free", 2, {kTx, kTy, kTz, kBall}, {}},
  };
  return space == Space::kPlanar ? planar : spatial;
}

}  // namespace

int JointType::q_count() const {
  int count = 0;
  for (const ElementaryMotion& motion : motions) count += motion.q_count();
  return count;
}

int JointType::u_count() const {
  int count = 0;
  for (const ElementaryMotion& motion : motions) count += motion.u_count();
  return count;
}

int JointType::turn_count() const {
  return static_cast<int>(
      std::count_if(motions.begin(), motions.end(), [](const Motion& m) { return m.kind == Motion::Kind::kRotate; }));
}

bool JointType::holds_along(int k) const {
  return std::any_of(locked.begin(), locked.end(),
                     [k](const Locked& row) { return row.kind == Locked::Kind::kPoint && row.axis_parent == k; });
}

bool JointType::holds_about(int k) const {
  // Two axes that stay perpendicular do not turn about the third.
  return std::any_of(locked.begin(), locked.end(), [k](const Locked& row) {
    return row.kind == Locked::Kind::kDot && row.axis_parent + row.axis_child + k == 3;
  });
}

std::span<const JointType> joint_types(Space space) {
  return table(space);
}

const JointType* find_joint_type(std::string_view name, Space space) {
  for (const JointType& type : table(space)) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

std::optional<JointCoordinates> joint_coordinates(std::string_view type, Space space) {
  const JointType* row = find_joint_type(type, space);
  if (row == nullptr) return std::nullopt;
  return JointCoordinates{row->q_count(), row->u_count()};
}

std::vector<std::string> joint_type_names() {
  std::vector<std::string> names;
  for (const JointType& type : table(Space::kSpatial)) names.emplace_back(type.name);
  return names;
}

namespace {

// The elementary motion that coordinate (or velocity) k belongs to.
const ElementaryMotion* motion_of(std::string_view type, Space space, int k, bool velocity) {
  const JointType* row = find_joint_type(type, space);
  if (row == nullptr) return nullptr;
  for (const ElementaryMotion& motion : row->motions) {
    const int count = velocity ? motion.u_count() : motion.q_count();
    if (k < count) return &motion;
    k -= count;
  }
  return nullptr;
}

}  // namespace

Dimension joint_coordinate_dimension(std::string_view type, Space space, int k) {
  const ElementaryMotion* motion = motion_of(type, space, k, false);
  const bool translates = motion != nullptr && motion->kind == ElementaryMotion::Kind::kTranslate;
  return translates ? dimensions::kLength : dimensions::kAngle;
}

Dimension joint_rate_dimension(std::string_view type, Space space, int k) {
  const ElementaryMotion* motion = motion_of(type, space, k, true);
  const bool translates = motion != nullptr && motion->kind == ElementaryMotion::Kind::kTranslate;
  return translates ? dimensions::kVelocity : dimensions::kAngularVelocity;
}

}  // namespace freeplay::mechanism
