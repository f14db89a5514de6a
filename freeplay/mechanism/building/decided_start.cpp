#include "freeplay/mechanism/building/decided_start.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "freeplay/math/rotation.h"
#include "freeplay/mechanism/description/joint_axes.h"
#include "freeplay/mechanism/description/joint_table.h"

namespace freeplay::mechanism {

namespace {

constexpr double kOffCentre = 1e-9;  // m, or of the largest coordinate: far above what rounding leaves

bool says_place(const BodySpec& body, Space space) {
  const BodyInitialSpec& initial = body.initial;
  const bool in_plane = initial.position_m[0] && initial.position_m[1];
  return space == Space::kPlanar ? in_plane && initial.angle : in_plane && initial.position_m[2] && initial.quaternion;
}

bool says_velocity(const BodySpec& body, Space space) {
  const auto& [vx, vy, vz] = body.initial.velocity_m_s;
  const auto& [wx, wy, wz] = body.initial.angular_velocity;
  return space == Space::kPlanar ? vx && vy && wz : vx && vy && vz && wx && wy && wz;
}

bool is_moving(const std::optional<double>& value) {
  return value && *value != 0;
}

bool says_that_it_moves(const BodySpec& body) {
  return std::ranges::any_of(body.initial.velocity_m_s, is_moving) ||
         std::ranges::any_of(body.initial.angular_velocity, is_moving);
}

// Bodies that joints and couplings connect, other than by the ground, and which of these groups anything moves at the
// start. Bodies of the others are at rest unless they say otherwise.
class Groups {
 public:
  // `counts`: whether what a body says of its own velocity moves its group, one flag each.
  Groups(const MechanismSpec& spec, const std::vector<bool>& counts) : group_(spec.bodies.size()) {
    std::iota(group_.begin(), group_.end(), std::size_t{0});
    for (std::size_t i = 0; i < spec.bodies.size(); ++i) index_.emplace(spec.bodies[i].name, i);
    for (const JointSpec& joint : spec.joints) add(joint);
    for (const JointSpec& joint : spec.joints_with_play) add(joint);
    for (const CouplingSpec& coupling : spec.couplings) {
      for (const CouplingTerm& term : coupling.terms)
        unite(joint_of(coupling.terms.front().joint), joint_of(term.joint));
    }
    moves_.assign(spec.bodies.size(), false);
    for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
      const BodySpec& body = spec.bodies[i];
      const bool bends = body.elastic && std::ranges::any_of(body.elastic->initial_u, [](double u) { return u != 0; });
      if (bends || (counts[i] && says_that_it_moves(body))) moves_[group_of(i)] = true;
    }
    for (const DriverSpec& driver : spec.drivers) {
      if (driver.motion) set_moving(joint_of(driver.joint));
    }
    for (const std::vector<JointSpec>* joints : {&spec.joints, &spec.joints_with_play}) {
      for (const JointSpec& joint : *joints) {
        if (std::ranges::any_of(joint.initial_u, is_moving)) set_moving(joint_of(joint.name));
      }
    }
  }

  bool is_at_rest(std::size_t body) const { return !moves_[group_of(body)]; }

 private:
  std::size_t group_of(std::size_t body) const {
    while (group_[body] != body) body = group_[body];
    return body;
  }
  // A body of the joint's group; none if it is not known or holds nothing that moves.
  std::optional<std::size_t> joint_of(std::string_view name) const {
    const auto found = body_of_joint_.find(name);
    return found == body_of_joint_.end() ? std::nullopt : std::optional(found->second);
  }
  void unite(std::optional<std::size_t> a, std::optional<std::size_t> b) {
    if (!a || !b) return;
    const std::size_t first = group_of(*a), second = group_of(*b);
    group_[std::max(first, second)] = std::min(first, second);
    group_[*a] = group_[*b] = std::min(first, second);
  }
  void add(const JointSpec& joint) {
    std::optional<std::size_t> parent, child;
    if (const auto found = index_.find(joint.parent); found != index_.end()) parent = found->second;
    if (const auto found = index_.find(joint.child); found != index_.end()) child = found->second;
    unite(parent, child);
    if (child || parent) body_of_joint_.emplace(joint.name, child ? *child : *parent);
  }
  void set_moving(std::optional<std::size_t> body) {
    if (body) moves_[group_of(*body)] = true;
  }

