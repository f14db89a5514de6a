#include "freeplay/math/least_squares.h"

#include <Eigen/QR>

namespace freeplay::math {

VecX least_squares(const MatX& A, const VecX& b) {
  if (A.size() == 0) return VecX::Zero(A.cols());
  Eigen::CompleteOrthogonalDecomposition<MatX> decomposition(A.rows(), A.cols());
  decomposition.setThreshold(1e-10);
  decomposition.compute(A);
  return decomposition.solve(b);
}

}  // namespace freeplay::math
