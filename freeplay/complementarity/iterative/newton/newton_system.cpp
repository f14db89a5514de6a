#include "freeplay/complementarity/iterative/newton/newton_system.h"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/complementarity/linear/block_elimination.h"

namespace freeplay::complementarity {
namespace {

constexpr int kSmall = 96;                // unknowns that plain elimination takes
constexpr double kSparseFraction = 0.25;  // of entries that are not zero: above it a dense factorisation is faster
// Added to the diagonal of H (whose blocks have norm 1) in the matrix only: impulses that change no velocity, as those
// of redundant contacts, are then left where they are. The solution does not know of it.
constexpr double kRegularisation = 1e-12;
// Products of two blocks up to which elimination by contacts is faster than a sparse factorisation that gathers columns
// into dense panels; and the residual, relative to the right-hand side, up to which its solution is taken.
constexpr double kMostProducts = 3e5;
constexpr double kTrusted = 1e-8;

// K = A (H + alpha) + I - A - B, one block of it. kSize: rows and columns, or 0 where only the numbers tell.
template <int kSize>
void newton_block(const ProxDerivative& D, const double* H, int rows, int columns, bool is_diagonal, double alpha,
                  double* K) {
  const int s = kSize > 0 ? kSize : rows, width = kSize > 0 ? kSize : columns;
  for (int c = 0; c < width; ++c) {
    for (int r = 0; r < s; ++r) {
      double value = 0;
      for (int k = 0; k < s; ++k) value += D.A[r + k * s] * H[k + c * s];
      if (is_diagonal) value += D.A[r + c * s] * (alpha + kRegularisation - 1) + (r == c) - (c == 0 ? D.B[r] : 0);
      K[r + c * s] = value;
    }
  }
}

}  // namespace

struct NewtonSystem::LargeSolver {
  std::vector<Eigen::Triplet<double>> triplets;
  Eigen::SparseMatrix<double> matrix;
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> sparse;
  MatX dense;
  BlockElimination elimination;
  std::vector<double> values, rhs;  // of K, in the places of H; and the right-hand side that elimination overwrites
};

NewtonSystem::NewtonSystem() = default;
NewtonSystem::~NewtonSystem() = default;

void NewtonSystem::reserve(int rows) {
  const std::size_t small = static_cast<std::size_t>(std::min(rows, kSmall));
  K_.reserve(small * small);
  rhs_.reserve(static_cast<std::size_t>(rows));
  position_.reserve(static_cast<std::size_t>(rows));
}

void NewtonSystem::number_unknowns(const GroupedProblem& problem, const std::vector<ProxDerivative>& derivative) {
  unknowns_ = 0;
  entries_ = 0;
  position_.resize(problem.contacts.size());
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    position_[i] = derivative[i].is_open ? -1 : unknowns_;
    if (!derivative[i].is_open) unknowns_ += problem.contacts[i].size;
  }
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (position_[i] < 0) continue;
    for (const BlockSparseMatrix::Block& block : problem.H.row(static_cast<int>(i))) {
      if (position_[block.column] < 0) continue;
      entries_ += static_cast<std::size_t>(problem.contacts[i].size) * problem.contacts[block.column].size;
    }
  }
  rhs_.resize(unknowns_);
}

template <class Take>
void NewtonSystem::assemble(const GroupedProblem& problem, const std::vector<ProxDerivative>& derivative, double alpha,
                            const ConstVecRef& F, const ConstVecRef& dz, Take&& take) {
  constexpr int kMaxRows = GroupedProblem::kMaxContactRows;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (position_[i] < 0) continue;
    const GroupedContact& contact = problem.contacts[i];
    const int s = contact.size, row = position_[i];
    for (int k = 0; k < s; ++k) rhs_[row + k] = -F[contact.row + k];
    for (const BlockSparseMatrix::Block& block : problem.H.row(static_cast<int>(i))) {
      const GroupedContact& other = problem.contacts[block.column];
      const bool is_diagonal = block.column == static_cast<int>(i);
      const double* H = problem.H.values(block);
      double K[kMaxRows * kMaxRows];
      if (s == 3 && other.size == 3) {
        newton_block<3>(derivative[i], H, s, other.size, is_diagonal, alpha, K);
      } else {
        newton_block<0>(derivative[i], H, s, other.size, is_diagonal, alpha, K);
      }
      if (position_[block.column] >= 0) {
        take(row, position_[block.column], s, other.size, block, K);
        continue;
      }
      for (int c = 0; c < other.size; ++c) {
        for (int r = 0; r < s; ++r) rhs_[row + r] -= K[r + c * s] * dz[other.row + c];
      }
    }
  }
}

// Gaussian elimination with row exchanges on K_; the solution replaces rhs_.
bool NewtonSystem::eliminate() {
  const int n = unknowns_;
  double* K = K_.data();
  double* __restrict rhs = rhs_.data();
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    double largest = std::abs(K[k + k * n]);
    for (int i = k + 1; i < n; ++i) {
      const double size = std::abs(K[i + k * n]);
      if (size > largest) {
        largest = size;
        pivot = i;
      }
    }
    if (!(largest > std::numeric_limits<double>::min())) return false;
    if (pivot != k) {
      for (int j = k; j < n; ++j) std::swap(K[k + j * n], K[pivot + j * n]);
      std::swap(rhs[k], rhs[pivot]);
    }
    double* __restrict pivots = K + static_cast<std::ptrdiff_t>(k) * n;
    const double inverse = 1 / pivots[k];
    for (int i = k + 1; i < n; ++i) pivots[i] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      double* __restrict column = K + static_cast<std::ptrdiff_t>(j) * n;
      const double factor = column[k];
      if (factor == 0) continue;
      for (int i = k + 1; i < n; ++i) column[i] -= factor * pivots[i];
    }
    const double factor = rhs[k];
    for (int i = k + 1; i < n; ++i) rhs[i] -= factor * pivots[i];
  }
  for (int k = n - 1; k >= 0; --k) {
    const double* __restrict column = K + static_cast<std::ptrdiff_t>(k) * n;
    const double x = rhs[k] / column[k];
    rhs[k] = x;
    for (int i = 0; i < k; ++i) rhs[i] -= x * column[i];
  }
  return true;
}

