#include "freeplay/integrators/moreau/iteration_matrix.h"

namespace freeplay::integrators {

// The matrices are not filled: of a large system that never needs them they take no memory but addresses.
IterationMatrix::IterationMatrix(int velocities)
    : A_(velocities, velocities), P_(velocities, velocities), factored_(velocities), column_(VecX::Zero(velocities)) {}

void IterationMatrix::factor(double scale) {
  scale_ = scale;
  P_ = -scale * A_;
  P_.diagonal().array() += 1;
  factored_.compute(P_);
  is_identity_ = false;
}

void IterationMatrix::solve_in_place(VecRef x) {
  if (is_identity_) return;
  column_ = x;
  x = factored_.solve(column_);
}

}  // namespace freeplay::integrators
