// Solver "lemke": complementary pivoting on the LCP of planar contact (linear_complementarity.h).
//
// The pivots only find out which rows are open, slide or stick. Lambda is then computed for these modes from G itself
// (mode_solver.h), and natural_residual() decides whether that is a solution. If it is not, the pivoting is repeated
// with the tableau recomputed at every pivot, and with other covering vectors: in planar contact with friction A is
// never a P-matrix and a ray proves nothing. A guess other than 0 is worth its modes: they are tried before any pivot.
// What still fails is reported as kNotSolved, with the best Lambda.
#pragma once

#include <memory>

#include "freeplay/complementarity/problem/solver.h"

namespace freeplay::complementarity {

std::unique_ptr<Solver> make_lemke();

// What is tried: linear systems that correct the modes of a guess, and runs of the tableau.
struct LemkeEffort {
  int corrections = 4, attempts = 12;
};
std::unique_ptr<Solver> make_lemke(const LemkeEffort& effort);

}  // namespace freeplay::complementarity
