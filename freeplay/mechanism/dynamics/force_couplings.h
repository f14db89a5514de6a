// Which trees of a system act on each other by forces: a spring, a bushing or an effort between two bodies makes the
// forces on one depend on the motion of the other.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "freeplay/mechanism/system.h"

namespace freeplay::mechanism {

// Pairs of trees (blocks of the mass matrix), the first less than the second. None if that is not known: of systems
// given as code, and where an expression reads channels.
std::optional<std::vector<std::pair<int, int>>> force_couplings(const System& system);

}  // namespace freeplay::mechanism
