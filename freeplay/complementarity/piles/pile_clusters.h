// Clusters of contacts of a pile that sweeps do not settle: each by Newton's method and proximal point, with the
// impulses of all other contacts held.
#pragma once

#include <vector>

#include "freeplay/complementarity/iterative/newton_method.h"
#include "freeplay/complementarity/iterative/proximal_point.h"
#include "freeplay/complementarity/piles/pile_form.h"

namespace freeplay::complementarity {

class PileClusters {
 public:
  // Clusters of up to `size` contacts around the worst ones that are above the tolerance; their impulses are written to
  // Lambda. The form must have been evaluated there. Returns the number of iterations.
  int solve(const PileForm& form, double tolerance, int clusters, int size, VecRef Lambda);

 private:
  // The contacts around one, ring by ring, in increasing order.
  void gather(const PileForm& form, int seed, int size);
  int solve_one(const PileForm& form, double tolerance, VecRef Lambda);

  std::vector<int> members_, front_, next_;
  std::vector<char> is_member_, is_done_;
  std::vector<ImpulseBlock> blocks_;
  std::vector<int> rows_;
  MatX G_;
  VecX c_, z_, x_;
  GroupedProblem grouped_;
  NewtonMethod newton_{15};
  ProximalPoint proximal_point_;
};

}  // namespace freeplay::complementarity
