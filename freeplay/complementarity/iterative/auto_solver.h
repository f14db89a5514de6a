// Solver "auto": the solvers in the order in which they are worth trying. The report names the one that delivered.
//
//   1. Lambda = 0, where that is a solution (no arithmetic; each of the solvers below begins with it)
//   2. in the plane and up to kPivotingRows rows: lemke, from the guess or, without one, from contacts that slide on in
//      the direction they came in; then, where it fails, enumerative, which has the last word where it takes the size
//   3. few contacts in space with a dense G, where their modes can be guessed: Newton's method on these
//      (few_contacts_newton.h)
//   4. any set and size, per island of coupled contacts: semismooth-newton, proximal-point, least squares, nsgs,
//      other starts
//      (island_chain.h)
//   5. in the plane and above kPivotingRows rows, where 4 failed: lemke, up to its largest size
//
// Where nearly all rows are bilateral these are eliminated first (bilateral_reduction.h), and the list is gone through
// for the contacts that remain.
//
// Nothing solved: the Lambda with the smallest natural residual, kNotSolved.
#pragma once

#include <memory>

#include "freeplay/complementarity/problem/solver.h"

namespace freeplay::complementarity {

std::unique_ptr<Solver> make_auto_solver();

}  // namespace freeplay::complementarity
