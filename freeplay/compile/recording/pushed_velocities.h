// What an impulse at a contact point moves.
#pragma once

#include <cstdint>
#include <vector>

#include "freeplay/model/model.h"

namespace freeplay::compile {

// For each contact point a bit per velocity: those of the trees that its normal row acts on, and of all that are tied
// to these, as ContactStep::pushed_trees() has it. None of points without normal row. For up to 64 velocities.
std::vector<std::uint64_t> pushed_velocities(const Model& model);

}  // namespace freeplay::compile
