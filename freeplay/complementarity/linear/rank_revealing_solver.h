// Small dense square systems that may be singular: Gaussian elimination where the matrix is regular, with complete
// pivoting where that is in doubt, otherwise the least-squares solution of minimum norm by a column-pivoted QR
// factorisation.
#pragma once

#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::complementarity {

class RankRevealingSolver {
 public:
  // Room for systems of up to n unknowns; nothing allocates after that.
  void reserve(int n);

  // A: n x n, column major, dense. A direction whose pivot is below rank_tolerance times the largest one counts as
  // singular. weight (n entries or null): the norm that is made minimal is |(weight_i x_i)|.
  void factor(const double* A, int n, double rank_tolerance, const double* weight = nullptr);
  // x may not alias rhs. With a singular A and a contradictory right-hand side x is the least-squares solution:
  // the caller has to look at the residual.
  void solve(const double* rhs, double* x);

  bool is_singular() const { return rank_ < n_; }
  int rank() const { return rank_; }
  // Smallest over largest pivot of the elimination; 0 for the zero matrix, 1 for n = 0.
  double pivot_ratio() const { return pivot_ratio_; }

 private:
  [[nodiscard]] bool factor_by_rows(const double* A, double least);
  void factor_by_all(const double* A, double rank_tolerance, const double* weight);
  void factor_qr(const double* A, double rank_tolerance, const double* weight);
  void solve_qr(const double* rhs, double* x);

  int n_ = 0;
  int rank_ = 0;
  double pivot_ratio_ = 1;
  std::vector<double> lu_;    // n x n: L and U, or Householder vectors and R
  std::vector<double> T_;     // n x rank: QR of the transposed R, for the minimum norm
  std::vector<double> beta_;  // of the Householder reflections of lu_, then those of T_
  std::vector<double> work_;
  std::vector<double> weight_;
  std::vector<int> row_, column_;  // row_[k], column_[k]: the original place of pivot k
};

}  // namespace freeplay::complementarity
