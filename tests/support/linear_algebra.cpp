#include "support/linear_algebra.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>

namespace freeplay::test {

VecX solve_dense(const MatX& A, const VecX& b) {
  return Eigen::CompleteOrthogonalDecomposition<MatX>(A).solve(b);
}

VecX eigenvalues_of_symmetric(const MatX& A) {
  return Eigen::SelfAdjointEigenSolver<MatX>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

double spectral_norm(const MatX& A) {
  const VecX squares = eigenvalues_of_symmetric(A.transpose() * A);
  return std::sqrt(squares[squares.size() - 1]);
}

}  // namespace freeplay::test
