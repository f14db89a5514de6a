#include "freeplay/io/result/tables/model_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <span>

#include "freeplay/geometry/contours/shape_contour.h"
#include "freeplay/geometry/meshes/triangle_mesh.h"
#include "freeplay/geometry/shapes/cam_checks.h"
#include "freeplay/geometry/surfaces/shape_surface.h"
#include "freeplay/mechanism/description/beam_shapes.h"
#include "freeplay/mechanism/description/beam_splines.h"
#include "freeplay/mechanism/description/joint_table.h"

namespace freeplay::io {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kOutlinePoints = 720;         // of a cam, as a picture shows it
constexpr int kStations = 40;               // of a beam with knots: pieces that a picture shows
constexpr std::size_t kMostStations = 400;  // of a body of nodes: more are thinned

Json json_of(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}
Json json_of(const std::vector<Vec3>& points) {
  Json list = Json::array();
  for (const Vec3& point : points) list.push_back(json_of(point));
  return list;
}
// (e0, e1, e2, e3) as everywhere in freeplay, not the order of Eigen's coefficients.
Json json_of(const Eigen::Quaterniond& rotation) {
  return {rotation.w(), rotation.x(), rotation.y(), rotation.z()};
}

// One overload per shape: a shape without one does not compile.
struct ShapeNumbers {
  Json operator()(const PointShape& s) const { return {{"at", json_of(s.at_m)}}; }
  Json operator()(const LineShape& s) const { return {{"at", json_of(s.at_m)}, {"normal", json_of(s.normal)}}; }
  Json operator()(const CircleShape& s) const { return {{"at", json_of(s.at_m)}, {"radius", s.radius_m}}; }
  Json operator()(const ArcShape& s) const {
    return with_outline(
        {{"at", json_of(s.at_m)}, {"radius", s.radius_m}, {"from", s.from}, {"to", s.to}, {"hollow", s.hollow}}, s);
  }
  Json operator()(const PolygonShape& s) const { return {{"vertices", json_of(s.vertices_m)}}; }
  Json operator()(const EllipseShape& s) const {
    return {{"at", json_of(s.at_m)},
            {"semi_axis_x", s.semi_axis_x_m},
            {"semi_axis_y", s.semi_axis_y_m},
            {"angle", s.angle}};
  }
  // A closed one is known by its points; of an open one the ends are another matter, and it has a back.
  Json operator()(const SplineShape& s) const {
    Json json = {{"points", json_of(s.points_m)}, {"closed", s.closed}};
    return s.closed ? json : with_outline(std::move(json), s);
  }
  Json operator()(const CamShape& s) const {
    Json outline = Json::array();
    for (const Vec2& point : cam_outline(s, kOutlinePoints)) outline.push_back({point.x(), point.y(), 0.0});
    return {{"at", json_of(s.at_m)}, {"outline", std::move(outline)}};
  }
  // Of what is only known as a contour: a closed polygon that shows it.
  Json operator()(const EdgeShape& s) const { return outline_of(s); }
  Json operator()(const OutlineShape& s) const { return outline_of(s); }
  Json operator()(const SuperellipseShape& s) const { return outline_of(s); }
  Json operator()(const ParametricShape& s) const { return outline_of(s); }
  Json operator()(const InvoluteShape& s) const { return outline_of(s); }
  Json operator()(const SphereShape& s) const { return {{"at", json_of(s.at_m)}, {"radius", s.radius_m}}; }
  Json operator()(const PlaneShape& s) const { return {{"at", json_of(s.at_m)}, {"normal", json_of(s.normal)}}; }
  Json operator()(const BoxShape& s) const {
    return {{"at", json_of(s.at_m)}, {"size", json_of(s.size_m)}, {"rotation", json_of(s.rotation)}};
  }
  Json operator()(const CylinderShape& s) const { return along_axis(s); }
  Json operator()(const CapsuleShape& s) const { return along_axis(s); }
  Json operator()(const EllipsoidShape& s) const {
    return {{"at", json_of(s.at_m)}, {"semi_axes", json_of(s.semi_axes_m)}, {"rotation", json_of(s.rotation)}};
  }
  // Of what is only known as a surface: triangles that show it.
  Json operator()(const TorusShape& s) const { return triangles_of(s); }
  Json operator()(const ConeShape& s) const { return triangles_of(s); }
  Json operator()(const ParaboloidShape& s) const { return triangles_of(s); }
  Json operator()(const RevolutionShape& s) const { return triangles_of(s); }
  Json operator()(const ParametricSurfaceShape& s) const { return triangles_of(s); }
  Json operator()(const SplinePatchShape& s) const { return triangles_of(s); }

