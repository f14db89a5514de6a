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
void MechanismDynamics<Algebra>::place_rows() {
  for (std::size_t r = 0; r < row_wrench_.size(); ++r) {
    const Row& row = mechanism_->rows[r];
    if (row.joint < 0 || row.kind == Row::Kind::kCoordinate) continue;
    const JointPlacement& at = placement_[static_cast<std::size_t>(row.joint)];
    Wrench& wrench = row_wrench_[r];
    switch (row.kind) {
      case Row::Kind::kPoint:
      case Row::Kind::kRelativeTranslation:
      case Row::Kind::kDot:
        place_row(row, at, wrench);
        break;
      case Row::Kind::kWay:
        wrench.point = at.p_child;
        wrench.force = at.R_parent * slot_way(mechanism_->joints[static_cast<std::size_t>(row.joint)], at).n;
        break;
      case Row::Kind::kRelativeRotation:
        wrench.point = at.p_child;
        wrench.torque = axis_of_turn(mechanism_->joints[static_cast<std::size_t>(row.joint)], at, row.axis_parent);
        break;
      case Row::Kind::kCoordinate:
      case Row::Kind::kCoupling:
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
    if (row.kind == Row::Kind::kCoupling) {
      value = coupling_position(mechanism_->couplings[static_cast<std::size_t>(row.coupling)]);
      continue;
    }
    const JointPlacement& at = placement_[static_cast<std::size_t>(row.joint)];
    switch (row.kind) {
      case Row::Kind::kPoint:
      case Row::Kind::kRelativeTranslation:
        value = row_position(row, at) - motion_value(row);
        break;
      case Row::Kind::kDot:
        value = row_position(row, at);
        break;
      case Row::Kind::kWay:
        value = slot_way(mechanism_->joints[static_cast<std::size_t>(row.joint)], at).to_the_left();
        break;
      case Row::Kind::kRelativeRotation:
        // Where nothing else needs them, the turns of a loop-closing joint are not counted.
        value = std::remainder(joint_coordinate(row.joint) - motion_value(row), 2 * std::numbers::pi);
        break;
      case Row::Kind::kCoordinate:
      case Row::Kind::kCoupling:
        break;
    }
  }
}

template <class Algebra>
double MechanismDynamics<Algebra>::row_parts(int index, std::array<RowPart, 2>& parts, double* values) {
  const Row& row = mechanism_->rows[static_cast<std::size_t>(index)];
  if (row.kind == Row::Kind::kCoupling) {
    coupling_parts(mechanism_->couplings[static_cast<std::size_t>(row.coupling)], 0, parts, values);
    return 0;
  }
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(row.joint)];
  const double w_tilde = row.driver < 0 ? 0 : -motion_[static_cast<std::size_t>(row.driver)].rate;
  if (row.kind == Row::Kind::kCoordinate) {
    const MarkerIndex moved = mechanism_->nodes[static_cast<std::size_t>(joint.node)].child_marker;
    markers_.begin(moved, moved, parts, values);
    values[row.u - parts[0].first] = 1;
    return w_tilde;
  }
  const Wrench& wrench = row_wrench_[static_cast<std::size_t>(index)];
  const int count = markers_.begin(joint.child_marker, joint.parent_marker, parts, values);
  markers_.add(joint.child_marker, wrench, 1, parts, values);
  markers_.add(joint.parent_marker, wrench, -1, parts, values);
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
    if (row.kind == Row::Kind::kCoupling) {
      std::array<RowPart, 2> parts;
      const double* entry = coupling_column_.data();
      coupling_parts(mechanism_->couplings[static_cast<std::size_t>(row.coupling)], 0, parts, coupling_column_.data());
      for (const RowPart& part : parts) {
        for (int k = part.first; k < part.first + part.size; ++k) rows.W(k, r) = *entry++;
      }
      continue;
    }
    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(row.joint)];
    // Two bodies of one tree share O, so what their common ancestors contribute cancels exactly (deep trees: nearly).
    markers_.add(joint.child_marker, row_wrench_[i], 1, rows.W, r);
    markers_.add(joint.parent_marker, row_wrench_[i], -1, rows.W, r);
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
    if (row.kind == Row::Kind::kCoupling) {
      value = coupling_bias(mechanism_->couplings[static_cast<std::size_t>(row.coupling)]);
      continue;
    }

    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(row.joint)];
    const JointPlacement& at = placement_[static_cast<std::size_t>(row.joint)];
    const MarkerIndex parent = joint.parent_marker, child = joint.child_marker;
    const Vec3 w_parent = markers_.angular_velocity(parent), w_child = markers_.angular_velocity(child);
    const Vec3 alpha_parent = markers_.angular_bias(parent), alpha_child = markers_.angular_bias(child);
    const Vec3 a = row.kind == Row::Kind::kWay ? row_wrench_[i].force : at.R_parent.col(row.axis_parent);
    switch (row.kind) {
      case Row::Kind::kWay:
        value += slot_way(joint, at).bias_to_the_left(sliding_rate(joint, at));
        [[fallthrough]];  // what is left is that of a direction that does not turn in the parent
      case Row::Kind::kPoint:
      case Row::Kind::kRelativeTranslation: {
        // gamma = a . (v_C - v_P - w_P x r),  r = p_C - p_P
        const Vec3 r = at.p_child - at.p_parent;
        const Vec3 r_rate = markers_.velocity(child, at.p_child) - markers_.velocity(parent, at.p_parent);
        const Vec3 relative = r_rate - w_parent.cross(r);
        const Vec3 relative_rate = markers_.bias(child, at.p_child) - markers_.bias(parent, at.p_parent) -
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
        value += bias_of_joint({row.joint, 0});
        break;
      case Row::Kind::kCoordinate:
      case Row::Kind::kCoupling:
        break;
    }
  }
}

}  // namespace freeplay::mechanism
