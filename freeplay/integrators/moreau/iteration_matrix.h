// The iteration matrix of an implicit step, divided by M:
//
//   P = M^-1 Mhat = I - dt theta A,     A = da/du = M^-1 (dh/du + dt theta dh/dq T)
//
// a(u): the acceleration M^-1 h at the end of a step that ends with u. P is the identity until someone finds that too
// slow, and is kept from step to step, in the state, as long as it serves. Of a system of many trees A has blocks only
// where forces couple two of them: trees that have no neighbour in common are then differentiated at once (Curtis,
// Powell and Reid 1974), and P is factored in blocks.
#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "freeplay/math/sparse_block_lu.h"
#include "freeplay/mechanism/system.h"

namespace freeplay::integrators {

// Of a matrix with blocks for some pairs of trees: where they are, and which trees one evaluation tells apart.
class TreeBlocks {
 public:
  struct Block {
    int row = 0, column = 0;  // trees
    std::size_t begin = 0;    // of its values, column major
  };

  // `structure` must outlive this.
  TreeBlocks(const MassStructure& structure, std::vector<std::pair<int, int>> couplings);

  const std::vector<std::pair<int, int>>& couplings() const { return couplings_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  const std::vector<std::vector<int>>& colours() const { return colours_; }  // trees of each
  // Blocks in the columns of the trees of one colour.
  const std::vector<Block>& blocks_of_colour(std::size_t colour) const { return of_colour_[colour]; }
  std::size_t value_count() const { return value_count_; }

 private:
  void choose_colours(const std::vector<std::vector<int>>& neighbours);

  std::vector<std::pair<int, int>> couplings_;
  std::vector<Block> blocks_;
  std::vector<std::vector<int>> colours_;
  std::vector<std::vector<Block>> of_colour_;
  std::size_t value_count_ = 0;
};

class IterationMatrix {
 public:
  // `system` must outlive this.
  explicit IterationMatrix(const System& system);

  bool is_identity() const { return is_identity_; }
  bool is_sparse() const { return trees_.has_value(); }
  std::size_t entries() const { return trees_ ? trees_->value_count() : static_cast<std::size_t>(A_.size()); }
  // To and from the numbers of State::method behind the first ones: none for the identity, otherwise the scale and A.
  void write(std::vector<double>& method, std::size_t first) const;
  void read(const std::vector<double>& method, std::size_t first);

  // A becomes the difference quotients of `acceleration_at` about (u, a(u)): column by column, or those of one colour
  // together. u is changed on the way and restored. `scale`: dt theta.
  template <class AccelerationAt>
  void differentiate(AccelerationAt acceleration_at, VecX& u, const VecX& a, double increment, double scale) {
    if (trees_) {
      differentiate_trees(acceleration_at, u, a, increment);
    } else {
      for (Eigen::Index j = 0; j < u.size(); ++j) {
        const double kept = u[j];
        u[j] += increment;
        const double taken = u[j] - kept;  // what rounding left of the increment
        acceleration_at(u, column_);
        u[j] = kept;
        A_.col(j) = (column_ - a) / taken;
      }
    }
    factor(scale);
  }
  // Another step size with the same A.
  void rescale(double scale) {
    if (!is_identity_ && scale != scale_) factor(scale);
  }

  // The largest sum of |A_ij| over a row, by which an error of all coordinates at the end of the step comes back in a
  // velocity. 0 for the identity.
  double largest_row_sum();

  // x <- P^-1 x.
  void solve_in_place(VecRef x);

 private:
  template <class AccelerationAt>
  void differentiate_trees(AccelerationAt& acceleration_at, VecX& u, const VecX& a, double increment);
  void factor(double scale);
  void factor_trees();
  double* values() { return trees_ ? tree_values_.data() : A_.data(); }
  const double* values() const { return trees_ ? tree_values_.data() : A_.data(); }

  const MassStructure& structure_;
  bool is_identity_ = true;
  double scale_ = 0;
  std::optional<TreeBlocks> trees_;  // if A is sparse
  std::vector<double> tree_values_;
  std::vector<std::size_t> place_;  // of each block in sparse_
  SparseBlockLu sparse_;
  bool is_regular_ = true;  // sparse_
  MatX A_, P_;              // otherwise
  Eigen::PartialPivLU<MatX> factored_;
  VecX column_, kept_;
};

template <class AccelerationAt>
void IterationMatrix::differentiate_trees(AccelerationAt& acceleration_at, VecX& u, const VecX& a, double increment) {
  kept_ = u;
  for (std::size_t colour = 0; colour < trees_->colours().size(); ++colour) {
    int most = 0;
    for (const int tree : trees_->colours()[colour])
      most = std::max(most, structure_.blocks[static_cast<std::size_t>(tree)].size);
    for (int j = 0; j < most; ++j) {
      for (const int tree : trees_->colours()[colour]) {
        const MassStructure::Block& of_tree = structure_.blocks[static_cast<std::size_t>(tree)];
        if (j < of_tree.size) u[of_tree.first + j] += increment;
      }
      acceleration_at(u, column_);
      for (const TreeBlocks::Block& block : trees_->blocks_of_colour(colour)) {
        const MassStructure::Block &row = structure_.blocks[static_cast<std::size_t>(block.row)],
                                   &column = structure_.blocks[static_cast<std::size_t>(block.column)];
        if (j >= column.size) continue;
        const double taken = u[column.first + j] - kept_[column.first + j];  // what rounding left of the increment
        double* values = tree_values_.data() + block.begin + static_cast<std::ptrdiff_t>(j) * row.size;
        for (int i = 0; i < row.size; ++i) values[i] = (column_[row.first + i] - a[row.first + i]) / taken;
      }
      u = kept_;
    }
  }
}

}  // namespace freeplay::integrators
