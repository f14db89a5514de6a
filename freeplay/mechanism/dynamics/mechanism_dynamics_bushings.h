// Bushings of a mechanism. Included by mechanism_dynamics_evaluation.h only.
#pragma once

#include <limits>
#include <type_traits>

#include "freeplay/mechanism/description/bushing.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics.h"

namespace freeplay::mechanism {

template <class Algebra>
Vec3 MechanismDynamics<Algebra>::displacement(const Mechanism::Bushing& bushing) const {
  const JointPlacement& at = placement_[static_cast<std::size_t>(bushing.joint)];
  Vec3 d = at.R_parent.transpose() * (at.p_child - at.p_parent);
  const double radius = mechanism_->joints[static_cast<std::size_t>(bushing.joint)].slot_radius_m;
  if (!(radius > 0)) return d;
  const SlotWay way(radius, d);
  return {way.along(), way.to_the_left(), d.z()};
}

// Of a pin in a curved slot: the gradients of these in the axes of the joint's frame on the parent, one per row.
template <class Algebra>
Mat3 MechanismDynamics<Algebra>::displacement_gradients(const Mechanism::Joint& joint, const JointPlacement& at) const {
  const SlotWay way = slot_way(joint, at);
  Mat3 gradients = Mat3::Identity();
  gradients.row(0) = way.gradient_along().transpose();
  gradients.row(1) = way.n.transpose();
  return gradients;
}

template <class Algebra>
std::array<double, 6> MechanismDynamics<Algebra>::bushing_load(int joint) const {
  const Mechanism::Joint& at = mechanism_->joints[static_cast<std::size_t>(joint)];
  const Wrench& wrench = bushing_wrench_[static_cast<std::size_t>(at.bushing)];
  const Mat3& axes = placement_[static_cast<std::size_t>(joint)].R_parent;
  const Vec3 force = axes.transpose() * wrench.force, moment = axes.transpose() * wrench.torque;
  return {force.x(), force.y(), force.z(), moment.x(), moment.y(), moment.z()};
}

template <class Algebra>
RotationMeasure MechanismDynamics<Algebra>::rotation(const Mechanism::Bushing& bushing) const {
  const std::size_t index = static_cast<std::size_t>(bushing.joint);
  const Mechanism::Joint& joint = mechanism_->joints[index];
  if constexpr (std::is_same_v<Algebra, PlanarAlgebra>) {
    // The bodies' angles count turns, so the bushing does too.
    RotationMeasure measure;
    measure.phi.z() = markers_.angle_between(joint.parent_marker, joint.child_marker, frame_angle_[index]);
    return measure;
  } else {
    const JointPlacement& at = placement_[index];
    const Mat3 R = at.R_parent.transpose() * at.R_child;
    // What turns freely about z, or about x and y as a universal joint does, may turn for ever; turns about z are
    // counted. Elsewhere no axis is preferred.
    switch (joint.type->turn_count()) {
      case 1: {
        RotationMeasure measure = tilt_and_turn_of(R);
        measure.phi.z() = turn_angle_[static_cast<std::size_t>(joint.turn)];
        return measure;
      }
      case 2:
        return cross_angles_of(R);
      default:
        return rotation_vector_of(R);
    }
  }
}

template <class Algebra>
double MechanismDynamics<Algebra>::strand_tension(const Mechanism::Strand& strand) const {
  constexpr int kAxes = std::is_same_v<Algebra, PlanarAlgebra> ? 2 : 3;
  double sum = 0;
  int count = 0;
  for (const int b : strand.bushings) {
    const Mechanism::Bushing& bushing = mechanism_->bushings[static_cast<std::size_t>(b)];
    const Vec3& at = placement_[static_cast<std::size_t>(bushing.joint)].p_parent;
    bool is_inside = true;
    for (int k = 0; k < kAxes; ++k)
      is_inside = is_inside && at[k] >= strand.lower_corner[k] && at[k] <= strand.upper_corner[k];
    if (!is_inside) continue;
    sum += elastic_force(bushing.law.stiffness_N_m, bushing.law.cubic_stiffness_N_m3, displacement(bushing)).norm();
    ++count;
  }
  return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

// Force and torque act on the child at its point p_C, the opposite ones on the parent at the same place: then the power
// is that of the displacement's rate as the parent sees it,  d' = R_P^T (v_C - v_P - w_P x r),  and no moment is lost.
// The damping of turning acts on the relative angular velocity, not on the rate of phi: it is then the same in every
// attitude. Both agree where the rotation is small. The axes of a universal joint do not stand still in the parent, so
// there it must be the rate: otherwise the damping of what the joint holds would brake what it lets turn.
template <class Algebra>
void MechanismDynamics<Algebra>::apply_bushings() {
  for (std::size_t b = 0; b < bushing_wrench_.size(); ++b) {
    const Mechanism::Bushing& bushing = mechanism_->bushings[b];
    const BushingSpec& law = bushing.law;
    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(bushing.joint)];
    const JointPlacement& at = placement_[static_cast<std::size_t>(bushing.joint)];
    const MarkerIndex parent = joint.parent_marker, child = joint.child_marker;
    const bool is_curved = joint.slot_radius_m > 0;
    const Mat3 gradients = is_curved ? displacement_gradients(joint, at) : Mat3();
    Vec3 d_rate = sliding_rate(joint, at);
    if (is_curved) d_rate = Vec3(gradients * d_rate);
    const Vec3 omega = at.R_parent.transpose() * (markers_.angular_velocity(child) - markers_.angular_velocity(parent));
    const Vec3 drag = law.damping_Ns_m.cwiseProduct(d_rate);
    const RotationMeasure turned = rotation(bushing);
    const Mat3 damped_axes = joint.type->turn_count() == 2 ? turned.A : Mat3(Mat3::Identity());
    const Vec3 turn_rate = damped_axes * omega;
    const Vec3 torsional_drag = law.torsional_damping_Nms_rad.cwiseProduct(turn_rate);
    const Vec3 moment =
        elastic_force(law.torsional_stiffness_Nm_rad, law.torsional_cubic_stiffness_Nm_rad3, turned.phi);

    Wrench& wrench = bushing_wrench_[b];
    Vec3 resistance = elastic_force(law.stiffness_N_m, law.cubic_stiffness_N_m3, displacement(bushing)) + drag;
    if (is_curved) resistance = Vec3(gradients.transpose() * resistance);
    wrench.force = -(at.R_parent * resistance);
    wrench.torque = -(at.R_parent * (turned.A.transpose() * moment + damped_axes.transpose() * torsional_drag));
    wrench.point = at.p_child;
    markers_.add(child, wrench, 1, data_.external);
    markers_.add(parent, wrench, -1, data_.external);
    load_powers_.damping += drag.dot(d_rate) + torsional_drag.dot(turn_rate);
  }
}

}  // namespace freeplay::mechanism
