#include "freeplay/contact/carried/carried_shapes.h"

#include <algorithm>

namespace freeplay::contact {

namespace {

const BodySpec* elastic_body(const MechanismSpec& spec, const std::string& name) {
  const auto is_it = [&](const BodySpec& body) { return body.name == name && body.elastic; };
  const auto found = std::find_if(spec.bodies.begin(), spec.bodies.end(), is_it);
  return found == spec.bodies.end() ? nullptr : &*found;
}

// The one place of the body that the shape is fixed to.
std::optional<Vec3> place_of_shape(const ShapeGeometry& geometry) {
  if (const auto* point = std::get_if<PointShape>(&geometry)) return point->at_m;
  if (const auto* circle = std::get_if<CircleShape>(&geometry)) return circle->at_m;
  if (const auto* ball = std::get_if<SphereShape>(&geometry)) return ball->at_m;
  return std::nullopt;
}

}  // namespace

bool has_elastic_bodies(const MechanismSpec& spec) {
  return std::any_of(spec.bodies.begin(), spec.bodies.end(),
                     [](const BodySpec& body) { return body.elastic.has_value(); });
}

// The markers have the axes of the body, so that shapes and frames stay as they are given; only what carries them is
// another.
MechanismSpec with_carried_markers(MechanismSpec spec, const std::vector<ShapeSpec>& shapes,
                                   const std::vector<ClearanceJointSpec>& clearance_joints) {
  const auto add = [&](const std::string& body, const std::optional<Vec3>& place, const std::string& owner) {
    if (place && elastic_body(spec, body) != nullptr) spec.markers.push_back({body, {}, place, owner});
  };
  for (const ShapeSpec& shape : shapes) add(shape.body, place_of_shape(shape.geometry), "shapes." + shape.name);
  for (const ClearanceJointSpec& play : clearance_joints) {
    add(play.joint.parent, play.joint.at_parent_m, "joints." + play.joint.name);
    add(play.joint.child, play.joint.at_child_m, "joints." + play.joint.name);
  }
  return spec;
}

std::optional<MarkerIndex> carrying_marker(const Mechanism& mechanism, const MechanismSpec& spec, BodyIndex body,
                                           const std::string& owner) {
  const std::string& name = mechanism.bodies[to_size(body)].name;
  const bool is_elastic = std::any_of(mechanism.elastic_bodies.begin(), mechanism.elastic_bodies.end(),
                                      [&](const Mechanism::ElasticBody& elastic) { return elastic.body == body; });
  if (!is_elastic) return marker_of(body);
  for (std::size_t i = 0; i < spec.markers.size(); ++i) {
    if (spec.markers[i].body == name && spec.markers[i].owner == owner) return mechanism.given_marker(i);
  }
  return std::nullopt;
}

}  // namespace freeplay::contact
