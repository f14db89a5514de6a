// Bilateral rows W^T u + w_tilde = 0: efforts, projections, rank. Redundant rows are found by a rank-revealing QR
// factorisation of L^-T W (M = L^T L) and get the efforts of minimum Euclidean norm.
#pragma once

#include <vector>

#include "freeplay/math/types.h"
#include "freeplay/mechanism/trees/mass_matrix.h"

namespace freeplay::mechanism {

class BilateralSolver {
 public:
  // A row whose part outside the span of the others is below this fraction of its length counts as redundant.
  // Rounding leaves about 1e-15 times the condition number; mechanisms a millionth of a radian from a dead point
  // are still above it.
  static constexpr double kRankTolerance = 1e-9;
  // Rows shorter than this fraction of the longest one count for less.
  static constexpr double kShortestUnitColumn = 1e-2;
  // Rows of a loop that moves only by virtue of its geometry depend on each other only where the loop is closed. Where
  // it is open by g, between two projections, the redundant ones get parts of their own of the order of g: rows beyond
  // the rank of the last closed position must have more than this times g.
  static constexpr double kDoubtPerOpening = 100, kLargestDoubt = 0.1;
  static constexpr double kClosed = 1e-11;  // m or rad

  BilateralSolver(int velocities, int rows);

  // M must be factored; `opening` is the largest of |g| at this position. Allocates nothing.
  void factor(const MassMatrix& M, const MatX& W, double opening = 0);
  int rank() const { return rank_; }
  // The redundant row behind the contradiction that solve() returned last; -1 if there was none.
  int contradicting_row() const { return contradicting_row_; }
  // The rank of the last closed position, which open ones are judged by. It belongs to the state of whoever goes on.
  int closed_rank() const { return closed_rank_; }
  void set_closed_rank(int rank) { closed_rank_ = rank; }
  // Rows in pivot order: the first rank() are independent, the others follow from them.
  const std::vector<int>& pivots() const { return pivots_; }

  // Minimum-norm solution of W^T M^-1 W lambda = rhs. Returns the largest contradiction in the redundant rows, in the
  // unit of rhs: 0 up to rounding if the rows agree. Only closed positions are judged.
  double solve(const ConstVecRef& rhs, VecRef lambda);

  // lambda and du/dt from  M du/dt = h + W lambda,  W^T du/dt + zeta = 0. Returns the contradiction as solve() does.
  double accelerations(const MassMatrix& M, const ConstVecRef& h, const ConstVecRef& zeta, VecRef du, VecRef lambda);
  // The mass-orthogonal displacement delta = M^-1 W lambda with W^T delta = rhs.
  double displacement(const MassMatrix& M, const ConstVecRef& rhs, VecRef delta);
  // The lambda of the last displacement().
  ConstVecRef displacement_efforts() const { return norms_.head(B_.cols()); }

 private:
  void factor_transpose();

  MatX B_;  // L^-T W
  MatX R_;  // pivoted QR of B with unit columns, R above the diagonal
  VecX column_scale_;
  MatX T_;  // transpose of the first rank() rows of R, scaled back: rows x rank, then its own QR
  VecX tau_, workspace_, y_, lambda_;
  VecX norms_;
  std::vector<int> pivots_;
  int rank_ = 0;
  int closed_rank_;  // of the last closed position
  bool is_closed_ = true;
  int contradicting_row_ = -1;
};

}  // namespace freeplay::mechanism
