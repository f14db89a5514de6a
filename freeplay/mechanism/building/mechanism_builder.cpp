#include "freeplay/mechanism/building/mechanism_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "freeplay/math/eigenvalues.h"
#include "freeplay/math/rotation.h"
#include "freeplay/mechanism/building/start_as_ideal.h"
#include "freeplay/mechanism/dynamics/projection.h"

namespace freeplay::mechanism {

namespace {

constexpr double kSmallestPivot = 1e-12;
constexpr double kPerpendicular = 1e-6;  // cosine between axes that were typed with a few digits

}  // namespace

std::shared_ptr<const Mechanism> Mechanism::build(const MechanismSpec& spec) {
  return build_started_as_ideal(spec, {});
}

std::shared_ptr<const Mechanism> Mechanism::build(const MechanismSpec& spec, const State& start) {
  return MechanismBuilder(spec, start).build();
}

std::unique_ptr<Dynamics> Mechanism::make_dynamics() const {
  return make_mechanism_dynamics(shared_from_this());
}

std::shared_ptr<const Mechanism> MechanismBuilder::build() {
  mechanism_->space = spec_.space;
  mechanism_->gravity = spec_.gravity_m_s2;
  add_bodies();
  add_given_markers();
  add_joints();
  throw_if_failed();
  choose_tree();
  number_nodes();
  add_rows();
  add_forces();
  add_drivers();
  throw_if_failed();
  add_channels();
  throw_if_failed();
  set_initial_state();
  return mechanism_;
}

void MechanismBuilder::fail(const std::string& path, std::string message, std::string hint) {
  diagnostics_.push_back({{}, path, std::move(message), std::move(hint), {}});
}

void MechanismBuilder::throw_if_failed() const {
  if (!diagnostics_.empty()) throw ModelError(diagnostics_);
}

void MechanismBuilder::claim_name(const std::string& name, const std::string& path) {
  if (name == "ground" || name == "energy" || name == "step" || name == "t") {
    fail(path, fmt::format("'{}' is a reserved name", name), "choose another name");
    return;
  }
  const auto [owner, is_new] = name_owner_.emplace(name, path);
  if (!is_new) {
    fail(path, fmt::format("the name '{}' is already taken by {}", name, owner->second),
         "names of bodies, joints, contacts, forces and drivers are unique across all of them");
  }
}

std::optional<BodyIndex> MechanismBuilder::find_body(const std::string& name, const std::string& path) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < mechanism_->bodies.size(); ++i) {
    if (mechanism_->bodies[i].name == name) return BodyIndex{static_cast<std::int32_t>(i)};
    known.push_back(mechanism_->bodies[i].name);
  }
  const std::string close = closest_match(name, known);
  fail(path, fmt::format("there is no body '{}'", name),
       close.empty() ? "name a body of `bodies:` or ground" : fmt::format("did you mean '{}'?", close));
  return std::nullopt;
}

int MechanismBuilder::find_single_joint(const std::string& name, const std::string& path) {
  std::vector<std::string> known;
  for (std::size_t j = 0; j < mechanism_->joints.size(); ++j) {
    const Mechanism::Joint& joint = mechanism_->joints[j];
    known.push_back(joint.name);
    if (joint.name != name) continue;
    if (joint.type->u_count() == 1) return static_cast<int>(j);
    fail(path,
         fmt::format("joint '{}' is {} and has {} degrees of freedom", name, joint.type->name, joint.type->u_count()),
         "this works on joints with exactly one: revolute or prismatic");
    return -1;
  }
  const std::string close = closest_match(name, known);
  fail(path, fmt::format("there is no joint '{}'", name),
       close.empty() ? "name a joint of `joints:`" : fmt::format("did you mean '{}'?", close));
  return -1;
}

