#include "freeplay/complementarity/linear/rank_revealing_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::complementarity {
namespace {

// A matrix whose pivots are no further apart than this is regular however they are chosen. Complete pivoting, which
// tells the rank of one that is nearly singular, takes three times as long.
constexpr double kClearlyRegular = 1e-6;

// Turns v (n entries) into a Householder vector with v[0] = 1 implied and stores the image of v in v[0].
// Returns beta of  I - beta v v^T;  0 where v is zero below its first entry already.
double make_reflection(double* v, int n) {
  double tail = 0;
  for (int i = 1; i < n; ++i) tail += v[i] * v[i];
  if (tail == 0) return 0;
  const double image = v[0] > 0 ? -std::sqrt(v[0] * v[0] + tail) : std::sqrt(v[0] * v[0] + tail);
  const double head = v[0] - image;
  for (int i = 1; i < n; ++i) v[i] /= head;
  v[0] = image;
  return -head / image;
}

void apply_reflection(const double* v, double beta, int n, double* x) {
  if (beta == 0) return;
  double sum = x[0];
  for (int i = 1; i < n; ++i) sum += v[i] * x[i];
  sum *= beta;
  x[0] -= sum;
  for (int i = 1; i < n; ++i) x[i] -= sum * v[i];
}

}  // namespace

void RankRevealingSolver::reserve(int n) {
  const std::size_t size = static_cast<std::size_t>(n);
  if (row_.size() >= size) return;
  lu_.resize(size * size);
  T_.resize(size * size);
  beta_.resize(2 * size);
  work_.resize(2 * size);
  weight_.resize(size);
  row_.resize(size);
  column_.resize(size);
}

void RankRevealingSolver::factor(const double* A, int n, double rank_tolerance, const double* weight) {
  reserve(n);
  n_ = n;
  rank_ = n;
  if (!factor_by_rows(A, std::max(kClearlyRegular, rank_tolerance))) factor_by_all(A, rank_tolerance, weight);
}

// Column by column, with the largest entry of each as its pivot. False where a pivot is below `least` of the largest:
// then complete pivoting has to tell whether the matrix is singular.
bool RankRevealingSolver::factor_by_rows(const double* A, double least) {
  const int n = n_;
  double* lu = lu_.data();
  std::copy_n(A, n * n, lu);
  for (int i = 0; i < n; ++i) row_[i] = column_[i] = i;
  double largest = 0, smallest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < n; ++k) {
    double* pivot_column = lu + k * n;
    int pivot_i = k;
    double pivot = std::abs(pivot_column[k]);
    for (int i = k + 1; i < n; ++i) {
      const double size = std::abs(pivot_column[i]);
      if (size > pivot) pivot = size, pivot_i = i;
    }
    largest = std::max(largest, pivot);
    smallest = std::min(smallest, pivot);
    if (!(smallest > least * largest)) return false;
    if (pivot_i != k) {
      for (int j = 0; j < n; ++j) std::swap(lu[k + j * n], lu[pivot_i + j * n]);
      std::swap(row_[k], row_[pivot_i]);
    }
    const double inverse = 1 / pivot_column[k];
    for (int i = k + 1; i < n; ++i) pivot_column[i] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      double* __restrict column = lu + j * n;
      const double factor = column[k];
      if (factor == 0) continue;
      for (int i = k + 1; i < n; ++i) column[i] -= pivot_column[i] * factor;
    }
  }
  pivot_ratio_ = n == 0 ? 1 : smallest / largest;
  return true;
}

// With complete pivoting, whose pivots tell the rank.
void RankRevealingSolver::factor_by_all(const double* A, double rank_tolerance, const double* weight) {
  const int n = n_;
  double* lu = lu_.data();
  std::copy_n(A, n * n, lu);
  for (int i = 0; i < n; ++i) row_[i] = column_[i] = i;
  double largest = 0, smallest = 0;
  for (int k = 0; k < n; ++k) {
    int pivot_i = k, pivot_j = k;
    double pivot = -1;
    for (int j = k; j < n; ++j) {
      for (int i = k; i < n; ++i) {
        const double size = std::abs(lu[i + j * n]);
        if (size > pivot) pivot = size, pivot_i = i, pivot_j = j;
      }
    }
    smallest = pivot;
    if (k == 0) largest = pivot;
    if (!(pivot > rank_tolerance * largest)) {
      factor_qr(A, rank_tolerance, weight);
      break;
    }
    if (pivot_i != k) {
      for (int j = 0; j < n; ++j) std::swap(lu[k + j * n], lu[pivot_i + j * n]);
      std::swap(row_[k], row_[pivot_i]);
    }
    if (pivot_j != k) {
      for (int i = 0; i < n; ++i) std::swap(lu[i + k * n], lu[i + pivot_j * n]);
      std::swap(column_[k], column_[pivot_j]);
    }
    const double inverse = 1 / lu[k + k * n];
    for (int i = k + 1; i < n; ++i) lu[i + k * n] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      const double factor = lu[k + j * n];
      if (factor == 0) continue;
      for (int i = k + 1; i < n; ++i) lu[i + j * n] -= lu[i + k * n] * factor;
    }
  }
  pivot_ratio_ = n == 0 ? 1 : largest > 0 ? smallest / largest : 0;
}

