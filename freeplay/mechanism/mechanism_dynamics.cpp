#include "freeplay/mechanism/mechanism_dynamics_evaluation.h"

namespace freeplay {

std::unique_ptr<Dynamics> make_mechanism_dynamics(std::shared_ptr<const Mechanism> mechanism) {
  if (mechanism->space == Space::kPlanar) return make_planar_dynamics(std::move(mechanism));
  return std::make_unique<MechanismDynamics<SpatialAlgebra>>(std::move(mechanism));
}

}  // namespace freeplay
