// Channel values of a mechanism. Included by mechanism_dynamics_evaluation.h only.
#pragma once

#include "freeplay/core/error.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics.h"

namespace freeplay::mechanism {

template <class Algebra>
void MechanismDynamics<Algebra>::read_channels(std::span<const int> channels, std::span<double> values) {
  if (channel_number_.empty()) find_channel_numbers();
  // The components of a vector mostly stand together: it is evaluated once for them.
  const Channel* last = nullptr;
  Vec4 vector;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (const double* number = channel_number_[static_cast<std::size_t>(channels[i])]) {
      values[i] = *number;
      continue;
    }
    const Channel& channel = mechanism_->channel_table[static_cast<std::size_t>(channels[i])];
    if constexpr (std::is_same_v<Algebra, PlanarAlgebra>) {
      if (channel.kind == Channel::Kind::kJointForce || channel.kind == Channel::Kind::kJointMoment) {
        find_reaction(channel.index);
        values[i] = channel.kind == Channel::Kind::kJointMoment ? reaction_.moment[channel.component]
                                                                : reaction_force_[channel.component];
        continue;
      }
    }
    const bool is_known = last != nullptr && channel.kind == last->kind && channel.index == last->index;
    if (is_known || read_vector(channel, vector)) {
      last = &channel;
      values[i] = vector[channel.component];
    } else {
      values[i] = read_number(channel);
    }
  }
}

// Most channels of small models are numbers that stand somewhere already. The arrays keep their places.
template <class Algebra>
void MechanismDynamics<Algebra>::find_channel_numbers() {
  channel_number_.reserve(mechanism_->channel_table.size());
  for (const Channel& channel : mechanism_->channel_table) channel_number_.push_back(number_of(channel));
}

// Null if the channel is to be computed.
template <class Algebra>
const double* MechanismDynamics<Algebra>::number_of(const Channel& channel) const {
  using Kind = Channel::Kind;
  if (channel.kind == Kind::kJointCoordinate || channel.kind == Kind::kJointVelocity) {
    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(channel.index)];
    if (!joint.is_edge()) return nullptr;
    const auto& node = model_.nodes[static_cast<std::size_t>(joint.node)];
    return channel.kind == Kind::kJointCoordinate ? q_.data() + node.q + channel.component
                                                  : u_.data() + node.u + channel.component;
  }
  if constexpr (std::is_same_v<Algebra, PlanarAlgebra>) {
    const bool is_pose = channel.kind == Kind::kBodyPosition || channel.kind == Kind::kBodyAngle;
    if (!is_pose && channel.kind != Kind::kBodyOmega) return nullptr;
    const int node = markers_.node_of(marker_of(BodyIndex{channel.index}));
    if (node < 0) return nullptr;
    const typename Algebra::Pose& pose = data_.pose[static_cast<std::size_t>(node)];
    if (channel.kind == Kind::kBodyAngle) return &pose.rotation.angle;
    if (channel.kind == Kind::kBodyOmega) return &data_.v[static_cast<std::size_t>(node)].w;
    if (channel.component < 2) return channel.component == 0 ? &pose.x : &pose.y;
  }
  return nullptr;
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
    case Kind::kBodyAttitude: {
      // R = R_z(yaw) R_y(pitch) R_x(roll)
      const Mat3 R = markers_.axes(of_body);
      vector.head<3>() << std::atan2(R(2, 1), R(2, 2)), std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0))),
          std::atan2(R(1, 0), R(0, 0));
      return true;
    }
    case Kind::kJointForce:
    case Kind::kJointMoment:
      vector.head<3>() = joint_reaction(channel.index, channel.kind == Kind::kJointMoment);
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
    case Kind::kDriverIntegral:
      return integral_of(mechanism_->drivers[index]);
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

// In the axes of the joint's frame on the parent.
template <class Algebra>
Vec3 MechanismDynamics<Algebra>::joint_reaction(int index, bool is_moment) {
  find_reaction(index);
  if (!is_moment) return reaction_force_;
  if (std::is_same_v<Algebra, PlanarAlgebra>) return reaction_.moment;
  const MarkerIndex parent = mechanism_->joints[static_cast<std::size_t>(index)].parent_marker;
  return markers_.in_axes(parent, reaction_.moment);
}

// Force and moment of a joint are read one after the other.
template <class Algebra>
void MechanismDynamics<Algebra>::find_reaction(int index) {
  if (reaction_joint_ == index) return;
  reaction_joint_ = index;
  if constexpr (std::is_same_v<Algebra, PlanarAlgebra>) {
    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(index)];
    if (joint.is_edge()) return find_planar_reaction(joint);
  }
  reaction_ = joint_wrench(index);
  reaction_force_ =
      markers_.in_axes(mechanism_->joints[static_cast<std::size_t>(index)].parent_marker, reaction_.force);
}

// joint_wrench() of a joint of the tree and its force in the axes of the parent, in numbers: means over windows ask for
// the reactions of all joints in every step.
template <class Algebra>
void MechanismDynamics<Algebra>::find_planar_reaction(const Mechanism::Joint& joint) {
  const std::size_t node = static_cast<std::size_t>(joint.node);
  const Force& f = data_.f[node];
  const double sign = joint.role == Mechanism::JointRole::kReversed ? -1 : 1;
  const double moment = Algebra::moment_at(f, markers_.position(joint.child_marker), origin(node))[2];
  reaction_.force << sign * f.fx, sign * f.fy, sign * 0;
  reaction_.moment << sign * 0, sign * 0, sign * moment;
  reaction_force_ = markers_.in_axes(joint.parent_marker, reaction_.force);
}

template <class Algebra>
typename MechanismDynamics<Algebra>::JointWrench MechanismDynamics<Algebra>::joint_wrench(int index) const {
  const std::size_t j = static_cast<std::size_t>(index);
  const Mechanism::Joint& joint = mechanism_->joints[j];
  JointWrench sum;
  if (joint.is_edge()) {
    const std::size_t node = static_cast<std::size_t>(joint.node);
    sum.force = Algebra::force(data_.f[node]);
    sum.moment = Algebra::moment_at(data_.f[node], markers_.position(joint.child_marker), origin(node));
    if (joint.role != Mechanism::JointRole::kReversed) return sum;
    return {-sum.force, -sum.moment};
  }
  const auto add = [&](const Wrench& wrench, double effort) {
    sum.force += effort * wrench.force;
    sum.moment += effort * wrench.torque;
  };
  for (std::size_t r = 0; r < mechanism_->rows.size(); ++r) {
    if (mechanism_->rows[r].joint != index || mechanism_->rows[r].kind == Row::Kind::kCoordinate) continue;
    add(row_wrench_[r], lambda_[static_cast<Eigen::Index>(r)]);
  }
  if (joint.bushing >= 0) add(bushing_wrench_[static_cast<std::size_t>(joint.bushing)], 1);
  add(play_wrench_[j], 1);
  add(bearing_wrench_[j], 1);
  for (int k = 0; k < joint.type->u_count(); ++k) {
    const std::size_t i = static_cast<std::size_t>(k);
    const double effort = joint_effort_[j][i] + contact_effort_[j][i] + row_effort_[j][i];
    if (effort != 0) add(coordinate_wrench(index, k), effort);
  }
  return sum;
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
