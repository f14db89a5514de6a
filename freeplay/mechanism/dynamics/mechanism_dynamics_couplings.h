// Couplings of joint coordinates: position, rate, bias, columns and forces. Included by mechanism_dynamics_evaluation.h
// only. Without a mesh a coupling acts by efforts factor_i f inside its joints. With one it acts between the wheels at
// the pitch point. docs/theory/couplings.md has the derivations.
#pragma once

#include <algorithm>
#include <cmath>

#include "freeplay/mechanism/dynamics/mechanism_dynamics.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics_mesh.h"

namespace freeplay::mechanism {

// The sum of factor * value(joint, coordinate). phi of a rack takes the place of its own coordinate.
template <class Value>
double sum_of_terms(const Mechanism::Coupling& coupling, const Value& value) {
  double sum = 0;
  const std::size_t of_rack = coupling.mesh && is_rack(*coupling.mesh) ? 1 : coupling.terms.size();
  for (std::size_t k = 0; k < coupling.terms.size(); ++k) {
    const Mechanism::Coupling::Term& term = coupling.terms[k];
    if (k != of_rack) sum += term.factor * value(term.joint, term.coordinate);
  }
  return sum;
}

// s = offset + sum factor q - a0 phi
template <class Algebra>
double MechanismDynamics<Algebra>::coupling_position(const Mechanism::Coupling& coupling) const {
  const double s = coupling.offset + sum_of_terms(coupling, [this](int joint, int coordinate) {
                     return joint_coordinate(joint, coordinate);
                   });
  return coupling.mesh ? s - coupling.mesh->distance * mesh_place(*coupling.mesh).turn : s;
}

template <class Algebra>
double MechanismDynamics<Algebra>::coupling_rate(const Mechanism::Coupling& coupling) const {
  const double rate =
      sum_of_terms(coupling, [this](int joint, int coordinate) { return joint_velocity(joint, coordinate); });
  if (!coupling.mesh) return rate;
  return rate - coupling.mesh->distance * mesh_rate(*coupling.mesh, mesh_place(*coupling.mesh)).turn;
}

template <class Algebra>
double MechanismDynamics<Algebra>::coupling_bias(const Mechanism::Coupling& coupling) const {
  const double bias = sum_of_terms(coupling, [this](int joint, int coordinate) {
    return bias_of_joint({joint, coordinate});
  });
  if (!coupling.mesh) return bias;
  const MeshPlace at = mesh_place(*coupling.mesh);
  return bias - coupling.mesh->distance * mesh_bias(*coupling.mesh, at, mesh_rate(*coupling.mesh, at)).turn;
}

// g = play/2 -+ s, and along the line of action of two involutes
//   g = cos(alpha) (play/2 -+ s) + a0 cos(alpha) (inv alpha' - inv alpha),
// of an involute and the straight flank of a rack
//   g = cos(alpha) (play/2 -+ s) + sin(alpha) (a - r1).
template <class Algebra>
double MechanismDynamics<Algebra>::flank_gap(const Flank& flank) const {
  const Mechanism::Coupling& coupling = mechanism_->couplings[static_cast<std::size_t>(flank.coupling)];
  const double along_pitch = 0.5 * coupling.play - flank.side * coupling_position(coupling);
  if (!coupling.mesh) return along_pitch;
  const Mechanism::Mesh& mesh = *coupling.mesh;
  if (is_rack(mesh)) {
    const double away = mesh_place(mesh).distance - mesh.first_radius;
    return std::cos(mesh.pressure_angle) * along_pitch + std::sin(mesh.pressure_angle) * away;
  }
  const double opened = involute(mesh_place(mesh).line_angle) - involute(mesh.pressure_angle);
  return std::cos(mesh.pressure_angle) * (along_pitch + mesh.distance * opened);
}

// dg/dt = -+cos(alpha) s' + sign(a0) sin(alpha') a'
template <class Algebra>
double MechanismDynamics<Algebra>::flank_velocity(const Flank& flank) const {
  const Mechanism::Coupling& coupling = mechanism_->couplings[static_cast<std::size_t>(flank.coupling)];
  const double along_pitch = -flank.side * coupling_rate(coupling);
  if (!coupling.mesh) return along_pitch;
  const Mechanism::Mesh& mesh = *coupling.mesh;
  const MeshPlace at = mesh_place(mesh);
  return std::cos(mesh.pressure_angle) * along_pitch +
         std::copysign(std::sin(at.line_angle), mesh.distance) * mesh_rate(mesh, at).distance;
}

// d alpha'/dt = a' / (a tan alpha'), of a rack 0
template <class Algebra>
double MechanismDynamics<Algebra>::flank_bias(const Flank& flank) const {
  const Mechanism::Coupling& coupling = mechanism_->couplings[static_cast<std::size_t>(flank.coupling)];
  const double along_pitch = -flank.side * coupling_bias(coupling);
  if (!coupling.mesh) return along_pitch;
  const Mechanism::Mesh& mesh = *coupling.mesh;
  const MeshPlace at = mesh_place(mesh);
  const MeshRate rate = mesh_rate(mesh, at), bias = mesh_bias(mesh, at, rate);
  const double sine = std::sin(at.line_angle), cosine = std::cos(at.line_angle);
  const bool turns = sine > 0 && !is_rack(mesh);
  const double turning = turns ? cosine * cosine / sine * rate.distance * rate.distance / at.distance : 0;
  return std::cos(mesh.pressure_angle) * along_pitch +
         std::copysign(1.0, mesh.distance) * (turning + sine * bias.distance);
}

template <class Algebra>
int MechanismDynamics<Algebra>::coupling_parts(const Mechanism::Coupling& coupling, int side,
                                               std::array<RowPart, 2>& parts, double* column) const {
  if (coupling.mesh) {
    const Mechanism::Mesh& mesh = *coupling.mesh;
    const Wrench on_first = mesh_wrench(mesh, side);
    const int count = tilts(coupling) ? markers_.begin(coupling.moved, parts, column)
                                      : markers_.begin(mesh.first, mesh.second, parts, column);
    markers_.add(mesh.first, on_first, 1, parts, column);
    markers_.add(mesh.second, on_first, -1, parts, column);
    for_each_tilting_couple(coupling, side, on_first.force,
                            [&](MarkerIndex on, MarkerIndex against, const Vec3& torque) {
                              const Wrench couple{Vec3::Zero(), torque, on_first.point};
                              markers_.add(on, couple, 1, parts, column);
                              markers_.add(against, couple, -1, parts, column);
                            });
    return count;
  }
  const int count = markers_.begin(coupling.moved, parts, column);
  for (const Mechanism::Coupling::Term& term : coupling.terms) {
    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(term.joint)];
    const double factor = side == 0 ? term.factor : -side * term.factor;
    if (joint.is_edge()) {
      const int u = model_.nodes[static_cast<std::size_t>(joint.node)].u + term.coordinate;
      column[MarkerEvaluation<Algebra>::place_of(u, parts)] += factor;
      continue;
    }
    const Wrench along = coordinate_wrench(term.joint, term.coordinate);
    markers_.add(joint.child_marker, along, factor, parts, column);
    markers_.add(joint.parent_marker, along, -factor, parts, column);
  }
  return count;
}

