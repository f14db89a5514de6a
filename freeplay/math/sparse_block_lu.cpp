#include "freeplay/math/sparse_block_lu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace freeplay::math {

namespace {

// x <- D^-1 x, D = L U in place, rows exchanged, with the inverse of U's diagonal on the diagonal. n rows.
void apply_diagonal_inverse(const double* D, const int* exchanged, int n, double* x) {
  for (int k = 0; k < n; ++k) std::swap(x[k], x[exchanged[k]]);
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) x[i] -= D[i + k * n] * x[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    x[k] *= D[k + k * n];
    for (int i = 0; i < k; ++i) x[i] -= D[i + k * n] * x[k];
  }
}

// X <- X D^-1, X of `rows` rows.
void divide_by_diagonal(const double* D, const int* exchanged, int n, int rows, double* X) {
  for (int k = 0; k < n; ++k) {  // X <- X U^-1
    double* column = X + static_cast<std::ptrdiff_t>(k) * rows;
    for (int j = 0; j < k; ++j) {
      const double factor = D[j + k * n];
      const double* other = X + static_cast<std::ptrdiff_t>(j) * rows;
      for (int i = 0; i < rows; ++i) column[i] -= factor * other[i];
    }
    for (int i = 0; i < rows; ++i) column[i] *= D[k + k * n];
  }
  for (int k = n - 1; k >= 0; --k) {  // X <- X L^-1
    double* column = X + static_cast<std::ptrdiff_t>(k) * rows;
    for (int j = k + 1; j < n; ++j) {
      const double factor = D[j + k * n];
      const double* other = X + static_cast<std::ptrdiff_t>(j) * rows;
      for (int i = 0; i < rows; ++i) column[i] -= factor * other[i];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    if (exchanged[k] == k) continue;
    for (int i = 0; i < rows; ++i) std::swap(X[i + k * rows], X[i + exchanged[k] * rows]);
  }
}

// C -= A B, column major.
void subtract_product(const double* A, const double* B, int rows, int inner, int columns, double* C) {
  for (int c = 0; c < columns; ++c) {
    for (int k = 0; k < inner; ++k) {
      const double factor = B[k + c * inner];
      for (int r = 0; r < rows; ++r) C[r + c * rows] -= A[r + k * rows] * factor;
    }
  }
}

}  // namespace

void SparseBlockLu::set_pattern(std::span<const int> sizes, std::span<const std::pair<int, int>> couplings) {
  size_.assign(sizes.begin(), sizes.end());
  first_row_.clear();
  rows_ = 0;
  for (const int size : size_) {
    first_row_.push_back(rows_);
    rows_ += size;
  }
  choose_order(couplings);
  lay_out();
}

// Least degree; of equals the first one, so that the order depends on the pattern alone.
void SparseBlockLu::choose_order(std::span<const std::pair<int, int>> couplings) {
  const int n = static_cast<int>(size_.size());
  std::vector<std::set<int>> neighbours(size_.size());
  for (const auto& [i, j] : couplings) {
    neighbours[static_cast<std::size_t>(i)].insert(j);
    neighbours[static_cast<std::size_t>(j)].insert(i);
  }
  std::set<std::pair<std::size_t, int>> by_degree;
  for (int i = 0; i < n; ++i) by_degree.insert({neighbours[static_cast<std::size_t>(i)].size(), i});
  order_.clear();
  position_.assign(size_.size(), 0);
  later_.assign(size_.size(), {});
  while (!by_degree.empty()) {
    const int chosen = by_degree.begin()->second;
    by_degree.erase(by_degree.begin());
    const std::size_t k = order_.size();
    position_[static_cast<std::size_t>(chosen)] = static_cast<int>(k);
    order_.push_back(chosen);
    const std::set<int> left = std::move(neighbours[static_cast<std::size_t>(chosen)]);
    for (const int i : left) {
      std::set<int>& of_i = neighbours[static_cast<std::size_t>(i)];
      by_degree.erase({of_i.size(), i});
      of_i.erase(chosen);
      for (const int j : left) {
        if (j != i) of_i.insert(j);
      }
      by_degree.insert({of_i.size(), i});
    }
    later_[k].assign(left.begin(), left.end());  // blocks, until all positions are known
  }
  for (std::vector<int>& later : later_) {
    for (int& block : later) block = position_[static_cast<std::size_t>(block)];
    std::sort(later.begin(), later.end());
  }
}

