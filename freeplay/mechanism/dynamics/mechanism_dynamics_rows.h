// Bilateral rows of a mechanism: positions g, Jacobian W, bias zeta. Included by mechanism_dynamics_evaluation.h only.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/mechanism/dynamics/mechanism_dynamics.h"

namespace freeplay::mechanism {

// Coefficients of rows are lever arms, in m, and cosines; below this they are rounding.
inline constexpr double kSmallestArm = 1e-13;

template <class Algebra>
Vec3 MechanismDynamics<Algebra>::point_of(std::size_t node, const Vec3& local) const {
  return Algebra::position(data_.pose[node]) + Algebra::matrix(data_.pose[node].rotation) * local;
}

template <class Algebra>
Vec3 MechanismDynamics<Algebra>::velocity_of(std::size_t node, const Vec3& point) const {
  return Algebra::velocity_at(data_.v[node], point, origin(node));
}

template <class Algebra>
Vec3 MechanismDynamics<Algebra>::bias_acceleration_of(std::size_t node, const Vec3& point) const {
  // A spatial acceleration is the rate of the velocity field at a fixed place; the material point adds w x v. Rows are
  // relative: gravity, which the ground has too, drops out.
  return Algebra::velocity_at(data_.bias[node], point, origin(node)) +
         Algebra::angular(data_.v[node]).cross(velocity_of(node, point));
}

template <class Algebra>
typename MechanismDynamics<Algebra>::JointPlacement MechanismDynamics<Algebra>::placement(
    const Mechanism::Joint& joint) const {
  const std::size_t parent = node_of(joint.parent), child = node_of(joint.child);
  return {Algebra::matrix(data_.pose[parent].rotation) * joint.parent_frame.R,
          Algebra::matrix(data_.pose[child].rotation) * joint.child_frame.R, point_of(parent, joint.parent_frame.p),
          point_of(child, joint.child_frame.p)};
}

template <class Algebra>
void MechanismDynamics<Algebra>::place_rows() {
  for (std::size_t r = 0; r < row_wrench_.size(); ++r) {
    const Row& row = mechanism_->rows[r];
    if (row.kind == Row::Kind::kCoordinate) continue;
    const JointPlacement& at = placement_[static_cast<std::size_t>(row.joint)];
    RowWrench& wrench = row_wrench_[r];
    wrench.point = at.p_child;
    switch (row.kind) {
      case Row::Kind::kPoint:
      case Row::Kind::kRelativeTranslation:
        wrench.force = at.R_parent.col(row.axis_parent);
        break;
      case Row::Kind::kDot:
        // d(a.b)/dt = (b x a) . (w_child - w_parent), a on the parent, b on the child.
        wrench.torque = at.R_child.col(row.axis_child).cross(at.R_parent.col(row.axis_parent));
        break;
      case Row::Kind::kRelativeRotation:
        wrench.torque = at.R_parent.col(row.axis_parent);
        break;
      case Row::Kind::kCoordinate:
        break;
    }
  }
}

template <class Algebra>
void MechanismDynamics<Algebra>::row_positions(VecRef g) {
  for (std::size_t r = 0; r < mechanism_->rows.size(); ++r) {
    const Row& row = mechanism_->rows[r];
    double& value = g[static_cast<Eigen::Index>(r)];
    if (row.kind == Row::Kind::kCoordinate) {
      value = q_[row.q] - motion_value(row);
      continue;
    }
    const JointPlacement& at = placement_[static_cast<std::size_t>(row.joint)];
    switch (row.kind) {
      case Row::Kind::kPoint:
      case Row::Kind::kRelativeTranslation:
        value = at.R_parent.col(row.axis_parent).dot(at.p_child - at.p_parent) - motion_value(row);
        break;
      case Row::Kind::kDot:
        value = at.R_parent.col(row.axis_parent).dot(at.R_child.col(row.axis_child));
        break;
      case Row::Kind::kRelativeRotation:
        // A loop-closing joint has no coordinate that counts turns.
        value = std::remainder(joint_coordinate(row.joint) - motion_value(row), 2 * std::numbers::pi);
        break;
      case Row::Kind::kCoordinate:
        break;
    }
  }
}

template <class Algebra>
void MechanismDynamics<Algebra>::add_wrench(std::size_t node, const Force& force, double sign, Eigen::Ref<MatX> W,
                                            Eigen::Index column) const {
  for (; node > 0; node = static_cast<std::size_t>(model_.nodes[node].parent)) {
    for (int k = model_.nodes[node].u; k < model_.nodes[node].u_end; ++k) {
      W(k, column) += sign * Algebra::dot(data_.S[static_cast<std::size_t>(k)], force);
    }
  }
}

template <class Algebra>
int MechanismDynamics<Algebra>::begin_parts(std::size_t a, std::size_t b, std::array<RowPart, 2>& parts,
                                            double* values) const {
  parts = {tree_[a], tree_[b]};
  if (parts[0].first == parts[1].first && parts[0].size > 0) parts[1] = {};
  const int count = parts[0].size + parts[1].size;
  std::fill_n(values, count, 0.0);
  return count;
}

template <class Algebra>
void MechanismDynamics<Algebra>::add_wrench(std::size_t node, const Force& force, double sign,
                                            const std::array<RowPart, 2>& parts, double* values) const {
  const bool is_in_first = tree_[node].first == parts[0].first && parts[0].size > 0;
  const int shift = is_in_first ? -parts[0].first : parts[0].size - parts[1].first;
  for (; node > 0; node = static_cast<std::size_t>(model_.nodes[node].parent)) {
    for (int k = model_.nodes[node].u; k < model_.nodes[node].u_end; ++k) {
      values[k + shift] += sign * Algebra::dot(data_.S[static_cast<std::size_t>(k)], force);
    }
  }
}

template <class Algebra>
double MechanismDynamics<Algebra>::row_parts(int index, std::array<RowPart, 2>& parts, double* values) {
  const Row& row = mechanism_->rows[static_cast<std::size_t>(index)];
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(row.joint)];
  const std::size_t parent = node_of(joint.parent), child = node_of(joint.child);
  const double w_tilde = row.driver < 0 ? 0 : -motion_[static_cast<std::size_t>(row.driver)].rate;
  if (row.kind == Row::Kind::kCoordinate) {
    const std::size_t moved = static_cast<std::size_t>(joint.node);
    begin_parts(moved, moved, parts, values);
    values[row.u - parts[0].first] = 1;
    return w_tilde;
  }
  const RowWrench& wrench = row_wrench_[static_cast<std::size_t>(index)];
  const int count = begin_parts(child, parent, parts, values);
  add_wrench(child, Algebra::force_at(wrench.force, wrench.torque, wrench.point, origin(child)), 1, parts, values);
  add_wrench(parent, Algebra::force_at(wrench.force, wrench.torque, wrench.point, origin(parent)), -1, parts, values);
  const auto is_rounding = [](double value) { return std::abs(value) < kSmallestArm; };  // as in row_jacobian()
  if (std::all_of(values, values + count, is_rounding)) std::fill_n(values, count, 0.0);
  return w_tilde;
}

