// Solver "auto": the solvers in the order in which they are worth trying. The report names the one that delivered.
//
//   1. Lambda = 0, where that is a solution (no arithmetic, part of every direct solver)
//   2. lemke, from the caller's guess or else from contacts that slide on the way they went: fast, takes any size, may
//   miss a solution where friction is large
//   3. enumerative: where 2 failed and the problem has no more rows than it takes; complete up to its size
//
// Nothing solved: the Lambda with the smallest natural residual, kNotSolved. Discs: kNotSupported for the time being.
#pragma once

#include <memory>

#include "freeplay/complementarity/solver.h"

namespace freeplay {

std::unique_ptr<Solver> make_auto_solver();

}  // namespace freeplay
