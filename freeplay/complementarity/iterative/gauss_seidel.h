// Methods of the solvers "nsgs" and "prox-gauss-seidel": contact after contact, each with the newest impulses of all
// others.
//
//   nsgs               the contact's own problem is solved exactly (one_contact.h): nonsmooth Gauss-Seidel
//   prox-gauss-seidel  one prox step, z_i <- prox_C(z_i - r v_i) with r = 1 / |G_ii|_2 (1 in scaled variables),
//                      friction bounded by the new normal impulse (Flores, Leine, Glocker 2012, eqs (51)-(55) as
//                      corrected)
//
// Cheap sweeps, no factorisation, good from a warm start; many sweeps where contacts are coupled through heavy chains.
// For symmetric positive definite G without friction both converge (r < 2 / |G_ii|_2); with friction nothing is
// promised for large mu.
#pragma once

#include "freeplay/complementarity/iterative/island_solver.h"

namespace freeplay::complementarity {

// Sweeps over the contacts, an eye on the residual, patience.
class GaussSeidel : public IslandMethod {
 public:
  void reserve(int rows) override;
  int run(const GroupedProblem& island, double tolerance, VecRef z) override;
  // Every contact once.
  void sweep_over(const GroupedProblem& island, VecRef z);

 protected:
  // z_i from b = v_i - K z_i, what the contact feels of all others; K: its own block of H.
  virtual void update(std::span<const GroupedSet> sets, int size, const double* K, const double* b, double* z) = 0;
  virtual double residual(const GroupedProblem& island, const ConstVecRef& z, const ConstVecRef& v) const {
    return island.residual(z, v);
  }

 private:
  VecX v_, best_;
};

class ExactGaussSeidel final : public GaussSeidel {
  void update(std::span<const GroupedSet> sets, int size, const double* K, const double* b, double* z) override;
};

class ProxGaussSeidel : public GaussSeidel {
 protected:
  void update(std::span<const GroupedSet> sets, int size, const double* K, const double* b, double* z) override;
  // y onto the sets, in place.
  virtual void project(std::span<const GroupedSet> sets, int size, double* y) const;
};

}  // namespace freeplay::complementarity