void MechanismBuilder::add_bodies() {
  mechanism_->bodies.push_back({"ground", 0, Mat3::Zero()});
  for (const BodySpec& body : spec_.bodies) {
    const std::string path = "bodies." + body.name;
    claim_name(body.name, path);
    if (!(body.mass_kg > 0) || !std::isfinite(body.mass_kg)) {
      fail(path + ".mass", fmt::format("the mass is {} kg", body.mass_kg), "give a mass greater than 0");
    }
    const Mat3& J = body.inertia_kg_m2;
    if (!J.allFinite()) {
      fail(path + ".inertia", "the inertia is not finite", "give finite moments of inertia");
    } else if (spec_.space == Space::kPlanar) {
      if (J(2, 2) < 0)
        fail(path + ".inertia", fmt::format("the inertia is {} kg m^2", J(2, 2)), "give a value of 0 or more");
    } else if (!J.isApprox(J.transpose(), 1e-12)) {
      fail(path + ".inertia", "the inertia matrix is not symmetric",
           "give principal moments or a symmetric 3x3 matrix");
    } else {
      const Vec3 I = symmetric_eigenvalues(J);
      const double rounding = 1e-9 * std::abs(I[2]);
      if (I[0] < -rounding) {
        fail(path + ".inertia", fmt::format("a principal moment is negative ({:.6g} kg m^2)", I[0]),
             "moments of inertia are 0 or more");
      } else if (I[0] + I[1] < I[2] - rounding) {
        fail(path + ".inertia",
             fmt::format("principal moments {:.6g}, {:.6g}, {:.6g} kg m^2 violate the triangle inequality", I[0], I[1],
                         I[2]),
             "no rigid body has one moment larger than the sum of the other two; check the units and the order");
      }
    }
    mechanism_->bodies.push_back({body.name, body.mass_kg, body.inertia_kg_m2});
  }
  for (std::size_t i = 0; i < mechanism_->bodies.size(); ++i) add_marker(BodyIndex{static_cast<std::int32_t>(i)}, {});
}

MarkerIndex MechanismBuilder::add_marker(BodyIndex body, const Frame& place) {
  mechanism_->markers.push_back({body, place});
  return MarkerIndex{static_cast<std::int32_t>(mechanism_->markers.size()) - 1};
}

void MechanismBuilder::add_given_markers() {
  for (std::size_t i = 0; i < spec_.markers.size(); ++i) {
    const MarkerSpec& spec = spec_.markers[i];
    const std::optional<BodyIndex> body = find_body(spec.body, fmt::format("markers[{}].body", i));
    if (body) add_marker(*body, spec.place);
  }
}

Frame MechanismBuilder::parent_frame_of(const JointSpec& joint, const JointType& type, const std::string& path) {
  Frame frame;
  frame.p = joint.at_parent_m;
  if (joint.second_axis) {
    turn_to_second_axis(joint, type, path, frame);
    return frame;
  }
  if (!joint.axis) return frame;
  const double length = joint.axis->norm();
  if (!(length > 0) || !std::isfinite(length)) {
    fail(path + ".axis", "the axis has no direction", "give a vector that is not zero");
    return frame;
  }
  const Vec3 axis = *joint.axis / length;
  const Vec3 main = Vec3::Unit(type.main_axis);
  if (spec_.space == Space::kPlanar) {
    if (type.main_axis == 2) {
      fail(path + ".axis", fmt::format("a planar {} joint turns about z", type.name), "leave `axis` out");
    }
    frame.R = Eigen::AngleAxisd(std::atan2(axis.y(), axis.x()), Vec3::UnitZ()).toRotationMatrix();
  } else if (axis.dot(main) < -1 + 1e-12) {
    // Opposite to the default axis: half a turn about the next axis of the frame.
    frame.R = Eigen::AngleAxisd(std::numbers::pi, Vec3::Unit((type.main_axis + 1) % 3)).toRotationMatrix();
  } else {
    frame.R = rotation_between(main, axis);
  }
  return frame;
}

void MechanismBuilder::turn_to_second_axis(const JointSpec& joint, const JointType& type, const std::string& path,
                                           Frame& frame) {
  if (type.second_axis < 0) {
    fail(path + ".second_axis", fmt::format("a {} joint has no second axis", type.name),
         "leave `second_axis` out, or use a universal joint");
    return;
  }
  const Vec3 first = joint.axis.value_or(Vec3::Unit(type.main_axis)).normalized();
  const Vec3 second = joint.second_axis->normalized();
  if (!(first.norm() > 0.5 && second.norm() > 0.5)) {
    fail(path + (first.norm() > 0.5 ? ".second_axis" : ".axis"), "the axis has no direction",
         "give a vector that is not zero");
    return;
  }
  if (!(std::abs(first.dot(second)) <= kPerpendicular)) {
    fail(path + ".second_axis",
         fmt::format("the two axes of a {} joint are perpendicular, but their angle is {:.6g} deg", type.name,
                     std::acos(std::clamp(first.dot(second), -1.0, 1.0)) * 180 / std::numbers::pi),
         "give a direction across `axis`, or leave it out");
    return;
  }
  const Vec3 across = (second - first.dot(second) * first).normalized();
  frame.R.col(type.main_axis) = first;
  frame.R.col(type.second_axis) = across;
  frame.R.col(3 - type.main_axis - type.second_axis) = first.cross(across);
}

