// Springs, bushings, applied loads and driver efforts of a mechanism. Included by mechanism_dynamics_evaluation.h only.
#pragma once

#include "freeplay/mechanism/dynamics/force_laws.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics.h"

namespace freeplay::mechanism {

template <class Algebra>
void MechanismDynamics<Algebra>::apply_loads() {
  for (Force& force : data_.external) force = Force{};
  data_.effort.setZero();
  for (JointEfforts& efforts : joint_effort_) efforts = {};
  load_powers_ = {};
  apply_springs();
  apply_torsional_springs();
  apply_bushings();
  apply_elastic_forces();
  apply_expressions();
  apply_couplings();
}

template <class Algebra>
double MechanismDynamics<Algebra>::spring_length(const Mechanism::Spring& spring) const {
  return (markers_.position(spring.child) - markers_.position(spring.parent)).norm();
}

template <class Algebra>
double MechanismDynamics<Algebra>::spring_force(const Mechanism::Spring& spring) const {
  const Vec3 p_parent = markers_.position(spring.parent), p_child = markers_.position(spring.child);
  const Vec3 r = p_child - p_parent;
  const double length = r.norm();
  const Vec3 r_rate = markers_.velocity(spring.child, p_child) - markers_.velocity(spring.parent, p_parent);
  const double rate = length > 0 ? r.dot(r_rate) / length : 0;
  return spring.preload + spring.stiffness * (length - spring.free_length) + spring.damping * rate;
}

template <class Algebra>
void MechanismDynamics<Algebra>::apply_springs() {
  for (const Mechanism::Spring& spring : mechanism_->springs) {
    SpringState<Algebra> state;
    if (!find_spring(spring, markers_, state)) continue;
    add_spring(spring, markers_, state, data_.external);
    load_powers_.damping += spring.damping * state.rate * state.rate;
  }
}

template <class Algebra>
double MechanismDynamics<Algebra>::torsional_moment(const Mechanism::TorsionalSpring& spring) const {
  return torsional_law(spring, joint_coordinate(spring.joint), joint_velocity(spring.joint));
}

template <class Algebra>
void MechanismDynamics<Algebra>::apply_torsional_springs() {
  for (const Mechanism::TorsionalSpring& spring : mechanism_->torsional_springs) {
    add_joint_effort(spring.joint, -torsional_moment(spring));
    const double rate = joint_velocity(spring.joint);
    load_powers_.damping += spring.damping * rate * rate;
  }
}

// Loads and driver efforts given by expressions of t and channels.
template <class Algebra>
void MechanismDynamics<Algebra>::apply_expressions() {
  variables_[0] = t_;
  for (std::size_t i = 0; i < mechanism_->expression_variables.size(); ++i) {
    variables_[i + 1] = read(mechanism_->expression_variables[i]);
  }
  for (const Mechanism::Load& load : mechanism_->loads) {
    Vec3 value = load_value(load);
    if (load.in_marker_axes) value = markers_.axes(load.at) * value;
    const Vec3 point = markers_.position(load.at);
    if (load.is_torque) {
      markers_.add(load.at, {Vec3::Zero(), value, point}, 1, data_.external);
      load_powers_.input += value.dot(markers_.angular_velocity(load.at));
    } else {
      markers_.add(load.at, {value, Vec3::Zero(), point}, 1, data_.external);
      load_powers_.input += value.dot(markers_.velocity(load.at, point));
    }
  }
  apply_drivers();
}

template <class Algebra>
Powers MechanismDynamics<Algebra>::powers(const ConstVecRef& lambda) {
  Powers result = load_powers_;
  for (std::size_t d = 0; d < mechanism_->drivers.size(); ++d) {
    // The row's power is lambda W^T u, and W^T u is the rate that the driver prescribes.
    const int row = mechanism_->drivers[d].row;
    if (row >= 0) result.input += lambda[row] * motion_[d].rate;
  }
  return result;
}

}  // namespace freeplay::mechanism
