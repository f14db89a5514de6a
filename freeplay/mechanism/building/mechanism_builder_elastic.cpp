// Elastic bodies: their modes, the sections that carry what is attached to them, and the points of their mass.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/mechanism/building/mechanism_builder.h"
#include "freeplay/mechanism/description/beam_shapes.h"

namespace freeplay::mechanism {

namespace {

constexpr double kRounding = 1e-13;  // of a shape function whose largest value is about 1

using Direction = BeamMode::Direction;

// Enough for products of four shape functions, which are in the kinetic energy of the foreshortening: with half as many
// points per wave Gauss's rule has reached rounding for the products of two (tests/unit/mechanism).
int quadrature_count(const ElasticSpec& beam) {
  const int bending = beam.bending_planes() == 0 ? 0 : beam.bending_modes;
  return 8 + 6 * std::max({bending, beam.axial_mode_count(), beam.torsion_mode_count()});
}

// The integral of f_i f_j over the axis from 0 to `length`, 0 for modes of different directions.
template <class Function>
MatX products(const std::vector<BeamMode>& modes, const ElasticSpec& beam, double length, Function&& function) {
  const Eigen::Index n = static_cast<Eigen::Index>(modes.size());
  MatX result = MatX::Zero(n, n);
  for (const QuadraturePoint& point : gauss_points(quadrature_count(beam), length)) {
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        const BeamMode &a = modes[static_cast<std::size_t>(i)], &b = modes[static_cast<std::size_t>(j)];
        if (a.direction == b.direction) result(i, j) += point.weight * function(a, point.s) * function(b, point.s);
      }
    }
  }
  return result;
}

// K = integral of E I W_i'' W_j'', of E A A_i' A_j' and of G I_t T_i' T_j'.
MatX stiffness_of(const std::vector<BeamMode>& modes, const ElasticSpec& beam) {
  const auto strain = [&](const BeamMode& mode, double s) {
    switch (mode.direction) {
      case Direction::kY:
        return std::sqrt(beam.bending_stiffness_Nm2) * mode.shape.curvature(s);
      case Direction::kZ:
        return std::sqrt(beam.bending_stiffness_xz_Nm2) * mode.shape.curvature(s);
      case Direction::kX:
        return std::sqrt(beam.axial_stiffness_N) * mode.shape.slope(s);
      case Direction::kTwist:
        return std::sqrt(beam.torsional_stiffness_Nm2) * mode.shape.slope(s);
    }
    return 0.0;
  };
  return products(modes, beam, beam.length_m, strain);
}

// The same part of critical damping for every mode by itself: the shape functions of one set are orthogonal.
MatX damping_of(const std::vector<BeamMode>& modes, const ElasticSpec& beam, const MatX& stiffness) {
  const auto weighted = [&](const BeamMode& mode, double s) {
    const double inertia =
        mode.direction == Direction::kTwist ? beam.polar_inertia_per_length_kg_m : beam.mass_per_length_kg_m;
    return std::sqrt(inertia) * mode.shape.value(s);
  };
  const MatX mass = products(modes, beam, beam.length_m, weighted);
  const VecX critical = 2 * stiffness.diagonal().cwiseProduct(mass.diagonal()).cwiseSqrt();
  return MatX((beam.damping_ratio * critical).asDiagonal());
}

Mechanism::Section section_of(const ElasticSpec& beam, int elastic, double s) {
  const std::vector<BeamMode> modes = beam_modes(beam);
  Mechanism::Section section;
  section.elastic = elastic;
  section.s_m = s;
  section.rest = beam.start() + Vec3(s, 0, 0);
  section.shapes = MatX::Zero(6, static_cast<Eigen::Index>(modes.size()));
  const auto cleaned = [](double value, double scale) { return std::abs(value) < kRounding * scale ? 0 : value; };
  for (std::size_t m = 0; m < modes.size(); ++m) {
    const Eigen::Index j = static_cast<Eigen::Index>(m);
    const BeamShape& shape = modes[m].shape;
    const double W = cleaned(shape.value(s), 1), slope = cleaned(shape.slope(s), shape.wave_number_1_m);
    switch (modes[m].direction) {
      case Direction::kX:
        section.shapes(0, j) = W;
        break;
      case Direction::kTwist:
        section.shapes(3, j) = W;
        break;
      case Direction::kY:
        section.shapes(1, j) = W;
        section.shapes(5, j) = slope;
        break;
      case Direction::kZ:  // a slope in z turns the section about -y
        section.shapes(2, j) = W;
        section.shapes(4, j) = -slope;
        break;
    }
  }
  if (beam.foreshortening && beam.bending_planes() > 0) {
    section.foreshortening = products(modes, beam, s, [](const BeamMode& mode, double at) {
      const bool bends = mode.direction == Direction::kY || mode.direction == Direction::kZ;
      return bends ? mode.shape.slope(at) : 0.0;
    });
  }
  return section;
}

