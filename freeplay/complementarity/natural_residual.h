// The project's only definition of "solved" (a solver never grades itself).
#pragma once

#include "freeplay/complementarity/local_problem.h"

namespace freeplay {

// rho_i = 1 / |G_ii|_2, G_ii the diagonal block of the whole contact (its normal and tangent rows together; an unbound
// row is its own block), one rho for all its rows. e_i = (Lambda_i - prox_{C_i}(Lambda_i - rho_i xi_i)) / rho_i; the
// bounds of a friction set are taken at max(0, Lambda_N) of the same iterate.
struct NaturalResidual {
  double absolute = 0;  // largest |e|, in the unit of xi
  double scale = 0;     // max(|c|_inf, |G Lambda|_inf)
  int worst_row = -1;

  double relative() const { return scale > 0 ? absolute / scale : absolute; }
};

// Allocates nothing. NaN in Lambda gives an infinite residual.
NaturalResidual natural_residual(const LocalProblem& problem, const ConstVecRef& Lambda);

}  // namespace freeplay
