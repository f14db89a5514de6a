// Impulses that redundant contacts can exert on each other while nothing moves: a self-stress,
//
//   G d = 0,   d_N >= 0,   |d_T| <= mu d_N.
//
// A wedge that friction holds between two walls has one, and a ball that exactly fits between them. Why it matters: if
// c^T d > 0 for every self-stress, the contact problem has a solution. For alpha > 0 the problem with G + alpha in
// place of G has one, z (Brouwer; G + alpha is positive definite), and multiplied by z its laws give
//   z^T G z + c^T z + alpha |z|^2 <= 0
// (the normal rows give 0 and friction takes power). If z stays bounded as alpha falls, its limit solves the problem.
// If it does not, z / |z| tends to a d with d^T G d <= 0, so G d = 0, and c^T d <= 0. See docs/theory/solvers.md.
//
// So the self-stress that stands in the way of a solution is found by following z as alpha falls.
#pragma once

#include "freeplay/complementarity/iterative/grouped_problem.h"
#include "freeplay/complementarity/iterative/newton/newton_iteration.h"

namespace freeplay::complementarity {

class SelfStress {
 public:
  // d: impulses, one per row, with  c^T d < 0  and the rest as above, of norm 1 in scaled variables (GroupedProblem).
  // False where none is found: there is a solution to the tolerance, or the path could not be followed. For problems
  // that solvers have failed at: it costs as much as they do, and allocates.
  [[nodiscard]] bool find(const LocalProblem& problem, double tolerance, VecRef d);

  // Whether there is one; of an island, for solvers.
  [[nodiscard]] bool find(const GroupedProblem& problem, double tolerance);

 private:
  // z of a smaller alpha, from that of `last_alpha`; false where Newton's method does not get there.
  bool follow(const GroupedProblem& problem, double alpha, double last_alpha);
  // trial_ = the direction in which z moves; false if it is no self-stress, or not against c.
  bool take_direction(const GroupedProblem& problem);

  GroupedProblem problem_;
  NewtonIteration newton_;
  VecX z_, last_, trial_, velocity_;
  VecX centre_;  // zero
};

}  // namespace freeplay::complementarity
