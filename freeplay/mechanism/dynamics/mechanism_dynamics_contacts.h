// What contacts ask of a mechanism. Included by mechanism_dynamics_evaluation.h only.
#pragma once

#include "freeplay/mechanism/dynamics/mechanism_dynamics.h"

namespace freeplay::mechanism {

template <class Algebra>
void MechanismDynamics<Algebra>::placements(std::span<const MarkerIndex> markers, std::span<Frame> out) const {
  for (std::size_t i = 0; i < markers.size(); ++i) markers_.pose(markers[i], out[i]);
}

template <class Algebra>
void MechanismDynamics<Algebra>::marker_columns(MarkerIndex marker, Eigen::Ref<MatX> W) const {
  W.setZero();
  const Vec3 point = markers_.position(marker);
  for (int k = 0; k < 3; ++k) {
    markers_.add(marker, {Vec3::Unit(k), Vec3::Zero(), point}, 1, W, k);
    markers_.add(marker, {Vec3::Zero(), Vec3::Unit(k), point}, 1, W, 3 + k);
  }
}

template <class Algebra>
void MechanismDynamics<Algebra>::velocities(std::span<const MarkerIndex> markers, std::span<MarkerVelocity> out) const {
  for (std::size_t i = 0; i < markers.size(); ++i) {
    out[i] = {markers_.velocity(markers[i], markers_.position(markers[i])), markers_.angular_velocity(markers[i])};
  }
}

template <class Algebra>
void MechanismDynamics<Algebra>::biases(std::span<const MarkerIndex> markers, std::span<MarkerBias> out) const {
  for (std::size_t i = 0; i < markers.size(); ++i) {
    out[i] = {markers_.bias(markers[i], markers_.position(markers[i])), markers_.angular_bias(markers[i])};
  }
}

template <class Algebra>
void MechanismDynamics<Algebra>::interaction_parts(const Interaction& on, std::array<RowPart, 2>& parts,
                                                   double* column) {
  markers_.begin(on.a.marker, on.b.marker, parts, column);
  markers_.add(on.a.marker, {on.direction, Vec3::Zero(), on.point_a}, 1, parts, column);
  markers_.add(on.b.marker, {on.direction, Vec3::Zero(), on.point_b}, -1, parts, column);
}

template <class Algebra>
void MechanismDynamics<Algebra>::joint_parts(int index, std::array<RowPart, 2>& parts, double* column) const {
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(index)];
  if (joint.is_edge()) {
    const MarkerIndex moved = marker_of(mechanism_->nodes[static_cast<std::size_t>(joint.node)].body);
    markers_.begin(moved, moved, parts, column);
    column[model_.nodes[static_cast<std::size_t>(joint.node)].u - parts[0].first] = 1;
    return;
  }
  const Wrench along = coordinate_wrench(index);
  markers_.begin(joint.child_marker, joint.parent_marker, parts, column);
  markers_.add(joint.child_marker, along, 1, parts, column);
  markers_.add(joint.parent_marker, along, -1, parts, column);
}

// In the tree the coordinate's rate is one of the velocities. Elsewhere it is along an axis a of the parent:
// a . (v_C - v_P - w_P x r), r = p_C - p_P, or a . (w_C - w_P).
template <class Algebra>
double MechanismDynamics<Algebra>::bias_of_joint(int index) const {
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(index)];
  if (joint.is_edge()) return 0;
  const JointPlacement& at = placement_[static_cast<std::size_t>(index)];
  const MarkerIndex parent = joint.parent_marker, child = joint.child_marker;
  const ElementaryMotion& motion = joint.type->motions.front();
  const Vec3 a = at.R_parent.col(motion.axis), a_rate = markers_.angular_velocity(parent).cross(a);
  if (motion.kind == ElementaryMotion::Kind::kTranslate) {
    const Vec3 sliding = markers_.velocity(child, at.p_child) - markers_.velocity(parent, at.p_child);
    // The parent's velocity is taken at a place that moves with the child: w_P x (v_C - v_P) on top of its own bias.
    return a_rate.dot(sliding) + a.dot(markers_.bias(child, at.p_child) - markers_.bias(parent, at.p_child) -
                                       markers_.angular_velocity(parent).cross(sliding));
  }
  return a_rate.dot(markers_.angular_velocity(child) - markers_.angular_velocity(parent)) +
         a.dot(markers_.angular_bias(child) - markers_.angular_bias(parent));
}

template <class Algebra>
void MechanismDynamics<Algebra>::add_load(const Interaction& on, double force) {
  const Vec3 vector = force * on.direction;
  markers_.add(on.a.marker, {vector, Vec3::Zero(), on.point_a}, 1, data_.external);
  markers_.add(on.b.marker, {vector, Vec3::Zero(), on.point_b}, -1, data_.external);
  has_contact_loads_ = true;
}

template <class Algebra>
void MechanismDynamics<Algebra>::clear_contact_forces() {
  for (Force& force : contact_force_) force = Force{};
  for (double& effort : contact_effort_) effort = 0;
}

template <class Algebra>
void MechanismDynamics<Algebra>::add_contact_force(const Interaction& on, double force) {
  const Vec3 vector = force * on.direction;
  markers_.add(on.a.marker, {vector, Vec3::Zero(), on.point_a}, 1, contact_force_);
  markers_.add(on.b.marker, {vector, Vec3::Zero(), on.point_b}, -1, contact_force_);
}

// Inside a tree joint an effort is part of what the joint passes on; outside of the tree it acts on both bodies.
template <class Algebra>
void MechanismDynamics<Algebra>::add_contact_effort(int index, double effort) {
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(index)];
  contact_effort_[static_cast<std::size_t>(index)] += effort;
  if (joint.is_edge()) return;
  const Wrench unit = coordinate_wrench(index);
  const Wrench along{effort * unit.force, effort * unit.torque, unit.point};
  markers_.add(joint.child_marker, along, 1, contact_force_);
  markers_.add(joint.parent_marker, along, -1, contact_force_);
}

}  // namespace freeplay::mechanism