void RankRevealingSolver::solve(const double* rhs, double* x) {
  if (rank_ < n_) return solve_qr(rhs, x);
  const int n = n_;
  const double* lu = lu_.data();
  double* __restrict y = work_.data();
  for (int i = 0; i < n; ++i) y[i] = rhs[row_[i]];
  for (int k = 0; k < n; ++k) {
    const double* column = lu + k * n;
    const double value = y[k];
    for (int i = k + 1; i < n; ++i) y[i] -= column[i] * value;
  }
  for (int k = n - 1; k >= 0; --k) {
    const double* column = lu + k * n;
    const double value = y[k] /= column[k];
    for (int i = 0; i < k; ++i) y[i] -= column[i] * value;
  }
  for (int k = 0; k < n; ++k) x[column_[k]] = y[k];
}

// A P = Q R, cut after `rank` rows; then R^T = Q2 R2 for the minimum norm.
void RankRevealingSolver::factor_qr(const double* A, double rank_tolerance, const double* weight) {
  const int n = n_;
  double* R = lu_.data();
  for (int i = 0; i < n * n; ++i) R[i] = A[i];
  for (int j = 0; j < n; ++j) {
    column_[j] = j;
    weight_[j] = weight ? weight[j] : 1;
  }
  rank_ = 0;
  double largest = 0;
  for (int k = 0; k < n; ++k) {
    // Remaining norms are computed afresh: downdating loses the small ones, and those decide the rank.
    int best = k;
    double best_norm = -1;
    for (int j = k; j < n; ++j) {
      double norm = 0;
      for (int i = k; i < n; ++i) norm += R[i + j * n] * R[i + j * n];
      if (norm > best_norm) best_norm = norm, best = j;
    }
    best_norm = std::sqrt(best_norm);
    if (k == 0) largest = best_norm;
    if (!(best_norm > rank_tolerance * largest)) break;
    if (best != k) {
      for (int i = 0; i < n; ++i) std::swap(R[i + k * n], R[i + best * n]);
      std::swap(column_[k], column_[best]);
    }
    beta_[k] = make_reflection(R + k + k * n, n - k);
    for (int j = k + 1; j < n; ++j) apply_reflection(R + k + k * n, beta_[k], n - k, R + k + j * n);
    ++rank_;
  }
  // The elimination saw a small pivot but the more careful QR kept every column: cut the last one, since the caller
  // relies on is_singular() to tell which factorisation is there.
  if (rank_ == n) --rank_;
  for (int k = 0; k < rank_; ++k) {
    for (int j = 0; j < n; ++j) T_[j + k * n] = j < k ? 0 : R[k + j * n] / weight_[column_[j]];
  }
  for (int k = 0; k < rank_; ++k) {
    double* v = T_.data() + k + k * n;
    beta_[n + k] = make_reflection(v, n - k);
    for (int j = k + 1; j < rank_; ++j) apply_reflection(v, beta_[n + k], n - k, T_.data() + k + j * n);
  }
}

void RankRevealingSolver::solve_qr(const double* rhs, double* x) {
  const int n = n_;
  double* y = work_.data();
  double* z = work_.data() + n;
  for (int i = 0; i < n; ++i) y[i] = rhs[i];
  for (int k = 0; k < rank_; ++k) apply_reflection(lu_.data() + k + k * n, beta_[k], n - k, y + k);
  // R P^T x = y  with  w = weight x:  T^T w = y,  T = Q2 R2,  w = Q2 R2^-T y.
  for (int k = 0; k < n; ++k) z[k] = 0;
  for (int k = 0; k < rank_; ++k) {
    double value = y[k];
    for (int i = 0; i < k; ++i) value -= T_[i + k * n] * z[i];
    z[k] = value / T_[k + k * n];
  }
  for (int k = rank_ - 1; k >= 0; --k) apply_reflection(T_.data() + k + k * n, beta_[n + k], n - k, z + k);
  for (int j = 0; j < n; ++j) x[column_[j]] = z[j] / weight_[column_[j]];
}

}  // namespace freeplay::complementarity
