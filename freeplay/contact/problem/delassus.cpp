#include "freeplay/contact/problem/delassus.h"

#include <algorithm>
#include <array>
#include <utility>

namespace freeplay::contact {

namespace {

constexpr std::size_t kManyTrees = 16;  // from here on most of G is zero

void make_square_room(MatX& matrix, int rows) {
  if (matrix.rows() >= rows && matrix.cols() >= rows) return;
  const Eigen::Index room = std::max<Eigen::Index>(rows, 2 * matrix.rows());
  matrix.resize(room, room);
}

constexpr int kFreeBody = 6;  // velocities
constexpr int kSide = 4;      // rows side by side: three, and one that registers like

// x <- L^-T x of a free body, for the three rows of a contact side by side.
void half_solve_rows(const double* L, const double* inverse, const std::array<const double*, 3>& from,
                     const std::array<double*, 3>& to) {
  double x[kFreeBody][kSide];
  for (int k = 0; k < kFreeBody; ++k) {
    for (std::size_t row = 0; row < 3; ++row) x[k][row] = from[row][k];
    x[k][3] = 0;
  }
  for (int k = kFreeBody - 1; k >= 0; --k) {
    for (double& number : x[k]) number *= inverse[k];
    for (int i = 0; i < k; ++i) {
      for (int row = 0; row < kSide; ++row) x[i][row] -= L[kFreeBody * k + i] * x[k][row];
    }
  }
  for (int k = 0; k < kFreeBody; ++k) {
    for (std::size_t row = 0; row < 3; ++row) to[row][k] = x[k][row];
  }
}

// The same where L is diagonal.
void scale_rows(const double* inverse, const std::array<const double*, 3>& from, const std::array<double*, 3>& to) {
  double scale[kFreeBody];
  std::copy_n(inverse, kFreeBody, scale);
  for (std::size_t row = 0; row < 3; ++row) {
    const double* __restrict of_row = from[row];
    double* __restrict scaled = to[row];
    for (int k = 0; k < kFreeBody; ++k) scaled[k] = scale[k] * of_row[k];
  }
}

bool is_diagonal_body(const double* L) {
  for (int k = 1; k < kFreeBody; ++k) {
    for (int i = 0; i < k; ++i) {
      if (L[kFreeBody * k + i] != 0) return false;
    }
  }
  return true;
}

}  // namespace

Delassus::Delassus(const MassStructure& structure)
    : structure_(structure), is_sparse_(structure.blocks.size() >= kManyTrees), B_(structure) {}

void Delassus::reserve(int rows) {
  B_.reserve(rows);
  if (is_sparse_) return;
  last_at_tree_.reserve(structure_.blocks.size());
  parts_at_tree_.reserve(2 * static_cast<std::size_t>(rows));
  make_square_room(dense_, rows);
}

void Delassus::reserve_response(int rows) {
  if (response_.cols() < rows || response_.rows() != structure_.size())
    response_.resize(structure_.size(), std::max<Eigen::Index>(rows, 2 * response_.cols()));
  make_square_room(dense_, rows);
}

void Delassus::assemble(const MassMatrix& M, const RowStore& W, std::span<const int> block_begin) {
  B_.copy(W);
  count_ = W.size();
  form_ = is_sparse_ ? Form::kBlocks : Form::kDense;
  for (int row = 0; row < count_; ++row) {
    double* entry = B_.values(row);
    for (const RowPart& part : B_.parts(row)) {
      if (part.size == 0) continue;
      const int tree = structure_.block_of[static_cast<std::size_t>(part.first)];
      M.half_solve_in_place(structure_.blocks[static_cast<std::size_t>(tree)], entry);
      entry += part.size;
    }
  }
  if (is_sparse_) {
    assemble_blocks(block_begin);
    return;
  }
  make_square_room(dense_, count_);
  assemble_dense();
}

// G_ij = B_i^T B_j. Rows that share no tree, as most do in a mechanism of several trees, are not even looked at: the
// rows before j at a tree hang together in a list, the last one first.
void Delassus::assemble_dense() {
  constexpr int kEnd = -1;
  const Eigen::Index stride = dense_.outerStride();
  last_at_tree_.assign(structure_.blocks.size(), kEnd);
  parts_at_tree_.clear();
  for (int j = 0; j < count_; ++j) {
    double *column = dense_.data() + j * stride, *row = dense_.data() + j;
    std::fill_n(column, j + 1, 0.0);
    const double* b = B_.values(j);
    for (const RowPart& part : B_.parts(j)) {
      if (part.size == 0) continue;
      const std::size_t tree = static_cast<std::size_t>(structure_.block_of[static_cast<std::size_t>(part.first)]);
      for (int at = last_at_tree_[tree]; at != kEnd; at = parts_at_tree_[static_cast<std::size_t>(at)].before) {
        const PartAtTree& other = parts_at_tree_[static_cast<std::size_t>(at)];
        column[other.row] = plus_product(column[other.row], other.values, b, part.size);
      }
      column[j] = plus_product(column[j], b, b, part.size);
      b += part.size;
    }
    b = B_.values(j);
    for (const RowPart& part : B_.parts(j)) {
      if (part.size == 0) continue;
      const std::size_t tree = static_cast<std::size_t>(structure_.block_of[static_cast<std::size_t>(part.first)]);
      parts_at_tree_.push_back({b, j, last_at_tree_[tree]});
      last_at_tree_[tree] = static_cast<int>(parts_at_tree_.size()) - 1;
      b += part.size;
    }
    for (int i = 0; i < j; ++i) row[i * stride] = column[i];
  }
}

void Delassus::assemble_factors(const MassMatrix& M, const RowStore& W, std::span<const int> first_row) {
  count_ = W.size();
  form_ = Form::kFactors;
  factors_.start(static_cast<int>(structure_.blocks.size()), structure_.size(), W.stride());
  factors_.reserve(count_, W.stride());
  invert_diagonals(M);
  for (std::size_t k = 0; k < first_row.size(); ++k) {
    const int first = first_row[k], end = k + 1 < first_row.size() ? first_row[k + 1] : count_;
    if (end - first == 3) {
      if (!add_factors_of_free_bodies(M, W, first)) {
        for (int row = first; row < end; ++row) add_factor(M, W, row);
      }
      factors_.keep_block(end - 1);
    } else {
      for (int row = first; row < end; ++row) add_factor(M, W, row);
    }
  }
}

void Delassus::invert_diagonals(const MassMatrix& M) {
  inverse_.assign(static_cast<std::size_t>(structure_.size()), 0.0);
  is_diagonal_.assign(structure_.blocks.size(), 0);
  all_are_diagonal_ = true;
  for (std::size_t t = 0; t < structure_.blocks.size(); ++t) {
    const MassStructure::Block& tree = structure_.blocks[t];
    const bool was_diagonal = std::exchange(all_are_diagonal_, false);
    if (tree.size != kFreeBody || tree.is_deep) continue;
    bool is_chain = true;
    for (int k = tree.first + 1; k < tree.first + kFreeBody; ++k)
      is_chain = is_chain && structure_.parent[static_cast<std::size_t>(k)] == k - 1;
    for (int k = tree.first; is_chain && k < tree.first + kFreeBody; ++k)
      inverse_[static_cast<std::size_t>(k)] = 1 / M.at(k, k);
    is_diagonal_[t] = is_chain && is_diagonal_body(M.row(tree.first) + tree.first) ? 1 : 0;
    all_are_diagonal_ = was_diagonal && is_diagonal_[t] != 0;
  }
}

std::array<RowFactors::Part, 2> Delassus::parts_of(const RowStore& W, int row) const {
  std::array<RowFactors::Part, 2> parts;
  for (std::size_t k = 0; k < 2; ++k) {
    const RowPart& part = W.parts(row)[k];
    if (part.size > 0) parts[k] = {structure_.block_of[static_cast<std::size_t>(part.first)], part.first, part.size};
  }
  return parts;
}

// False, and nothing is added, where a row acts on anything else.
bool Delassus::add_factors_of_free_bodies(const MassMatrix& M, const RowStore& W, int first) {
  const std::array<RowFactors::Part, 2> parts = parts_of(W, first);
  for (const RowFactors::Part& part : parts) {
    if (part.size > 0 && !(inverse_[static_cast<std::size_t>(part.first)] > 0)) return false;
  }
  std::array<const double*, 3> from = {W.values(first), W.values(first + 1), W.values(first + 2)};
  for (int i = 0; i < 3; ++i) factors_.add(parts);
  std::array<double*, 3> to = {factors_.entries(first), factors_.entries(first + 1), factors_.entries(first + 2)};
  for (const RowFactors::Part& part : parts) {
    if (part.size == 0) continue;
    if (is_diagonal_[static_cast<std::size_t>(part.tree)] != 0)
      scale_rows(inverse_.data() + part.first, from, to);
    else
      half_solve_rows(M.row(part.first) + part.first, inverse_.data() + part.first, from, to);
    for (std::size_t i = 0; i < 3; ++i) {
      from[i] += kFreeBody;
      to[i] += kFreeBody;
    }
  }
  return true;
}

void Delassus::add_factor(const MassMatrix& M, const RowStore& W, int row) {
  const std::array<RowFactors::Part, 2> parts = parts_of(W, row);
  double* entry = factors_.add(parts);
  std::copy_n(W.values(row), W.entries(row), entry);
  for (const RowFactors::Part& part : parts) {
    if (part.size == 0) continue;
    M.half_solve_in_place(structure_.blocks[static_cast<std::size_t>(part.tree)], entry);
    entry += part.size;
  }
}

void Delassus::assemble_blocks(std::span<const int> block_begin) {
  const int blocks = static_cast<int>(block_begin.size()) - 1;
  const auto parts = [&](int block) -> const std::array<RowPart, 2>& {
    return B_.parts(block_begin[static_cast<std::size_t>(block)]);
  };
  const auto tree_of = [&](const RowPart& part) {
    return static_cast<std::size_t>(structure_.block_of[static_cast<std::size_t>(part.first)]);
  };
  // The blocks at each tree, in increasing order: counted, then put in place.
  tree_begin_.assign(structure_.blocks.size() + 1, 0);
  for (int i = 0; i < blocks; ++i) {
    for (const RowPart& part : parts(i)) {
      if (part.size > 0) ++tree_begin_[tree_of(part) + 1];
    }
  }
  for (std::size_t t = 0; t + 1 < tree_begin_.size(); ++t) tree_begin_[t + 1] += tree_begin_[t];
  blocks_at_tree_.resize(static_cast<std::size_t>(tree_begin_.back()));
  neighbours_.assign(tree_begin_.begin(), tree_begin_.end() - 1);
  for (int i = 0; i < blocks; ++i) {
    for (const RowPart& part : parts(i)) {
      if (part.size > 0) blocks_at_tree_[static_cast<std::size_t>(neighbours_[tree_of(part)]++)] = i;
    }
  }
  blocks_.start(block_begin);
  for (int i = 0; i < blocks; ++i) {
    neighbours_.clear();
    for (const RowPart& part : parts(i)) {
      if (part.size == 0) continue;
      const std::size_t tree = tree_of(part);
      neighbours_.insert(neighbours_.end(), blocks_at_tree_.begin() + tree_begin_[tree],
                         blocks_at_tree_.begin() + tree_begin_[tree + 1]);
    }
    std::sort(neighbours_.begin(), neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
    blocks_.append_row(neighbours_);
  }
  for (int i = 0; i < blocks; ++i) {
    const int height = blocks_.rows(i);
    for (const BlockSparseMatrix::Block& block : blocks_.row(i)) {
      double* values = blocks_.values(block);
      for (int b = 0; b < blocks_.rows(block.column); ++b) {
        for (int a = 0; a < height; ++a)
          values[a + b * height] = B_.dot(blocks_.first_row(i) + a, blocks_.first_row(block.column) + b);
      }
    }
  }
}

void Delassus::respond(const MassMatrix& M, const ConstVecRef& Lambda, VecRef du) const {
  if (form_ == Form::kFactors) {
    factors_.combine(Lambda, du);
    if (all_are_diagonal_) {
      du.array() *= Eigen::Map<const VecX>(inverse_.data(), du.size()).array();
      return;
    }
  } else {
    du.setZero();
    for (int i = 0; i < count_; ++i) {
      if (Lambda[i] != 0) B_.add_to(i, Lambda[i], du);
    }
  }
  M.finish_solve_in_place(du);
}

Eigen::Ref<MatX> Delassus::open_response(const RowStore& W) {
  count_ = W.size();
  reserve_response(count_);
  for (int i = 0; i < count_; ++i) W.write_column(i, response_.col(i));
  return response_.leftCols(count_);
}

void Delassus::close_response(const RowStore& W) {
  form_ = Form::kDense;
  for (int j = 0; j < count_; ++j) {
    for (int i = 0; i < count_; ++i) dense_(i, j) = W.dot(i, response_.col(j));
  }
}

void Delassus::respond(const ConstVecRef& Lambda, VecRef du) const {
  du.setZero();
  for (int i = 0; i < count_; ++i) {
    if (Lambda[i] != 0) du += Lambda[i] * response_.col(i);
  }
}

LocalOperator Delassus::view() const {
  switch (form_) {
    case Form::kBlocks:
      return blocks_;
    case Form::kFactors:
      return factors_;
    case Form::kDense:
      break;
  }
  return dense_.topLeftCorner(count_, count_);
}

double Delassus::energy(const ConstVecRef& Lambda) const {
  double sum = 0;
  if (form_ == Form::kFactors) {  // |B Lambda|^2
    VecX velocities(factors_.velocities());
    factors_.combine(Lambda, velocities);
    return velocities.squaredNorm();
  }
  for (int i = 0; i < count_; ++i) {
    if (Lambda[i] == 0) continue;
    view().for_each_in_row(i, [&](int j, double value) { sum += Lambda[i] * value * Lambda[j]; });
  }
  return sum;
}

double Delassus::diagonal(int row) const {
  if (form_ != Form::kFactors) return view().entry(row, row);
  const double* kept = factors_.kept_block(row);
  return kept != nullptr ? kept[0] : factors_.dot(row, row);
}

}  // namespace freeplay::contact
