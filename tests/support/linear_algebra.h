// Dense linear algebra for tests, compiled once: every test that names one of Eigen's decompositions of dynamic size
// takes several seconds longer to compile.
#pragma once

#include "freeplay/math/types.h"

namespace freeplay::test {

// A x = b, of minimum norm where A is singular.
VecX solve_dense(const MatX& A, const VecX& b);

// In ascending order. Only the lower triangle is read.
VecX eigenvalues_of_symmetric(const MatX& A);

// The largest singular value.
double spectral_norm(const MatX& A);

}  // namespace freeplay::test
