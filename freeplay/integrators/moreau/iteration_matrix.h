// The iteration matrix of an implicit velocity step, divided by M:
//
//   P = M^-1 Mhat = I - dt theta A,     A = da/du = M^-1 (dh/du + dt theta dh/dq T)
//
// a(u): the acceleration M^-1 h at the end of a step that ends with u. P is the identity until someone finds that too
// slow, and is kept from step to step, in the state, as long as it serves.
#pragma once

#include <vector>

#include "freeplay/math/types.h"

namespace freeplay::integrators {

class IterationMatrix {
 public:
  explicit IterationMatrix(int velocities);

  bool is_identity() const { return is_identity_; }
  std::size_t entries() const { return static_cast<std::size_t>(A_.size()); }
  // To and from the numbers of State::method behind the first ones: none for the identity, otherwise the scale and A.
  void write(std::vector<double>& method, std::size_t first) const;
  void read(const std::vector<double>& method, std::size_t first);

  // A becomes the difference quotients of `acceleration_at`, column by column about (u, a(u)). u is changed on the way
  // and restored. `scale`: dt theta.
  template <class AccelerationAt>
  void differentiate(AccelerationAt acceleration_at, VecX& u, const VecX& a, double increment, double scale) {
    for (Eigen::Index j = 0; j < u.size(); ++j) {
      const double kept = u[j];
      u[j] += increment;
      const double taken = u[j] - kept;  // what rounding left of the increment
      acceleration_at(u, column_);
      u[j] = kept;
      A_.col(j) = (column_ - a) / taken;
    }
    factor(scale);
  }
  // Another step size with the same A.
  void rescale(double scale) {
    if (!is_identity_ && scale != scale_) factor(scale);
  }

  // x <- P^-1 x.
  void solve_in_place(VecRef x);

 private:
  void factor(double scale);

  bool is_identity_ = true;
  double scale_ = 0;
  MatX A_, P_;
  Eigen::PartialPivLU<MatX> factored_;
  VecX column_;
};

}  // namespace freeplay::integrators
