// The matrix G of a local problem, in the form in which its builder has it. A view: the builder owns the data.
#pragma once

#include <span>

#include "freeplay/complementarity/problem/block_sparse_matrix.h"
#include "freeplay/math/types.h"

namespace freeplay::complementarity {

class RowFactors;

// For a builder that keeps no entries, say W^T M^-1 W factor by factor.
class MatrixFreeOperator {
 public:
  virtual ~MatrixFreeOperator() = default;
  virtual int size() const = 0;
  // y = G x
  virtual void apply(const ConstVecRef& x, VecRef y) const = 0;
  // G(rows, rows), column major: the diagonal block of one contact, which scales its residual.
  virtual void diagonal_block(std::span<const int> rows, double* block) const = 0;
  // Itself, where it is G = B^T B by rows (row_factors.h), which gives its entries in time that follows their number.
  virtual const RowFactors* factors() const { return nullptr; }
};

class LocalOperator {
 public:
  // Dense, column major, with outer stride. Not for expressions: they have no storage to look at.
  template <class Derived>
  LocalOperator(const Eigen::MatrixBase<Derived>& G)  // NOLINT(google-explicit-constructor): a view of a matrix is one
      : size_(static_cast<int>(G.rows())), data_(G.derived().data()), stride_(G.derived().outerStride()) {
    static_assert(!Derived::IsRowMajor || Derived::IsVectorAtCompileTime);
  }
  LocalOperator(const BlockSparseMatrix& G) : size_(G.size()), sparse_(&G) {}        // NOLINT
  LocalOperator(const MatrixFreeOperator& G) : size_(G.size()), matrix_free_(&G) {}  // NOLINT

  int size() const { return size_; }
  bool is_dense() const { return sparse_ == nullptr && matrix_free_ == nullptr; }
  bool has_entries() const { return matrix_free_ == nullptr; }
  const RowFactors* factors() const { return matrix_free_ == nullptr ? nullptr : matrix_free_->factors(); }

  // Dense ones only.
  const double* column(int j) const { return data_ + j * stride_; }
  // Those with entries only; a sparse one has to search.
  double entry(int i, int j) const;

  // y = G x
  void apply(const ConstVecRef& x, VecRef y) const;
  // G(rows, rows), column major.
  void diagonal_block(std::span<const int> rows, double* block) const;
  // visit(column, value) for the entries of a row that may be other than zero, by increasing column. Not matrix-free.
  template <class Visit>
  void for_each_in_row(int row, Visit&& visit) const {
    if (sparse_ == nullptr) {
      for (int j = 0; j < size_; ++j) {
        if (const double value = data_[row + j * stride_]; value != 0) visit(j, value);
      }
      return;
    }
    const int block_row = sparse_->block_of(row), height = sparse_->rows(block_row);
    for (const BlockSparseMatrix::Block& block : sparse_->row(block_row)) {
      const double* values = sparse_->values(block) + (row - sparse_->first_row(block_row));
      for (int j = 0; j < sparse_->rows(block.column); ++j) {
        if (values[j * height] != 0) visit(sparse_->first_row(block.column) + j, values[j * height]);
      }
    }
  }

 private:
  int size_ = 0;
  const double* data_ = nullptr;
  Eigen::Index stride_ = 0;
  const BlockSparseMatrix* sparse_ = nullptr;
  const MatrixFreeOperator* matrix_free_ = nullptr;
};

}  // namespace freeplay::complementarity
