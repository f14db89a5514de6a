// A local problem of many contacts whose matrix is known by its factors, G = B^T B (row_factors.h), as the solver of
// piles works on it: the velocities v = B Lambda of the trees stand in the place of G. Contacts are normal rows, alone
// or with friction: |Lambda_T| <= mu Lambda_N in one tangential row or in two.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "freeplay/complementarity/piles/pile_packs.h"
#include "freeplay/complementarity/piles/pile_stages.h"
#include "freeplay/complementarity/problem/local_problem.h"
#include "freeplay/complementarity/problem/row_factors.h"

namespace freeplay::complementarity {

class PileForm {
 public:
  static constexpr int kLargestTree = kPileWidth;  // velocities

  // False where the problem is none of this kind: another matrix, other sets, larger trees, or a number that is not
  // finite. The problem must outlive this.
  [[nodiscard]] bool assign(const LocalProblem& problem);

  const std::vector<PileContact>& contacts() const { return contacts_; }
  const RowFactors& B() const { return *B_; }
  const ConstVecRef& c() const { return *c_; }
  int trees() const { return B_->trees(); }
  // The trees of every contact; trees() stands for the ground.
  std::span<const std::array<int, 2>> trees_of_contacts() const { return trees_of_; }
  // The contacts at a tree, in increasing order.
  std::span<const int> at_tree(int tree) const {
    const std::size_t t = static_cast<std::size_t>(tree);
    return {at_tree_.data() + tree_begin_[t], static_cast<std::size_t>(tree_begin_[t + 1] - tree_begin_[t])};
  }
  // The contacts in packs, with the velocities of the last evaluate().
  const PilePacks<double>& exact() const { return exact_; }
  // All contacts in packs of kPack, -1 where a place is free: the contacts of a pack share no tree.
  static constexpr int kPack = kPileLanes;
  const std::vector<int>& packs() const { return packs_; }
  // First pack of each colour; packs of the last one, whose contacts may share a tree, are each a stage of their own.
  const std::vector<int>& stages() const { return first_of_stage_; }

  // v = B Lambda from scratch; with the residual of every contact, the largest of which is returned.
  void go_to(const ConstVecRef& Lambda, core::ThreadTeam* team = nullptr);
  double evaluate(const ConstVecRef& Lambda, core::ThreadTeam* team = nullptr);
  // Residuals that somebody else has found, by places in the packs. Returns the largest.
  template <class Scalar>
  double take_residuals(const std::vector<PileEight<Scalar>>& of_packs);
  // Of a tree, kPileWidth numbers; and xi of a row, at these velocities.
  const double* velocities_of(int tree) const { return exact_.velocities_of(tree); }
  double xi_of(int row) const;
  const std::vector<double>& residuals() const { return residuals_; }

 private:
  void take_impulses(const ConstVecRef& Lambda, int pack);
  bool read_contacts(const LocalProblem& problem);
  bool measure(PileContact& contact) const;
  void list_neighbours();
  void pack();

  const RowFactors* B_ = nullptr;
  const ConstVecRef* c_ = nullptr;
  std::vector<PileContact> contacts_;
  std::vector<std::array<int, 2>> trees_of_;
  std::vector<int> tree_begin_, at_tree_, packs_, colour_, next_of_colour_, first_of_stage_;
  PileStages all_;
  std::vector<std::uint64_t> taken_;  // colours at each tree
  PilePacks<double> exact_;
  std::vector<PileEight<double>> of_packs_;
  std::vector<double> residuals_;
};

}  // namespace freeplay::complementarity
