#include "freeplay/mechanism/dynamics/mechanism_dynamics_evaluation.h"

namespace freeplay::mechanism {

std::unique_ptr<BodyDynamics> make_planar_dynamics(std::shared_ptr<const Mechanism> mechanism) {
  return std::make_unique<MechanismDynamics<PlanarAlgebra>>(std::move(mechanism));
}

}  // namespace freeplay::mechanism