void MechanismBuilder::add_joints() {
  for (const JointSpec& spec : spec_.joints) {
    const std::string path = "joints." + spec.name;
    claim_name(spec.name, path);
    const JointType* type = find_joint_type(spec.type, spec_.space);
    if (const JointType* in_space = find_joint_type(spec.type, Space::kSpatial); type == nullptr && in_space) {
      fail(path + ".type", fmt::format("a {} joint exists only in space", spec.type),
           fmt::format("in the plane use {}", in_space->in_the_plane));
    } else if (type == nullptr) {
      const std::string close = closest_match(spec.type, joint_type_names());
      fail(path + ".type", fmt::format("there is no joint type '{}'", spec.type),
           close.empty() ? "see `freeplay list joints`" : fmt::format("did you mean '{}'?", close));
    }
    const std::optional<BodyIndex> parent = find_body(spec.parent, path + ".parent");
    const std::optional<BodyIndex> child = find_body(spec.child, path + ".child");
    if (type == nullptr || !parent || !child) continue;
    if (*parent == *child)
      fail(path + ".child", fmt::format("joins '{}' to itself", spec.child), "name two different bodies");

    Mechanism::Joint joint;
    joint.name = spec.name;
    joint.type = type;
    joint.parent = *parent;
    joint.child = *child;
    const Frame on_parent = parent_frame_of(spec, *type, path);
    joint.parent_marker = add_marker(*parent, on_parent);
    joint.child_marker =
        add_marker(*child, {spec.rotation.normalized().toRotationMatrix().transpose() * on_parent.R, spec.at_child_m});
    joint.role = spec.as_constraint ? Mechanism::JointRole::kConstraint : Mechanism::JointRole::kTree;
    if (spec.bushing) add_bushing(spec, path, joint);
    mechanism_->joints.push_back(joint);
  }
}

