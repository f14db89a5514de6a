// Channel values of a mechanism. Included by mechanism_dynamics_evaluation.h only.
#pragma once

#include "freeplay/core/error.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics.h"

namespace freeplay::mechanism {

template <class Algebra>
void MechanismDynamics<Algebra>::read_channels(std::span<const int> channels, std::span<double> values) {
  // The components of a vector mostly stand together: it is evaluated once for them.
  const Channel* last = nullptr;
  Vec4 vector;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const Channel& channel = mechanism_->channel_table[static_cast<std::size_t>(channels[i])];
    const bool is_known = last != nullptr && channel.kind == last->kind && channel.index == last->index;
    if (is_known || read_vector(channel, vector)) {
      last = &channel;
      values[i] = vector[channel.component];
    } else {
      values[i] = read_number(channel);
    }
  }
}

template <class Algebra>
double MechanismDynamics<Algebra>::read(const Channel& channel) {
  Vec4 vector;
  return read_vector(channel, vector) ? vector[channel.component] : read_number(channel);
}

// False if the channel is no component of a vector; `vector` then is as it was.
template <class Algebra>
bool MechanismDynamics<Algebra>::read_vector(const Channel& channel, Vec4& vector) {
  using Kind = Channel::Kind;
  const std::size_t index = static_cast<std::size_t>(channel.index);
  const MarkerIndex of_body = marker_of(BodyIndex{channel.index});
  switch (channel.kind) {
    case Kind::kBodyPosition:
      vector.head<3>() = markers_.position(of_body);
      return true;
    case Kind::kBodyVelocity:
      vector.head<3>() = markers_.velocity(of_body, markers_.position(of_body));
      return true;
    case Kind::kBodyQuaternion:
      vector = body_quaternion(index);
      return true;
    case Kind::kJointForce:
      vector.head<3>() = joint_force(mechanism_->joints[index], false);
      return true;
    case Kind::kJointMoment:
      vector.head<3>() = joint_force(mechanism_->joints[index], true);
      return true;
    default:
      return false;
  }
}

template <class Algebra>
double MechanismDynamics<Algebra>::read_number(const Channel& channel) const {
  using Kind = Channel::Kind;
  const std::size_t index = static_cast<std::size_t>(channel.index);
  const int k = channel.component;
  const MarkerIndex of_body = marker_of(BodyIndex{channel.index});
  switch (channel.kind) {
    case Kind::kBodyAngle:
      if constexpr (std::is_same_v<Algebra, PlanarAlgebra>) return markers_.angle(of_body);
      return 0;  // no such channel in space
    case Kind::kBodyOmega:
      return markers_.axis(of_body, k).dot(markers_.angular_velocity(of_body));
    case Kind::kJointCoordinate:
      return joint_coordinate(channel.index, k);
    case Kind::kJointVelocity:
      return joint_velocity(channel.index, k);
    case Kind::kEccentricity: {
      const JointPlacement& at = placement_[index];
      return at.R_parent.col(k).dot(at.p_child - at.p_parent);
    }
    case Kind::kSpringLength:
      return spring_length(mechanism_->springs[index]);
    case Kind::kSpringForce:
      return spring_force(mechanism_->springs[index]);
    case Kind::kTorsionalMoment:
      return torsional_moment(mechanism_->torsional_springs[index]);
    case Kind::kDriverEffort: {
      const Mechanism::Driver& driver = mechanism_->drivers[index];
      return driver.row >= 0 ? lambda_[driver.row] : driver_effort_[index];
    }
    case Kind::kStrandTension:
      return strand_tension(mechanism_->strands[index]);
    case Kind::kCouplingPosition:
      return coupling_position(mechanism_->couplings[index]);
    case Kind::kCouplingRate:
      return coupling_rate(mechanism_->couplings[index]);
    case Kind::kCouplingEffort: {
      const int row = mechanism_->couplings[index].row;
      return row >= 0 ? lambda_[row] : coupling_effort_[index];
    }
    default:  // see read_vector()
      break;
  }
  return read_elastic(channel);
}

// Force or moment (about the joint's point on the child) that the parent exerts on the child through the joint, springs
// and drivers on the joint and contacts in its play included; in the axes of the joint's frame on the parent.
template <class Algebra>
Vec3 MechanismDynamics<Algebra>::joint_force(const Mechanism::Joint& joint, bool moment) const {
  const Mat3 R_parent = markers_.axes(joint.parent_marker);
  Vec3 value = Vec3::Zero();
  if (joint.is_edge()) {
    const std::size_t node = static_cast<std::size_t>(joint.node);
    value = moment ? Algebra::moment_at(data_.f[node], markers_.position(joint.child_marker), origin(node))
                   : Algebra::force(data_.f[node]);
    if (joint.role == Mechanism::JointRole::kReversed) value = -value;
  } else {
    const int joint_index = static_cast<int>(&joint - mechanism_->joints.data());
    for (std::size_t r = 0; r < mechanism_->rows.size(); ++r) {
      if (mechanism_->rows[r].joint != joint_index || mechanism_->rows[r].kind == Row::Kind::kCoordinate) continue;
      value += lambda_[static_cast<Eigen::Index>(r)] * (moment ? row_wrench_[r].torque : row_wrench_[r].force);
    }
    if (joint.bushing >= 0) {
      const Wrench& wrench = bushing_wrench_[static_cast<std::size_t>(joint.bushing)];
      value += moment ? wrench.torque : wrench.force;
    }
    const std::size_t j = static_cast<std::size_t>(joint_index);
    value += moment ? play_wrench_[j].torque : play_wrench_[j].force;
    value += moment ? bearing_wrench_[j].torque : bearing_wrench_[j].force;
    if (joint.type->motions.size() == 1) {
      const Wrench along = coordinate_wrench(joint_index);
      value += (joint_effort_[j] + contact_effort_[j] + row_effort_[j]) * (moment ? along.torque : along.force);
    }
  }
  return R_parent.transpose() * value;
}

template <class Algebra>
Vec4 MechanismDynamics<Algebra>::body_quaternion(std::size_t body) {
  const Vec4 e = quaternion_from_rotation(markers_.axes(marker_of(BodyIndex{static_cast<std::int32_t>(body)})));
  Vec4& last = last_quaternion_[body];
  last = e.dot(last) < 0 ? Vec4(-e) : e;
  return last;
}

template <class Algebra>
std::vector<double> MechanismDynamics<Algebra>::channel_memory() const {
  std::vector<double> numbers;
  for (const Vec4& e : last_quaternion_) numbers.insert(numbers.end(), e.begin(), e.end());
  return numbers;
}

template <class Algebra>
void MechanismDynamics<Algebra>::set_channel_memory(std::span<const double> numbers) {
  FREEPLAY_ASSERT(numbers.size() == 4 * last_quaternion_.size());
  for (std::size_t i = 0; i < last_quaternion_.size(); ++i)
    last_quaternion_[i] = Eigen::Map<const Vec4>(&numbers[4 * i]);
}

}  // namespace freeplay::mechanism
