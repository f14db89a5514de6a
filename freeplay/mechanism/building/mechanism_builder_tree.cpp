// The forest: which joints are tree edges, and the order of nodes and velocities.
#include <algorithm>

#include "freeplay/mechanism/building/mechanism_builder.h"

namespace freeplay::mechanism {

// Tree edges in file order: a joint between bodies that are connected already closes a loop and becomes rows.
void MechanismBuilder::choose_tree() {
  std::vector<std::size_t> group(mechanism_->bodies.size());
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = i;
  const auto find = [&](std::size_t i) {
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

// Depth first from the ground and from the first body of every group that is not connected to it. By a list of what is
// still to be walked instead of recursion: a chain may be longer than the program's stack.
void MechanismBuilder::number_nodes() {
  const std::size_t body_count = mechanism_->bodies.size();
  std::vector<std::vector<int>> joints_of_body(body_count);  // tree edges, in file order
  for (std::size_t j = 0; j < mechanism_->joints.size(); ++j) {
    const Mechanism::Joint& joint = mechanism_->joints[j];
    if (!joint.is_edge()) continue;
    joints_of_body[to_size(joint.parent)].push_back(static_cast<int>(j));
    joints_of_body[to_size(joint.child)].push_back(static_cast<int>(j));
  }
  mechanism_->nodes.push_back({});
  mechanism_->node_of_body.assign(body_count, -1);
  mechanism_->node_of_body[0] = 0;

  struct Walk {
    BodyIndex body;
    std::size_t next_joint;  // into joints_of_body
  };
  std::vector<Walk> open;
  const auto walk_from = [&](BodyIndex start) {
    open.push_back({start, 0});
    while (!open.empty()) {
      const BodyIndex body = open.back().body;
      const std::vector<int>& joints = joints_of_body[to_size(body)];
      if (open.back().next_joint == joints.size()) {
        open.pop_back();
        continue;
      }
      const int j = joints[open.back().next_joint++];
      if (const std::optional<BodyIndex> reached = walk_along(j, body)) open.push_back({*reached, 0});
    }
  };
  walk_from(kGround);
  for (std::size_t i = 1; i < body_count; ++i) {
    if (mechanism_->node_of_body[i] >= 0) continue;
    const BodyIndex body{static_cast<std::int32_t>(i)};
    append_node(0, body, -1);
    walk_from(body);
  }
  order_velocities();
}

// The body that the joint leads to from `body`, as a new node, unless it has been reached before.
std::optional<BodyIndex> MechanismBuilder::walk_along(int index, BodyIndex body) {
  Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(index)];
  const bool is_forward = joint.parent == body;
  const BodyIndex next = is_forward ? joint.child : joint.parent;
  if (!joint.is_edge() || mechanism_->node_of_body[to_size(next)] >= 0) return std::nullopt;
  if (!is_forward && joint.type->u_count() > 1) {
    // The inverse of a ball or free joint has other coordinates; rows keep the meaning of the file.
    joint.role = Mechanism::JointRole::kConstraint;
    return std::nullopt;
  }
  joint.role = is_forward ? Mechanism::JointRole::kTree : Mechanism::JointRole::kReversed;
  append_node(mechanism_->node_of_body[to_size(body)], next, index);
  return next;
}

// Ancestors of velocities: within a joint the previous one, at its first the last one of the nearest moving ancestor.
void MechanismBuilder::order_velocities() {
  std::vector<int> parent_velocity;
  std::vector<int> last_velocity;  // per node: of itself or of the nearest ancestor that has one; -1 if none has
  for (const Mechanism::Node& node : mechanism_->nodes) {
    int last = last_velocity.empty() ? -1 : last_velocity[static_cast<std::size_t>(node.parent)];
    const int modes = node.elastic < 0 ? 0 : mechanism_->elastic_bodies[static_cast<std::size_t>(node.elastic)].count;
    const int count = node.joint_velocities() + modes;
    for (int k = 0; k < count; ++k) {
      parent_velocity.push_back(last);
      last = node.u + k;
    }
    last_velocity.push_back(last);
  }
  const DeepTrees deep = !mechanism_->elastic_bodies.empty() ? DeepTrees::kNone
                         : spec_.space == Space::kPlanar     ? DeepTrees::kPlanar
                                                             : DeepTrees::kSpatial;
  mechanism_->mass_structure_ = MassStructure::from_parents(parent_velocity, deep);
  const std::vector<std::pair<int, int>> together = coupled_velocities(mechanism_->mass_structure_);
  if (!together.empty()) mechanism_->mass_structure_ = MassStructure::from_parents(parent_velocity, deep, together);
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
  if (const auto found = elastic_of_body_.find(body); found != elastic_of_body_.end()) {
    Mechanism::ElasticBody& elastic = mechanism_->elastic_bodies[static_cast<std::size_t>(found->second)];
    node.elastic = found->second;
    elastic.q = mechanism_->q_count_;
    elastic.u = mechanism_->u_count_;
    mechanism_->q_count_ += elastic.count;
    mechanism_->u_count_ += elastic.count;
  }
  mechanism_->node_of_body[to_size(body)] = static_cast<int>(mechanism_->nodes.size());
  mechanism_->nodes.push_back(node);
}

}  // namespace freeplay::mechanism
