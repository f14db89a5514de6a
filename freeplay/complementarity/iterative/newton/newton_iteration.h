// Semismooth Newton iteration on the prox equation of a grouped problem, possibly shifted by a proximal term:
//
//   F(z) = z - prox_C(z - v) = 0,   v = H z + h + alpha (z - centre)
//
// Two forms of F with the same zeros. The natural map takes the bounds of friction at max(0, z_N); Alart and Curnier's
// takes them at max(0, z_N - v_N). Steps are shortened until |F| falls; convergence is quadratic near a solution at
// which F is regular, and nothing is promised far from it: a result counts only when its residual was looked at.
#pragma once

#include <vector>

#include "freeplay/complementarity/iterative/grouped_problem.h"
#include "freeplay/complementarity/iterative/newton/newton_system.h"

namespace freeplay::complementarity {

class NewtonIteration {
 public:
  enum class Map { kNatural, kAlartCurnier };
  struct Options {
    Map map = Map::kAlartCurnier;
    int max_iterations = 50;
    double tolerance = 0;  // on |F| / D, in the unit of xi
    double alpha = 0;
    const VecX* centre = nullptr;  // null where alpha = 0
  };
  struct Result {
    bool has_converged = false;
    int iterations = 0;
  };

  void reserve(int rows);
  // z: the start on entry; on return the zero, or the point of smallest |F|.
  Result run(const GroupedProblem& problem, const Options& options, VecRef z);

 private:
  // F(z) and its derivative. Returns |F|_2; largest_ becomes the largest |F| / D.
  double evaluate(const GroupedProblem& problem, const Options& options, const ConstVecRef& z);

  NewtonSystem system_;
  std::vector<ProxDerivative> derivative_;
  VecX v_, F_, step_, trial_, best_;
  double largest_ = 0;
};

struct ProxError {
  double square = 0;   // |F|^2
  double largest = 0;  // |F| / D of a contact; infinite where F is not a number
};

// F(z) = z - prox_C(z - gamma v), which has the same zeros for every gamma > 0, and its derivative with respect to z
// (A and B of ProxDerivative; where B is not zero the map is the natural one). derivative: one per contact.
ProxError prox_equation(const GroupedProblem& problem, NewtonIteration::Map map, double gamma, const ConstVecRef& z,
                        const ConstVecRef& v, VecRef F_of_z, std::vector<ProxDerivative>& derivative);

}  // namespace freeplay::complementarity
