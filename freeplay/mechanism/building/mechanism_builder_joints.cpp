// Joints: their frames, and the rows of those that are constraints.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/math/rotation.h"
#include "freeplay/mechanism/building/mechanism_builder.h"
#include "freeplay/mechanism/description/joint_axes.h"

namespace freeplay::mechanism {

namespace {

constexpr double kPerpendicular = 1e-6;  // cosine between axes that were typed with a few digits

}  // namespace

Frame MechanismBuilder::parent_frame_of(const JointSpec& joint, const JointType& type, const std::string& path) {
  Frame frame;
  frame.p = joint.at_parent_m;
  if (joint.second_axis) {
    turn_to_second_axis(joint, type, path, frame);
    return frame;
  }
  if (!joint.axis) return frame;
  const double length = joint.axis->norm();
  if (!(length > 0) || !std::isfinite(length)) {
    fail(path + ".axis", "the axis has no direction", "give a vector that is not zero");
    return frame;
  }
  if (spec_.space == Space::kPlanar && type.main_axis == 2)
    fail(path + ".axis", fmt::format("a planar {} joint turns about z", type.name), "leave `axis` out");
  frame.R = frame_axes(joint, type, spec_.space);
  return frame;
}

void MechanismBuilder::turn_to_second_axis(const JointSpec& joint, const JointType& type, const std::string& path,
                                           Frame& frame) {
  if (type.second_axis < 0) {
    fail(path + ".second_axis", fmt::format("a {} joint has no second axis", type.name),
         "leave `second_axis` out, or use a universal joint");
    return;
  }
  const Vec3 first = joint.axis.value_or(Vec3::Unit(type.main_axis)).normalized();
  const Vec3 second = joint.second_axis->normalized();
  if (!(first.norm() > 0.5 && second.norm() > 0.5)) {
    fail(path + (first.norm() > 0.5 ? ".second_axis" : ".axis"), "the axis has no direction",
         "give a vector that is not zero");
    return;
  }
  if (!(std::abs(first.dot(second)) <= kPerpendicular)) {
    fail(path + ".second_axis",
         fmt::format("the two axes of a {} joint are perpendicular, but their angle is {:.6g} deg", type.name,
                     std::acos(std::clamp(first.dot(second), -1.0, 1.0)) * 180 / std::numbers::pi),
         "give a direction across `axis`, or leave it out");
    return;
  }
  frame.R = frame_axes(joint, type, spec_.space);
}

void MechanismBuilder::add_joints() {
  for (const JointSpec& spec : spec_.joints) add_joint(spec, false);
  for (const JointSpec& spec : spec_.joints_with_play) add_joint(spec, true);
}

void MechanismBuilder::add_joint(const JointSpec& spec, bool has_play) {
  const std::string path = "joints." + spec.name;
  claim_name(spec.name, path);
  const JointType* type = find_joint_type(spec.type, spec_.space);
  if (const JointType* in_space = find_joint_type(spec.type, Space::kSpatial); type == nullptr && in_space) {
    fail(path + ".type", fmt::format("a {} joint exists only in space", spec.type),
         fmt::format("in the plane use {}", in_space->in_the_plane));
  } else if (type == nullptr) {
    const std::string close = closest_match(spec.type, joint_type_names());
    fail(path + ".type", fmt::format("there is no joint type '{}'", spec.type),
         close.empty() ? "see `freeplay list joints`" : fmt::format("did you mean '{}'?", close));
  }
  const std::optional<BodyIndex> parent = find_body(spec.parent, path + ".parent");
  const std::optional<BodyIndex> child = find_body(spec.child, path + ".child");
  if (type == nullptr || !parent || !child) return;
  if (*parent == *child)
    fail(path + ".child", fmt::format("joins '{}' to itself", spec.child), "name two different bodies");

  Mechanism::Joint joint;
  joint.name = spec.name;
  joint.type = type;
  joint.parent = *parent;
  joint.child = *child;
  const Frame on_parent = parent_frame_of(spec, *type, path);
  joint.parent_marker = add_marker(*parent, on_parent, path + ".at_parent");
  const Mat3 turn = spec.rotation.normalized().toRotationMatrix().transpose();
  joint.child_marker = add_marker(*child, {turn * on_parent.R, spec.at_child_m}, path + ".at_child");
  const bool is_curved = spec.slot_radius_m && type->name == "pin_in_slot";
  if (is_curved) joint.slot_radius_m = slot_radius_of(spec, path);
  // The recursions of a tree know motions along lines and about axes.
  const bool has_rows = spec.as_constraint || is_curved;
  joint.role = has_rows ? Mechanism::JointRole::kConstraint : Mechanism::JointRole::kTree;
  if (spec.bushing) add_bushing(spec, path, joint);
  if (has_play) joint.role = Mechanism::JointRole::kPlay;
  joint_of_name_.emplace(spec.name, static_cast<int>(mechanism_->joints.size()));
  mechanism_->joints.push_back(joint);
}

double MechanismBuilder::slot_radius_of(const JointSpec& spec, const std::string& path) {
  if (*spec.slot_radius_m > 0 && std::isfinite(*spec.slot_radius_m)) return *spec.slot_radius_m;
  fail(path + ".slot_radius", fmt::format("is {:g} m", *spec.slot_radius_m), "give a radius, or leave it out");
  return 1;
}

void MechanismBuilder::add_rows() {
  for (std::size_t j = 0; j < mechanism_->joints.size(); ++j) {
    Mechanism::Joint& joint = mechanism_->joints[j];
    if (joint.role != Mechanism::JointRole::kConstraint) continue;
    for (const LockedDirection& locked : joint.type->locked) {
      Mechanism::Row row;
      const bool is_point = locked.kind == LockedDirection::Kind::kPoint;
      row.kind = is_point ? Mechanism::Row::Kind::kPoint : Mechanism::Row::Kind::kDot;
      if (is_point && locked.axis_parent == 1 && joint.slot_radius_m > 0) row.kind = Mechanism::Row::Kind::kWay;
      row.joint = static_cast<int>(j);
      row.axis_parent = locked.axis_parent;
      row.axis_child = locked.axis_child;
      row.name = fmt::format("{}.{}", joint.name, locked.name);
      mechanism_->rows.push_back(row);
    }
  }
}

}  // namespace freeplay::mechanism
