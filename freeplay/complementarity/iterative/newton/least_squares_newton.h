// The zero of Alart and Curnier's equation by least squares (Levenberg 1944, Marquardt 1963):
//
//   F(z) = z - prox_C(z - gamma v),   (J^T J + lambda) dz = -J^T F
//
// lambda falls after a step that makes |F| smaller and rises otherwise. For a point near a solution where J is nearly
// singular, as redundant contacts with friction have it that press against each other: a step of Newton's method is
// then as long as it is useless, and steps of proximal point get ever shorter, while this one is the shortest that does
// what the data determine. The equation with gamma = 100 weighs velocities more than impulses; with 1 it takes ten
// times as many steps (tests/reference/spatial/arm_hard_200us.hdf5: 95 and 1021).
//
// From afar it ends in a minimum of |F| that is none of its zeros. Small islands only: J is dense.
#pragma once

#include <vector>

#include "freeplay/complementarity/iterative/island_solver.h"
#include "freeplay/complementarity/iterative/newton/newton_iteration.h"

namespace freeplay::complementarity {

class LeastSquaresNewton final : public IslandMethod {
 public:
  void reserve(int) override {}  // for problems that others have failed at: it allocates
  int run(const GroupedProblem& problem, double tolerance, VecRef z) override;

 private:
  // F_ and derivative_ at z; the square of |F|.
  double evaluate(const GroupedProblem& problem, const ConstVecRef& z);
  // J_ from derivative_.
  void assemble(const GroupedProblem& problem);

  std::vector<ProxDerivative> derivative_;
  MatX J_, normal_;
  VecX F_, v_, gradient_, step_, trial_;
};

}  // namespace freeplay::complementarity