// Tree edges in file order: a joint between bodies that are connected already closes a loop and becomes rows.
void MechanismBuilder::choose_tree() {
  std::vector<std::size_t> group(mechanism_->bodies.size());
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = i;
  const std::function<std::size_t(std::size_t)> find = [&](std::size_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  for (Mechanism::Joint& joint : mechanism_->joints) {
    if (!joint.is_edge()) continue;
    const std::size_t a = find(to_size(joint.parent)), b = find(to_size(joint.child));
    if (a == b) {
      joint.role = Mechanism::JointRole::kConstraint;
      joint.closes_loop = true;
    } else {
      group[std::max(a, b)] = std::min(a, b);  // the root of a group is its first body, and the ground if it is in it
    }
  }
}

// Depth first from the ground and from the first body of every group that is not connected to it.
void MechanismBuilder::number_nodes() {
  const std::size_t body_count = mechanism_->bodies.size();
  mechanism_->nodes.push_back({});
  mechanism_->node_of_body.assign(body_count, -1);
  mechanism_->node_of_body[0] = 0;
  std::vector<bool> visited(body_count, false);
  visited[0] = true;

  const std::function<void(BodyIndex, int)> walk = [&](BodyIndex body, int node) {
    for (std::size_t j = 0; j < mechanism_->joints.size(); ++j) {
      Mechanism::Joint& joint = mechanism_->joints[j];
      if (!joint.is_edge()) continue;
      const bool forward = joint.parent == body && !visited[to_size(joint.child)];
      const bool backward = joint.child == body && !visited[to_size(joint.parent)];
      if (!forward && !backward) continue;
      if (backward && joint.type->u_count() > 1) {
        // The inverse of a ball or free joint has other coordinates; rows keep the meaning of the file.
        joint.role = Mechanism::JointRole::kConstraint;
        continue;
      }
      const BodyIndex next = forward ? joint.child : joint.parent;
      visited[to_size(next)] = true;
      joint.role = forward ? Mechanism::JointRole::kTree : Mechanism::JointRole::kReversed;
      append_node(node, next, static_cast<int>(j));
      walk(next, static_cast<int>(mechanism_->nodes.size()) - 1);
    }
  };
  walk(kGround, 0);
  for (std::size_t i = 1; i < body_count; ++i) {
    if (visited[i]) continue;
    visited[i] = true;
    const BodyIndex body{static_cast<std::int32_t>(i)};
    append_node(0, body, -1);
    walk(body, static_cast<int>(mechanism_->nodes.size()) - 1);
  }

  // Ancestors of velocities: within a joint the previous one, at its first the last one of the nearest moving ancestor.
  std::vector<int> parent_velocity;
  for (const Mechanism::Node& node : mechanism_->nodes) {
    if (node.type == nullptr) continue;
    int above = -1;
    for (int p = node.parent; p > 0 && above < 0;) {
      const Mechanism::Node& ancestor = mechanism_->nodes[static_cast<std::size_t>(p)];
      if (ancestor.type->u_count() > 0) above = ancestor.u + ancestor.type->u_count() - 1;
      p = ancestor.parent;
    }
    for (int k = 0; k < node.type->u_count(); ++k) parent_velocity.push_back(k == 0 ? above : node.u + k - 1);
  }
  mechanism_->mass_structure_ = MassStructure::from_parents(parent_velocity);
}

void MechanismBuilder::append_node(int parent_node, BodyIndex body, int joint_index) {
  Mechanism::Node node;
  node.body = body;
  node.parent = parent_node;
  node.joint = joint_index;
  node.q = mechanism_->q_count_;
  node.u = mechanism_->u_count_;
  if (joint_index < 0) {
    node.type = find_joint_type("free", spec_.space);
    node.parent_marker = marker_of(kGround);
    node.child_marker = marker_of(body);
  } else {
    Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(joint_index)];
    const bool reversed = joint.role == Mechanism::JointRole::kReversed;
    node.type = joint.type;
    node.sign = reversed ? -1 : 1;
    node.parent_marker = reversed ? joint.child_marker : joint.parent_marker;
    node.child_marker = reversed ? joint.parent_marker : joint.child_marker;
    joint.node = static_cast<int>(mechanism_->nodes.size());
  }
  mechanism_->q_count_ += node.type->q_count();
  mechanism_->u_count_ += node.type->u_count();
  mechanism_->node_of_body[to_size(body)] = static_cast<int>(mechanism_->nodes.size());
  mechanism_->nodes.push_back(node);
}

void MechanismBuilder::add_rows() {
  for (std::size_t j = 0; j < mechanism_->joints.size(); ++j) {
    Mechanism::Joint& joint = mechanism_->joints[j];
    if (joint.role != Mechanism::JointRole::kConstraint) continue;
    for (const LockedDirection& locked : joint.type->locked) {
      Mechanism::Row row;
      row.kind =
          locked.kind == LockedDirection::Kind::kPoint ? Mechanism::Row::Kind::kPoint : Mechanism::Row::Kind::kDot;
      row.joint = static_cast<int>(j);
      row.axis_parent = locked.axis_parent;
      row.axis_child = locked.axis_child;
      row.name = fmt::format("{}.{}", joint.name, locked.name);
      mechanism_->rows.push_back(row);
    }
  }
}

void MechanismBuilder::add_channels() {
  std::vector<MechanismChannel> channels = mechanism_channels(spec_);
  // A joint outside of the tree measures its coordinate only if it has exactly one.
  std::erase_if(channels, [&](const MechanismChannel& channel) {
    using Kind = Mechanism::Channel::Kind;
    const bool is_coordinate =
        channel.source.kind == Kind::kJointCoordinate || channel.source.kind == Kind::kJointVelocity;
    if (!is_coordinate) return false;
    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(channel.source.index)];
    return !joint.is_edge() && joint.type->u_count() != 1;
  });
  for (const MechanismChannel& channel : channels) {
    mechanism_->channel_table.push_back(channel.source);
    mechanism_->channel_descriptions_.push_back(channel.description);
  }
  for (std::size_t i = 1; i < spec_.variables.size(); ++i) {
    const int index = find_channel(*mechanism_, spec_.variables[i].channel);
    if (index < 0 || !usable_in_expressions(channels[static_cast<std::size_t>(index)])) {
      fail(spec_.variables[i].channel, "is not a channel of the state",
           "expressions may use positions and velocities only");
      continue;
    }
    mechanism_->expression_variables.push_back(channels[static_cast<std::size_t>(index)].source);
  }
}

