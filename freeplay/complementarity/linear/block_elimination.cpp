#include "freeplay/complementarity/linear/block_elimination.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::complementarity {
namespace {

constexpr int kLargestContact = 8;

// w -= l u, blocks column major: w is rows x columns, l rows x inner.
template <int kSize>
inline void subtract_product(const double* l, const double* u, int rows, int inner, int columns, double* w) {
  if constexpr (kSize > 0) {
    for (int c = 0; c < kSize; ++c) {
      double sum[kSize] = {};
      for (int k = 0; k < kSize; ++k) {
        for (int r = 0; r < kSize; ++r) sum[r] += l[r + k * kSize] * u[k + c * kSize];
      }
      for (int r = 0; r < kSize; ++r) w[r + c * kSize] -= sum[r];
    }
  } else {
    for (int c = 0; c < columns; ++c) {
      for (int k = 0; k < inner; ++k) {
        const double factor = u[k + c * inner];
        for (int r = 0; r < rows; ++r) w[r + c * rows] -= l[r + k * rows] * factor;
      }
    }
  }
}

// Factorises the block in place, with row exchanges.
inline bool factorise(int n, double* D, int* pivots) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(D[i + k * n]) > std::abs(D[pivot + k * n])) pivot = i;
    }
    pivots[k] = pivot;
    if (!(std::abs(D[pivot + k * n]) > std::numeric_limits<double>::min())) return false;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) std::swap(D[k + j * n], D[pivot + j * n]);
    }
    const double inverse = 1 / D[k + k * n];
    for (int i = k + 1; i < n; ++i) {
      D[i + k * n] *= inverse;
      for (int j = k + 1; j < n; ++j) D[i + j * n] -= D[i + k * n] * D[k + j * n];
    }
    D[k + k * n] = inverse;
  }
  return true;
}

inline void apply_inverse(int n, const double* D, const int* pivots, double* x) {
  for (int k = 0; k < n; ++k) std::swap(x[k], x[pivots[k]]);
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) x[i] -= D[i + k * n] * x[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    x[k] *= D[k + k * n];
    for (int i = 0; i < k; ++i) x[i] -= D[i + k * n] * x[k];
  }
}

}  // namespace

bool BlockElimination::knows(const BlockSparseMatrix& pattern) const {
  std::size_t next = 0;
  for (int i = 0; i < pattern.block_rows(); ++i) {
    for (const BlockSparseMatrix::Block& block : pattern.row(i)) {
      if (next == pattern_.size() || pattern_[next++] != block.column) return false;
    }
    if (next == pattern_.size() || pattern_[next++] != -1 - pattern.rows(i)) return false;
  }
  return next == pattern_.size();
}

void BlockElimination::choose_order(const BlockSparseMatrix& pattern) {
  const int n = pattern.block_rows();
  std::vector<Eigen::Triplet<double>> entries;
  pattern_.clear();
  for (int i = 0; i < n; ++i) {
    for (const BlockSparseMatrix::Block& block : pattern.row(i)) {
      pattern_.push_back(block.column);
      if (block.column == i) continue;
      entries.emplace_back(i, block.column, 1.0);
      entries.emplace_back(block.column, i, 1.0);
    }
    pattern_.push_back(-1 - pattern.rows(i));
  }
  Eigen::SparseMatrix<double> graph(n, n);
  graph.setFromTriplets(entries.begin(), entries.end());
  adjacent_begin_.assign(graph.outerIndexPtr(), graph.outerIndexPtr() + n + 1);
  adjacent_.assign(graph.innerIndexPtr(), graph.innerIndexPtr() + graph.nonZeros());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(graph, permutation);
  order_.assign(permutation.indices().data(), permutation.indices().data() + n);
}

