#include "freeplay/simulation/watch/beam_supports.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/math/least_squares.h"
#include "freeplay/mechanism/description/beam_splines.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::simulation {

namespace {

// Markers on the section at this place of the beam's axis.
std::vector<MarkerIndex> markers_at(const Mechanism& mechanism, BodyIndex body, const Vec3& place, double tolerance) {
  std::vector<MarkerIndex> found;
  for (std::size_t i = 0; i < mechanism.markers.size(); ++i) {
    const Marker& marker = mechanism.markers[i];
    if (marker.body != body || marker.section < 0) continue;
    const Vec3& rest = mechanism.sections[static_cast<std::size_t>(marker.section)].rest;
    if ((rest - place).norm() <= tolerance) found.push_back(MarkerIndex{static_cast<std::int32_t>(i)});
  }
  return found;
}

bool leaves_turning_free(const Mechanism& mechanism, const Mechanism::Joint& joint) {
  if (mechanism.space == Space::kPlanar) {
    return std::any_of(joint.type->motions.begin(), joint.type->motions.end(),
                       [](const ElementaryMotion& motion) { return motion.kind == ElementaryMotion::Kind::kRotate; });
  }
  return std::any_of(joint.type->motions.begin(), joint.type->motions.end(),
                     [](const ElementaryMotion& motion) { return motion.kind == ElementaryMotion::Kind::kBall; });
}

// Whether something may hold the end against turning: a joint that does, or what the mechanism knows only as a marker,
// such as a joint with play or a contact.
bool may_be_held(const Mechanism& mechanism, MarkerIndex marker) {
  for (const Mechanism::Joint& joint : mechanism.joints) {
    if (joint.parent_marker == marker || joint.child_marker == marker) return !leaves_turning_free(mechanism, joint);
  }
  const auto is_spring = [&](const Mechanism::Spring& spring) {
    return spring.parent == marker || spring.child == marker;
  };
  if (std::any_of(mechanism.springs.begin(), mechanism.springs.end(), is_spring)) return false;
  return std::none_of(mechanism.loads.begin(), mechanism.loads.end(),
                      [&](const Mechanism::Load& load) { return load.at == marker; });
}

// The name of another elastic body that a joint fixes to this end, "" if there is none. Joints that turn, in space also
// about one axis, are not looked at.
std::string elastic_body_fixed_at(const Mechanism& mechanism, const Mechanism::ElasticBody& body, double s) {
  const Vec3 end = body.beam.start() + Vec3(s, 0, 0);
  const std::vector<MarkerIndex> ends = markers_at(mechanism, body.body, end, 1e-9 * body.beam.length_m);
  for (const Mechanism::Joint& joint : mechanism.joints) {
    if (!joint.type->motions.empty()) continue;
    for (const bool is_parent : {true, false}) {
      const MarkerIndex here = is_parent ? joint.parent_marker : joint.child_marker;
      const Marker& there = mechanism.markers[to_size(is_parent ? joint.child_marker : joint.parent_marker)];
      if (std::find(ends.begin(), ends.end(), here) == ends.end()) continue;
      if (there.section >= 0 && there.body != body.body) return mechanism.bodies[to_size(there.body)].name;
    }
  }
  return "";
}

// A bent axis draws its points together, with the square of the deflection. Where joints hold them apart and nothing
// stretches, bending is a velocity that the rows allow, but no acceleration keeps it: W^T du/dt = -zeta has no
// solution. What rows that depend on each other say twice, zeta says twice as well, and that is none.
bool is_locked(const Mechanism& mechanism, const Mechanism::ElasticBody& body) {
  constexpr int kMostRows = 200, kTriedModes = 3;
  constexpr double kContradiction = 1e-6;  // of zeta, or of what 1 m/s makes on a circle of the body's size
  const int rows = mechanism.row_count(), velocities = mechanism.velocity_count();
  if (!body.beam.foreshortening || rows == 0 || rows > kMostRows) return false;
  const auto dynamics = mechanism.make_dynamics();
  const State start = mechanism.initial_state();
  BilateralRows bilateral;
  bilateral.resize(velocities, rows);
  dynamics->set_position(start.t, start.q);
  dynamics->row_jacobian(bilateral);
  const MatX W_transposed = bilateral.W.transpose();
  const auto bias = [&](const VecX& u) {
    VecX zeta(rows);
    dynamics->set_velocity(u);
    dynamics->row_bias(zeta);
    return zeta;
  };
  const VecX at_rest = bias(VecX::Zero(velocities));  // of motions that are prescribed
  for (int j = 0; j < std::min(body.count, kTriedModes); ++j) {
    const VecX bending = VecX::Unit(velocities, body.u + j);
    const VecX u = bending - least_squares(W_transposed, W_transposed * bending);
    const VecX zeta = bias(u) - at_rest;
    const VecX left = W_transposed * least_squares(W_transposed, -zeta) + zeta;
    if (max_abs(left) > kContradiction * std::max(max_abs(zeta), 1 / body.size_m)) return true;
  }
  return false;
}

}  // namespace

