// Gauss-Seidel over the contacts of a pile with momentum, on the velocities of its trees. A contact reads the
// velocities of its trees, solves its own problem and writes them back: its cost does not depend on how many neighbours
// it has.
//
//   y = x + beta (x - x_before),  v likewise        (Nesterov; beta grows up to a cap)
//   x_i = answer of contact i to what it feels,  v += B_i (x_i - y_i),  one pack of contacts after the other
//
// Where the steps of the contacts point against the way they came, sum_i (x_i - y_i) (x_i - x_i,before) < 0, the
// momentum starts anew. The contacts of a pack share no tree, so that it makes no difference that they are computed
// side by side (pile_kernels.h). In single precision the numbers are good for about five digits; the caller evaluates
// in double.
#pragma once

#include <span>
#include <vector>

#include "freeplay/complementarity/piles/pile_form.h"

namespace freeplay::complementarity {

template <class Scalar>
class PileSweeps {
 public:
  // Takes the contacts of a form over, in its order.
  void assign(const PileForm& form) { packs_.take(form.exact()); }
  // Starts from these impulses and the velocities that belong to them, without momentum. `which`: contacts that are to
  // be swept, with those of the same packs; the others keep their impulses.
  void start(const PileForm& form, const ConstVecRef& Lambda, std::span<const char> which);
  struct Limits {
    int least = 0, most = 0;  // sweeps
    double enough_m_s = 0;    // ends as soon as no contact changes by more than this
    double cap = 0;           // of the momentum
  };
  // Goes on. Returns the number of sweeps.
  int run(const Limits& limits, core::ThreadTeam* team = nullptr);
  // The residuals of all contacts at the velocities of the last sweep, in this precision, as those of the form; returns
  // the largest. Costs half of a sweep. Only where all contacts are swept: the others' velocities are not known here.
  double judge(PileForm& form, core::ThreadTeam* team = nullptr);
  bool has_all() const { return static_cast<int>(active_.size()) == packs_.size(); }
  // The impulses of the contacts that were swept.
  void write(const PileForm& form, VecRef Lambda) const;
  // Share of the contacts that are swept.
  double active_share() const { return static_cast<double>(active_.size()) / static_cast<double>(packs_.size()); }

 private:
  // A member's part of one sweep.
  void sweep(core::ThreadTeam* team, int member);
  // The next momentum, after a sweep. Returns the square of the largest change of a contact, (m/s)^2.
  double follow_up(double cap);

  PilePacks<Scalar> packs_;
  std::vector<int> active_;                       // packs that are swept
  PileStages stages_;                             // of these
  std::vector<PileEight<Scalar>> along_, worst_;  // of each piece
  std::vector<int> trees_;                        // that they act on
  std::vector<char> has_tree_;
  std::vector<PileEight<Scalar>> v_before_, residuals_;
  double theta_ = 1, beta_ = 0;
};

}  // namespace freeplay::complementarity