template <class Algebra>
void MechanismDynamics<Algebra>::flank_parts(const Flank& flank, std::array<RowPart, 2>& parts, double* column) const {
  coupling_parts(mechanism_->couplings[static_cast<std::size_t>(flank.coupling)], flank.side, parts, column);
}

template <class Algebra>
template <class Forces>
void MechanismDynamics<Algebra>::add_mesh_force(const Mechanism::Coupling& coupling, int side, double force,
                                                Forces& on) const {
  const Wrench on_first = mesh_wrench(*coupling.mesh, side);
  markers_.add(coupling.mesh->first, on_first, force, on);
  markers_.add(coupling.mesh->second, on_first, -force, on);
  for_each_tilting_couple(coupling, side, on_first.force,
                          [&](MarkerIndex wheel, MarkerIndex bearing, const Vec3& torque) {
                            const Wrench couple{Vec3::Zero(), torque, on_first.point};
                            markers_.add(wheel, couple, force, on);
                            markers_.add(bearing, couple, -force, on);
                          });
}

// `force` at a flank, or along s (side 0), as a load.
template <class Algebra>
void MechanismDynamics<Algebra>::add_coupling_load(const Mechanism::Coupling& coupling, int side, double force) {
  if (coupling.mesh) {
    add_mesh_force(coupling, side, force, data_.external);
    return;
  }
  const double effort = side == 0 ? force : -side * force;
  for (const Mechanism::Coupling::Term& term : coupling.terms)
    add_joint_effort(term.joint, term.factor * effort, term.coordinate);
}

template <class Algebra>
void MechanismDynamics<Algebra>::add_flank_load(const Flank& flank, double force) {
  add_coupling_load(mechanism_->couplings[static_cast<std::size_t>(flank.coupling)], flank.side, force);
  has_contact_loads_ = true;
}

// The same as a reaction. Inside of a tree joint an effort is part of what the joint passes on.
template <class Algebra>
void MechanismDynamics<Algebra>::add_coupling_reaction(const Mechanism::Coupling& coupling, int side, double force,
                                                       std::vector<Force>& on_nodes,
                                                       std::vector<JointEfforts>& on_joints) {
  if (coupling.mesh) {
    add_mesh_force(coupling, side, force, on_nodes);
    return;
  }
  const double effort = side == 0 ? force : -side * force;
  for (const Mechanism::Coupling::Term& term : coupling.terms) {
    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(term.joint)];
    if (joint.is_edge()) continue;
    on_joints[static_cast<std::size_t>(term.joint)][static_cast<std::size_t>(term.coordinate)] += term.factor * effort;
    const Wrench unit = coordinate_wrench(term.joint, term.coordinate);
    markers_.add(joint.child_marker, unit, term.factor * effort, on_nodes);
    markers_.add(joint.parent_marker, unit, -term.factor * effort, on_nodes);
  }
}

