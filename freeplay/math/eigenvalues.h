// Eigenvalues of small symmetric matrices.
#pragma once

#include "freeplay/math/types.h"

namespace freeplay::math {

// In ascending order. Only the lower triangle is read.
Vec3 symmetric_eigenvalues(const Mat3& A);

}  // namespace freeplay::math