// Moments and forces per modal coordinate: E I W'', E A A', G I_t T'.
Mechanism::ElasticBody::Stations stations_of(const std::vector<BeamMode>& modes, const ElasticSpec& beam, int elastic) {
  const Eigen::Index rows = static_cast<Eigen::Index>(beam.stations_m.size());
  const Eigen::Index n = static_cast<Eigen::Index>(modes.size());
  Mechanism::ElasticBody::Stations stations;
  stations.moment = stations.moment_xz = stations.axial_force = stations.torque = MatX::Zero(rows, n);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double s = beam.stations_m[static_cast<std::size_t>(i)];
    stations.sections.push_back(section_of(beam, elastic, s));
    for (Eigen::Index j = 0; j < n; ++j) {
      const BeamMode& mode = modes[static_cast<std::size_t>(j)];
      switch (mode.direction) {
        case Direction::kY:
          stations.moment(i, j) = beam.bending_stiffness_Nm2 * mode.shape.curvature(s);
          break;
        case Direction::kZ:
          stations.moment_xz(i, j) = beam.bending_stiffness_xz_Nm2 * mode.shape.curvature(s);
          break;
        case Direction::kX:
          stations.axial_force(i, j) = beam.axial_stiffness_N * mode.shape.slope(s);
          break;
        case Direction::kTwist:
          stations.torque(i, j) = beam.torsional_stiffness_Nm2 * mode.shape.slope(s);
          break;
      }
    }
  }
  return stations;
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

// After the checks.
void MechanismBuilder::add_elastic_body(BodyIndex body, const ElasticSpec& beam) {
  const int index = static_cast<int>(mechanism_->elastic_bodies.size());
  const std::vector<BeamMode> modes = beam_modes(beam);
  Mechanism::ElasticBody elastic;
  elastic.body = body;
  elastic.count = static_cast<int>(modes.size());
  elastic.beam = beam;
  elastic.stiffness = stiffness_of(modes, beam);
  elastic.damping = damping_of(modes, beam, elastic.stiffness);
  elastic.stations = stations_of(modes, beam, index);
  mechanism_->elastic_bodies.push_back(elastic);
  elastic_of_body_[body] = index;
  for (const QuadraturePoint& point : gauss_points(quadrature_count(beam), beam.length_m)) {
    mechanism_->sections.push_back(section_of(beam, index, point.s));
    mechanism_->sections.back().mass_kg = beam.mass_per_length_kg_m * point.weight;
    mechanism_->sections.back().polar_inertia_kg_m2 = beam.polar_inertia_per_length_kg_m * point.weight;
  }
}

// The section that carries a place in body axes: the nearest one. Beside the axis, and beyond its ends, the place is
// fixed to it. -1 on a rigid body.
int MechanismBuilder::section_at(BodyIndex body, const Vec3& place) {
  const auto found = elastic_of_body_.find(body);
  if (found == elastic_of_body_.end()) return -1;
  const ElasticSpec& beam = mechanism_->elastic_bodies[static_cast<std::size_t>(found->second)].beam;
  const double s = std::clamp(place.x() - beam.start().x(), 0.0, beam.length_m);
  for (std::size_t i = 0; i < mechanism_->sections.size(); ++i) {
    const Mechanism::Section& known = mechanism_->sections[i];
    if (known.elastic == found->second && known.s_m == s && known.mass_kg == 0) return static_cast<int>(i);
  }
  mechanism_->sections.push_back(section_of(beam, found->second, s));
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
