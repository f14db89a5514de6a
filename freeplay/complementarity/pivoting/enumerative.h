// Solver "enumerative": exact search over the modes of all rows.
//
// For each combination of modes the problem is linear (mode_solver.h). Order: the first contact changes slowest, and
// every contact runs through open, slip+ (Lambda_T at its lower bound), slip- (upper bound), stick. Rows of their own
// run through lower, upper, held as far as they have them. The first combination whose natural residual meets the
// tolerance is the answer; where several solutions exist (Painleve's rod) this is the one with the fewest loaded
// contacts among the leading ones. No solution is overlooked but those of a continuum, of which the ends and the member
// of minimum norm are seen.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "freeplay/complementarity/problem/solver.h"

namespace freeplay::complementarity {

std::unique_ptr<Solver> make_enumerative();

// Every distinct solution (impulses that differ by more than the tolerance is worth), in the order of the search.
// For tests and teaching: it allocates, and takes as long as there are modes. Empty if the problem is refused.
// The tolerance is on the natural residual, which rounding keeps above some 1e-14 of |G| |Lambda|: where large impulses
// nearly cancel, solutions are missed below that.
std::vector<VecX> all_solutions(const LocalProblem& problem, double tolerance = SolverOptions{}.tolerance);

}  // namespace freeplay::complementarity
