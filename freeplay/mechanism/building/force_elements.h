// The force elements of a mechanism, one by one: springs, torsional springs, bushings, applied loads, efforts of
// drivers, the stiffness of elastic bodies and compliant couplings. What one of them does is the difference between the
// mechanism and its twin without that element.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "freeplay/mechanism/mechanism.h"

namespace freeplay::mechanism {

struct ForceElement {
  enum class Kind : std::uint8_t { kSpring, kTorsionalSpring, kBushing, kLoad, kDriver, kElastic, kCoupling } kind{};
  std::size_t index = 0;  // in the list of its kind
  std::string name;
  bool is_nonlinear = false;  // its stiffness and damping may change with the motion, beyond what geometry does
};

// Those whose forces can depend on the motion: a load that is a function of time alone is none of them.
std::vector<ForceElement> force_elements(const Mechanism& mechanism);

// The same mechanism, with the same coordinates, rows and channels, in which these elements exert no force.
std::shared_ptr<const Mechanism> without(const Mechanism& mechanism, const std::vector<ForceElement>& elements);

}  // namespace freeplay::mechanism
