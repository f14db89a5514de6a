#include "freeplay/compile/recording/recorded_mechanism.h"

#include <numbers>

#include "freeplay/math/recording/recorded_jet.h"

namespace freeplay::compile {

RecordedMechanism::RecordedMechanism(const Mechanism& mechanism, Recorded t, RecordedVector q, RecordedVector u)
    : mechanism_(mechanism),
      t_(t),
      q_(std::move(q)),
      u_(std::move(u)),
      model_(mechanism),
      data_(model_),
      markers_(mechanism, model_, data_) {
  update_positions_of(model_, q_, data_);
  update_velocities_of(model_, u_, data_);
  apply_loads();
}

RecordedVector RecordedMechanism::forces() {
  RecordedVector h = RecordedVector::Zero(u_.size());
  generalised_forces(model_, data_, h);
  return h;
}

void RecordedMechanism::apply_loads() {
  for (const Mechanism::Spring& spring : mechanism_.springs) {
    SpringState<RecordedAlgebra> state;
    if (find_spring(spring, markers_, state)) add_spring(spring, markers_, state, data_.external);
  }
  for (const Mechanism::TorsionalSpring& spring : mechanism_.torsional_springs) {
    const Mechanism::Joint& joint = mechanism_.joints[static_cast<std::size_t>(spring.joint)];
    add_effort(joint, -torsional_law(spring, coordinate_value(joint, 0), coordinate_rate(joint, 0)));
  }
  std::vector<Recorded> variables{t_};
  for (const Mechanism::Channel& channel : mechanism_.expression_variables) {
    Recorded value;
    FREEPLAY_ASSERT(read(channel, value));
    variables.push_back(value);
  }
  for (const Mechanism::Load& load : mechanism_.loads) {
    using Vector3 = RecordedAlgebra::Vector3;
    Vector3 value(load.value[0].record(variables), load.value[1].record(variables), load.value[2].record(variables));
    if (load.in_marker_axes) value = markers_.axes(load.at) * value;
    const Vector3 point = markers_.position(load.at), none = Vector3::Zero();
    if (load.is_torque)
      markers_.add(load.at, {none, value, point}, 1, data_.external);
    else
      markers_.add(load.at, {value, none, point}, 1, data_.external);
  }
  for (const Mechanism::Driver& driver : mechanism_.drivers) {
    if (driver.motion) continue;
    add_effort(mechanism_.joints[static_cast<std::size_t>(driver.joint)], driver.effort->record(variables));
  }
}

std::vector<Recorded> RecordedMechanism::row(MarkerIndex a, MarkerIndex b,
                                             const Eigen::Matrix<Recorded, 2, 1>& direction,
                                             const Eigen::Matrix<Recorded, 2, 1>& point_a,
                                             const Eigen::Matrix<Recorded, 2, 1>& point_b) const {
  using Vector3 = RecordedAlgebra::Vector3;
  const auto in_world = [](const Eigen::Matrix<Recorded, 2, 1>& v) { return Vector3(v.x(), v.y(), 0); };
  std::array<RowPart, 2> parts;
  std::vector<Recorded> values(2 * static_cast<std::size_t>(u_.size()));
  markers_.begin(a, b, parts, values.data());
  markers_.add(a, {in_world(direction), Vector3::Zero(), in_world(point_a)}, 1, parts, values.data());
  markers_.add(b, {in_world(direction), Vector3::Zero(), in_world(point_b)}, -1, parts, values.data());
  return whole_row(parts, values);
}

std::vector<Recorded> RecordedMechanism::whole_row(const std::array<RowPart, 2>& parts,
                                                   const std::vector<Recorded>& values) const {
  std::vector<Recorded> row(static_cast<std::size_t>(u_.size()));
  const Recorded* entry = values.data();
  for (const RowPart& part : parts) {
    for (int k = part.first; k < part.first + part.size; ++k) row[static_cast<std::size_t>(k)] = *entry++;
  }
  return row;
}

bool RecordedMechanism::can_hold(const Mechanism::Row& row) {
  using Kind = Mechanism::Row::Kind;
  return row.kind == Kind::kPoint || row.kind == Kind::kDot || row.kind == Kind::kCoordinate ||
         row.kind == Kind::kRelativeTranslation || row.kind == Kind::kRelativeRotation;
}

RecordedMechanism::Bilateral RecordedMechanism::bilateral(const Mechanism::Row& row) const {
  Bilateral result;
  RecordedJet motion;
  if (row.driver >= 0)
    motion = jet_along(mechanism_.drivers[static_cast<std::size_t>(row.driver)].motion->record({&t_, 1}), t_);
  result.w_tilde = -motion.rate;
  if (row.kind == Mechanism::Row::Kind::kCoordinate) {
    result.position = q_[row.q] - motion.value;
    result.entries.resize(static_cast<std::size_t>(u_.size()));
    result.entries[static_cast<std::size_t>(row.u)] = 1;
    return result;
  }
  const Mechanism::Joint& joint = mechanism_.joints[static_cast<std::size_t>(row.joint)];
  if (row.kind == Mechanism::Row::Kind::kRelativeRotation) {
    // As std::remainder(): between minus and plus half a turn.
    const Recorded apart = coordinate_value(joint, 0) - motion.value;
    result.position =
        Tape::binary(ExpressionOp::kMod, apart + std::numbers::pi, 2 * std::numbers::pi) - std::numbers::pi;
    result.entries = row_of(joint, coordinate_wrench(joint, 0));
    return result;
  }
  const JointPlacementOf<RecordedAlgebra> at = placement_of(joint, markers_);
  WrenchOf<Recorded> wrench;
  place_row(row, at, wrench);
  result.position = row_position(row, at) - motion.value;
  result.entries = row_of(joint, wrench);
  return result;
}

std::vector<Recorded> RecordedMechanism::row_of(const Mechanism::Joint& joint,
                                                const WrenchOf<Recorded>& on_child) const {
  std::array<RowPart, 2> parts;
  std::vector<Recorded> values(2 * static_cast<std::size_t>(u_.size()));
  markers_.begin(joint.child_marker, joint.parent_marker, parts, values.data());
  markers_.add(joint.child_marker, on_child, 1, parts, values.data());
  markers_.add(joint.parent_marker, on_child, -1, parts, values.data());
  return whole_row(parts, values);
}

// As MechanismDynamics has it, in the plane.
WrenchOf<Recorded> RecordedMechanism::coordinate_wrench(const Mechanism::Joint& joint, int k) const {
  const ElementaryMotion& motion = joint.type->motions[static_cast<std::size_t>(k)];
  const JointPlacementOf<RecordedAlgebra> at = placement_of(joint, markers_);
  WrenchOf<Recorded> wrench;
  wrench.point = at.p_child;
  (motion.kind == ElementaryMotion::Kind::kTranslate ? wrench.force : wrench.torque) = at.R_parent.col(motion.axis);
  return wrench;
}

Recorded RecordedMechanism::coordinate_value(const Mechanism::Joint& joint, int k) const {
  if (joint.is_edge()) return q_[model_.nodes[static_cast<std::size_t>(joint.node)].q + k];
  const ElementaryMotion& motion = joint.type->motions[static_cast<std::size_t>(k)];
  const MarkerIndex parent = joint.parent_marker, child = joint.child_marker;
  if (motion.kind == ElementaryMotion::Kind::kTranslate)
    return markers_.axes(parent).col(motion.axis).dot(markers_.position(child) - markers_.position(parent));
  return markers_.angle_between(parent, child, markers_.angle_at_rest(parent, child));
}

Recorded RecordedMechanism::coordinate_rate(const Mechanism::Joint& joint, int k) const {
  if (joint.is_edge()) return u_[model_.nodes[static_cast<std::size_t>(joint.node)].u + k];
  const ElementaryMotion& motion = joint.type->motions[static_cast<std::size_t>(k)];
  const MarkerIndex parent = joint.parent_marker, child = joint.child_marker;
  const RecordedAlgebra::Vector3 at = markers_.position(child);
  const RecordedAlgebra::Vector3 apart = motion.kind == ElementaryMotion::Kind::kTranslate
                                             ? markers_.velocity(child, at) - markers_.velocity(parent, at)
                                             : markers_.angular_velocity(child) - markers_.angular_velocity(parent);
  return markers_.axes(parent).col(motion.axis).dot(apart);
}

// Along the first coordinate: on the child, and against it on the parent.
void RecordedMechanism::add_effort(const Mechanism::Joint& joint, const Recorded& effort) {
  if (joint.is_edge()) {
    data_.effort[model_.nodes[static_cast<std::size_t>(joint.node)].u] += effort;
    return;
  }
  WrenchOf<Recorded> wrench = coordinate_wrench(joint, 0);
  wrench.force *= effort;
  wrench.torque *= effort;
  markers_.add(joint.child_marker, wrench, 1, data_.external);
  markers_.add(joint.parent_marker, wrench, -1, data_.external);
}

RecordedMechanism::Coordinate RecordedMechanism::coordinate(JointAxis axis) const {
  const Mechanism::Joint& joint = mechanism_.joints[static_cast<std::size_t>(axis.joint)];
  Coordinate coordinate{coordinate_value(joint, axis.coordinate), {}};
  if (joint.is_edge()) {
    coordinate.row.resize(static_cast<std::size_t>(u_.size()));
    const int first = model_.nodes[static_cast<std::size_t>(joint.node)].u;
    coordinate.row[static_cast<std::size_t>(first + axis.coordinate)] = 1;
  } else {
    coordinate.row = row_of(joint, coordinate_wrench(joint, axis.coordinate));
  }
  return coordinate;
}

bool RecordedMechanism::can_read(const Mechanism& mechanism, const Mechanism::Channel& channel) {
  using Kind = Mechanism::Channel::Kind;
  switch (channel.kind) {
    case Kind::kBodyPosition:
    case Kind::kBodyVelocity:
    case Kind::kBodyAngle:
    case Kind::kBodyOmega:
      return true;
    case Kind::kJointCoordinate:
    case Kind::kJointVelocity:
      return has_coordinates(mechanism.joints[static_cast<std::size_t>(channel.index)]);
    default:
      return false;
  }
}

bool RecordedMechanism::read(const Mechanism::Channel& channel, Recorded& value) const {
  using Kind = Mechanism::Channel::Kind;
  if (!can_read(mechanism_, channel)) return false;
  const MarkerIndex of_body = marker_of(BodyIndex{channel.index});
  const int k = channel.component;
  switch (channel.kind) {
    case Kind::kBodyPosition:
      value = markers_.position(of_body)[k];
      return true;
    case Kind::kBodyVelocity:
      value = markers_.velocity(of_body, markers_.position(of_body))[k];
      return true;
    case Kind::kBodyAngle:
      value = markers_.angle(of_body);
      return true;
    case Kind::kBodyOmega:
      value = markers_.axis(of_body, k).dot(markers_.angular_velocity(of_body));
      return true;
    default:
      break;
  }
  const Mechanism::Joint& joint = mechanism_.joints[static_cast<std::size_t>(channel.index)];
  value = channel.kind == Kind::kJointCoordinate ? coordinate_value(joint, k) : coordinate_rate(joint, k);
  return true;
}

}  // namespace freeplay::compile
