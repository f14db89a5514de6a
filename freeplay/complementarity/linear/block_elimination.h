// Gaussian elimination on a sparse matrix in blocks, contact by contact: rows are exchanged within a contact, never
// between two of them. That keeps the work to what the couplings of the contacts cause, without the search for pivots
// that a general sparse factorisation spends most of its time on. The price: nothing is promised for its digits, so the
// caller looks at the residual of what comes out.
#pragma once

#include <vector>

#include "freeplay/complementarity/problem/block_sparse_matrix.h"

namespace freeplay::complementarity {

class BlockElimination {
 public:
  // The blocks that K may hold, and which contacts take part (the others have position -1). The order of elimination is
  // chosen anew only when the pattern changes. Returns the number of products of two blocks that solve() takes.
  double analyse(const BlockSparseMatrix& pattern, const std::vector<int>& position);
  // K x = b, where `values` holds the numbers of K as the pattern places them; b is replaced by x, contact i from
  // position[i] on. False where a contact's own block becomes singular.
  bool solve(const BlockSparseMatrix& pattern, const std::vector<double>& values, const std::vector<int>& position,
             std::vector<double>& b);

 private:
  bool knows(const BlockSparseMatrix& pattern) const;
  void choose_order(const BlockSparseMatrix& pattern);
  template <int kSize>
  bool eliminate(const BlockSparseMatrix& pattern, const std::vector<double>& values, const std::vector<int>& position,
                 std::vector<double>& b);

  // Of all contacts.
  std::vector<int> adjacent_begin_, adjacent_;  // both directions
  std::vector<int> pattern_;                    // that these were made from: columns row by row, then -1 - size
  std::vector<int> order_;
  // Of those that take part, numbered in the order of elimination.
  std::vector<int> index_;                // of a contact, or -1
  std::vector<int> contact_;              // back
  std::vector<int> upper_begin_, upper_;  // columns right of the diagonal, fill-in included
  std::vector<int> lower_begin_, lower_;  // columns left of it
  std::vector<int> first_child_, next_child_, mark_;
  std::vector<double> row_, U_;
  int largest_ = 0;      // contact, in rows
  bool is_even_ = true;  // all contacts have this size
  double products_ = 0;
};

}  // namespace freeplay::complementarity
