// Around the method of docs/develop/solver.md (tests/project/snippets_test.py).
#pragma once

#include <limits>

#include "freeplay/complementarity/iterative/island_solver.h"

namespace freeplay::complementarity {

// here

}  // namespace freeplay::complementarity
