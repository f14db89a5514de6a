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
  if (markers_.write_between_free_bodies(on.a.marker, on.b.marker, on.direction, on.point_a, on.point_b, parts, column))
    return;
  markers_.begin(on.a.marker, on.b.marker, parts, column);
  markers_.add(on.a.marker, {on.direction, Vec3::Zero(), on.point_a}, 1, parts, column);
  markers_.add(on.b.marker, {on.direction, Vec3::Zero(), on.point_b}, -1, parts, column);
}

template <class Algebra>
void MechanismDynamics<Algebra>::add_load(const Interaction& on, double force) {
  const Vec3 vector = force * on.direction;
  markers_.add(on.a.marker, {vector, Vec3::Zero(), on.point_a}, 1, data_.external);
  markers_.add(on.b.marker, {vector, Vec3::Zero(), on.point_b}, -1, data_.external);
  has_contact_loads_ = true;
}

template <class Algebra>
void MechanismDynamics<Algebra>::add_effort(JointAxis axis, double effort) {
  apply_effort(axis.joint, effort, axis.coordinate);
  has_contact_loads_ = true;
}

template <class Algebra>
void MechanismDynamics<Algebra>::clear_contact_forces() {
  if (!has_contact_forces_) return;  // as in most steps of a mechanism with play
  has_contact_forces_ = false;
  for (Force& force : contact_force_) force = Force{};
  for (JointEfforts& efforts : contact_effort_) efforts = {};
  for (Wrench& wrench : play_wrench_) wrench.force = wrench.torque = Vec3::Zero();
}

template <class Algebra>
void MechanismDynamics<Algebra>::add_contact_force(const Interaction& on, double force) {
  has_contact_forces_ = true;
  const Vec3 vector = force * on.direction;
  markers_.add(on.a.marker, {vector, Vec3::Zero(), on.point_a}, 1, contact_force_);
  markers_.add(on.b.marker, {vector, Vec3::Zero(), on.point_b}, -1, contact_force_);
  if (on.joint < 0) return;
  Wrench& through = play_wrench_[static_cast<std::size_t>(on.joint)];
  through.force += vector;
  const MarkerIndex on_child = mechanism_->joints[static_cast<std::size_t>(on.joint)].child_marker;
  through.torque += (on.point_a - markers_.position(on_child)).cross(vector);
}

// Inside a tree joint an effort is part of what the joint passes on; outside of the tree it acts on both bodies.
template <class Algebra>
void MechanismDynamics<Algebra>::add_contact_effort(JointAxis axis, double effort) {
  has_contact_forces_ = true;
  const std::size_t index = static_cast<std::size_t>(axis.joint);
  const Mechanism::Joint& joint = mechanism_->joints[index];
  contact_effort_[index][static_cast<std::size_t>(axis.coordinate)] += effort;
  if (joint.is_edge()) return;
  const Wrench unit = coordinate_wrench(axis.joint, axis.coordinate);
  const Wrench along{effort * unit.force, effort * unit.torque, unit.point};
  markers_.add(joint.child_marker, along, 1, contact_force_);
  markers_.add(joint.parent_marker, along, -1, contact_force_);
}

}  // namespace freeplay::mechanism
