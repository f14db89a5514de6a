// Gauss-Seidel over the contacts of a pile with momentum, on the velocities of its trees. A contact reads the velocities
// of its trees, solves its own problem and writes them back: its cost does not depend on how many neighbours it has.
//
//   y = x + beta (x - x_before),  v likewise        (Nesterov; beta grows up to a cap)
//   x_i = answer of contact i to what it feels,  v += B_i (x_i - y_i),  one contact after the other
//
// Where the steps of the contacts point against the way they came, sum_i (x_i - y_i) (x_i - x_i,before) < 0, the momentum
// starts anew. In single precision the numbers are good for about five digits; the caller evaluates in double.
#pragma once

#include <span>
#include <vector>

#include "freeplay/complementarity/piles/pile_form.h"

namespace freeplay::complementarity {

template <class Scalar>
class PileSweeps {
 public:
  // Takes the contacts of a form over, in its order.
  void assign(const PileForm& form);
  // Starts from these impulses and the velocities that belong to them, without momentum; `which`: contacts that are to
  // be swept, the others keep their impulses.
  void start(const PileForm& form, const ConstVecRef& Lambda, std::span<const char> which);
  // Goes on for up to so many sweeps; ends as soon as no contact changes by more than `enough_m_s`. Returns their number.
  int run(int sweeps, double enough_m_s, double cap);
  // The impulses of the contacts that were swept.
  void write(const PileForm& form, VecRef Lambda) const;
  int active() const { return static_cast<int>(active_.size()); }

 private:
  static constexpr int kWidth = PileForm::kLargestTree;
  using Wide = Eigen::Array<Scalar, kWidth, 1>;

  struct Contact {
    Wide rows[3][2];
    Scalar c[3], x[3], step[3];
    Scalar K_NN, K_N0, K_N1, inverse_N;
    Scalar inverse_00, inverse_01, inverse_11, inverse_T;  // of the tangential block, and 1 / its norm
    Scalar mu;
    int a, b;  // trees; b = -1: none
    bool is_coupled;
  };
  struct Sums {
    Scalar along = 0, worst = 0;
  };
  void relax(Contact& contact, Scalar beta, Sums& sums);
  void answer(const Contact& contact, const Scalar* y, const Scalar* xi, Scalar* z) const;

  std::vector<Contact> contacts_;  // in the order of the form
  std::vector<int> active_;        // those that are swept
  std::vector<int> trees_;         // that they act on
  std::vector<char> has_tree_;
  std::vector<Wide> v_, v_before_;
  double theta_ = 1, beta_ = 0;
};

}  // namespace freeplay::complementarity
