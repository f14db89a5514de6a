// Elastic forces and channels of bodies that deform. Included by mechanism_dynamics_evaluation.h only.
#pragma once

#include "freeplay/mechanism/dynamics/elastic_loads.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics.h"

namespace freeplay::mechanism {

template <class Algebra>
double MechanismDynamics<Algebra>::strain_energy(const Mechanism::ElasticBody& body) const {
  double energy = 0;
  for (int j = 0; j < body.count; ++j) {
    for (int k = 0; k < body.count; ++k) energy += 0.5 * q_[body.q + j] * body.stiffness(k, j) * q_[body.q + k];
  }
  return energy;
}

// -K q - D u on the modes.
template <class Algebra>
void MechanismDynamics<Algebra>::apply_elastic_forces() {
  for (const Mechanism::ElasticBody& body : model_.elastic_bodies) {
    for (int j = 0; j < body.count; ++j) {
      double elastic = 0, damping = 0;
      for (int k = 0; k < body.count; ++k) {  // columns: both matrices are symmetric
        elastic += body.stiffness(k, j) * q_[body.q + k];
        damping += body.damping(k, j) * u_[body.u + k];
      }
      data_.effort[body.u + j] -= elastic + damping;
      load_powers_.damping += damping * u_[body.u + j];
    }
  }
}

template <class Algebra>
void MechanismDynamics<Algebra>::displace_modes(VecRef q, const ConstVecRef& delta) const {
  for (const Mechanism::ElasticBody& body : model_.elastic_bodies) {
    for (int j = 0; j < body.count; ++j) q[body.q + j] += delta[body.u + j];
  }
}

template <class Algebra>
double MechanismDynamics<Algebra>::read_elastic(const Channel& channel) const {
  using Kind = Channel::Kind;
  if (channel.kind < Kind::kModalCoordinate) return 0;
  const Mechanism::ElasticBody& body = model_.elastic_bodies[static_cast<std::size_t>(channel.index)];
  const auto sum = [&](const MatX& per_mode, Eigen::Index row) {
    double value = 0;
    for (int j = 0; j < body.count; ++j) value += per_mode(row, j) * q_[body.q + j];
    return value;
  };
  const bool has_axis = channel.kind == Kind::kStationPosition || channel.kind == Kind::kNodeDisplacement;
  const int station = has_axis ? channel.component / 3 : channel.component;
  const auto displacement = [&](Eigen::Index direction) {
    return sum(body.stations.sections[static_cast<std::size_t>(station)].shapes, direction);
  };
  switch (channel.kind) {
    case Kind::kModalCoordinate:
      return q_[body.q + channel.component];
    case Kind::kModalVelocity:
      return u_[body.u + channel.component];
    case Kind::kStrainEnergy:
      return strain_energy(body);
    case Kind::kDeflection:
      return displacement(1);
    case Kind::kBendingMoment:
      return sum(body.stations.moment, station);
    case Kind::kAxialForce:
      return sum(body.stations.axial_force, station);
    case Kind::kBendingStress:
      return sum(body.stations.moment, station) / body.beam.section_modulus_m3;
    case Kind::kDeflectionXz:
      return displacement(2);
    case Kind::kBendingMomentXz:
      return sum(body.stations.moment_xz, station);
    case Kind::kTwist:
      return displacement(3);
    case Kind::kTorque:
      return sum(body.stations.torque, station);
    case Kind::kLargestMoment:
      return largest_moment(body, q_);
    case Kind::kLargestStress:
      return largest_stress(body, q_);
    case Kind::kNodeDisplacement:
      return displacement(channel.component % 3);
    case Kind::kNodeStress:
      return node_stress(body, static_cast<std::size_t>(station), q_);
    case Kind::kStationPosition:
      return station_position(body, body.stations.sections[static_cast<std::size_t>(station)])[channel.component % 3];
    default:
      return 0;
  }
}

// The section seen from the floating frame, as tree_sections.cpp places one, and from the world. Stations are no nodes:
// only channels ask for them.
template <class Algebra>
Vec3 MechanismDynamics<Algebra>::station_position(const Mechanism::ElasticBody& body,
                                                  const Mechanism::Section& section) const {
  Vec3 place = section.rest;
  for (int j = 0; j < body.count; ++j) {
    for (int d = 0; d < 3; ++d) place[d] += section.shapes(d, j) * q_[body.q + j];
    for (int k = 0; k < body.count && section.foreshortening.size() > 0; ++k) {
      place[0] -= 0.5 * q_[body.q + j] * section.foreshortening(k, j) * q_[body.q + k];
    }
  }
  const MarkerIndex frame = marker_of(body.body);
  return markers_.position(frame) + markers_.axes(frame) * place;
}

}  // namespace freeplay::mechanism
