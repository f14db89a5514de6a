// A square matrix in blocks. Rows and columns share one partition; of each row of blocks only those are kept that hold
// a number other than zero. With one block per contact this is G of a large system: two contacts couple only where they
// share a body.
#pragma once

#include <span>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::complementarity {

class BlockSparseMatrix {
 public:
  struct Block {
    int column = 0;         // of blocks
    std::size_t begin = 0;  // of its values: column major, as many rows and columns as the partition says
  };

  // Room for `rows` rows with `values` numbers in at most as many blocks.
  void reserve(int rows, std::size_t values);

  // Starts anew with the given partition: first_row[i] of block i, and at the end the number of rows.
  void start(std::span<const int> first_row);
  // Appends the next row of blocks, all zero, with the given columns in increasing order.
  void append_row(std::span<const int> columns);

  int size() const { return first_row_.empty() ? 0 : first_row_.back(); }
  int block_rows() const { return static_cast<int>(begin_.size()) - 1; }
  int first_row(int block) const { return first_row_[block]; }
  int rows(int block) const { return first_row_[block + 1] - first_row_[block]; }
  std::span<const Block> row(int block) const {
    return {blocks_.data() + begin_[block], static_cast<std::size_t>(begin_[block + 1] - begin_[block])};
  }
  double* values(const Block& block) { return values_.data() + block.begin; }
  const double* values(const Block& block) const { return values_.data() + block.begin; }
  // Null where the block is zero.
  const Block* find(int row, int column) const;
  std::size_t value_count() const { return values_.size(); }

  // y = A x, and the part of it that belongs to one row of blocks.
  void apply(const double* x, double* y) const;
  void apply_row(int block, const double* x, double* y) const;
  // Which block a row belongs to.
  int block_of(int row) const;

 private:
  std::vector<int> first_row_;
  std::vector<int> begin_ = {0};
  std::vector<Block> blocks_;
  std::vector<double> values_;
};

// From compressed columns (column j: the entries begin[j] to begin[j + 1], with their rows), as FCLIB files hold them.
// Entries of one place add up. Every block has `block_size` rows.
BlockSparseMatrix block_sparse_from_columns(int block_size, std::span<const int> begin, std::span<const int> row,
                                            std::span<const double> value);

}  // namespace freeplay::complementarity
