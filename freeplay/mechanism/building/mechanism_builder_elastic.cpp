// Elastic bodies: their modes, the sections that carry what is attached to them, and the points of their mass.
#include <fmt/format.h>

#include "freeplay/mechanism/building/mechanism_builder.h"

namespace freeplay::mechanism {

namespace {

constexpr double kBeyondEnd = 1e-9;    // of the length: rounding of a place that is meant to be at an end
constexpr double kFarFromNodes = 0.1;  // of the size: farther from all nodes a place is not on the body

// The same part of critical damping for every mode by itself, or Rayleigh's.
MatX damping_of(const ElasticSpec& spec, const MatX& mass, const MatX& stiffness) {
  if (spec.rayleigh) return spec.rayleigh->alpha_1_s * mass + spec.rayleigh->beta_s * stiffness;
  const VecX critical = 2 * stiffness.diagonal().cwiseProduct(mass.diagonal()).cwiseSqrt();
  return MatX((spec.damping_ratio * critical).asDiagonal());
}

}  // namespace

int Mechanism::node_of(const Marker& marker) const {
  return marker.section < 0 ? node_of_body[to_size(marker.body)]
                            : sections[static_cast<std::size_t>(marker.section)].node;
}

Frame Mechanism::frame_on_node(const Marker& marker) const {
  if (marker.section < 0) return marker.place;
  return {marker.place.R, marker.place.p - sections[static_cast<std::size_t>(marker.section)].rest};
}

// After the checks. Mass and inertia of the body are those of its points, about their centre.
void MechanismBuilder::add_elastic_body(BodyIndex body, const ElasticSpec& spec, const std::string& path) {
  const int index = static_cast<int>(mechanism_->elastic_bodies.size());
  std::unique_ptr<const ElasticShapes> shapes = spec.nodes ? make_node_shapes(spec) : make_beam_functions(spec);
  std::vector<Mechanism::Section> points = shapes->mass_points();
  Mechanism::ElasticBody elastic;
  elastic.body = body;
  elastic.count = spec.mode_count();
  elastic.beam = spec;
  elastic.size_m = shapes->size_m();
  elastic.stiffness = shapes->stiffness();
  const MatX mass = modal_mass(points, elastic.count);
  check_modes(elastic, mass, path);
  elastic.damping = damping_of(spec, mass, elastic.stiffness);
  elastic.stations = shapes->stations();
  mechanism_->elastic_bodies.push_back(std::move(elastic));
  elastic_of_body_[body] = index;
  elastic_shapes_.push_back(std::move(shapes));
  Mechanism::Body& whole = mechanism_->bodies[to_size(body)];
  Vec3 centre = Vec3::Zero();
  for (const Mechanism::Section& point : points) whole.mass_kg += point.mass_kg, centre += point.mass_kg * point.rest;
  centre /= whole.mass_kg;
  for (Mechanism::Section& point : points) {
    const Vec3 arm = point.rest - centre;
    whole.inertia_kg_m2 += point.mass_kg * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
    whole.inertia_kg_m2 += point.inertia_kg_m2.asDiagonal();
    point.elastic = index;
    mechanism_->sections.push_back(std::move(point));
  }
}

// A place beyond an end of a beam, or far from every node, is on nothing that could carry it.
void MechanismBuilder::check_place(const Mechanism::ElasticBody& body, const Vec3& place, const Vec3& carrier,
                                   const std::string& path) {
  const std::string& name = mechanism_->bodies[to_size(body.body)].name;
  if (body.beam.nodes) {
    const double distance = (place - carrier).norm();
    if (distance <= kFarFromNodes * body.size_m) return;
    fail(path,
         fmt::format("is {:.6g} m away from the nearest node of '{}' that can carry it, more than a tenth of its size "
                     "of {:.6g} m",
                     distance, name, body.size_m),
         "give the file a node with rotations at that place");
    return;
  }
  const double start = body.beam.start().x(), s = place.x() - start, length = body.beam.length_m;
  const double beside = (place - carrier).tail<2>().norm();
  if (beside > length)
    fail(path,
         fmt::format("is {:.6g} m beside the axis of the beam '{}', farther than its length of {:.6g} m", beside, name,
                     length),
         "attach it to a rigid body that is fixed to the beam and reaches there");
  if (s >= -kBeyondEnd * length && s <= (1 + kBeyondEnd) * length) return;
  fail(path,
       fmt::format("x = {:.6g} m is beyond the end of the beam '{}', whose axis reaches from x = {:.6g} m to {:.6g} m",
                   place.x(), name, start, start + length),
       "attach it to the beam, or to a rigid body that is fixed to the beam's end");
}

// The section that carries a place in body axes: that of a beam at its x, or the nearest node. Beside it the place is
// fixed to it. -1 on a rigid body.
int MechanismBuilder::section_at(BodyIndex body, const Vec3& place, const std::string& path) {
  const auto found = elastic_of_body_.find(body);
  if (found == elastic_of_body_.end()) return -1;
  const std::size_t elastic = static_cast<std::size_t>(found->second);
  Mechanism::Section section = elastic_shapes_[elastic]->section_near(place);
  check_place(mechanism_->elastic_bodies[elastic], place, section.rest, path);
  for (std::size_t i = 0; i < mechanism_->sections.size(); ++i) {
    const Mechanism::Section& known = mechanism_->sections[i];
    if (known.elastic == found->second && known.rest == section.rest && known.mass_kg == 0 &&
        known.inertia_kg_m2.isZero(0)) {
      return static_cast<int>(i);
    }
  }
  section.elastic = found->second;
  mechanism_->sections.push_back(std::move(section));
  return static_cast<int>(mechanism_->sections.size()) - 1;
}

bool MechanismBuilder::moves_in_its_body(MarkerIndex marker) const {
  const int section = mechanism_->marker(marker).section;
  return section >= 0 && mechanism_->sections[static_cast<std::size_t>(section)].moves();
}

// Sections become nodes right behind the node of their body, when all that is attached is known.
void MechanismBuilder::insert_sections() {
  if (mechanism_->elastic_bodies.empty()) return;
  std::vector<std::vector<int>> sections_of(mechanism_->elastic_bodies.size());
  for (std::size_t i = 0; i < mechanism_->sections.size(); ++i) {
    sections_of[static_cast<std::size_t>(mechanism_->sections[i].elastic)].push_back(static_cast<int>(i));
  }
  std::vector<Mechanism::Node> nodes;
  std::vector<int> moved_to;  // per old node
  std::map<BodyIndex, int> frame_of;
  for (Mechanism::Node node : mechanism_->nodes) {
    const int on = mechanism_->marker(node.parent_marker).section;
    if (!nodes.empty()) {
      node.parent = on < 0 ? moved_to[static_cast<std::size_t>(node.parent)]
                           : mechanism_->sections[static_cast<std::size_t>(on)].node;
    }
    const int index = static_cast<int>(nodes.size());
    moved_to.push_back(index);
    nodes.push_back(node);
    if (node.elastic < 0) continue;
    const auto add_section = [&](int section, int parent, double sign) {
      Mechanism::Node at;
      at.body = node.body;
      at.parent = parent;
      at.joint = node.joint;
      at.sign = sign;
      at.parent_marker = at.child_marker = marker_of(node.body);
      at.q = node.q;
      at.u = node.u;
      at.section = section;
      mechanism_->sections[static_cast<std::size_t>(section)].node = static_cast<int>(nodes.size());
      nodes.push_back(at);
    };
    int frame = index;
    if (moves_in_its_body(node.child_marker)) {
      // The joint moves the section that it sits on. The floating frame follows from it, by what takes the section back
      // to where it is not deformed: a section with the sign -1.
      frame = static_cast<int>(nodes.size());
      const int held = mechanism_->marker(node.child_marker).section;
      mechanism_->sections.push_back(mechanism_->sections[static_cast<std::size_t>(held)]);
      add_section(static_cast<int>(mechanism_->sections.size()) - 1, index, -1);
    }
    frame_of[node.body] = frame;
    for (const int section : sections_of[static_cast<std::size_t>(node.elastic)]) add_section(section, frame, 1);
  }
  mechanism_->nodes = std::move(nodes);
  for (int& node : mechanism_->node_of_body) node = moved_to[static_cast<std::size_t>(node)];
  for (const auto& [body, frame] : frame_of) mechanism_->node_of_body[to_size(body)] = frame;
  for (Mechanism::Joint& joint : mechanism_->joints) joint.node = moved_to[static_cast<std::size_t>(joint.node)];
}

}  // namespace freeplay::mechanism
