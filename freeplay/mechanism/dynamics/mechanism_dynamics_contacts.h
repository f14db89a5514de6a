// What contacts ask of a mechanism. Included by mechanism_dynamics_evaluation.h only.
#pragma once

#include <algorithm>
#include <iterator>

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

// The velocities of the tree that a node belongs to; none for what is fixed to the ground.
template <class Algebra>
RowPart MechanismDynamics<Algebra>::tree_of(std::size_t node) const {
  for (int at = static_cast<int>(node); at > 0; at = model_.nodes[static_cast<std::size_t>(at)].parent) {
    const auto& here = model_.nodes[static_cast<std::size_t>(at)];
    if (here.u == here.u_end) continue;
    const std::vector<MassStructure::Block>& blocks = mechanism_->mass_structure().blocks;
    const auto behind = std::upper_bound(blocks.begin(), blocks.end(), here.u,
                                         [](int u, const MassStructure::Block& block) { return u < block.first; });
    return {std::prev(behind)->first, std::prev(behind)->size};
  }
  return {};
}

template <class Algebra>
void MechanismDynamics<Algebra>::interaction_parts(const Interaction& on, std::array<RowPart, 2>& parts,
                                                   double* column) {
  const std::size_t a = node_of(on.a), b = node_of(on.b);
  if (one_column_.rows() == 0) one_column_ = MatX::Zero(u_.size(), 1);
  parts = {tree_of(a), tree_of(b)};
  if (parts[0].first == parts[1].first && parts[0].size > 0 && parts[1].size > 0) parts[1] = {};
  add_wrench(a, Algebra::force_at(on.direction, Vec3::Zero(), on.point_a, origin(a)), 1, one_column_, 0);
  add_wrench(b, Algebra::force_at(on.direction, Vec3::Zero(), on.point_b, origin(b)), -1, one_column_, 0);
  for (const RowPart& part : parts) {
    for (int i = part.first; i < part.first + part.size; ++i) {
      *column++ = one_column_(i, 0);
      one_column_(i, 0) = 0;  // only these were touched: it is all zeros again
    }
  }
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
