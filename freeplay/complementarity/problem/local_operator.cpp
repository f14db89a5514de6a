#include "freeplay/complementarity/problem/local_operator.h"

#include "freeplay/core/error.h"

namespace freeplay::complementarity {

double LocalOperator::entry(int i, int j) const {
  FREEPLAY_ASSERT(has_entries());
  if (sparse_ == nullptr) return data_[i + j * stride_];
  const int block_row = sparse_->block_of(i), block_column = sparse_->block_of(j);
  const BlockSparseMatrix::Block* block = sparse_->find(block_row, block_column);
  if (block == nullptr) return 0;
  const int height = sparse_->rows(block_row);
  return sparse_->values(*block)[(i - sparse_->first_row(block_row)) + (j - sparse_->first_row(block_column)) * height];
}

void LocalOperator::apply(const ConstVecRef& x, VecRef y) const {
  if (matrix_free_ != nullptr) {
    matrix_free_->apply(x, y);
  } else if (sparse_ != nullptr) {
    sparse_->apply(x.data(), y.data());
  } else {
    y.setZero();
    for (int j = 0; j < size_; ++j) {
      const double* values = column(j);
      for (int i = 0; i < size_; ++i) y[i] += values[i] * x[j];
    }
  }
}

void LocalOperator::diagonal_block(std::span<const int> rows, double* block) const {
  if (matrix_free_ != nullptr) {
    matrix_free_->diagonal_block(rows, block);
    return;
  }
  const std::size_t count = rows.size();
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < count; ++i) block[i + j * count] = entry(rows[i], rows[j]);
  }
}

}  // namespace freeplay::complementarity
