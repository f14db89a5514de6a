// The solver of piles: many contacts between small trees, whose matrix is known by its factors. `auto` asks it first
// where there are such; see docs/theory/piles.md.
//
//   1. the guess, as it is, if it is solved to rounding: a pile at rest costs one evaluation, and does not creep;
//      if it is far below the tolerance, a few sweeps bring it nearer to that
//   2. sweeps with momentum over all contacts, in single precision as long as the tolerance allows that
//   3. sweeps over the neighbourhoods of those that are not solved yet, while these are few
//   4. Newton's method on small clusters around the worst contacts, between sweeps
//
// Every look at the residual starts from the impulses in double precision. What is returned is the best that was found,
// certified by natural_residual().
#pragma once

#include <limits>
#include <memory>

#include "freeplay/complementarity/piles/pile_clusters.h"
#include "freeplay/complementarity/piles/pile_form.h"
#include "freeplay/complementarity/piles/pile_sweeps.h"
#include "freeplay/complementarity/problem/solver.h"

namespace freeplay::complementarity {

class PileSolver final : public Solver {
 public:
  struct Habits;  // what is tried when

  std::string_view name() const override { return "pile-sweeps"; }
  SolverTraits traits() const override { return {.takes_discs = true, .needs_symmetry = true}; }
  void reserve(int rows) override;  // more is allocated where there are more contacts than ever before
  // kNotSupported where the matrix has no factors, or the sets are others than Coulomb's.
  SolveReport solve(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& guess,
                    VecRef Lambda) override;

 private:
  void set_threads(int threads) {
    if (threads != threads_) team_.reset();
    threads_ = threads;
  }
  template <class Scalar>
  int improve(PileSweeps<Scalar>& sweeps, double goal, const Habits& habits, VecRef Lambda);
  // A few sweeps in double precision around the contacts above `enough`, of impulses that are solved to `quiet` already
  // and stay so. Step by step what rests comes down to rounding.
  int polish(double quiet, double enough, VecRef Lambda);
  // Makes the impulses near contacts above `above` a little smaller.
  void forget_some(double above, VecRef Lambda);
  // The residual of these impulses, in double precision from scratch; the best ones are kept.
  void look(const ConstVecRef& Lambda);
  // Those that work on the present form; null: it is too small for more than one.
  core::ThreadTeam* team();
  // Whether other contacts are to be swept than those in is_swept_, which is then changed.
  bool choose_swept(double goal, double active_share, const Habits& habits);
  // Marks the contacts around those above `above`. Returns how many; once there are `enough`, nothing is marked.
  int mark_unsolved(double above, int rings, int enough = std::numeric_limits<int>::max());
  // residual_, and those of the form, after sweeps. Whether they are those of Lambda, in double precision.
  template <class Scalar>
  bool judge(PileSweeps<Scalar>& sweeps, double goal, bool must_look, VecRef Lambda);
  // Newton's method where few contacts are left. Whether there are other contacts to sweep since.
  bool solve_clusters(double goal, const Habits& habits, int rounds, VecRef Lambda);

  int threads_ = 1;
  std::unique_ptr<core::ThreadTeam> team_;
  PileForm form_;
  PileSweeps<float> single_;
  PileSweeps<double> double_;
  PileClusters clusters_;
  std::vector<char> is_swept_, is_wanted_, is_near_, next_;
  VecX best_;
  double residual_ = 0, best_residual_ = 0;
};

}  // namespace freeplay::complementarity
