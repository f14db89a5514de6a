// The coordinates of joints, their rates and what an effort along them does. In the tree they are coordinates of the
// state. Elsewhere they are measured between the two frames of the joint: displacements along axes of the parent, and
// the angle of the child about the axis. Springs, drivers, stops, dry friction, rows and channels ask here. Included by
// mechanism_dynamics_evaluation.h only.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "freeplay/math/entrywise.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics.h"
#include "freeplay/mechanism/dynamics/turn_axis.h"

namespace freeplay::mechanism {

inline constexpr double kFullTurn = 2 * std::numbers::pi;

template <class Algebra>
typename MechanismDynamics<Algebra>::JointPlacement MechanismDynamics<Algebra>::placement_now(int index) const {
  const std::size_t j = static_cast<std::size_t>(index);
  const bool is_kept = std::binary_search(placed_.begin(), placed_.end(), j);
  return is_kept ? placement_[j] : placement(mechanism_->joints[j]);
}

// The motion that velocity k of a joint belongs to; k is then counted within it.
inline const ElementaryMotion& motion_of_velocity(const JointType& type, int& k) {
  const ElementaryMotion* motion = type.motions.data();
  for (; k >= motion->u_count(); ++motion) k -= motion->u_count();
  return *motion;
}

template <class Algebra>
SlotWay MechanismDynamics<Algebra>::slot_way(const Mechanism::Joint& joint, const JointPlacement& at) const {
  return {joint.slot_radius_m, at.R_parent.transpose() * (at.p_child - at.p_parent)};
}

// The velocity of the child's point as the parent sees it, in the axes of the joint's frame on the parent.
template <class Algebra>
Vec3 MechanismDynamics<Algebra>::sliding_rate(const Mechanism::Joint& joint, const JointPlacement& at) const {
  return at.R_parent.transpose() *
         (markers_.velocity(joint.child_marker, at.p_child) - markers_.velocity(joint.parent_marker, at.p_child));
}

// What a displacement of the child's point has to do with the coordinate; of a curved slot its length is R/d.
template <class Algebra>
Vec3 MechanismDynamics<Algebra>::axis_of_slide(const Mechanism::Joint& joint, const JointPlacement& at,
                                               int axis) const {
  if (joint.slot_radius_m > 0 && axis == 0) return at.R_parent * slot_way(joint, at).gradient_along();
  return at.R_parent.col(axis);
}

template <class Algebra>
double MechanismDynamics<Algebra>::joint_coordinate(int index, int k) const {
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(index)];
  if (joint.is_edge()) return q_[model_.nodes[static_cast<std::size_t>(joint.node)].q + k];
  const ElementaryMotion* motion = joint.type->motions.data();
  for (; k >= motion->q_count(); ++motion) k -= motion->q_count();
  const JointPlacement at = placement_now(index);
  if (motion->kind == ElementaryMotion::Kind::kTranslate) {
    if (joint.slot_radius_m > 0 && motion->axis == 0) return slot_way(joint, at).along();
    return at.R_parent.col(motion->axis).dot(at.p_child - at.p_parent);
  }
  if constexpr (std::is_same_v<Algebra, PlanarAlgebra>) {
    // The bodies' angles count turns, so the joint's angle does too.
    return markers_.angle_between(joint.parent_marker, joint.child_marker,
                                  frame_angle_[static_cast<std::size_t>(index)]);
  } else {
    const Mat3 R = at.R_parent.transpose() * at.R_child;
    if (motion->kind == ElementaryMotion::Kind::kBall) {
      const Vec4 e = quaternion_from_rotation(R);
      return e[0] < 0 ? -e[k] : e[k];  // the smaller one of the two angles that lead there
    }
    if (joint.type->turn_count() > 1) return cross_angles_of(R).phi[motion->axis];
    return joint.turn < 0 ? angle_within_a_turn(joint, at) : turn_angle_[static_cast<std::size_t>(joint.turn)];
  }
}