// Smallest pivot of the mass matrix relative to its diagonal: 0 up to rounding if something moves without inertia.
double MechanismBuilder::smallest_pivot(Dynamics& dynamics) const {
  MassMatrix M(mechanism_->mass_structure());
  dynamics.mass_matrix(M);
  VecX diagonal(M.size());
  for (int k = 0; k < M.size(); ++k) diagonal[k] = M.at(k, k);
  if (!M.factor()) return 0;
  double smallest = 1;
  for (int k = 0; k < M.size(); ++k) smallest = std::min(smallest, M.at(k, k) * M.at(k, k) / diagonal[k]);
  return smallest;
}

// The mass matrix is singular: names the body that moves most in the direction v, |v| = 1, that meets no resistance.
// A little inertia s added to every velocity makes it regular, and the diagonal of (M + s)^-1 is then v_k^2 / s up to
// what the other directions add. The eigenvectors of M would say the same; compiling Eigen's solver takes far longer.
void MechanismBuilder::report_massless_motion(Dynamics& dynamics) {
  MassMatrix M(mechanism_->mass_structure());
  dynamics.mass_matrix(M);
  double largest = 0;
  for (int k = 0; k < M.size(); ++k) largest = std::max(largest, M.at(k, k));
  if (largest == 0) largest = 1;
  for (double added = 1e-14 * largest; added < largest; added *= 10) {  // more until rounding does not matter
    dynamics.mass_matrix(M);
    for (int k = 0; k < M.size(); ++k) M.at(k, k) += added;
    if (M.factor()) break;
  }
  int velocity = 0;
  double most = 0;
  for (int k = 0; k < M.size(); ++k) {
    VecX v = VecX::Unit(M.size(), k);
    M.solve_in_place(v);
    if (v[k] > most * (1 + 1e-9)) velocity = k, most = v[k];
  }
  for (const Mechanism::Node& node : mechanism_->nodes) {
    if (node.type == nullptr || velocity < node.u || velocity >= node.u + node.type->u_count()) continue;
    const std::string& name = mechanism_->bodies[to_size(node.body)].name;
    fail("bodies." + name, fmt::format("'{}' moves without inertia in the initial state", name),
         "give it an inertia greater than 0, or a joint that does not let it turn");
  }
}

void MechanismBuilder::set_initial_state() {
  mechanism_->initial_state_ =
      start_ ? *start_ : assemble_initial_state(spec_, mechanism_, mechanism_->assembly_notes_);
  const State& state = mechanism_->initial_state_;

  const std::unique_ptr<Dynamics> dynamics = mechanism_->make_dynamics();
  dynamics->set_position(state.t, state.q);
  for (std::size_t s = 0; s < spec_.springs.size(); ++s) {
    double length = 0;
    const int channel = find_channel(*mechanism_, spec_.springs[s].name + ".length");
    dynamics->read_channels(std::span(&channel, 1), std::span(&length, 1));
    if (!spec_.springs[s].free_length_m) mechanism_->springs[s].free_length = length;
    const Mechanism::Spring& spring = mechanism_->springs[s];
    if (length == 0 && spring.preload - spring.stiffness * spring.free_length != 0) {
      fail("forces." + spring.name, "its ends coincide in the initial state, so its force has no direction",
           "move an end, or give a spring without preload and with `free_length: 0 m`");
    }
  }

  BilateralWorkspace workspace(*mechanism_);
  if (!workspace.update(*dynamics) || smallest_pivot(*dynamics) < kSmallestPivot) report_massless_motion(*dynamics);
  throw_if_failed();
  mechanism_->row_rank_ = workspace.solver.rank();
  const std::vector<int>& pivots = workspace.solver.pivots();
  std::vector<int> redundant(pivots.begin() + workspace.solver.rank(), pivots.end());
  std::sort(redundant.begin(), redundant.end());
  for (const int row : redundant) mechanism_->redundant_rows_.push_back(mechanism_->row_name(row));
}

}  // namespace freeplay::mechanism
