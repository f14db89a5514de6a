// How a numerical operation ended. A status separates "try again with a smaller step" from "stop".
#pragma once

#include <cstdint>
#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::core {

enum class [[nodiscard]] StepStatus : std::uint8_t{
    kOk,
    kNotFinite,             // a NaN or infinity appeared
    kInconsistentRows,      // bilateral rows contradict each other (two drivers fight, a dead point)
    kGapProjectionFailed,   // penetrating bodies could not be pushed apart
    kProjectionFailed,      // drift could not be removed
    kStepTooSmall,          // the step control went below min_step
    kSolverFailed,          // a complementarity solver did not reach its tolerance
    kCorrectionFailed,      // repeated corrections of the gaps at the end of a step did not settle
    kVelocityTermsFailed,   // Newton's method on the implicit velocity terms did not converge
    kImplicitForcesFailed,  // Newton's method on the forces at the end of the step did not converge
    kImpactGainsEnergy,     // an impact whose law gains energy, where that is to end a run
    kEventsTooDense,        // events follow each other without any time between them
    kUnstable               // the step is too long for what is stiff, and the energy of the motion comes from that
};

constexpr std::string_view to_string(StepStatus status) {
  switch (status) {
    case StepStatus::kOk:
      return "ok";
    case StepStatus::kNotFinite:
      return "a value is not finite";
    case StepStatus::kInconsistentRows:
      return "bilateral rows contradict each other";
    case StepStatus::kProjectionFailed:
      return "the projection onto the constraints did not converge";
    case StepStatus::kGapProjectionFailed:
      return "the projection of penetrating contacts did not converge";
    case StepStatus::kStepTooSmall:
      return "the step control asks for a step that is too small";
    case StepStatus::kSolverFailed:
      return "the contact solver did not reach its tolerance";
    case StepStatus::kCorrectionFailed:
      return "the gaps at the end of the step did not settle";
    case StepStatus::kVelocityTermsFailed:
      return "the implicit velocity terms did not converge";
    case StepStatus::kImplicitForcesFailed:
      return "the implicit forces did not converge";
    case StepStatus::kImpactGainsEnergy:
      return "the law of an impact gains energy";
    case StepStatus::kEventsTooDense:
      return "events follow each other without any time between them";
    case StepStatus::kUnstable:
      return "the step is too long, and the motion has become unstable";
  }
  return "unknown";
}

}  // namespace freeplay::core
