#include "freeplay/mechanism/dynamics/mechanism_dynamics_evaluation.h"

namespace freeplay::mechanism {

std::unique_ptr<BodyDynamics> make_mechanism_dynamics(std::shared_ptr<const Mechanism> mechanism) {
  if (mechanism->space == Space::kPlanar) return make_planar_dynamics(std::move(mechanism));
  return std::make_unique<MechanismDynamics<SpatialAlgebra>>(std::move(mechanism));
}

}  // namespace freeplay::mechanism