void SparseBlockLu::lay_out() {
  const std::size_t n = order_.size();
  const auto size_at = [&](int position) {
    return static_cast<std::size_t>(size_[static_cast<std::size_t>(order_[static_cast<std::size_t>(position)])]);
  };
  std::size_t next = 0;
  diagonal_.assign(n, 0);
  right_.assign(n, {});
  below_.assign(n, {});
  updated_.assign(n, {});
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t own = size_at(static_cast<int>(k));
    diagonal_[k] = next;
    next += own * own;
    for (const int j : later_[k]) {
      right_[k].push_back(next);
      next += own * size_at(j);
      below_[k].push_back(next);
      next += own * size_at(j);
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (const int i : later_[k]) {
      for (const int j : later_[k]) updated_[k].push_back(place_in_order(i, j));
    }
  }
  values_.assign(next, 0.0);
  diagonal_before_.assign(static_cast<std::size_t>(rows_), 0.0);
  exchanged_.assign(static_cast<std::size_t>(rows_), 0);
}

std::size_t SparseBlockLu::place_in_order(int row, int column) const {
  if (row == column) return diagonal_[static_cast<std::size_t>(row)];
  const std::size_t k = static_cast<std::size_t>(std::min(row, column));
  const auto found = std::lower_bound(later_[k].begin(), later_[k].end(), std::max(row, column));
  const std::size_t e = static_cast<std::size_t>(found - later_[k].begin());
  return row < column ? right_[k][e] : below_[k][e];
}

std::size_t SparseBlockLu::place(int i, int j) const {
  return place_in_order(position_[static_cast<std::size_t>(i)], position_[static_cast<std::size_t>(j)]);
}

void SparseBlockLu::set_zero() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

bool SparseBlockLu::factor_diagonal(int position) {
  const std::size_t k = static_cast<std::size_t>(position);
  const std::size_t block = static_cast<std::size_t>(order_[k]);
  const int n = size_[block];
  double* D = values_.data() + diagonal_[k];
  double* before = diagonal_before_.data() + first_row_[block];
  int* exchanged = exchanged_.data() + first_row_[block];
  for (int p = 0; p < n; ++p) {
    int largest = p;
    for (int i = p + 1; i < n; ++i) {
      if (std::abs(D[i + p * n]) > std::abs(D[largest + p * n])) largest = i;
    }
    exchanged[p] = largest;
    if (largest != p) {
      for (int j = 0; j < n; ++j) std::swap(D[p + j * n], D[largest + j * n]);
      std::swap(before[p], before[largest]);
    }
    const double pivot = D[p + p * n];
    if (!(std::abs(pivot) > std::numeric_limits<double>::min()) || !std::isfinite(pivot)) return false;
    smallest_pivot_ = std::min(smallest_pivot_, std::abs(pivot) / std::abs(before[p]));
    const double inverse = 1 / pivot;
    for (int i = p + 1; i < n; ++i) {
      D[i + p * n] *= inverse;
      for (int j = p + 1; j < n; ++j) D[i + j * n] -= D[i + p * n] * D[p + j * n];
    }
    D[p + p * n] = inverse;
  }
  return true;
}

