// Trees that bilateral rows tie together: what pushes one of them pushes the others.
#pragma once

#include <vector>

#include "freeplay/mechanism/system.h"

namespace freeplay::mechanism {

// For each tree (block of the mass structure) the first one of those that it is tied to, itself included. Which trees a
// row acts on does not change with the position.
std::vector<int> tied_trees(const System& system);

}  // namespace freeplay::mechanism