double BlockElimination::analyse(const BlockSparseMatrix& pattern, const std::vector<int>& position) {
  const int n = pattern.block_rows();
  const bool is_known = knows(pattern);
  if (!is_known) choose_order(pattern);
  const auto takes_part = [&](int contact) { return position[contact] >= 0; };
  bool is_same = is_known;
  for (int i = 0; i < n && is_same; ++i) is_same = takes_part(i) == (index_[i] >= 0);
  if (is_same) return products_;
  index_.assign(n, -1);
  contact_.clear();
  largest_ = 0;
  is_even_ = true;
  for (const int contact : order_) {
    if (!takes_part(contact)) continue;
    index_[contact] = static_cast<int>(contact_.size());
    contact_.push_back(contact);
    const int size = pattern.rows(contact);
    is_even_ = is_even_ && (largest_ == 0 || largest_ == size);
    largest_ = std::max(largest_, size);
  }
  const int m = static_cast<int>(contact_.size());
  upper_begin_.assign(1, 0);
  upper_.clear();
  first_child_.assign(m, -1);
  next_child_.assign(m, -1);
  mark_.assign(m, -1);
  lower_begin_.assign(m + 1, 0);
  products_ = 0;
  for (int i = 0; i < m; ++i) {
    const auto add = [&](int k) {
      if (k <= i || mark_[k] == i) return;
      mark_[k] = i;
      upper_.push_back(k);
    };
    const int contact = contact_[i];
    for (int a = adjacent_begin_[contact]; a < adjacent_begin_[contact + 1]; ++a) add(index_[adjacent_[a]]);
    for (int child = first_child_[i]; child >= 0; child = next_child_[child]) {
      for (int k = upper_begin_[child]; k < upper_begin_[child + 1]; ++k) add(upper_[k]);
    }
    std::sort(upper_.begin() + upper_begin_[i], upper_.end());
    upper_begin_.push_back(static_cast<int>(upper_.size()));
    const double width = upper_begin_[i + 1] - upper_begin_[i];
    products_ += width * width;
    if (width == 0) continue;
    const int parent = upper_[upper_begin_[i]];
    next_child_[i] = first_child_[parent];
    first_child_[parent] = i;
    for (int k = upper_begin_[i]; k < upper_begin_[i + 1]; ++k) ++lower_begin_[upper_[k] + 1];
  }
  for (int i = 0; i < m; ++i) lower_begin_[i + 1] += lower_begin_[i];
  lower_.resize(upper_.size());
  mark_.assign(lower_begin_.begin(), lower_begin_.end() - 1);
  for (int i = 0; i < m; ++i) {
    for (int k = upper_begin_[i]; k < upper_begin_[i + 1]; ++k) lower_[mark_[upper_[k]]++] = i;
  }
  return products_;
}

template <int kSize>
bool BlockElimination::eliminate(const BlockSparseMatrix& pattern, const std::vector<double>& values,
                                 const std::vector<int>& position, std::vector<double>& b) {
  const int m = static_cast<int>(contact_.size());
  const std::size_t stride = static_cast<std::size_t>(largest_) * largest_;
  row_.resize(stride * m);
  U_.resize(stride * upper_.size());
  const auto size_of = [&](int i) { return kSize > 0 ? kSize : pattern.rows(contact_[i]); };
  for (int i = 0; i < m; ++i) {
    const int size = size_of(i), contact = contact_[i];
    double* row = row_.data();
    double* y = b.data() + position[contact];
    for (int a = lower_begin_[i]; a < lower_begin_[i + 1]; ++a) std::fill_n(row + stride * lower_[a], stride, 0.0);
    for (int a = upper_begin_[i]; a < upper_begin_[i + 1]; ++a) std::fill_n(row + stride * upper_[a], stride, 0.0);
    std::fill_n(row + stride * i, stride, 0.0);
    for (const BlockSparseMatrix::Block& block : pattern.row(contact)) {
      const int k = index_[block.column];
      if (k >= 0) std::copy_n(values.data() + block.begin, size * size_of(k), row + stride * k);
    }
    for (int a = lower_begin_[i]; a < lower_begin_[i + 1]; ++a) {
      const int j = lower_[a], inner = size_of(j);
      const double* l = row + stride * j;
      const double* y_j = b.data() + position[contact_[j]];
      for (int k = 0; k < inner; ++k) {
        for (int r = 0; r < size; ++r) y[r] -= l[r + k * size] * y_j[k];
      }
      const double* u = U_.data() + stride * upper_begin_[j];
      for (int c = upper_begin_[j]; c < upper_begin_[j + 1]; ++c, u += stride) {
        const int k = upper_[c];
        subtract_product<kSize>(l, u, size, inner, kSize > 0 ? kSize : size_of(k), row + stride * k);
      }
    }
    // The row is divided by its diagonal block.
    double* D = row + stride * i;
    int pivots[kLargestContact];
    if (!factorise(size, D, pivots)) return false;
    apply_inverse(size, D, pivots, y);
    double* u = U_.data() + stride * upper_begin_[i];
    for (int c = upper_begin_[i]; c < upper_begin_[i + 1]; ++c, u += stride) {
      const int k = upper_[c], columns = size_of(k);
      std::copy_n(row + stride * k, size * columns, u);
      for (int column = 0; column < columns; ++column) apply_inverse(size, D, pivots, u + column * size);
    }
  }
  for (int i = m - 1; i >= 0; --i) {
    const int size = size_of(i);
    double* x = b.data() + position[contact_[i]];
    const double* u = U_.data() + stride * upper_begin_[i];
    for (int c = upper_begin_[i]; c < upper_begin_[i + 1]; ++c, u += stride) {
      const int k = upper_[c], columns = size_of(k);
      const double* x_k = b.data() + position[contact_[k]];
      for (int column = 0; column < columns; ++column) {
        for (int r = 0; r < size; ++r) x[r] -= u[r + column * size] * x_k[column];
      }
    }
  }
  return true;
}

bool BlockElimination::solve(const BlockSparseMatrix& pattern, const std::vector<double>& values,
                             const std::vector<int>& position, std::vector<double>& b) {
  if (is_even_ && largest_ == 3) return eliminate<3>(pattern, values, position, b);
  if (is_even_ && largest_ == 2) return eliminate<2>(pattern, values, position, b);
  return eliminate<0>(pattern, values, position, b);
}

}  // namespace freeplay::complementarity
