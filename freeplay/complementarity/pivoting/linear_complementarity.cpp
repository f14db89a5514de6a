#include "freeplay/complementarity/pivoting/linear_complementarity.h"

#include <algorithm>

#include "freeplay/complementarity/pivoting/mode_solver.h"

namespace freeplay::complementarity {

void LinearComplementarity::reserve(int rows) {
  const std::size_t n = static_cast<std::size_t>(rows);
  if (pairs_.size() >= n) return;
  A_.resize(4 * n * n);
  b_.resize(2 * n);
  pairs_.resize(n);
  free_.resize(n);
  kept_.resize(n);
  free_solver_.reserve(rows);
  H_ff_.resize(n * n);
  X_.resize(n * (n + 1));
  S_.resize(n * n);
  s_.resize(n);
  rhs_.resize(n);
  Lambda_.resize(n);
}

void LinearComplementarity::build(const ScaledProblem& problem) {
  reserve(problem.size);
  number_pairs(problem);
  eliminate_free_rows(problem);
  const int m = size_, k = kept_count_, n = problem.size;
  std::fill_n(A_.begin(), m * m, 0.0);

  for (int i = 0; i < k; ++i) {
    const Pair& row = pairs_[kept_[i]];
    if (row.pair < 0) continue;
    double* A = A_.data() + row.pair * m;
    double b = s_[i];
    for (int j = 0; j < k; ++j) {
      const Pair& column = pairs_[kept_[j]];
      const double H = free_count_ > 0 ? S_[i + j * k] : problem.H[kept_[i] + kept_[j] * n];
      if (column.pair >= 0) A[column.pair] += row.sign * column.sign * H;
      if (column.slope != 0) A[pairs_[problem.rows[kept_[j]].normal].pair] += row.sign * column.slope * H;
      b += H * column.offset;
    }
    b_[row.pair] = row.sign * b;
    if (row.limit >= 0) {
      const ScaledRow& bounds = problem.rows[kept_[i]];
      A[row.limit] = 1;  // xi_R = xi_T + xi_L, eq. (78)
      double* A_L = A_.data() + row.limit * m;
      A_L[row.pair] = -1;  // eq. (79)
      if (bounds.normal >= 0) A_L[pairs_[bounds.normal].pair] = bounds.hi1 - bounds.lo1;
      b_[row.limit] = bounds.hi0 - bounds.lo0;
    }
  }
}

// In the order of the paper: normal rows, then one pair for each other row that has a choice, then the upper limits.
void LinearComplementarity::number_pairs(const ScaledProblem& problem) {
  int count = 0;
  for (int r = 0; r < problem.size; ++r) {
    pairs_[r] = {};
    if (problem.rows[r].kind == RowKind::kNonNegative) pairs_[r].pair = count++;
  }
  for (int r = 0; r < problem.size; ++r) {
    const ScaledRow& row = problem.rows[r];
    if (row.kind == RowKind::kFree || row.kind == RowKind::kNonNegative) continue;
    const bool from_above = row.kind == RowKind::kAbove;
    pairs_[r].sign = from_above ? -1 : 1;
    pairs_[r].offset = from_above ? row.hi0 : row.lo0;
    pairs_[r].slope = row.normal < 0 ? 0 : from_above ? row.hi1 : row.lo1;
    if (row.kind != RowKind::kFixed) pairs_[r].pair = count++;
  }
  velocity_rows_ = count;
  for (int r = 0; r < problem.size; ++r) {
    if (problem.rows[r].kind == RowKind::kBetween) pairs_[r].limit = count++;
  }
  size_ = count;
}

void LinearComplementarity::eliminate_free_rows(const ScaledProblem& problem) {
  const int n = problem.size;
  free_count_ = kept_count_ = 0;
  for (int r = 0; r < n; ++r) {
    if (problem.rows[r].kind == RowKind::kFree) {
      free_[free_count_++] = r;
    } else {
      kept_[kept_count_++] = r;
    }
  }
  const int f = free_count_, k = kept_count_;
  for (int i = 0; i < k; ++i) s_[i] = problem.h[kept_[i]];
  if (f == 0) return;

  for (int j = 0; j < f; ++j) {
    for (int i = 0; i < f; ++i) H_ff_[i + j * f] = problem.H[free_[i] + free_[j] * n];
  }
  free_solver_.factor(H_ff_.data(), f, ModeSolver::kRankTolerance);
  for (int j = 0; j <= k; ++j) {
    const double* column = j < k ? problem.H.data() + kept_[j] * n : problem.h.data();
    for (int i = 0; i < f; ++i) rhs_[i] = column[free_[i]];
    free_solver_.solve(rhs_.data(), X_.data() + j * f);
  }
  for (int j = 0; j <= k; ++j) {
    for (int i = 0; i < k; ++i) {
      double value = j < k ? problem.H[kept_[i] + kept_[j] * n] : s_[i];
      for (int a = 0; a < f; ++a) value -= problem.H[kept_[i] + free_[a] * n] * X_[a + j * f];
      (j < k ? S_[i + j * k] : s_[i]) = value;
    }
  }
}

void LinearComplementarity::modes(const ScaledProblem& problem, std::span<const char> is_basic,
                                  std::span<RowMode> modes) const {
  for (int r = 0; r < problem.size; ++r) {
    const Pair& row = pairs_[r];
    if (problem.rows[r].kind == RowKind::kFree) {
      modes[r] = RowMode::kHeld;
    } else if (row.pair < 0) {
      modes[r] = RowMode::kLower;
    } else if (!is_basic[row.pair]) {
      modes[r] = row.sign > 0 ? RowMode::kLower : RowMode::kUpper;
    } else {
      modes[r] = row.limit >= 0 && is_basic[row.limit] ? RowMode::kUpper : RowMode::kHeld;
    }
  }
}

void LinearComplementarity::impulses(const ScaledProblem& problem, std::span<const double> x, VecRef Lambda) {
  for (int i = 0; i < kept_count_; ++i) {
    const int r = kept_[i];
    const Pair& row = pairs_[r];
    double value = row.offset + (row.pair >= 0 ? row.sign * x[row.pair] : 0);
    if (row.slope != 0) value += row.slope * Lambda_[problem.rows[r].normal];  // stands before
    Lambda_[r] = value;
    Lambda[r] = problem.rows[r].scale * value;
  }
  const int f = free_count_, k = kept_count_;
  for (int a = 0; a < f; ++a) {
    double value = -X_[a + k * f];
    for (int j = 0; j < k; ++j) value -= X_[a + j * f] * Lambda_[kept_[j]];
    Lambda[free_[a]] = problem.rows[free_[a]].scale * value;
  }
}

}  // namespace freeplay::complementarity
