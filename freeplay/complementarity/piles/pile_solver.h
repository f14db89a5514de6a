// The solver of piles: many contacts between small trees, whose matrix is known by its factors. `auto` asks it first
// where there are such; see docs/theory/piles.md.
//
//   1. the guess, as it is: a pile at rest costs one evaluation
//   2. sweeps with momentum over all contacts, in single precision as long as the tolerance allows that
//   3. sweeps over the neighbourhoods of contacts that are not solved yet, and over all of them again
//   4. Newton's method on small clusters around the worst contacts, between sweeps
//
// Every look at the residual starts from the impulses in double precision. What is returned is certified by
// natural_residual(), and is the best that was found.
#pragma once

#include "freeplay/complementarity/piles/pile_clusters.h"
#include "freeplay/complementarity/piles/pile_form.h"
#include "freeplay/complementarity/piles/pile_sweeps.h"
#include "freeplay/complementarity/problem/solver.h"

namespace freeplay::complementarity {

class PileSolver final : public Solver {
 public:
  std::string_view name() const override { return "pile-sweeps"; }
  SolverTraits traits() const override { return {.takes_discs = true, .needs_symmetry = true}; }
  void reserve(int /*rows*/) override {}  // allocates where there are more contacts than ever before
  // kNotSupported where the matrix has no factors, or the sets are others than Coulomb's.
  SolveReport solve(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& guess,
                    VecRef Lambda) override;

 private:
  template <class Scalar>
  int improve(PileSweeps<Scalar>& sweeps, double goal, int most_sweeps, VecRef Lambda);
  // Marks the contacts around those above `above`, so many rings of neighbours wide. Returns how many.
  int mark_unsolved(double above, int rings);
  bool keep_if_better(const ConstVecRef& Lambda);

  PileForm form_;
  PileSweeps<float> single_;
  PileSweeps<double> double_;
  PileClusters clusters_;
  std::vector<char> is_swept_, is_near_, next_;
  VecX best_;
  double residual_ = 0, best_residual_ = 0;
};

}  // namespace freeplay::complementarity
