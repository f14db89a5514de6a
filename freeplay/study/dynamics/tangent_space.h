// The directions in which a state can be moved without leaving what loops, prescribed motions and unit quaternions
// allow. With the rows g(t, q) = 0 and gamma = W^T u + w_tilde = 0 (mechanism/system.h) a neighbour differs by
//
//   dq = T(q) dv  with  W^T dv = 0,        du  with  W^T du + (d gamma/dq) T(q) dv = 0
//
// so that there are twice as many as degrees of freedom.
#pragma once

#include <memory>

#include "freeplay/mechanism/system.h"

namespace freeplay::study {

class TangentSpace {
 public:
  // At `state`, which says how many directions there are from now on.
  TangentSpace(const System& system, const State& state);

  int dimension() const { return 2 * freedoms_; }
  int freedoms() const { return freedoms_; }
  // Orthonormal columns of numbers (dq, scale_s du). The first freedoms() of them move positions, and velocities only
  // as far as the rows want that; the others are orthogonal to these. The identity for a system without rows whose
  // velocities are rates.
  MatX basis(const State& state, double scale_s);

 private:
  MatX free_velocities(const State& state);  // orthonormal columns dv with W^T dv = 0
  VecX row_velocities(const State& state, const VecX& q);

  const System& system_;
  std::unique_ptr<Dynamics> dynamics_;
  BilateralRows rows_;
  int freedoms_ = 0;
};

}  // namespace freeplay::study
