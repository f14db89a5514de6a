#include "freeplay/math/normal_equations.h"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <algorithm>

#include "freeplay/math/least_squares.h"

namespace freeplay::math {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr Eigen::Index kFewestColumns = 120;  // below it a dense factorisation takes less than a millisecond
constexpr double kSparseShare = 0.1;          // of entries that are not zero, of A and of A^T A

bool is_sparse_enough(const Sparse& matrix) {
  const double entries = static_cast<double>(matrix.rows()) * static_cast<double>(matrix.cols());
  return static_cast<double>(matrix.nonZeros()) < kSparseShare * entries;
}

}  // namespace

struct NormalEquations::SparseEquations {
  Sparse A, square;
  Eigen::SimplicialLDLT<Sparse> factors;
};

NormalEquations::NormalEquations(const MatX& A) {
  if (A.cols() >= kFewestColumns) {
    auto sparse = std::make_unique<SparseEquations>();
    sparse->A = A.sparseView();
    if (is_sparse_enough(sparse->A)) sparse->square = sparse->A.transpose() * sparse->A;
    if (sparse->square.rows() > 0 && is_sparse_enough(sparse->square)) {
      sparse->factors.analyzePattern(sparse->square);
      sparse_ = std::move(sparse);
      return;
    }
  }
  square_ = A.transpose() * A;
}

NormalEquations::~NormalEquations() = default;

VecX NormalEquations::solve(const VecX& rhs, double damping) {
  if (sparse_) {
    sparse_->factors.setShift(damping);
    sparse_->factors.factorize(sparse_->square);
    // Numbers that are not finite: no step, where the solution would be left unset.
    if (sparse_->factors.info() != Eigen::Success) return VecX::Zero(rhs.size());
    return sparse_->factors.solve(rhs);
  }
  MatX damped = square_;
  damped.diagonal().array() += damping;
  return damped.ldlt().solve(rhs);
}

// Tikhonov's regularisation, iterated: each pass leaves d / (s^2 + d) of what the one before left along a direction of
// singular value s. Fewer equations than unknowns are solved as x = A^T y, (A A^T + d 1) y = b: what rounding adds to y
// by 1/d, along directions that do not count, then stays out of x.
VecX least_squares_of_many(const MatX& A, const VecX& b) {
  constexpr int kPasses = 4;
  constexpr double kDamping = 1e-12;  // of the largest column, squared
  if (std::min(A.rows(), A.cols()) < kFewestColumns) return least_squares(A, b);
  const bool is_wide = A.rows() < A.cols();
  NormalEquations equations(is_wide ? MatX(A.transpose()) : A);
  if (!equations.is_sparse()) return least_squares(A, b);
  const Sparse& sparse = equations.sparse_->A;
  double longest = 0;
  for (Eigen::Index k = 0; k < sparse.cols(); ++k) longest = std::max(longest, sparse.col(k).squaredNorm());
  VecX x = VecX::Zero(A.cols());
  for (int pass = 0; pass < kPasses; ++pass) {
    const VecX left = is_wide ? VecX(b - sparse.transpose() * x) : VecX(b - sparse * x);
    if (is_wide)
      x += sparse * equations.solve(left, kDamping * longest);
    else
      x += equations.solve(sparse.transpose() * left, kDamping * longest);
  }
  return x;
}

}  // namespace freeplay::math
