// The rest of MechanismDynamics: construction, positions, velocities, accelerations, energies. Included only by the two
// sources that instantiate it, one for the plane and one for space.
#pragma once

#include "freeplay/math/entrywise.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics_bushings.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics_channels.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics_contacts.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics_control.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics_couplings.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics_elastic.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics_joints.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics_loads.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics_rows.h"

namespace freeplay::mechanism {

// Velocities on a way to the root up to which M and its factor take less time than articulated inertias: fewer
// operations, and the processor waits less for one before it can begin the next.
inline constexpr int kShallow = 6;

template <class Algebra>
MechanismDynamics<Algebra>::MechanismDynamics(std::shared_ptr<const Mechanism> mechanism)
    : mechanism_(std::move(mechanism)),
      model_(*mechanism_),
      data_(model_),
      markers_(*mechanism_, model_, data_),
      is_shallow_(mechanism_->mass_structure().depth() <= kShallow || model_.is_elastic()),
      M_(mechanism_->mass_structure()),
      q_(VecX::Zero(mechanism_->coordinate_count())),
      u_(VecX::Zero(mechanism_->velocity_count())),
      lambda_(VecX::Zero(mechanism_->row_count())),
      motion_(mechanism_->drivers.size()),
      placement_(mechanism_->joints.size()),
      row_wrench_(mechanism_->rows.size()),
      bushing_wrench_(mechanism_->bushings.size()),
      play_wrench_(mechanism_->joints.size()),
      turn_angle_(mechanism_->turns.size(), 0.0),
      row_force_(mechanism_->nodes.size()),
      contact_force_(mechanism_->nodes.size()),
      contact_effort_(mechanism_->joints.size(), JointEfforts{}),
      joint_effort_(mechanism_->joints.size(), JointEfforts{}),
      bearing_wrench_(mechanism_->joints.size()),
      row_effort_(mechanism_->joints.size(), JointEfforts{}),
      driver_effort_(mechanism_->drivers.size(), 0.0),
      coupling_effort_(mechanism_->couplings.size(), 0.0),
      coupling_column_(static_cast<std::size_t>(mechanism_->velocity_count()), 0.0),
      variables_(1 + mechanism_->expression_variables.size(), 0.0),
      last_quaternion_(mechanism_->bodies.size(), Vec4(1, 0, 0, 0)) {
  for (std::size_t j = 0; j < mechanism_->joints.size(); ++j) {
    const Mechanism::Joint& joint = mechanism_->joints[j];
    const auto is_of_it = [&](const Row& row) { return row.joint == static_cast<int>(j); };
    const bool is_free = joint.role == Mechanism::JointRole::kPlay && joint.turn < 0 &&
                         std::none_of(mechanism_->rows.begin(), mechanism_->rows.end(), is_of_it);
    if (!joint.is_edge() && !is_free) placed_.push_back(j);
    frame_angle_.push_back(markers_.angle_at_rest(joint.parent_marker, joint.child_marker));
  }
  for (const TreeMotion& motion : model_.motions) {
    has_ball_ = has_ball_ || motion.kind == ElementaryMotion::Kind::kBall;
  }
  has_plain_coordinates_ = !has_ball_ && turn_angle_.empty() && mechanism_->held_count() == 0;
  if (!turn_angle_.empty()) turn_probe_ = std::make_unique<Probe>(*mechanism_, model_);
  // A driver that prescribes a motion is a row, not a load.
  const bool has_efforts = std::any_of(mechanism_->drivers.begin(), mechanism_->drivers.end(),
                                       [](const Mechanism::Driver& driver) { return !driver.motion; });
  has_loads_ = !mechanism_->springs.empty() || !mechanism_->torsional_springs.empty() || !mechanism_->loads.empty() ||
               has_efforts || !mechanism_->bushings.empty() || !mechanism_->couplings.empty() || model_.is_elastic();
}

template <class Algebra>
void MechanismDynamics<Algebra>::set_position(double t, const ConstVecRef& q) {
  t_ = t;
  reaction_joint_ = -1;
  has_velocities_ = false;
  copy_entries(q, q_);
  update_positions(model_, q_, data_);
  for (std::size_t d = 0; d < motion_.size(); ++d) {
    const auto& motion = mechanism_->drivers[d].motion;
    variables_[0] = t;
    if (motion) motion_[d] = motion->evaluate_jet(variables_);
  }
  for (const std::size_t j : placed_) placement_[j] = placement(mechanism_->joints[j]);
  place_turns();
  place_rows();
}

template <class Algebra>
void MechanismDynamics<Algebra>::set_velocity(const ConstVecRef& u) {
  reaction_joint_ = -1;
  // The parts of a step ask for the velocities of its start one after the other; of thousands of bodies that takes
  // time. The loads are those of this position and velocity, unless contacts have added to them.
  if (has_velocities_ && !has_contact_loads_ && std::equal(u_.data(), u_.data() + u_.size(), u.data())) return;
  has_velocities_ = true;
  copy_entries(u, u_);
  update_velocities(model_, u_, data_);
  if (has_loads_) {
    apply_loads();
  } else if (has_contact_loads_) {
    for (Force& force : data_.external) force = Force{};
    data_.effort.setZero();
  }
  has_contact_loads_ = false;
}

template <class Algebra>
bool MechanismDynamics<Algebra>::free_accelerations(VecRef du) {
  if (is_shallow_) mass_matrix(M_);
  const bool is_positive = is_shallow_ ? M_.factor() : articulate(model_, data_);
  free_accelerations_again(du);
  return is_positive;
}

template <class Algebra>
void MechanismDynamics<Algebra>::free_accelerations_again(VecRef du) {
  if (!is_shallow_) return articulated_accelerations(model_, data_, du);
  forces(du);
  M_.solve_in_place(du);
}

template <class Algebra>
Energies MechanismDynamics<Algebra>::energies() {
  Energies result;
  for (std::size_t i = 1; i < model_.nodes.size(); ++i) {
    if (model_.nodes[i].is_memory) continue;
    result.kinetic += 0.5 * Algebra::dot(data_.v[i], Algebra::apply(data_.inertia[i], data_.v[i]));
  }
  result.potential = potential_energy();
  return result;
}

template <class Algebra>
double MechanismDynamics<Algebra>::potential_energy() {
  double energy = 0;
  for (std::size_t i = 1; i < model_.nodes.size(); ++i) {
    energy -= model_.nodes[i].mass * model_.gravity.dot(Algebra::position(data_.pose[i]));
  }
  for (const Mechanism::Spring& spring : mechanism_->springs) {
    const double stretch = spring_length(spring) - spring.free_length;
    energy += (spring.preload + 0.5 * spring.stiffness * stretch) * stretch;
  }
  for (const Mechanism::TorsionalSpring& spring : mechanism_->torsional_springs) {
    const double twist = joint_coordinate(spring.joint) - spring.free_angle;
    energy += (spring.preload + 0.5 * spring.stiffness * twist) * twist;
  }
  for (const Mechanism::Bushing& bushing : mechanism_->bushings) {
    energy += bushing_energy(bushing.law, displacement(bushing), rotation(bushing).phi);
  }
  for (std::size_t c = 0; c < mechanism_->couplings.size(); ++c) energy += coupling_energy(c);
  for (const Mechanism::ElasticBody& body : model_.elastic_bodies) energy += strain_energy(body);
  return energy;
}

template <class Algebra>
void MechanismDynamics<Algebra>::velocity_to_rate(const ConstVecRef& q, const ConstVecRef& u, VecRef q_rate) const {
  if (has_plain_coordinates_) {
    q_rate = u;
    return;
  }
  q_rate.tail(mechanism_->held_count()).setZero();
  for (const TreeMotion& motion : model_.motions) {
    if (motion.kind == ElementaryMotion::Kind::kBall) {
      q_rate.template segment<4>(motion.q) =
          quaternion_rate(q.template segment<4>(motion.q), u.template segment<3>(motion.u));
    } else {
      q_rate[motion.q] = u[motion.u];
    }
  }
  for (const Mechanism::ElasticBody& body : model_.elastic_bodies) {
    for (int j = 0; j < body.count; ++j) q_rate[body.q + j] = u[body.u + j];
  }
  for (const Mechanism::Turn& turn : mechanism_->turns) {
    const JointType& type = *mechanism_->joints[static_cast<std::size_t>(turn.joint)].type;
    q_rate[turn.q] = joint_velocity(turn.joint, type.u_count() - 1);  // the turn is the last of its motions
  }
}

template <class Algebra>
void MechanismDynamics<Algebra>::displace(VecRef q, const ConstVecRef& delta) const {
  if (has_plain_coordinates_) {
    for (Eigen::Index i = 0; i < q.size(); ++i) q[i] += delta[i];  // not by Eigen: entrywise.h
    return;
  }
  for (const TreeMotion& motion : model_.motions) {
    if (motion.kind == ElementaryMotion::Kind::kBall) {
      const Vec4 turned = quaternion_product(q.template segment<4>(motion.q),
                                             quaternion_from_rotation_vector(delta.template segment<3>(motion.u)));
      q.template segment<4>(motion.q) = turned / turned.norm();
    } else {
      q[motion.q] += delta[motion.u];
    }
  }
  displace_modes(q, delta);
  move_turns(q);
}

template <class Algebra>
void MechanismDynamics<Algebra>::displace_straight(VecRef q, const ConstVecRef& delta) const {
  for (const TreeMotion& motion : model_.motions) {
    if (motion.kind == ElementaryMotion::Kind::kBall) {
      const Vec4 e = q.template segment<4>(motion.q);
      const double square = e.squaredNorm();
      const Vec4 rate = quaternion_rate(e, delta.template segment<3>(motion.u));
      q.template segment<4>(motion.q) += (rate + 0.5 * (1 - square) * e) / square;
    } else {
      q[motion.q] += delta[motion.u];
    }
  }
  displace_modes(q, delta);
  move_turns(q);
}

template <class Algebra>
bool MechanismDynamics<Algebra>::normalise(VecRef q) const {
  if (!has_ball_ && turn_angle_.empty()) return false;
  for (const TreeMotion& motion : model_.motions) {
    if (motion.kind == ElementaryMotion::Kind::kBall) q.template segment<4>(motion.q).normalize();
  }
  move_turns(q);
  return true;
}

template <class Algebra>
void MechanismDynamics<Algebra>::set_accelerations(const ConstVecRef& du, const ConstVecRef& lambda) {
  lambda_ = lambda;
  reaction_joint_ = -1;
  row_force_ = contact_force_;           // same size: copies in place
  if (!mechanism_->couplings.empty()) {  // nothing else writes into them
    std::fill(row_effort_.begin(), row_effort_.end(), JointEfforts{});
    for (Wrench& wrench : bearing_wrench_) wrench.force = wrench.torque = Vec3::Zero();
  }
  for (std::size_t r = 0; r < mechanism_->rows.size(); ++r) {
    const Row& row = mechanism_->rows[r];
    // The effort of a coordinate row acts inside its joint, not on the bodies from outside.
    if (row.kind == Row::Kind::kCoordinate) continue;
    const double value = lambda_[static_cast<Eigen::Index>(r)];
    if (row.kind == Row::Kind::kCoupling) {
      add_row_reaction(mechanism_->couplings[static_cast<std::size_t>(row.coupling)], value);
      continue;
    }
    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(row.joint)];
    markers_.add(joint.child_marker, row_wrench_[r], value, row_force_);
    markers_.add(joint.parent_marker, row_wrench_[r], -value, row_force_);
  }
  joint_wrenches(model_, du, row_force_, data_);
}

}  // namespace freeplay::mechanism