  // The triangles themselves: a result can be drawn when the file of the mesh has gone.
  Json operator()(const MeshShape& s) const {
    Json triangles = Json::array();
    for (const MeshTriangle& t : s.mesh->triangles()) triangles.push_back(t.vertices);
    return {{"file", s.file}, {"vertices", drawn(s.mesh->vertices())}, {"triangles", std::move(triangles)}};
  }

 private:
  static Json triangles_of(const ShapeGeometry& shape) {
    const SurfacePicture picture = surface_picture(shape);
    Json triangles = Json::array();
    for (const auto& [a, b, c] : picture.triangles) triangles.push_back({a, b, c});
    return {{"vertices", drawn(picture.points)}, {"triangles", std::move(triangles)}};
  }
  // As many digits as single precision has, which is what pictures are made of: half of the text.
  static double drawn(double x) { return std::strtod(fmt::format("{:.8g}", x).c_str(), nullptr); }
  static Json drawn(std::span<const Vec3> points) {
    Json list = Json::array();
    for (const Vec3& x : points) list.push_back({drawn(x.x()), drawn(x.y()), drawn(x.z())});
    return list;
  }
  static Json outline_of(const ShapeGeometry& shape) {
    Json outline = Json::array();
    for (const Vec2& point : contour_outline(shape)) outline.push_back({point.x(), point.y(), 0.0});
    return {{"outline", std::move(outline)}};
  }
  // Beside the numbers: a sector of a disc, a wall with its back.
  static Json with_outline(Json json, const ShapeGeometry& shape) {
    Json outline = outline_of(shape);
    if (!outline["outline"].empty()) json.update(outline);
    return json;
  }
  template <class Shape>
  static Json along_axis(const Shape& s) {
    return {{"at", json_of(s.at_m)}, {"axis", json_of(s.axis)}, {"radius", s.radius_m}, {"length", s.length_m}};
  }
};

Json shape_json(const ShapeSpec& shape) {
  Json json = {{"body", shape.body}, {"name", shape.name}, {"type", shape.type}};
  json.update(std::visit(ShapeNumbers(), shape.geometry));
  if (shape.turn) json["turn"] = shape.turn->angle.text();
  return json;
}

// The shape functions as formulas (BeamShape): a picture evaluates them at every place that it needs.
Json elastic_json(const ElasticSpec& beam) {
  using Direction = BeamMode::Direction;
  Json modes = Json::array();
  for (const auto& [direction, shape] : beam_modes(beam)) {
    const char* word = direction == Direction::kY   ? "y"
                       : direction == Direction::kZ ? "z"
                       : direction == Direction::kX ? "x"
                                                    : "twist";
    modes.push_back({{"direction", word},
                     {"cos", shape.a},
                     {"sin", shape.b},
                     {"decay", shape.c},
                     {"growth", shape.d},
                     {"wave_number", shape.wave_number_1_m}});
  }
  return {{"length", beam.length_m},
          {"start", json_of(beam.start())},
          {"height", beam.drawn_height()},
          {"width", beam.drawn_width()},
          {"foreshortening", beam.foreshortening},
          {"bending_stiffness", beam.bending_stiffness_Nm2},
          {"bending_stiffness_xz", beam.bending_stiffness_xz_Nm2},
          {"axial_stiffness", beam.axial_stiffness_N},
          {"torsional_stiffness", beam.torsional_stiffness_Nm2},
          {"section_modulus", beam.section_modulus_m3},
          {"modes", std::move(modes)}};
}

// Of other elastic bodies: some places, in body axes, and how each mode moves them (per unit of its coordinate). Modes
// that twist a beam leave its axis where it is.
Json stations_of_beam(const ElasticSpec& beam) {
  Json places = Json::array(), modes = Json::array();
  const auto at = [&](int i) { return beam.length_m * i / kStations; };
  for (int i = 0; i <= kStations; ++i) places.push_back(json_of(Vec3(beam.start() + at(i) * Vec3::UnitX())));
  const auto add = [&](const std::vector<BeamSpline>& splines, const Vec3& direction) {
    for (const BeamSpline& spline : splines) {
      Json moves = Json::array();
      for (int i = 0; i <= kStations; ++i) moves.push_back(json_of(Vec3(spline.value(at(i)) * direction)));
      modes.push_back(std::move(moves));
    }
  };
  for (int plane = 0; plane < beam.bending_planes(); ++plane) {
    const BeamDirection direction = plane == 0 ? BeamDirection::kY : BeamDirection::kZ;
    add(bending_splines(beam.bending, beam.bending_modes, beam.knots, direction), Vec3::Unit(plane + 1));
  }
  if (beam.axial_mode_count() > 0)
    add(axial_splines(beam.axial, beam.axial_modes, beam.knots, BeamDirection::kX), Vec3::UnitX());
  for (int k = 0; k < beam.torsion_mode_count(); ++k)
    modes.push_back(std::vector<Json>(kStations + 1, json_of(Vec3(Vec3::Zero()))));
  return {
      {"places", std::move(places)}, {"modes", std::move(modes)}, {"is_axis", true}, {"height", beam.drawn_height()}};
}
Json stations_of_nodes(const ElasticNodes& body) {
  const std::size_t count = body.nodes.size(),
                    stride = std::max<std::size_t>(1, (count + kMostStations - 1) / kMostStations);
  Json places = Json::array(), modes = Json::array();
  for (std::size_t i = 0; i < count; i += stride) places.push_back(json_of(body.nodes[i].at_m));
  for (Eigen::Index k = 0; k < body.mode_count(); ++k) {
    Json moves = Json::array();
    for (std::size_t i = 0; i < count; i += stride)
      moves.push_back(json_of(Vec3(body.nodes[i].shapes.col(k).head<3>())));
    modes.push_back(std::move(moves));
  }
  return {
      {"places", std::move(places)}, {"modes", std::move(modes)}, {"is_axis", body.is_on_a_line()}, {"height", 0.0}};
}

Json body_json(const BodySpec& body) {
  Json json = {{"name", body.name}, {"mass", body.mass_kg}};
  // The formulas are those of uniform beams.
  const bool is_uniform = body.elastic && !body.elastic->nodes && body.elastic->knots.empty();
  if (is_uniform) json["elastic"] = elastic_json(*body.elastic);
  if (body.elastic && !is_uniform)
    json["stations"] = body.elastic->nodes ? stations_of_nodes(*body.elastic->nodes) : stations_of_beam(*body.elastic);
  return json;
}

Json joint_json(const JointSpec& joint, Space space, std::string_view model) {
  Json json = {{"name", joint.name},
               {"type", joint.type},
               {"model", model},
               {"parent", joint.parent},
               {"child", joint.child},
               {"at_parent", json_of(joint.at_parent_m)},
               {"at_child", json_of(joint.at_child_m)}};
  const JointType* type = find_joint_type(joint.type, space);
  json["axis"] = json_of(joint.axis ? Vec3(joint.axis->normalized()) : Vec3(Vec3::Unit(type->main_axis)));
  if (joint.second_axis) json["second_axis"] = json_of(Vec3(joint.second_axis->normalized()));
  json["rotation"] = json_of(joint.rotation);
  // The page draws stops of joints that move in one way.
  if (joint.stops && type->u_count() == 1) {
    json["stops"] = Json::object();
    if (joint.stops->lower) json["stops"]["lower"] = *joint.stops->lower;
    if (joint.stops->upper) json["stops"]["upper"] = *joint.stops->upper;
  }
  return json;
}

Json clearance_joint_json(const ClearanceJointSpec& play, Space space) {
  Json json = joint_json(play.joint, space, "clearance");
  json["clearance"] = play.clearance_m;
  if (play.length_m) json["length"] = *play.length_m;
  if (play.width_m) json["width"] = *play.width_m;
  if (play.journal_radius_m) json["journal_radius"] = *play.journal_radius_m;
  if (play.bearing_radius_m) json["bearing_radius"] = *play.bearing_radius_m;
  if (play.axial_clearance_m) json["axial_clearance"] = *play.axial_clearance_m;
  if (play.joint.type == "pin_in_slot") {
    if (!play.section_m.empty()) json["head_radius"] = play.section_m.front().norm();  // points of its rim
    if (play.joint.slot_radius_m) json["slot_radius"] = *play.joint.slot_radius_m;
    using Sides = ClearanceJointSpec::SlotSides;
    json["sides"] = play.slot_sides == Sides::kBoth ? "both" : (play.slot_sides == Sides::kLeft ? "left" : "right");
  }
  if (play.joint.type == "prismatic")
    for (const Vec2& corner : play.section_m) json["section"].push_back({corner.x(), corner.y()});
  return json;
}

Json spring_json(const SpringSpec& spring) {
  return {{"name", spring.name},
          {"parent", spring.parent},
          {"child", spring.child},
          {"at_parent", json_of(spring.at_parent_m)},
          {"at_child", json_of(spring.at_child_m)}};
}

Json coupling_json(const CouplingSpec& coupling) {
  Json terms = Json::array();
  for (const CouplingTerm& term : coupling.terms)
    terms.push_back({{"joint", term.joint}, {"coordinate", term.coordinate}, {"factor", term.factor}});
  return {{"name", coupling.name}, {"angle", coupling.is_angle}, {"terms", std::move(terms)}};
}

Json contact_json(const ContactSpec& contact) {
  return {{"name", contact.name},
          {"a", contact.body_a + "." + contact.shape_a},
          {"b", contact.body_b + "." + contact.shape_b}};
}

}  // namespace