template <class Algebra>
double MechanismDynamics<Algebra>::joint_velocity(int index, int k) const {
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(index)];
  if (joint.is_edge()) return u_[model_.nodes[static_cast<std::size_t>(joint.node)].u + k];
  const JointPlacement at = placement_now(index);
  const MarkerIndex parent = joint.parent_marker, child = joint.child_marker;
  const ElementaryMotion& motion = motion_of_velocity(*joint.type, k);
  if (motion.kind == ElementaryMotion::Kind::kTranslate) {
    const Vec3 sliding = markers_.velocity(child, at.p_child) - markers_.velocity(parent, at.p_child);
    return axis_of_slide(joint, at, motion.axis).dot(sliding);
  }
  const Vec3 turning = markers_.angular_velocity(child) - markers_.angular_velocity(parent);
  if (motion.kind == ElementaryMotion::Kind::kBall) return at.R_child.col(k).dot(turning);
  if (joint.type->turn_count() == 1) return axis_of_turn(joint, at, motion.axis).dot(turning);
  const RotationMeasure measure = cross_angles_of(at.R_parent.transpose() * at.R_child);
  return measure.A.row(motion.axis).dot(at.R_parent.transpose() * turning);
}

// Where play or elasticity lets the axes tilt against each other, the turn is that of turn_axis.h.
template <class Algebra>
Vec3 MechanismDynamics<Algebra>::axis_of_turn(const Mechanism::Joint& joint, const JointPlacement& at, int axis) const {
  if (std::is_same_v<Algebra, PlanarAlgebra> || !joint.is_loose()) return at.R_parent.col(axis);
  return axis_between(at.R_parent.col(axis), at.R_child.col(axis));
}

// dn/dt at the velocity set.
template <class Algebra>
Vec3 MechanismDynamics<Algebra>::axis_of_turn_rate(const Mechanism::Joint& joint, const JointPlacement& at,
                                                   int axis) const {
  const Vec3 on_parent = at.R_parent.col(axis);
  Vec3 parent_rate = markers_.angular_velocity(joint.parent_marker).cross(on_parent);
  if (std::is_same_v<Algebra, PlanarAlgebra> || !joint.is_loose()) return parent_rate;
  const Vec3 on_child = at.R_child.col(axis);
  return axis_rate_between(on_parent, on_child, parent_rate,
                           markers_.angular_velocity(joint.child_marker).cross(on_child));
}

// Two attitudes tell an angle between -pi and pi.
template <class Algebra>
double MechanismDynamics<Algebra>::angle_within_a_turn(const Mechanism::Joint& joint, const JointPlacement& at) const {
  if (joint.is_loose()) return turn_between(at.R_parent, at.R_child);
  const int axis = joint.type->motions.back().axis, x = (axis + 1) % 3, y = (axis + 2) % 3;
  const Vec3 x_child = at.R_child.col(x);
  return std::atan2(at.R_parent.col(y).dot(x_child), at.R_parent.col(x).dot(x_child));
}

// The angle nearest to what the coordinate behind the tree says: no step turns a joint by half a turn.
template <class Algebra>
double MechanismDynamics<Algebra>::counted_angle(const Mechanism::Turn& turn, const JointPlacement& at,
                                                 double near) const {
  const double angle = angle_within_a_turn(mechanism_->joints[static_cast<std::size_t>(turn.joint)], at);
  return angle + kFullTurn * std::round((near - angle) / kFullTurn);
}

template <class Algebra>
void MechanismDynamics<Algebra>::place_turns() {
  for (std::size_t i = 0; i < turn_angle_.size(); ++i) {
    const Mechanism::Turn& turn = mechanism_->turns[i];
    turn_angle_[i] = counted_angle(turn, placement_[static_cast<std::size_t>(turn.joint)], q_[turn.q]);
  }
}

// After the bodies have moved to q. The kinematics stand beside those of the position set, which must stay.
template <class Algebra>
void MechanismDynamics<Algebra>::move_turns(VecRef q) const {
  if (turn_probe_ == nullptr) return;
  copy_entries(q, turn_probe_->q);
  update_positions(model_, turn_probe_->q, turn_probe_->data);
  for (const Mechanism::Turn& turn : mechanism_->turns) {
    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(turn.joint)];
    JointPlacement at;
    at.R_parent = turn_probe_->markers.axes(joint.parent_marker);
    at.R_child = turn_probe_->markers.axes(joint.child_marker);
    q[turn.q] = counted_angle(turn, at, q[turn.q]);
  }
}