// Only `clamped-clamped` shapes hold what the chord between the ends leaves free: the angles of both ends against it.
std::vector<std::string> warnings_on_held_ends(const System& system) {
  std::vector<std::string> warnings;
  const Mechanism* mechanism = dynamic_cast<const Mechanism*>(&system);
  if (mechanism == nullptr) return warnings;
  for (const Mechanism::ElasticBody& body : mechanism->elastic_bodies) {
    if (body.beam.nodes || body.beam.bending != BendingShapes::kClampedClamped) continue;
    for (const double s : {0.0, body.beam.length_m}) {
      const Vec3 end = body.beam.start() + Vec3(s, 0, 0);
      const std::vector<MarkerIndex> markers = markers_at(*mechanism, body.body, end, 1e-9 * body.beam.length_m);
      if (std::any_of(markers.begin(), markers.end(), [&](MarkerIndex m) { return may_be_held(*mechanism, m); })) {
        continue;
      }
      warnings.push_back(fmt::format(
          "the shapes of '{}' hold its {} against turning, but nothing else does: 'bending: clamped-clamped' makes it "
          "too stiff, however many shapes there are; take 'cantilever' or 'simply-supported'",
          mechanism->bodies[to_size(body.body)].name, s == 0 ? "beginning" : "end"));
    }
  }
  return warnings;
}

// The vibration modes of a free end have no curvature there, and no number of them bends it as a moment does. A small
// rigid body makes a small moment; another elastic body is the row of pieces of a beam that bends far.
std::vector<std::string> warnings_on_momentless_ends(const System& system) {
  std::vector<std::string> warnings;
  const Mechanism* mechanism = dynamic_cast<const Mechanism*>(&system);
  if (mechanism == nullptr) return warnings;
  for (const Mechanism::ElasticBody& body : mechanism->elastic_bodies) {
    const BendingShapes shapes = body.beam.bending;
    if (body.beam.nodes || !body.beam.knots.empty() || shapes == BendingShapes::kNone) continue;
    for (const double s : {0.0, body.beam.length_m}) {
      const bool is_free = shapes != BendingShapes::kClampedClamped && (s > 0 || shapes != BendingShapes::kCantilever);
      const std::string other = is_free ? elastic_body_fixed_at(*mechanism, body, s) : "";
      if (other.empty()) continue;
      warnings.push_back(fmt::format(
          "the shapes of '{}' carry no moment at its {}, where '{}' is fixed to it: it bends too little there, however "
          "many shapes there are; take 'knots: [0 m, {:.6g} m]' with 'bending_modes: {}'",
          mechanism->bodies[to_size(body.body)].name, s == 0 ? "beginning" : "end", other, body.beam.length_m,
          spline_count(shapes, 2)));
    }
  }
  return warnings;
}

std::vector<std::string> warnings_on_locked_beams(const System& system) {
  std::vector<std::string> warnings;
  const Mechanism* mechanism = dynamic_cast<const Mechanism*>(&system);
  if (mechanism == nullptr) return warnings;
  for (const Mechanism::ElasticBody& body : mechanism->elastic_bodies) {
    if (!is_locked(*mechanism, body)) continue;
    const char* const stretch = body.beam.nodes ? "take modes into its file that stretch it"
                                                : "give it 'axial' shapes with an 'axial_stiffness'";
    warnings.push_back(fmt::format(
        "the joints hold places of '{}' at fixed distances: bent, its axis would have to get longer, which its shapes "
        "cannot do, so that it is locked; {}, or set 'foreshortening: false', or let a joint slide along it",
        mechanism->bodies[to_size(body.body)].name, stretch));
  }
  return warnings;
}

}  // namespace freeplay::simulation
