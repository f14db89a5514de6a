#include "freeplay/mechanism/building/mechanism_builder.h"

#include <fmt/format.h>

#include <cmath>

#include "freeplay/math/eigenvalues.h"
#include "freeplay/mechanism/building/start_as_ideal.h"

namespace freeplay::mechanism {

std::shared_ptr<const Mechanism> Mechanism::build(const MechanismSpec& spec) {
  return build_started_as_ideal(spec);
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
  add_strands();
  add_couplings();
  throw_if_failed();
  insert_sections();
  count_turns();
  place_control();
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
  if (const auto found = body_of_name_.find(name); found != body_of_name_.end()) return found->second;
  std::vector<std::string> known;
  for (const Mechanism::Body& body : mechanism_->bodies) known.push_back(body.name);
  const std::string close = closest_match(name, known);
  fail(path, fmt::format("there is no body '{}'", name),
       close.empty() ? "name a body of `bodies:` or ground" : fmt::format("did you mean '{}'?", close));
  return std::nullopt;
}

int MechanismBuilder::find_single_joint(const std::string& name, const std::string& path) {
  if (const auto found = joint_of_name_.find(name); found != joint_of_name_.end()) {
    const JointType& type = *mechanism_->joints[static_cast<std::size_t>(found->second)].type;
    if (type.u_count() == 1) return found->second;
    fail(path, fmt::format("joint '{}' is {} and has {} degrees of freedom", name, type.name, type.u_count()),
         "this works on joints with exactly one: revolute or prismatic");
    return -1;
  }
  std::vector<std::string> known;
  for (const Mechanism::Joint& joint : mechanism_->joints) known.push_back(joint.name);
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
    if (body.elastic) {
      mechanism_->bodies.push_back({body.name, 0, Mat3::Zero()});
      const BodyIndex index{static_cast<std::int32_t>(mechanism_->bodies.size()) - 1};
      if (check_elastic(*body.elastic, path + ".elastic")) add_elastic_body(index, *body.elastic, path + ".elastic");
      continue;
    }
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
  add_body_markers();
}

// The first of all markers, each with the axes of its body, whatever deforms.
void MechanismBuilder::add_body_markers() {
  for (std::size_t i = 0; i < mechanism_->bodies.size(); ++i) {
    const BodyIndex body{static_cast<std::int32_t>(i)};
    body_of_name_.emplace(mechanism_->bodies[i].name, body);
    mechanism_->markers.push_back({body, {}});
  }
}

MarkerIndex MechanismBuilder::add_marker(BodyIndex body, const Frame& place, const std::string& path,
                                         const std::optional<Vec3>& carried_at) {
  mechanism_->markers.push_back({body, place, section_at(body, carried_at.value_or(place.p), path)});
  return MarkerIndex{static_cast<std::int32_t>(mechanism_->markers.size()) - 1};
}

void MechanismBuilder::add_given_markers() {
  for (std::size_t i = 0; i < spec_.markers.size(); ++i) {
    const MarkerSpec& spec = spec_.markers[i];
    const std::optional<BodyIndex> body = find_body(spec.body, fmt::format("markers[{}].body", i));
    const bool is_of_shape = spec.owner.starts_with("shapes.");
    const std::string path = spec.owner.empty() ? fmt::format("markers[{}]", i)
                             : is_of_shape      ? fmt::format("bodies.{}.{}.at", spec.body, spec.owner)
                                                : spec.owner;
    if (body) add_marker(*body, spec.place, path, spec.carried_at_m);
  }
}

void MechanismBuilder::add_channels() {
  std::vector<MechanismChannel> channels = mechanism_channels(spec_);
  // A joint that is rows measures its coordinate only if it has exactly one, or is a pin in a curved slot, which is
  // always rows.
  std::erase_if(channels, [&](const MechanismChannel& channel) {
    using Kind = Mechanism::Channel::Kind;
    const bool is_coordinate =
        channel.source.kind == Kind::kJointCoordinate || channel.source.kind == Kind::kJointVelocity;
    if (!is_coordinate) return false;
    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(channel.source.index)];
    return joint.role == Mechanism::JointRole::kConstraint && joint.type->u_count() != 1 && !(joint.slot_radius_m > 0);
  });
  for (const MechanismChannel& channel : channels) {
    mechanism_->channel_table.push_back(channel.source);
    mechanism_->channel_descriptions_.push_back(channel.description);
  }
  if (spec_.variables.size() <= 1) return;
  std::unordered_map<std::string, const MechanismChannel*> channel_of_name;
  for (const MechanismChannel& channel : channels) channel_of_name.emplace(channel.description.name, &channel);
  for (std::size_t i = 1; i < spec_.variables.size(); ++i) {
    const auto found = channel_of_name.find(spec_.variables[i].channel);
    if (found == channel_of_name.end() || !usable_in_expressions(*found->second)) {
      fail(spec_.variables[i].channel, "is not a channel of the state",
           "expressions may use positions and velocities only");
      continue;
    }
    mechanism_->expression_variables.push_back(found->second->source);
  }
}

}  // namespace freeplay::mechanism
