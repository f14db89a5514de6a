#include "freeplay/contact/problem/delassus.h"

#include <algorithm>
#include <array>

namespace freeplay::contact {

namespace {

constexpr std::size_t kManyTrees = 16;  // from here on most of G is zero

void make_square_room(MatX& matrix, int rows) {
  if (matrix.rows() >= rows && matrix.cols() >= rows) return;
  const Eigen::Index room = std::max<Eigen::Index>(rows, 2 * matrix.rows());
  matrix.resize(room, room);
}

// RowStore::dot(), number by number in the same order, with the six velocities of a free body in space written out.
inline void add_products(int size, const double* a, const double* b, double& sum) {
  if (size == 6) {
    for (int i = 0; i < 6; ++i) sum += a[i] * b[i];
    return;
  }
  for (int i = 0; i < size; ++i) sum += a[i] * b[i];
}

inline double product_of(const RowStore& B, int row, int other) {
  const std::array<RowPart, 2>&p = B.parts(row), &o = B.parts(other);
  const double *a = B.values(row), *b = B.values(other);
  double sum = 0;
  // An empty part shares nothing: where one is, its size is that of the product.
  if (p[0].first == o[0].first) add_products(std::min(p[0].size, o[0].size), a, b, sum);
  if (o[1].size > 0 && p[0].first == o[1].first) add_products(p[0].size, a, b + o[0].size, sum);
  if (p[1].size > 0 && p[1].first == o[0].first) add_products(o[0].size, a + p[0].size, b, sum);
  if (p[1].first == o[1].first) add_products(std::min(p[1].size, o[1].size), a + p[0].size, b + o[0].size, sum);
  return sum;
}

}  // namespace

Delassus::Delassus(const MassStructure& structure)
    : structure_(structure), is_sparse_(structure.blocks.size() >= kManyTrees), B_(structure) {}

void Delassus::reserve(int rows) {
  B_.reserve(rows);
  if (!is_sparse_) make_square_room(dense_, rows);
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
  for (int j = 0; j < count_; ++j) {
    for (int i = 0; i <= j; ++i) dense_(i, j) = dense_(j, i) = product_of(B_, i, j);
  }
}

void Delassus::assemble_factors(const MassMatrix& M, const RowStore& W) {
  count_ = W.size();
  form_ = Form::kFactors;
  factors_.start(static_cast<int>(structure_.blocks.size()), structure_.size(), W.stride());
  factors_.reserve(count_, W.stride());
  for (int row = 0; row < count_; ++row) {
    std::array<RowFactors::Part, 2> parts;
    for (std::size_t k = 0; k < 2; ++k) {
      const RowPart& part = W.parts(row)[k];
      if (part.size > 0) parts[k] = {structure_.block_of[static_cast<std::size_t>(part.first)], part.first, part.size};
    }
    double* entry = factors_.add(parts);
    std::copy_n(W.values(row), W.entries(row), entry);
    for (const RowFactors::Part& part : parts) {
      if (part.size == 0) continue;
      M.half_solve_in_place(structure_.blocks[static_cast<std::size_t>(part.tree)], entry);
      entry += part.size;
    }
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
  return form_ == Form::kFactors ? factors_.dot(row, row) : view().entry(row, row);
}

}  // namespace freeplay::contact
