// Solver "proximal-point": proximal_iteration.h, island by island. Slower than semismooth-newton where that works, and
// the most robust one for large friction, redundant contacts and bad starts.
#pragma once

#include <memory>

#include "freeplay/complementarity/solver.h"

namespace freeplay {

std::unique_ptr<Solver> make_proximal_point();

}  // namespace freeplay
