// Solver "prox-jacobi": the fixed-point iteration of the augmented Lagrangian, all contacts at once,
//
//   z <- prox_C(z - r v),   v = H z + h
//
// (Flores, Leine, Glocker 2012, eqs (51)-(55), with prox onto P_N >= 0). Needs nothing of G but products and diagonal
// blocks, so it takes matrix-free operators as they are. r by SolverOptions::r_factor; where the residual runs away, as
// it may under friction or with too large an r, r is halved. Slow: the rate is 1 - r lambda_min.
#pragma once

#include <memory>

#include "freeplay/complementarity/problem/solver.h"

namespace freeplay::complementarity {

std::unique_ptr<Solver> make_prox_jacobi();

}  // namespace freeplay::complementarity
