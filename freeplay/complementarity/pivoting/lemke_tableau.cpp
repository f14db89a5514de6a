#include "freeplay/complementarity/pivoting/lemke_tableau.h"

#include <algorithm>
#include <cmath>

namespace freeplay::complementarity {
namespace {

// The entries of T are about 1 (scaled_problem.h) and b is scaled to 1. A pivot must stand clear of the rounding of the
// column it is in; ratios closer than this are a tie, which the lexicographic rule breaks.
constexpr double kPivotTolerance = 1e-11;
constexpr double kTie = 1e-13;

bool is_tie(double a, double b) {
  return std::abs(a - b) <= kTie * (1 + std::max(std::abs(a), std::abs(b)));
}

}  // namespace

void LemkeTableau::reserve(int unknowns) {
  const std::size_t m = static_cast<std::size_t>(unknowns);
  if (x_.size() >= m) return;
  T_.resize(m * (m + 2));
  d_.resize(m);
  basic_.resize(m);
  nonbasic_.resize(m + 1);
  row_of_.resize(2 * m + 1);
  column_of_.resize(2 * m + 1);
  basis_.resize(m * (2 * m + 2));
  is_basic_.resize(m);
  x_.resize(m);
}

void LemkeTableau::start(const Options& options) {
  const int m = m_;
  double largest = 0;
  for (int i = 0; i < m; ++i) largest = std::max(largest, std::abs(b_[i]));
  b_scale_ = largest > 0 ? 1 / largest : 1;
  for (int i = 0; i < m; ++i) {
    d_[i] = 1;
    if (options.cover == Cover::kVelocities && i >= options.velocity_rows && b_[i] >= 0) d_[i] = 0;
    if (options.cover == Cover::kSpread) {
      // Multiples of the golden section spread evenly over (0, 1); another multiple for each variant.
      const double product = 0.6180339887498949 * (i + 1) * (2 * options.variant + 1) + 0.37 * options.variant;
      d_[i] = 0.25 + 1.5 * (product - std::floor(product));
    }
  }
  for (int i = 0; i < m; ++i) {
    double* row = T_.data() + i * width_;
    for (int j = 0; j < m; ++j) row[j] = -A_[i * m + j];
    row[m] = -d_[i];
    row[m + 1] = b_scale_ * b_[i];
    basic_[i] = i;
    row_of_[i] = i;
    column_of_[i] = -1;
    nonbasic_[i] = m + i;
    row_of_[m + i] = -1;
    column_of_[m + i] = i;
  }
  nonbasic_[m] = 2 * m;
  row_of_[2 * m] = -1;
  column_of_[2 * m] = m;
  pivots_ = 0;
}

bool LemkeTableau::run(std::span<const double> A, std::span<const double> b, const Options& options) {
  m_ = static_cast<int>(b.size());
  width_ = m_ + 2;
  A_ = A.data();
  b_ = b.data();
  reserve(m_);
  start(options);
  const int m = m_, z0 = 2 * m;

  // First pivot: z0 enters at the row with the smallest b_i / d_i. Of tied rows the last one leaves: only then are the
  // rows of (q, B^-1) lexicographically positive, which is what excludes cycles.
  int row = -1;
  double smallest = 0;
  bool is_feasible = true;
  for (int i = 0; i < m; ++i) {
    const double q = T_[i * width_ + m + 1];
    if (q < 0) is_feasible = false;
    if (!(d_[i] > 0)) continue;
    const double ratio = q / d_[i];
    if (row < 0 || ratio < smallest || is_tie(ratio, smallest)) {
      smallest = row < 0 ? ratio : std::min(smallest, ratio);
      row = i;
    }
  }
  if (is_feasible || row < 0) {
    read_solution();
    return is_feasible;
  }
  pivot(row, m);
  int leaving = row;  // y_row
  const int most_pivots = 60 + 20 * m;
  while (pivots_ < most_pivots) {
    const int entering = leaving < m ? leaving + m : leaving - m;
    const int column = column_of_[entering];
    if (!choose_row(column, row)) break;  // a ray
    leaving = basic_[row];
    pivot(row, column);
    if (options.refresh_every > 0 && pivots_ % options.refresh_every == 0 && !refresh()) break;
    if (leaving == z0) {
      read_solution();
      return true;
    }
  }
  read_solution();
  return false;
}

void LemkeTableau::pivot(int row, int column) {
  const int width = width_;
  // Two rows never overlap; told so, the compiler vectorises without asking at run time. The entries of the pivot
  // column are set last: written before, they would be read back at once as part of a wider word, which stalls.
  double* __restrict pivot_row = T_.data() + row * width;
  const double inverse = 1 / pivot_row[column];
  for (int j = 0; j < width; ++j) pivot_row[j] *= inverse;
  for (int i = 0; i < m_; ++i) {
    if (i == row) continue;
    double* __restrict other = T_.data() + i * width;
    const double factor = other[column];
    if (factor == 0) continue;
    for (int j = 0; j < width; ++j) other[j] -= factor * pivot_row[j];
    other[column] = -factor * inverse;
  }
  pivot_row[column] = inverse;
  std::swap(basic_[row], nonbasic_[column]);
  row_of_[basic_[row]] = row;
  column_of_[basic_[row]] = -1;
  row_of_[nonbasic_[column]] = -1;
  column_of_[nonbasic_[column]] = column;
  ++pivots_;
}

// Entry (row, k) of the inverse basis: the column of y_k, which is a unit vector while y_k is basic.
double LemkeTableau::inverse_entry(int row, int k) const {
  return column_of_[k] >= 0 ? T_[row * width_ + column_of_[k]] : row_of_[k] == row ? 1.0 : 0.0;
}

bool LemkeTableau::choose_row(int column, int& chosen) const {
  const int m = m_, z0 = 2 * m;
  double largest = 1;
  for (int i = 0; i < m; ++i) largest = std::max(largest, std::abs(T_[i * width_ + column]));
  const double smallest_pivot = kPivotTolerance * largest;
  chosen = -1;
  double best = 0, best_pivot = 0;
  for (int i = 0; i < m; ++i) {
    const double pivot = T_[i * width_ + column];
    if (!(pivot > smallest_pivot)) continue;
    const double ratio = T_[i * width_ + m + 1] / pivot;
    bool is_better = chosen < 0;
    if (!is_better && !is_tie(ratio, best)) {
      is_better = ratio < best;
    } else if (!is_better) {
      if (basic_[chosen] == z0) continue;  // z0 may leave: done
      is_better = basic_[i] == z0;
      for (int k = 0; k < m && !is_better; ++k) {
        const double mine = inverse_entry(i, k) / pivot, other = inverse_entry(chosen, k) / best_pivot;
        if (is_tie(mine, other)) continue;
        is_better = mine < other;
        break;
      }
    }
    if (is_better) {
      chosen = i;
      best = ratio;
      best_pivot = pivot;
    }
  }
  return chosen >= 0;
}

// T = B^-1 [N b] from A: Gauss-Jordan elimination with row pivoting on [B N b].
bool LemkeTableau::refresh() {
  const int m = m_, wide = 2 * m + 2;
  double* E = basis_.data();
  const auto entry = [&](int i, int variable) {
    if (variable < m) return variable == i ? 1.0 : 0.0;
    return variable < 2 * m ? -A_[i * m + (variable - m)] : -d_[i];
  };
  for (int i = 0; i < m; ++i) {
    double* row = E + i * wide;
    for (int k = 0; k < m; ++k) row[k] = entry(i, basic_[k]);
    for (int k = 0; k <= m; ++k) row[m + k] = entry(i, nonbasic_[k]);
    row[2 * m + 1] = b_scale_ * b_[i];
  }
  for (int k = 0; k < m; ++k) {
    int best = k;
    for (int i = k + 1; i < m; ++i) {
      if (std::abs(E[i * wide + k]) > std::abs(E[best * wide + k])) best = i;
    }
    if (!(std::abs(E[best * wide + k]) > 1e-14)) return false;
    if (best != k) std::swap_ranges(E + k * wide + k, E + (k + 1) * wide, E + best * wide + k);
    double* pivot_row = E + k * wide;
    const double inverse = 1 / pivot_row[k];
    for (int j = k; j < wide; ++j) pivot_row[j] *= inverse;
    for (int i = 0; i < m; ++i) {
      double* row = E + i * wide;
      const double factor = row[k];
      if (i == k || factor == 0) continue;
      for (int j = k; j < wide; ++j) row[j] -= factor * pivot_row[j];
    }
  }
  for (int i = 0; i < m; ++i) std::copy_n(E + i * wide + m, width_, T_.data() + i * width_);
  return true;
}

void LemkeTableau::read_solution() {
  for (int j = 0; j < m_; ++j) {
    const int row = row_of_[m_ + j];
    is_basic_[j] = row >= 0;
    x_[j] = row >= 0 ? std::max(0.0, T_[row * width_ + m_ + 1]) / b_scale_ : 0;
  }
}

}  // namespace freeplay::complementarity
