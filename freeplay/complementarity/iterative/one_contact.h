// The problem of a single contact, all others held: exact, without iteration in the plane.
//
//   v = K z + b,   -v in N_C(z),   K: the contact's own block of H
//
// In the plane (normal row and one friction interval) the modes are few: open, sticking, sliding either way, each a
// linear equation. In space sliding adds one unknown, the direction t of the sliding velocity:
//   z_T = -(r0 + mu z_N) t,   v_N = 0,   v_T = s t with s >= 0;
// v_N = 0 gives z_N(t), and what remains is one equation for the angle of t, solved by the secant rule guarded by
// bisection between the changes of sign around the circle, the present direction first.
#pragma once

#include <span>

#include "freeplay/complementarity/iterative/grouped_problem.h"

namespace freeplay::complementarity {

// z: the present value on entry, the solution on return. False where no mode fits (K singular, the problem of this
// contact without solution, or a disc that is cut, whose modes are not searched): then z is one step of the prox
// iteration, and whoever iterates goes on from there.
bool solve_one_contact(std::span<const GroupedSet> sets, int size, const double* K, const double* b, double* z);

}  // namespace freeplay::complementarity