template <class Algebra>
Wrench MechanismDynamics<Algebra>::coordinate_wrench(int index, int k) const {
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(index)];
  const JointPlacement at = placement_now(index);
  const ElementaryMotion& motion = motion_of_velocity(*joint.type, k);
  Wrench wrench;
  wrench.point = at.p_child;
  if (motion.kind == ElementaryMotion::Kind::kTranslate)
    wrench.force = axis_of_slide(joint, at, motion.axis);
  else if (motion.kind == ElementaryMotion::Kind::kBall)
    wrench.torque = at.R_child.col(k);
  else if (joint.type->turn_count() == 1)
    wrench.torque = axis_of_turn(joint, at, motion.axis);
  else
    wrench.torque = at.R_parent * cross_angles_of(at.R_parent.transpose() * at.R_child).A.row(motion.axis).transpose();
  return wrench;
}

// An effort along the coordinate of a joint: on the child, and against it on the parent.
template <class Algebra>
void MechanismDynamics<Algebra>::add_joint_effort(int index, double effort, int k) {
  joint_effort_[static_cast<std::size_t>(index)][static_cast<std::size_t>(k)] += effort;
  apply_effort(index, effort, k);
}

template <class Algebra>
void MechanismDynamics<Algebra>::apply_effort(int index, double effort, int k) {
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(index)];
  if (joint.is_edge()) {
    data_.effort[model_.nodes[static_cast<std::size_t>(joint.node)].u + k] += effort;
    return;
  }
  const Wrench unit = coordinate_wrench(index, k);
  const Wrench along{effort * unit.force, effort * unit.torque, unit.point};
  markers_.add(joint.child_marker, along, 1, data_.external);
  markers_.add(joint.parent_marker, along, -1, data_.external);
}

template <class Algebra>
void MechanismDynamics<Algebra>::joint_parts(JointAxis axis, std::array<RowPart, 2>& parts, double* column) const {
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(axis.joint)];
  if (joint.is_edge()) {
    const MarkerIndex moved = marker_of(mechanism_->nodes[static_cast<std::size_t>(joint.node)].body);
    markers_.begin(moved, moved, parts, column);
    column[model_.nodes[static_cast<std::size_t>(joint.node)].u + axis.coordinate - parts[0].first] = 1;
    return;
  }
  const Wrench along = coordinate_wrench(axis.joint, axis.coordinate);
  markers_.begin(joint.child_marker, joint.parent_marker, parts, column);
  markers_.add(joint.child_marker, along, 1, parts, column);
  markers_.add(joint.parent_marker, along, -1, parts, column);
}

// In the tree the coordinate's rate is one of the velocities. Elsewhere it is a . (v_C - v_P - w_P x r), r = p_C - p_P,
// along an axis a of the parent, or n . (w_C - w_P).
template <class Algebra>
double MechanismDynamics<Algebra>::bias_of_joint(JointAxis axis) const {
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(axis.joint)];
  if (joint.is_edge()) return 0;
  const JointPlacement at = placement_now(axis.joint);
  const MarkerIndex parent = joint.parent_marker, child = joint.child_marker;
  int k = axis.coordinate;
  const ElementaryMotion& motion = motion_of_velocity(*joint.type, k);
  if (motion.kind == ElementaryMotion::Kind::kTranslate) {
    const bool is_curved = joint.slot_radius_m > 0 && motion.axis == 0;
    const double of_curve = is_curved ? slot_way(joint, at).bias_along(sliding_rate(joint, at)) : 0;
    const Vec3 a = axis_of_slide(joint, at, motion.axis), a_rate = markers_.angular_velocity(parent).cross(a);
    const Vec3 sliding = markers_.velocity(child, at.p_child) - markers_.velocity(parent, at.p_child);
    // The parent's velocity is taken at a place that moves with the child: w_P x (v_C - v_P) on top of its own bias.
    return of_curve + a_rate.dot(sliding) +
           a.dot(markers_.bias(child, at.p_child) - markers_.bias(parent, at.p_child) -
                 markers_.angular_velocity(parent).cross(sliding));
  }
  const Vec3 turning = markers_.angular_velocity(child) - markers_.angular_velocity(parent);
  return axis_of_turn_rate(joint, at, motion.axis).dot(turning) +
         axis_of_turn(joint, at, motion.axis).dot(markers_.angular_bias(child) - markers_.angular_bias(parent));
}

}  // namespace freeplay::mechanism