// A row that is left out gets 0 in the place of the inverse of its pivot, and of what it would pass on.
bool SparseBlockLu::factor_definite_diagonal(int position, double doubtful) {
  const std::size_t k = static_cast<std::size_t>(position);
  const std::size_t block = static_cast<std::size_t>(order_[k]);
  const int n = size_[block];
  double* D = values_.data() + diagonal_[k];
  const double* before = diagonal_before_.data() + first_row_[block];
  int* exchanged = exchanged_.data() + first_row_[block];
  for (int p = 0; p < n; ++p) {
    exchanged[p] = p;
    const double pivot = D[p + p * n];
    if (!std::isfinite(pivot)) return false;
    const bool is_left_out = !(pivot > std::max(doubtful * before[p], std::numeric_limits<double>::min()));
    if (is_left_out)
      left_out_.push_back(first_row_[block] + p);
    else
      smallest_pivot_ = std::min(smallest_pivot_, pivot / before[p]);
    const double inverse = is_left_out ? 0 : 1 / pivot;
    for (int i = p + 1; i < n; ++i) {
      D[i + p * n] *= inverse;
      for (int j = p + 1; j < n; ++j) D[i + j * n] -= D[i + p * n] * D[p + j * n];
    }
    D[p + p * n] = inverse;
  }
  return true;
}

void SparseBlockLu::keep_diagonal() {
  smallest_pivot_ = 1;
  left_out_.clear();
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const std::size_t block = static_cast<std::size_t>(order_[k]);
    const double* D = values_.data() + diagonal_[k];
    for (int r = 0; r < size_[block]; ++r)
      diagonal_before_[static_cast<std::size_t>(first_row_[block] + r)] = D[r + r * size_[block]];
  }
}

// What the block at this position, factored, leaves of the later ones.
void SparseBlockLu::eliminate(int position) {
  const std::size_t k = static_cast<std::size_t>(position);
  const std::size_t block = static_cast<std::size_t>(order_[k]);
  const int n = size_[block];
  const auto size_of = [&](std::size_t e) {
    return size_[static_cast<std::size_t>(order_[static_cast<std::size_t>(later_[k][e])])];
  };
  const std::size_t count = later_[k].size();
  for (std::size_t e = 0; e < count; ++e)
    divide_by_diagonal(values_.data() + diagonal_[k], exchanged_.data() + first_row_[block], n, size_of(e),
                       values_.data() + below_[k][e]);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      subtract_product(values_.data() + below_[k][i], values_.data() + right_[k][j], size_of(i), n, size_of(j),
                       values_.data() + updated_[k][i * count + j]);
    }
  }
}

bool SparseBlockLu::factor() {
  keep_diagonal();
  for (int k = 0; k < static_cast<int>(order_.size()); ++k) {
    if (!factor_diagonal(k)) return false;
    eliminate(k);
  }
  return true;
}

bool SparseBlockLu::factor_definite(double doubtful) {
  keep_diagonal();
  for (int k = 0; k < static_cast<int>(order_.size()); ++k) {
    if (!factor_definite_diagonal(k, doubtful)) return false;
    eliminate(k);
  }
  return true;
}

void SparseBlockLu::solve_in_place(double* x) const {
  const auto rows_at = [&](int position) {
    const std::size_t block = static_cast<std::size_t>(order_[static_cast<std::size_t>(position)]);
    return std::pair(x + first_row_[block], size_[block]);
  };
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const auto [own, n] = rows_at(static_cast<int>(k));
    for (std::size_t e = 0; e < later_[k].size(); ++e) {
      const auto [other, size] = rows_at(later_[k][e]);
      subtract_product(values_.data() + below_[k][e], own, size, n, 1, other);
    }
  }
  for (std::size_t k = order_.size(); k-- > 0;) {
    const auto [own, n] = rows_at(static_cast<int>(k));
    for (std::size_t e = 0; e < later_[k].size(); ++e) {
      const auto [other, size] = rows_at(later_[k][e]);
      subtract_product(values_.data() + right_[k][e], other, n, size, 1, own);
    }
    const int first = first_row_[static_cast<std::size_t>(order_[k])];
    apply_diagonal_inverse(values_.data() + diagonal_[k], exchanged_.data() + first, n, own);
  }
}

}  // namespace freeplay::math
