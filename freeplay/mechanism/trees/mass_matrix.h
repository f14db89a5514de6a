// The mass matrix M: block-diagonal, one block per tree, each with the branch-induced sparsity of its tree. Blocks of
// deep trees have no entries: they are kept as what recursions need (deep_mass.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "freeplay/math/types.h"
#include "freeplay/mechanism/trees/deep_mass.h"

namespace freeplay::mechanism {

// Velocities on one way to the root beyond which a tree is deep. Recursions cost some 60 operations per velocity of a
// row, entries as many as there are velocities on the way.
inline constexpr int kDeep = 24;
// Who writes M: only a forest of rigid bodies knows what deep trees need.
enum class DeepTrees : std::uint8_t { kNone, kPlanar, kSpatial };

// Which velocities couple: u_k with its ancestors parent[k], parent[parent[k]], ... and with nothing else above it.
struct MassStructure {
  struct Block {
    int first = 0;  // first velocity
    int size = 0;
    std::size_t storage = 0;         // offset of entry (0, 0) in MassMatrix::values
    bool is_chain_of_three = false;  // of one velocity after the other
    bool is_deep = false;            // no storage
  };
  std::vector<Block> blocks;
  std::vector<int> block_of;     // of each velocity, into `blocks`
  std::vector<int> parent;       // of each velocity; -1 at a root. parent[k] < k.
  std::vector<std::size_t> row;  // entry (k, j) is values[row[k] + j], j <= k a velocity of the same block
  std::vector<int> place;        // per velocity; of deep trees only (kMostBranches)
  DeepTrees deep = DeepTrees::kNone;

  // `together`: first and last velocities of ranges of which each is to be in one block, however many trees it has.
  // What acts on more than two trees is then still kept to two blocks.
  static MassStructure from_parents(const std::vector<int>& parent, DeepTrees deep = DeepTrees::kNone,
                                    const std::vector<std::pair<int, int>>& together = {});
  // The same with all its entries, for those who change some.
  MassStructure with_entries() const { return from_parents(parent); }
  static MassStructure dense(int size);  // one full block: a system given as code
  int size() const { return static_cast<int>(parent.size()); }
  int depth() const;  // most velocities on one way to a root
};

class MassMatrix {
 public:
  explicit MassMatrix(const MassStructure& structure);

  const MassStructure& structure() const { return structure_; }
  int size() const { return structure_.size(); }
  // Entry (k, j), j <= k, of the same block; only ancestors j of k are ever read. Not of deep trees.
  double& at(int k, int j) { return row(k)[j]; }
  double at(int k, int j) const { return row(k)[j]; }

  // row(k)[j] is entry (k, j).
  double* row(int k) { return values_.data() + structure_.row[static_cast<std::size_t>(k)]; }
  const double* row(int k) const { return values_.data() + structure_.row[static_cast<std::size_t>(k)]; }

  // What a deep tree has instead of entries; of the algebra that the structure was made for.
  template <class Algebra>
  DeepMass<Algebra>& deep() {
    return std::get<DeepMass<Algebra>>(deep_);
  }

  // y = M x. Before factor() only.
  void multiply(const ConstVecRef& x, VecRef y) const;
  MatX to_dense() const;
  void write_dense(Eigen::Ref<MatX> dense) const;  // the same into a matrix of that size

  // M = L^T L in place (Featherstone 2008, section 6.5): no fill-in outside the ancestors. False if M is not positive.
  [[nodiscard]] bool factor();
  // After factor(): x <- M^-1 x, and x <- L^-T x  (so that W^T M^-1 W = (L^-T W)^T (L^-T W)).
  void solve_in_place(VecRef x) const;
  void half_solve_in_place(VecRef x) const;
  // The first half for the velocities of one block alone; `x` is the first of them.
  void half_solve_in_place(const MassStructure::Block& block, double* x) const;
  // x <- L^-1 x, the second half of solve_in_place.
  void finish_solve_in_place(VecRef x) const;

 private:
  [[nodiscard]] bool factor(const MassStructure::Block& block);
  [[nodiscard]] bool factor_deep(const MassStructure::Block& block);
  // visit(deep) with the deep trees in their own algebra.
  template <class Visit>
  void with_deep(Visit&& visit) const;

  MassStructure structure_;
  std::vector<double> values_;
  std::vector<double> inverse_diagonal_;  // of L
  std::variant<std::monostate, DeepMass<PlanarAlgebra>, DeepMass<SpatialAlgebra>> deep_;
};

}  // namespace freeplay::mechanism
