// LU of a sparse matrix in square-partitioned blocks with a symmetric pattern, factored once and solved many times. The
// order of elimination is chosen once per pattern, by least degree; after that nothing allocates. Rows are exchanged
// within a block, never between two: for matrices whose symmetric part is positive, or nearly so. The caller looks at
// smallest_pivot().
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::math {

class SparseBlockLu {
 public:
  // sizes: rows of each block, at least 1. couplings: pairs (i, j), i < j, of blocks with entries outside of the
  // diagonal.
  void set_pattern(std::span<const int> sizes, std::span<const std::pair<int, int>> couplings);

  // The numbers of block (i, j), column major, rows of i: values() + place(i, j). The pair must be in the pattern.
  void set_zero();
  std::size_t place(int i, int j) const;
  double* values() { return values_.data(); }

  // In place. False where a pivot is zero or not finite.
  [[nodiscard]] bool factor();
  // Of a matrix that is symmetric, and positive but for rows that follow from others: rows of which elimination leaves
  // less than `doubtful` of the diagonal are left out, and solve_in_place() is that of the others alone, with 0 in the
  // place of those. Rows are not exchanged. False where an entry is not finite.
  [[nodiscard]] bool factor_definite(double doubtful);
  // The rows that factor_definite() left out, in the order of elimination.
  const std::vector<int>& left_out() const { return left_out_; }
  // Smallest pivot relative to the diagonal entry that it began as: of a positive definite matrix, what elimination
  // left of it.
  double smallest_pivot() const { return smallest_pivot_; }
  // x <- A^-1 x, after factor().
  void solve_in_place(double* x) const;

  int rows() const { return rows_; }
  std::size_t stored() const { return values_.size(); }

 private:
  void choose_order(std::span<const std::pair<int, int>> couplings);
  void lay_out();
  std::size_t place_in_order(int row, int column) const;
  void keep_diagonal();
  bool factor_diagonal(int position);
  bool factor_definite_diagonal(int position, double doubtful);
  void eliminate(int position);

  int rows_ = 0;
  // By block.
  std::vector<int> size_, first_row_, position_;
  // By position in the order of elimination.
  std::vector<int> order_;
  std::vector<std::vector<int>> later_;  // positions that are coupled when k is eliminated, in increasing order
  std::vector<std::size_t> diagonal_;
  std::vector<std::vector<std::size_t>> right_, below_;  // places of the blocks (k, later) and (later, k)
  std::vector<std::vector<std::size_t>> updated_;        // per pair of later ones: the block that elimination changes
  std::vector<double> values_, diagonal_before_;
  std::vector<int> left_out_;
  std::vector<int> exchanged_;  // per row: the row of its block that it was exchanged with
  double smallest_pivot_ = 0;
};

}  // namespace freeplay::math
