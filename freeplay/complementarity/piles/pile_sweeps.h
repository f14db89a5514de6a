// Gauss-Seidel over the contacts of a pile with momentum, on the velocities of its trees. A contact reads the
// velocities of its trees, solves its own problem and writes them back: its cost does not depend on how many neighbours
// it has.
//
//   y = x + beta (x - x_before),  v likewise        (Nesterov; beta grows up to a cap)
//   x_i = answer of contact i to what it feels,  v += B_i (x_i - y_i),  one pack of contacts after the other
//
// Where the steps of the contacts point against the way they came, sum_i (x_i - y_i) (x_i - x_i,before) < 0, the
// momentum starts anew. The contacts of a pack share no tree, so that it makes no difference that they are computed
// side by side. In single precision the numbers are good for about five digits; the caller evaluates in double.
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
  // Starts from these impulses and the velocities that belong to them, without momentum. `which`: contacts that are to
  // be swept, with those of the same packs; the others keep their impulses.
  void start(const PileForm& form, const ConstVecRef& Lambda, std::span<const char> which);
  // Goes on for up to so many sweeps; ends as soon as no contact changes by more than `enough_m_s`. Returns their
  // number.
  int run(int sweeps, double enough_m_s, double cap);
  // The impulses of the contacts that were swept.
  void write(const PileForm& form, VecRef Lambda) const;
  // Share of the contacts that are swept.
  double active_share() const { return static_cast<double>(active_.size()) / static_cast<double>(packs_.size()); }

 private:
  static constexpr int kPack = PileForm::kPack;
  static constexpr int kWidth = PileForm::kLargestTree;
  using Wide = Eigen::Array<Scalar, kWidth, 1>;  // velocities of a tree
  using Lane = Eigen::Array<Scalar, kPack, 1>;   // a number per contact

  struct Pack {
    Wide rows[kPack][3][2];
    Lane c[3], x[3], step[3];
    Lane K_NN, K_N0, K_N1, inverse_N;
    Lane inverse_00, inverse_01, inverse_11;  // of the tangential block
    Lane norm_T, inverse_T;                   // of the tangential block its norm, and 1 / norm
    Lane mu;
    int a[kPack], b[kPack];  // trees; the one behind the last does not move
    bool is_diagonal;        // the blocks of all its contacts, with one number for both tangents
  };
  struct Sums {
    Lane along = Lane::Zero(), worst = Lane::Zero();
  };
  void fill(const PileForm& form, int index, int lane, Pack& pack) const;
  void relax(Pack& pack, Scalar beta, Sums& sums);
  static void answer_diagonal(const Pack& pack, const Lane* y, const Lane* xi, Lane* z);
  static void answer(const Pack& pack, int lane, const Lane* y, const Lane* xi, Lane* z);

  std::vector<Pack> packs_;
  std::vector<int> active_;  // packs that are swept
  std::vector<int> trees_;   // that they act on
  std::vector<char> has_tree_;
  std::vector<Wide> v_, v_before_;
  double theta_ = 1, beta_ = 0;
};

}  // namespace freeplay::complementarity
