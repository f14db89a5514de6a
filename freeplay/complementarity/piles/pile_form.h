// A local problem of many contacts whose matrix is known by its factors, G = B^T B (row_factors.h), as the solver of
// piles works on it: the velocities v = B Lambda of the trees stand in the place of G. Contacts are normal rows, alone
// or with friction: |Lambda_T| <= mu Lambda_N in one tangential row or in two.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "freeplay/complementarity/problem/local_problem.h"
#include "freeplay/complementarity/problem/row_factors.h"

namespace freeplay::complementarity {

struct PileContact {
  int row = 0;       // of the problem: the normal row, its tangential rows behind it
  int tangents = 0;  // 0, 1 or 2
  double mu = 0;
  std::array<int, 2> trees = {-1, -1};  // the first one is there
  std::array<double, 6> K = {};         // NN, N0, N1, 00, 01, 11 of its own block of G
  double norm = 1;                      // 1 / rho of natural_residual.h
  double residual_m_s(const double* Lambda, const double* xi) const;
};

class PileForm {
 public:
  static constexpr int kLargestTree = 8;  // velocities

  // False where the problem is none of this kind: another matrix, other sets, larger trees, or a number that is not
  // finite. The problem must outlive this.
  [[nodiscard]] bool assign(const LocalProblem& problem);

  const std::vector<PileContact>& contacts() const { return contacts_; }
  const RowFactors& B() const { return *B_; }
  const ConstVecRef& c() const { return *c_; }
  int trees() const { return B_->trees(); }
  // The contacts at a tree, in increasing order.
  std::span<const int> at_tree(int tree) const {
    const std::size_t t = static_cast<std::size_t>(tree);
    return {at_tree_.data() + tree_begin_[t], static_cast<std::size_t>(tree_begin_[t + 1] - tree_begin_[t])};
  }
  // All contacts in packs of kPack, -1 where a place is free: the contacts of a pack share no tree.
  static constexpr int kPack = 4;
  const std::vector<int>& packs() const { return packs_; }

  // v = B Lambda from scratch, the residual of every contact and the largest of them.
  double evaluate(const ConstVecRef& Lambda);
  const VecX& velocities() const { return v_; }
  const std::vector<double>& residuals() const { return residuals_; }
  // xi of the rows of a contact at velocities().
  void xi_of(const PileContact& contact, double* xi) const;

 private:
  bool read_contacts(const LocalProblem& problem);
  bool measure(PileContact& contact) const;
  void list_neighbours();
  void pack();

  const RowFactors* B_ = nullptr;
  const ConstVecRef* c_ = nullptr;
  std::vector<PileContact> contacts_;
  std::vector<int> tree_begin_, at_tree_, packs_, colour_, next_of_colour_;
  std::vector<std::uint64_t> taken_;  // colours at each tree
  VecX v_;
  std::vector<double> residuals_;
};

}  // namespace freeplay::complementarity
