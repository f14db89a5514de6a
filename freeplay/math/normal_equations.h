// (A^T A + d 1) x = r  for many d, sparse where A is large and sparse: chains of bodies that hold each other pair by
// pair have a hundred times as many zeros as numbers.
#pragma once

#include <memory>

#include "freeplay/math/types.h"

namespace freeplay::math {

class NormalEquations {
 public:
  explicit NormalEquations(const MatX& A);
  ~NormalEquations();
  // damping > 0, or A of full rank.
  VecX solve(const VecX& rhs, double damping);
  bool is_sparse() const { return sparse_ != nullptr; }

 private:
  friend VecX least_squares_of_many(const MatX& A, const VecX& b);

  struct SparseEquations;                    // A, A^T A and its factors
  std::unique_ptr<SparseEquations> sparse_;  // or
  MatX square_;                              // A^T A, dense
};

// As least_squares(), where A is large and sparse up to the damping of directions whose singular value is below a
// millionth of the largest column: good for a step of Newton's method, which is repeated anyway.
VecX least_squares_of_many(const MatX& A, const VecX& b);

}  // namespace freeplay::math
