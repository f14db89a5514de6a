// What contacts ask of a mechanism. Included by mechanism_dynamics_evaluation.h only.
#pragma once

#include "freeplay/mechanism/dynamics/mechanism_dynamics.h"

namespace freeplay::mechanism {

template <class Algebra>
void MechanismDynamics<Algebra>::placements(std::span<const BodyIndex> bodies, std::span<Frame> out) const {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const typename Algebra::Pose& pose = data_.pose[node_of(bodies[i])];
    Algebra::place(pose, out[i].R, out[i].p);
  }
}

template <class Algebra>
void MechanismDynamics<Algebra>::velocities(std::span<const BodyIndex> bodies, std::span<BodyVelocity> out) const {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::size_t node = node_of(bodies[i]);
    out[i] = {velocity_of(node, Algebra::position(data_.pose[node])), Algebra::angular(data_.v[node])};
  }
}

template <class Algebra>
void MechanismDynamics<Algebra>::interaction_columns(std::span<const Interaction> interactions, Eigen::Ref<MatX> W,
                                                     int first) const {
  for (std::size_t i = 0; i < interactions.size(); ++i) {
    const Interaction& on = interactions[i];
    const Eigen::Index column = first + static_cast<Eigen::Index>(i);
    const std::size_t a = node_of(on.a), b = node_of(on.b);
    W.col(column).setZero();
    add_wrench(a, Algebra::force_at(on.direction, Vec3::Zero(), on.point_a, origin(a)), 1, W, column);
    add_wrench(b, Algebra::force_at(on.direction, Vec3::Zero(), on.point_b, origin(b)), -1, W, column);
  }
}

template <class Algebra>
void MechanismDynamics<Algebra>::interaction_parts(const Interaction& on, std::array<RowPart, 2>& parts,
                                                   double* column) {
  const std::size_t a = node_of(on.a), b = node_of(on.b);
  begin_parts(a, b, parts, column);
  add_wrench(a, Algebra::force_at(on.direction, Vec3::Zero(), on.point_a, origin(a)), 1, parts, column);
  add_wrench(b, Algebra::force_at(on.direction, Vec3::Zero(), on.point_b, origin(b)), -1, parts, column);
}

template <class Algebra>
void MechanismDynamics<Algebra>::joint_column(int index, Eigen::Ref<MatX> W, int column) const {
  W.col(column).setZero();
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(index)];
  if (joint.is_edge()) {
    W(model_.nodes[static_cast<std::size_t>(joint.node)].u, column) = 1;
    return;
  }
  const RowWrench along = coordinate_wrench(index);
  const std::size_t parent = node_of(joint.parent), child = node_of(joint.child);
  add_wrench(child, Algebra::force_at(along.force, along.torque, along.point, origin(child)), 1, W, column);
  add_wrench(parent, Algebra::force_at(along.force, along.torque, along.point, origin(parent)), -1, W, column);
}

template <class Algebra>
void MechanismDynamics<Algebra>::add_load(const Interaction& on, double force) {
  const std::size_t a = node_of(on.a), b = node_of(on.b);
  data_.external[a] += Algebra::force_at(force * on.direction, Vec3::Zero(), on.point_a, origin(a));
  data_.external[b] -= Algebra::force_at(force * on.direction, Vec3::Zero(), on.point_b, origin(b));
  has_contact_loads_ = true;
}

template <class Algebra>
void MechanismDynamics<Algebra>::clear_contact_forces() {
  for (Force& force : contact_force_) force = Force{};
  for (double& effort : contact_effort_) effort = 0;
}

template <class Algebra>
void MechanismDynamics<Algebra>::add_contact_force(const Interaction& on, double force) {
  const std::size_t a = node_of(on.a), b = node_of(on.b);
  contact_force_[a] += Algebra::force_at(force * on.direction, Vec3::Zero(), on.point_a, origin(a));
  contact_force_[b] -= Algebra::force_at(force * on.direction, Vec3::Zero(), on.point_b, origin(b));
}

// Inside a tree joint an effort is part of what the joint passes on; outside of the tree it acts on both bodies.
template <class Algebra>
void MechanismDynamics<Algebra>::add_contact_effort(int index, double effort) {
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(index)];
  contact_effort_[static_cast<std::size_t>(index)] += effort;
  if (joint.is_edge()) return;
  const RowWrench along = coordinate_wrench(index);
  const std::size_t parent = node_of(joint.parent), child = node_of(joint.child);
  contact_force_[child] += Algebra::force_at(effort * along.force, effort * along.torque, along.point, origin(child));
  contact_force_[parent] -= Algebra::force_at(effort * along.force, effort * along.torque, along.point, origin(parent));
}

}  // namespace freeplay::mechanism
