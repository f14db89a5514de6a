// The contacts of a pile in packs, as the kernels take them: rows, blocks and constants side by side, and the
// velocities of the trees that they act on.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "freeplay/complementarity/piles/pile_kernels.h"
#include "freeplay/complementarity/problem/row_factors.h"

namespace freeplay::complementarity {

struct PileContact {
  int row = 0;       // of the problem: the normal row, its tangential rows behind it
  int tangents = 0;  // 0, 1 or 2
  double mu = 0;
  std::array<int, 2> trees = {-1, -1};  // the first one is there
  std::array<double, 6> K = {};         // NN, N0, N1, 00, 01, 11 of its own block of G
  double norm = 1;                      // 1 / rho of natural_residual.h
};

// What contacts are packed from: which contact is in which place (-1: none), kPileLanes places to a pack.
struct PileOrder {
  std::span<const PileContact> contacts;
  std::span<const int> places;
  const RowFactors& B;
  const ConstVecRef& c;
};

template <class Scalar>
class PilePacks {
 public:
  void assign(const PileOrder& order);
  // Those of another precision, which were packed from the same contacts.
  void take(const PilePacks<double>& exact);

  int size() const { return static_cast<int>(packs_.size()); }
  int trees() const { return trees_; }
  PilePack<Scalar>& pack(int p) { return packs_[static_cast<std::size_t>(p)]; }
  const PilePack<Scalar>& pack(int p) const { return packs_[static_cast<std::size_t>(p)]; }
  // kPileWidth numbers of a tree.
  Scalar* velocities_of(int tree) { return v_[static_cast<std::size_t>(tree)].at; }
  const Scalar* velocities_of(int tree) const { return v_[static_cast<std::size_t>(tree)].at; }
  std::vector<PileEight<Scalar>>& velocities() { return v_; }
  // All packs, in their order.
  std::span<const int> all() const { return all_; }
  // What the kernels work on.
  PileWork<Scalar> work(std::span<const int> active);

 private:
  template <class Other>
  friend class PilePacks;
  std::size_t rows_of_pack() const { return 6 * static_cast<std::size_t>(width_); }
  void make_room(std::size_t packs);
  bool fills_all(const PileOrder& order, std::size_t pack) const;
  void judge_shape(const PileOrder& order, std::size_t p, PilePack<Scalar>& pack) const;
  void fill(const PileOrder& order, int index, int lane, PilePack<Scalar>& pack, PileEight<Scalar>* rows) const;

  int trees_ = 0, width_ = kPileWidth;
  std::vector<PilePack<Scalar>> packs_;
  std::vector<PileEight<Scalar>> rows_, v_;
  std::vector<int> all_;
};

}  // namespace freeplay::complementarity
