// Elastic forces and channels of bodies that deform. Included by mechanism_dynamics_evaluation.h only.
#pragma once

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
  const auto sum = [&](const MatX& per_mode) {
    double value = 0;
    for (int j = 0; j < body.count; ++j) value += per_mode(channel.component, j) * q_[body.q + j];
    return value;
  };
  switch (channel.kind) {
    case Kind::kModalCoordinate:
      return q_[body.q + channel.component];
    case Kind::kModalVelocity:
      return u_[body.u + channel.component];
    case Kind::kStrainEnergy:
      return strain_energy(body);
    case Kind::kDeflection:
      return sum(body.stations.deflection);
    case Kind::kBendingMoment:
      return sum(body.stations.moment);
    case Kind::kAxialForce:
      return sum(body.stations.axial_force);
    case Kind::kBendingStress:
      return sum(body.stations.moment) / body.beam.section_modulus_m3;
    default:
      return 0;
  }
}

}  // namespace freeplay::mechanism
