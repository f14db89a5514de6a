#include "freeplay/integrators/moreau/iteration_matrix.h"

#include <algorithm>

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

void IterationMatrix::write(std::vector<double>& method) const {
  const std::size_t entries = is_identity_ ? 0 : static_cast<std::size_t>(A_.size());
  method.resize(is_identity_ ? 1 : entries + 2);
  if (is_identity_) return;
  method[1] = scale_;
  std::copy_n(A_.data(), entries, method.begin() + 2);
}

void IterationMatrix::read(const std::vector<double>& method) {
  if (method.size() < 2) {
    is_identity_ = true;
    return;
  }
  const bool is_known = !is_identity_ && scale_ == method[1] && std::equal(method.begin() + 2, method.end(), A_.data());
  if (is_known) return;
  std::copy(method.begin() + 2, method.end(), A_.data());
  factor(method[1]);
}

void IterationMatrix::solve_in_place(VecRef x) {
  if (is_identity_) return;
  column_ = x;
  x = factored_.solve(column_);
}

}  // namespace freeplay::integrators