std::string geometry_json(const ModelSpec& spec) {
  const MechanismSpec& mechanism = spec.mechanism;
  Json bodies = Json::array(), joints = Json::array(), springs = Json::array(), shapes = Json::array(),
       contacts = Json::array(), couplings = Json::array();
  Json json;
  if (spec.system) {
    json["system"] = spec.system->name;
  } else {
    json["space"] = mechanism.space == Space::kPlanar ? "planar" : "spatial";
    json["gravity"] = json_of(mechanism.gravity_m_s2);
    bodies.push_back({{"name", "ground"}});
  }
  for (const BodySpec& body : mechanism.bodies) bodies.push_back(body_json(body));
  for (const JointSpec& joint : mechanism.joints)
    joints.push_back(joint_json(joint, mechanism.space, joint.bushing ? "bushing" : "ideal"));
  for (const ClearanceJointSpec& play : spec.clearance_joints)
    joints.push_back(clearance_joint_json(play, mechanism.space));
  for (const SpringSpec& spring : mechanism.springs) springs.push_back(spring_json(spring));
  for (const CouplingSpec& coupling : mechanism.couplings) couplings.push_back(coupling_json(coupling));
  for (const ShapeSpec& shape : spec.shapes) shapes.push_back(shape_json(shape));
  for (const ContactSpec& contact : spec.contacts) contacts.push_back(contact_json(contact));
  json["bodies"] = std::move(bodies);
  json["joints"] = std::move(joints);
  json["springs"] = std::move(springs);
  json["shapes"] = std::move(shapes);
  json["contacts"] = std::move(contacts);
  if (!couplings.empty()) json["couplings"] = std::move(couplings);
  return json.dump();
}

}  // namespace freeplay::io
