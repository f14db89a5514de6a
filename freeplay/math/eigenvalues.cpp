#include "freeplay/math/eigenvalues.h"

#include <Eigen/Eigenvalues>

namespace freeplay::math {

// By iteration: the closed form loses half of the digits where two eigenvalues nearly coincide.
Vec3 symmetric_eigenvalues(const Mat3& A) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace freeplay::math
