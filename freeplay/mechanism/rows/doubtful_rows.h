// The few bilateral rows of a sparse problem that elimination could not tell from rows that follow from others. What is
// left of them once the others are taken away is computed in full length, not as the pivot that is its square: a long
// chain, whose last pivots are small, is told from one with a redundant row, and only these few rows are dense.
//
//   B = L^-T W,   B_d = B_b X + R,   R P = Q T   (b: the other rows, d: these, in units of their length)
#pragma once

#include <span>
#include <vector>

#include "freeplay/math/types.h"

namespace freeplay::mechanism {

class SparseBilateral;

class DoubtfulRows {
 public:
  static constexpr std::size_t kMost = 64;

  // `opening`, `closed_rank`: as BilateralSolver judges rows by them. `rows` has been factored without `doubtful`.
  void judge(const SparseBilateral& rows, std::span<const int> doubtful, double opening, int closed_rank);
  void clear();

  bool empty() const { return rows_.empty(); }
  int redundant_count() const { return static_cast<int>(N_.cols()); }
  // Of each redundancy the last row that has a large part in it, in increasing order.
  std::vector<int> redundant_rows() const;

  // lambda <- the solution of W^T M^-1 W lambda = rhs of minimum norm; lambda is rhs before. Returns the largest
  // contradiction in redundant rows, in the unit of rhs; `row`: the one behind it.
  double solve_in_place(const SparseBilateral& rows, VecRef lambda, int& row);

 private:
  void find_remainders(const SparseBilateral& rows);
  void find_rank(double opening, int others, int closed_rank);
  void find_null_vectors();

  std::vector<int> rows_, order_;  // order_: places in rows_, the independent ones first
  int independent_ = 0;
  MatX X_, R_;    // all rows x doubtful ones; velocities x doubtful ones, then T above the diagonal
  VecX length_;   // of the doubtful ones
  MatX Y_;        // independent x redundant: R_redundant = R_independent Y
  MatX N_, NtN_;  // W lambda = 0 for the columns of N; Cholesky factor of N^T N
  VecX x_, left_, shared_, workspace_;
};

}  // namespace freeplay::mechanism
