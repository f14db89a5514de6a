#pragma once

#include "freeplay/math/types.h"

namespace freeplay::math {

// Minimum-norm least-squares solution of A x = b. A may have any shape, also no row or no column. A direction whose
// pivot is below 1e-10 times the largest one counts as singular.
VecX least_squares(const MatX& A, const VecX& b);

}  // namespace freeplay::math