// Contact by contact, where that is cheap and its digits hold; otherwise rhs_ is as it was.
bool NewtonSystem::eliminate_contacts(const GroupedProblem& problem) {
  const std::vector<double>& values = large_->values;
  large_->rhs = rhs_;
  if (!large_->elimination.solve(problem.H, values, position_, large_->rhs)) return false;
  const std::vector<double>& x = large_->rhs;
  double residual = 0, size = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (position_[i] < 0) continue;
    const int s = problem.contacts[i].size, row = position_[i];
    double e[GroupedProblem::kMaxContactRows];
    for (int k = 0; k < s; ++k) e[k] = -rhs_[row + k];
    for (const BlockSparseMatrix::Block& block : problem.H.row(static_cast<int>(i))) {
      const int column = position_[block.column], width = problem.contacts[block.column].size;
      if (column < 0) continue;
      for (int c = 0; c < width; ++c) {
        for (int k = 0; k < s; ++k) e[k] += values[block.begin + k + c * s] * x[column + c];
      }
    }
    for (int k = 0; k < s; ++k) {
      residual = std::max(residual, std::abs(e[k]));
      size = std::max(size, std::abs(rhs_[row + k]));
      if (!std::isfinite(e[k])) return false;
    }
  }
  if (residual > kTrusted * size) return false;
  rhs_ = x;
  return true;
}

void NewtonSystem::assemble_sparse(const GroupedProblem& problem) {
  large_->triplets.clear();
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (position_[i] < 0) continue;
    const int s = problem.contacts[i].size;
    for (const BlockSparseMatrix::Block& block : problem.H.row(static_cast<int>(i))) {
      const int column = position_[block.column], width = problem.contacts[block.column].size;
      if (column < 0) continue;
      for (int c = 0; c < width; ++c) {
        for (int k = 0; k < s; ++k) {
          const double value = large_->values[block.begin + k + c * s];
          if (value != 0) large_->triplets.emplace_back(position_[i] + k, column + c, value);
        }
      }
    }
  }
  large_->matrix.resize(unknowns_, unknowns_);
  large_->matrix.setFromTriplets(large_->triplets.begin(), large_->triplets.end());
}

bool NewtonSystem::solve(const GroupedProblem& problem, const std::vector<ProxDerivative>& derivative, double alpha,
                         const ConstVecRef& F, VecRef dz) {
  number_unknowns(problem, derivative);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (position_[i] >= 0) continue;
    const GroupedContact& contact = problem.contacts[i];  // (I - B) dz = -F
    for (int k = 0; k < contact.size; ++k) {
      dz[contact.row + k] = -F[contact.row + k] + (k > 0 ? derivative[i].B[k] * dz[contact.row] : 0);
    }
  }
  const int n = unknowns_;
  if (n > kSmall && large_ == nullptr) large_ = std::make_unique<LargeSolver>();
  const auto into = [n](double* matrix) {
    return [=](int row, int column, int s, int width, const BlockSparseMatrix::Block&, const double* K) {
      for (int c = 0; c < width; ++c) {
        std::copy_n(K + c * s, s, matrix + row + static_cast<std::ptrdiff_t>(column + c) * n);
      }
    };
  };
  if (n <= kSmall) {
    K_.assign(static_cast<std::size_t>(n) * n, 0.0);
    assemble(problem, derivative, alpha, F, dz, into(K_.data()));
    if (!eliminate()) return false;
  } else if (static_cast<double>(entries_) > kSparseFraction * n * n) {
    large_->dense.setZero(n, n);
    assemble(problem, derivative, alpha, F, dz, into(large_->dense.data()));
    Eigen::Map<VecX> rhs(rhs_.data(), n);
    rhs = Eigen::PartialPivLU<Eigen::Ref<MatX>>(large_->dense).solve(rhs).eval();
  } else {
    large_->values.resize(problem.H.value_count());
    assemble(problem, derivative, alpha, F, dz,
             [&](int, int, int s, int width, const BlockSparseMatrix::Block& block, const double* K) {
               std::copy_n(K, s * width, large_->values.data() + block.begin);
             });
    if (large_->elimination.analyse(problem.H, position_) > kMostProducts || !eliminate_contacts(problem)) {
      assemble_sparse(problem);
      large_->sparse.compute(large_->matrix);
      if (large_->sparse.info() != Eigen::Success) return false;
      Eigen::Map<VecX> rhs(rhs_.data(), n);
      rhs = large_->sparse.solve(rhs).eval();
    }
  }
  double sum = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (position_[i] < 0) continue;
    const GroupedContact& contact = problem.contacts[i];
    for (int k = 0; k < contact.size; ++k) {
      dz[contact.row + k] = rhs_[position_[i] + k];
      sum += std::abs(dz[contact.row + k]);
    }
  }
  return std::isfinite(sum);
}

}  // namespace freeplay::complementarity