template <class Algebra>
void MechanismDynamics<Algebra>::row_jacobian(BilateralRows& rows) {
  rows.W.setZero();
  for (std::size_t i = 0; i < mechanism_->rows.size(); ++i) {
    const Row& row = mechanism_->rows[i];
    const Eigen::Index r = static_cast<Eigen::Index>(i);
    rows.w_tilde[r] = row.driver < 0 ? 0 : -motion_[static_cast<std::size_t>(row.driver)].rate;
    if (row.kind == Row::Kind::kCoordinate) {
      rows.W(row.u, r) = 1;
      continue;
    }
    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(row.joint)];
    const std::size_t parent = node_of(joint.parent), child = node_of(joint.child);
    const RowWrench& wrench = row_wrench_[i];
    // Two bodies of one tree share O, so what their common ancestors contribute cancels exactly.
    add_wrench(child, Algebra::force_at(wrench.force, wrench.torque, wrench.point, origin(child)), 1, rows.W, r);
    add_wrench(parent, Algebra::force_at(wrench.force, wrench.torque, wrench.point, origin(parent)), -1, rows.W, r);
    // Where all axes meet in a point, nothing moves it, and rounding is all that its rows hold. Whoever scales rows to
    // unit length would make constraints of that.
    if (rows.W.rows() > 0 && rows.W.col(r).template lpNorm<Eigen::Infinity>() < kSmallestArm) rows.W.col(r).setZero();
  }
}

template <class Algebra>
void MechanismDynamics<Algebra>::row_bias(VecRef zeta) {
  for (std::size_t i = 0; i < mechanism_->rows.size(); ++i) {
    const Row& row = mechanism_->rows[i];
    double& value = zeta[static_cast<Eigen::Index>(i)];
    value = row.driver < 0 ? 0 : -motion_[static_cast<std::size_t>(row.driver)].acceleration;
    if (row.kind == Row::Kind::kCoordinate) continue;

    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(row.joint)];
    const JointPlacement& at = placement_[static_cast<std::size_t>(row.joint)];
    const std::size_t parent = node_of(joint.parent), child = node_of(joint.child);
    const Vec3 w_parent = Algebra::angular(data_.v[parent]), w_child = Algebra::angular(data_.v[child]);
    const Vec3 alpha_parent = Algebra::angular(data_.bias[parent]), alpha_child = Algebra::angular(data_.bias[child]);
    const Vec3 a = at.R_parent.col(row.axis_parent);
    switch (row.kind) {
      case Row::Kind::kPoint:
      case Row::Kind::kRelativeTranslation: {
        // gamma = a . (v_C - v_P - w_P x r),  r = p_C - p_P
        const Vec3 r = at.p_child - at.p_parent;
        const Vec3 r_rate = velocity_of(child, at.p_child) - velocity_of(parent, at.p_parent);
        const Vec3 relative = r_rate - w_parent.cross(r);
        const Vec3 relative_rate = bias_acceleration_of(child, at.p_child) - bias_acceleration_of(parent, at.p_parent) -
                                   alpha_parent.cross(r) - w_parent.cross(r_rate);
        value += w_parent.cross(a).dot(relative) + a.dot(relative_rate);
        break;
      }
      case Row::Kind::kDot: {
        const Vec3 b = at.R_child.col(row.axis_child);
        const Vec3 direction_rate = w_child.cross(b).cross(a) + b.cross(w_parent.cross(a));
        value += b.cross(a).dot(alpha_child - alpha_parent) + direction_rate.dot(w_child - w_parent);
        break;
      }
      case Row::Kind::kRelativeRotation:
        value += a.dot(alpha_child - alpha_parent) + w_parent.cross(a).dot(w_child - w_parent);
        break;
      case Row::Kind::kCoordinate:
        break;
    }
  }
}

}  // namespace freeplay::mechanism
