#include "freeplay/mechanism/mechanism_dynamics_evaluation.h"

namespace freeplay {

std::unique_ptr<Dynamics> make_planar_dynamics(std::shared_ptr<const Mechanism> mechanism) {
  return std::make_unique<MechanismDynamics<PlanarAlgebra>>(std::move(mechanism));
}

}  // namespace freeplay