  std::vector<std::size_t> group_;  // of each body: another one of its group, or itself
  std::vector<bool> moves_;         // per first body of a group
  std::unordered_map<std::string_view, std::size_t> index_, body_of_joint_;
};

// Where a body says that it is; the ground where it is. None of elastic ones, whose joints move with their modes.
std::optional<Frame> place_of(const BodySpec& body, Space space) {
  const BodyInitialSpec& initial = body.initial;
  if (!says_place(body, space) || body.elastic) return std::nullopt;
  if (initial.quaternion && initial.quaternion->isZero(0)) return std::nullopt;  // the builder reports it
  Frame place;
  for (std::size_t k = 0; k < 3; ++k) place.p[static_cast<Eigen::Index>(k)] = initial.position_m[k].value_or(0);
  place.R = space == Space::kPlanar ? Mat3(Eigen::AngleAxisd(*initial.angle, Vec3::UnitZ()).toRotationMatrix())
                                    : rotation_from_quaternion(*initial.quaternion);
  return place;
}

// How far the joint's points are apart along what it would lock.
double off_centre_m(const JointSpec& joint, const JointType& type, Space space, const Frame& parent,
                    const Frame& child) {
  const Mat3 axes = parent.R * frame_axes(joint, type, space);
  const Vec3 between = child.p + child.R * joint.at_child_m - parent.p - parent.R * joint.at_parent_m;
  double worst = 0;
  for (const LockedDirection& locked : type.locked) {
    if (locked.kind == LockedDirection::Kind::kPoint)
      worst = std::max(worst, std::abs(axes.col(locked.axis_parent).dot(between)));
  }
  return worst;
}

}  // namespace

bool bodies_say_all(const MechanismSpec& spec, const std::vector<JointSpec>& loose) {
  std::unordered_map<std::string_view, bool> is_held, is_decided = {{"ground", true}};
  for (const JointSpec& joint : spec.joints) {
    if (!joint.bushing) is_held[joint.parent] = is_held[joint.child] = true;
  }
  const Groups groups(spec, std::vector<bool>(spec.bodies.size(), true));
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
    const BodySpec& body = spec.bodies[i];
    is_decided[body.name] = !is_held[body.name] && says_place(body, spec.space) &&
                            (says_velocity(body, spec.space) || groups.is_at_rest(i));
  }
  return std::ranges::all_of(
      loose, [&](const JointSpec& joint) { return is_decided[joint.parent] && is_decided[joint.child]; });
}

bool chosen_bodies_say_all(const MechanismSpec& spec, const std::vector<bool>& chosen) {
  std::vector<bool> others = chosen;
  others.flip();
  const Groups groups(spec, others);
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
    if (!chosen[i]) continue;
    const BodySpec& body = spec.bodies[i];
    if (!says_place(body, spec.space)) return false;
    if (!says_velocity(body, spec.space) && !groups.is_at_rest(i)) return false;
  }
  return true;
}

bool bodies_contradict(const MechanismSpec& spec, const std::vector<JointSpec>& loose) {
  std::unordered_map<std::string_view, Frame> placed = {{"ground", Frame{}}};
  double size = 1;
  for (const BodySpec& body : spec.bodies) {
    const std::optional<Frame> place = place_of(body, spec.space);
    if (!place) continue;
    placed.emplace(body.name, *place);
    size = std::max(size, max_abs(place->p));
  }
  return std::ranges::any_of(loose, [&](const JointSpec& joint) {
    const auto parent = placed.find(joint.parent), child = placed.find(joint.child);
    const JointType* type = find_joint_type(joint.type, spec.space);
    if (parent == placed.end() || child == placed.end() || type == nullptr || joint.slot_radius_m) return false;
    return off_centre_m(joint, *type, spec.space, parent->second, child->second) > kOffCentre * size;
  });
}

}  // namespace freeplay::mechanism
