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

void IterationMatrix::write(std::vector<double>& method, std::size_t first) const {
  method.resize(is_identity_ ? first : first + 1 + entries());
  if (is_identity_) return;
  method[first] = scale_;
  std::copy_n(A_.data(), entries(), method.begin() + static_cast<std::ptrdiff_t>(first) + 1);
}

void IterationMatrix::read(const std::vector<double>& method, std::size_t first) {
  if (method.size() == first) {
    is_identity_ = true;
    return;
  }
  const auto of_A = method.begin() + static_cast<std::ptrdiff_t>(first) + 1;
  const bool is_known = !is_identity_ && scale_ == method[first] && std::equal(of_A, method.end(), A_.data());
  if (is_known) return;
  std::copy(of_A, method.end(), A_.data());
  factor(method[first]);
}

void IterationMatrix::solve_in_place(VecRef x) {
  if (is_identity_) return;
  column_ = x;
  x = factored_.solve(column_);
}

}  // namespace freeplay::integrators