template <class Algebra>
void MechanismDynamics<Algebra>::add_contact_flank_force(const Flank& flank, double force) {
  has_contact_forces_ = true;
  add_coupling_reaction(mechanism_->couplings[static_cast<std::size_t>(flank.coupling)], flank.side, force,
                        contact_force_, contact_effort_);
}

// The row of an ideal mesh is one along the pitch line: which flank carries follows from the sign of its effort, and
// with it the line of action. In bearings that hold the centres the radial part moves nothing, so it is a reaction
// only: of the tree, or of the bearing itself where rows, which do not know of it, hold the wheel.
template <class Algebra>
void MechanismDynamics<Algebra>::add_row_reaction(const Mechanism::Coupling& coupling, double effort) {
  add_coupling_reaction(coupling, 0, effort, row_force_, row_effort_);
  if (!coupling.mesh || effort == 0) return;
  const MeshPlace at = mesh_place(*coupling.mesh);
  const double size = std::abs(effort) * std::sin(at.line_angle) / std::cos(coupling.mesh->pressure_angle);
  const Vec3 on_first = std::copysign(size, -coupling.mesh->distance) * at.n;
  for (const std::size_t wheel : {0U, 1U}) {
    const std::size_t j = static_cast<std::size_t>(coupling.terms[wheel].joint);
    const Mechanism::Joint& joint = mechanism_->joints[j];
    const Vec3 force = wheel == 0 ? on_first : Vec3(-on_first);
    const bool is_in_tree = joint.is_edge();
    markers_.add(is_in_tree ? joint.child_marker : joint.parent_marker, {force, Vec3::Zero(), at.pitch_point}, 1,
                 row_force_);
    if (is_in_tree) continue;
    bearing_wrench_[j].force -= force;
    bearing_wrench_[j].torque -= (at.pitch_point - markers_.position(joint.child_marker)).cross(force);
  }
}

// A pair of flanks that can come apart pushes and never pulls:  F = k delta + d,  d = c delta' but |d| <= k delta,
// delta > 0 the depth. Unbounded, the damper would make the force jump where flanks meet, and steps would shrink to
// rounding there.
// Without play and mesh the element is a spring and damper in both directions. What the force takes beyond its elastic
// part is lost. A stiffness that changes does work of its own, so that its whole elastic force counts as a load.
template <class Algebra>
void MechanismDynamics<Algebra>::apply_couplings() {
  for (std::size_t c = 0; c < mechanism_->couplings.size(); ++c) {
    const Mechanism::Coupling& coupling = mechanism_->couplings[c];
    if (coupling.model != CouplingSpec::Model::kCompliant) continue;
    // A stiffness below zero would push the flanks into each other: the run ends there, and its message names it.
    const double given = coupling.stiffness.evaluate(variables_);
    const double k = given >= 0 ? given : std::numeric_limits<double>::quiet_NaN();
    const bool stores = coupling.stiffness.is_constant();
    coupling_effort_[c] = 0;
    const auto book = [&](double elastic, double force, double rate) {
      load_powers_.damping += (force - elastic) * rate;
      if (!stores) load_powers_.input -= elastic * rate;
    };
    if (!coupling.has_flanks()) {
      const double rate = coupling_rate(coupling), elastic = k * coupling_position(coupling);
      const double force = elastic + coupling.damping * rate;
      add_coupling_load(coupling, 0, -force);
      coupling_effort_[c] = -force;
      book(elastic, force, rate);
      continue;
    }
    const double to_pitch = coupling.mesh ? std::cos(coupling.mesh->pressure_angle) : 1;
    for (const int side : {1, -1}) {
      const Flank flank{static_cast<int>(c), side};
      const double depth = -flank_gap(flank);
      if (!(depth > 0)) continue;
      const double rate = -flank_velocity(flank), elastic = k * depth;
      const double force = elastic + std::clamp(coupling.damping * rate, -std::abs(elastic), std::abs(elastic));
      add_coupling_load(coupling, side, force);
      coupling_effort_[c] -= side * to_pitch * force;
      book(elastic, force, rate);
    }
  }
}

template <class Algebra>
double MechanismDynamics<Algebra>::coupling_energy(std::size_t c) const {
  const Mechanism::Coupling& coupling = mechanism_->couplings[c];
  if (coupling.model != CouplingSpec::Model::kCompliant || !coupling.stiffness.is_constant()) return 0;
  const double k = coupling.stiffness.constant_value();
  if (!coupling.has_flanks()) {
    const double s = coupling_position(coupling);
    return 0.5 * k * s * s;
  }
  double energy = 0;
  for (const int side : {1, -1}) {
    const double depth = std::max(0.0, -flank_gap({static_cast<int>(c), side}));
    energy += 0.5 * k * depth * depth;
  }
  return energy;
}

}  // namespace freeplay::mechanism
