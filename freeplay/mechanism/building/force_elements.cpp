#include "freeplay/mechanism/building/force_elements.h"

#include <algorithm>

namespace freeplay::mechanism {

namespace {

bool depends_on_motion(const Expression& expression) {
  const std::vector<int>& variables = expression.variables();
  return std::any_of(variables.begin(), variables.end(), [](int v) { return v != Expression::kTimeVariable; });
}

void silence(const ForceElement& element, Mechanism& mechanism) {
  switch (element.kind) {
    case ForceElement::Kind::kSpring: {
      Mechanism::Spring& spring = mechanism.springs[element.index];
      spring.stiffness = spring.damping = spring.preload = 0;
      break;
    }
    case ForceElement::Kind::kTorsionalSpring: {
      Mechanism::TorsionalSpring& spring = mechanism.torsional_springs[element.index];
      spring.stiffness = spring.damping = spring.preload = 0;
      break;
    }
    case ForceElement::Kind::kBushing:
      mechanism.bushings[element.index].law = {};
      break;
    case ForceElement::Kind::kLoad:
      mechanism.loads[element.index].value = {};
      break;
    case ForceElement::Kind::kDriver:
      mechanism.drivers[element.index].effort = Expression();
      break;
    case ForceElement::Kind::kElastic:
      mechanism.elastic_bodies[element.index].stiffness.setZero();
      mechanism.elastic_bodies[element.index].damping.setZero();
      break;
    case ForceElement::Kind::kCoupling:
      mechanism.couplings[element.index].stiffness = Expression();
      mechanism.couplings[element.index].damping = 0;
      break;
  }
}

}  // namespace

std::vector<ForceElement> force_elements(const Mechanism& mechanism) {
  using Kind = ForceElement::Kind;
  std::vector<ForceElement> elements;
  for (std::size_t i = 0; i < mechanism.springs.size(); ++i)
    elements.push_back({Kind::kSpring, i, mechanism.springs[i].name});
  for (std::size_t i = 0; i < mechanism.torsional_springs.size(); ++i)
    elements.push_back({Kind::kTorsionalSpring, i, mechanism.torsional_springs[i].name});
  for (std::size_t i = 0; i < mechanism.bushings.size(); ++i) {
    const Mechanism::Bushing& bushing = mechanism.bushings[i];
    const bool is_cubic =
        !bushing.law.cubic_stiffness_N_m3.isZero(0) || !bushing.law.torsional_cubic_stiffness_Nm_rad3.isZero(0);
    elements.push_back({Kind::kBushing, i, mechanism.joints[static_cast<std::size_t>(bushing.joint)].name, is_cubic});
  }
  for (std::size_t i = 0; i < mechanism.loads.size(); ++i) {
    const auto& value = mechanism.loads[i].value;
    if (std::any_of(value.begin(), value.end(), depends_on_motion))
      elements.push_back({Kind::kLoad, i, mechanism.loads[i].name, true});
  }
  for (std::size_t i = 0; i < mechanism.drivers.size(); ++i) {
    const Mechanism::Driver& driver = mechanism.drivers[i];
    if (driver.effort && depends_on_motion(*driver.effort)) elements.push_back({Kind::kDriver, i, driver.name, true});
  }
  for (std::size_t i = 0; i < mechanism.elastic_bodies.size(); ++i) {
    const BodyIndex body = mechanism.elastic_bodies[i].body;
    elements.push_back({Kind::kElastic, i, mechanism.bodies[to_size(body)].name});
  }
  for (std::size_t i = 0; i < mechanism.couplings.size(); ++i) {
    const Mechanism::Coupling& coupling = mechanism.couplings[i];
    if (coupling.model != CouplingSpec::Model::kCompliant) continue;
    elements.push_back({Kind::kCoupling, i, coupling.name, coupling.has_flanks() || !coupling.stiffness.is_constant()});
  }
  return elements;
}

std::shared_ptr<const Mechanism> without(const Mechanism& mechanism, const std::vector<ForceElement>& elements) {
  const auto twin = std::make_shared<Mechanism>(mechanism);
  for (const ForceElement& element : elements) silence(element, *twin);
  return twin;
}

}  // namespace freeplay::mechanism
