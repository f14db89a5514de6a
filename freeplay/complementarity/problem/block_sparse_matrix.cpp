#include "freeplay/complementarity/problem/block_sparse_matrix.h"

#include <algorithm>

#include "freeplay/core/error.h"

namespace freeplay::complementarity {

void BlockSparseMatrix::reserve(int rows, std::size_t values) {
  first_row_.reserve(static_cast<std::size_t>(rows) + 1);
  begin_.reserve(static_cast<std::size_t>(rows) + 1);
  blocks_.reserve(values);
  values_.reserve(values);
}

void BlockSparseMatrix::start(std::span<const int> first_row) {
  FREEPLAY_ASSERT(!first_row.empty());
  first_row_.assign(first_row.begin(), first_row.end());
  begin_.assign(1, 0);
  blocks_.clear();
  values_.clear();
}

void BlockSparseMatrix::append_row(std::span<const int> columns) {
  const int height = rows(block_rows());
  for (const int column : columns) {
    blocks_.push_back({column, values_.size()});
    values_.resize(values_.size() + static_cast<std::size_t>(height) * rows(column), 0.0);
  }
  begin_.push_back(static_cast<int>(blocks_.size()));
}

const BlockSparseMatrix::Block* BlockSparseMatrix::find(int row, int column) const {
  const std::span<const Block> blocks = this->row(row);
  const auto found = std::lower_bound(blocks.begin(), blocks.end(), column,
                                      [](const Block& block, int wanted) { return block.column < wanted; });
  return found != blocks.end() && found->column == column ? &*found : nullptr;
}

int BlockSparseMatrix::block_of(int row) const {
  return static_cast<int>(std::upper_bound(first_row_.begin(), first_row_.end(), row) - first_row_.begin()) - 1;
}

void BlockSparseMatrix::apply_row(int block, const double* x, double* y) const {
  const int height = rows(block);
  if (height == 3) {  // a contact in space: its sums stay in registers
    double sum[3] = {};
    for (const Block& entry : row(block)) {
      const double* value = values(entry);
      const double* part = x + first_row_[entry.column];
      const int width = rows(entry.column);
      for (int j = 0; j < width; ++j) {
        for (int i = 0; i < 3; ++i) sum[i] += value[i + 3 * j] * part[j];
      }
    }
    for (int i = 0; i < 3; ++i) y[i] = sum[i];
    return;
  }
  for (int i = 0; i < height; ++i) y[i] = 0;
  for (const Block& entry : row(block)) {
    const double* value = values(entry);
    const double* part = x + first_row_[entry.column];
    const int width = rows(entry.column);
    for (int j = 0; j < width; ++j) {
      for (int i = 0; i < height; ++i) y[i] += value[i + j * height] * part[j];
    }
  }
}

void BlockSparseMatrix::apply(const double* x, double* y) const {
  for (int block = 0; block < block_rows(); ++block) apply_row(block, x, y + first_row_[block]);
}

BlockSparseMatrix block_sparse_from_columns(int block_size, std::span<const int> begin, std::span<const int> row,
                                            std::span<const double> value) {
  const int n = static_cast<int>(begin.size()) - 1;
  FREEPLAY_ASSERT(block_size > 0 && n >= 0 && n % block_size == 0);
  const int blocks = n / block_size;
  std::vector<std::vector<int>> columns(blocks);
  for (int j = 0; j < n; ++j) {
    for (int k = begin[j]; k < begin[j + 1]; ++k) columns[row[k] / block_size].push_back(j / block_size);
  }
  std::vector<int> first_row;
  for (int i = 0; i <= blocks; ++i) first_row.push_back(i * block_size);
  BlockSparseMatrix result;
  result.start(first_row);
  for (std::vector<int>& wanted : columns) {
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    result.append_row(wanted);
  }
  for (int j = 0; j < n; ++j) {
    for (int k = begin[j]; k < begin[j + 1]; ++k) {
      double* block = result.values(*result.find(row[k] / block_size, j / block_size));
      block[row[k] % block_size + (j % block_size) * block_size] += value[k];
    }
  }
  return result;
}

}  // namespace freeplay::complementarity
