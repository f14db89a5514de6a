// Clusters of contacts of a pile that sweeps do not settle: each by Newton's method and proximal point, with the
// impulses of all other contacts held.
#pragma once

#include <vector>

#include "freeplay/complementarity/iterative/newton/newton_method.h"
#include "freeplay/complementarity/iterative/proximal_point.h"
#include "freeplay/complementarity/piles/pile_form.h"

namespace freeplay::complementarity {

class PileClusters {
 public:
  // Forgets which contacts of the problem before did not settle.
  void start(const PileForm& form) { hits_.assign(form.contacts().size(), 0); }
  // Clusters of `size` contacts around the worst ones that are above the tolerance, larger ones where smaller ones have
  // not helped; their impulses are written to Lambda. The form must have been evaluated there. Returns the number of
  // iterations.
  int solve(const PileForm& form, double tolerance, int clusters, int size, VecRef Lambda);

 private:
  // The contacts around one, ring by ring, in increasing order.
  void gather(const PileForm& form, int seed, int size);
  int solve_one(const PileForm& form, double tolerance, VecRef Lambda);

  std::vector<int> members_, front_, next_;
  std::vector<char> is_member_, is_done_;
  std::vector<int> hits_;  // how often a contact was above the tolerance in a cluster
  std::vector<ImpulseBlock> blocks_;
  std::vector<int> rows_;
  MatX G_;
  VecX c_, z_, x_;
  GroupedProblem grouped_;
  NewtonMethod newton_{15};
  // A cluster is no problem of its own: what does not settle soon is left to the next sweeps, and to a larger cluster.
  ProximalPoint proximal_point_{{.outer_iterations = 12}};
};

}  // namespace freeplay::complementarity
