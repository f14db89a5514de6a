#include "freeplay/mechanism/dynamics/free_bodies.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics_evaluation.h"

namespace freeplay::mechanism {

std::unique_ptr<BodyDynamics> make_spatial_dynamics(std::shared_ptr<const Mechanism> mechanism) {
  return std::make_unique<MechanismDynamics<SpatialAlgebra>>(std::move(mechanism));
}

std::unique_ptr<BodyDynamics> make_mechanism_dynamics(std::shared_ptr<const Mechanism> mechanism) {
  if (mechanism->space == Space::kPlanar) return make_planar_dynamics(std::move(mechanism));
  if (has_free_bodies_alone(*mechanism)) return std::make_unique<FreeBodies>(std::move(mechanism));
  return make_spatial_dynamics(std::move(mechanism));
}

}  // namespace freeplay::mechanism
