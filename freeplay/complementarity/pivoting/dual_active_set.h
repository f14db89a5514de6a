// Solver "dual-active-set": the strictly convex quadratic program of contact without friction,
//
//   min 1/2 |x|^2  with  B^T x + c >= 0  (normal rows)  and  = 0  (bilateral rows),   G = B^T B,
//
// by the dual method of Goldfarb and Idnani (1983): from the unconstrained minimum the most violated row joins the
// active set, rows whose impulse would become negative leave it. Only G is needed. A row that depends on the active
// ones exchanges its place with one of them, so redundant contacts get the impulses of one corner of all possible ones,
// and open contacts never get any.
#pragma once

#include <memory>

#include "freeplay/complementarity/problem/solver.h"

namespace freeplay::complementarity {

std::unique_ptr<Solver> make_dual_active_set();

}  // namespace freeplay::complementarity
