// Solver "relaxed-cone", for teaching only: the convexified friction of most engines.
//
// Normal and friction impulse are projected together onto the cone of Coulomb, as if the normal cone law held for the
// whole contact: -xi in N_K(Lambda). That is a convex problem, easy to solve, and wrong: a contact that slides at the
// speed s separates at mu s. The report says solved when the relaxed problem is, its traits say is_relaxed, and its
// residual is that of Coulomb's law all the same, so that the error can be read off in m/s.
#pragma once

#include <memory>

#include "freeplay/complementarity/problem/solver.h"

namespace freeplay::complementarity {

std::unique_ptr<Solver> make_relaxed_cone();

}  // namespace freeplay::complementarity
