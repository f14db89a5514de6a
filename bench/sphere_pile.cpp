#include "bench/sphere_pile.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "freeplay/complementarity/problem/natural_residual.h"

namespace freeplay::bench {

Violation violation_of(const std::vector<PileContact>& contacts, const PileScene& scene) {
  ImpulseBlock normal, bound, disc;
  normal.set = ImpulseSet::kNonNegative;
  bound.set = ImpulseSet::kInterval;
  bound.lo1 = -scene.friction;
  bound.hi1 = scene.friction;
  disc.set = ImpulseSet::kDisc;
  disc.size = 2;
  disc.mu = scene.friction;
  Violation worst;
  for (const PileContact& contact : contacts) {
    // |G| of a contact: across the normal, the turning of a sphere adds R^2 / (2/5 m R^2) to its inverse mass.
    const double norm = (contact.has_wall ? 1 : 2) * 3.5 / scene.mass_kg;
    const double xi_N = dot(contact.normal, contact.velocity_m_s) - contact.aim_m_s;
    const double Lambda_N = dot(contact.normal, contact.impulse_N_s);
    double xi_T[2], Lambda_T[2], own = block_residual(normal, norm, 0, &Lambda_N, &xi_N);
    const double e_N = own;
    for (std::size_t k = 0; k < 2; ++k) {
      xi_T[k] = dot(contact.tangents[k], contact.velocity_m_s);
      Lambda_T[k] = dot(contact.tangents[k], contact.impulse_N_s);
      own = std::max(own, block_residual(bound, norm, Lambda_N, &Lambda_T[k], &xi_T[k]));
    }
    worst.own_m_s = std::max(worst.own_m_s, own);
    worst.coulomb_m_s = std::max({worst.coulomb_m_s, e_N, block_residual(disc, norm, Lambda_N, Lambda_T, xi_T)});
  }
  return worst;
}

SpherePile::SpherePile(int spheres, double box_m, double step_s) {
  const SceneEntry& entry = *find_scene("spheres_in_box");
  std::vector<double> values;
  const auto value = [&](const char* name) {
    for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
      if (entry.parameters[i].name == name) return values[i];
    }
    throw std::logic_error(fmt::format("the scene has no parameter '{}'", name));
  };
  for (const SystemParameter& parameter : entry.parameters) {
    values.push_back(parameter.name == "N" ? spheres : parameter.name == "box" ? box_m : parameter.default_value);
  }
  const Scene made = entry.make(values);
  mechanism_ = Mechanism::build(made.mechanism);
  contacts_ = MechanismContacts::build(mechanism_, made.mechanism, made.contacts);
  scene = {value("radius"), made.mechanism.bodies[0].mass_kg,      value("box"), value("friction"), value("g"),
           step_s,          centres_m(mechanism_->initial_state())};
}

std::unique_ptr<Integrator> SpherePile::make_integrator(const IntegratorOptions& options) const {
  return find_integrator("moreau-midpoint")->make(*mechanism_, *contacts_, options);
}

std::vector<Vector> SpherePile::centres_m(const State& state) {
  constexpr Eigen::Index kCoordinates = 7;  // of a free body: its centre, then a quaternion
  std::vector<Vector> centres;
  for (Eigen::Index i = 0; i < state.q.size(); i += kCoordinates)
    centres.push_back({state.q[i], state.q[i + 1], state.q[i + 2]});
  return centres;
}

}  // namespace freeplay::bench
