#include "freeplay/integrators/moreau/iteration_matrix.h"

#include <algorithm>
#include <cmath>

#include "freeplay/mechanism/dynamics/force_couplings.h"

namespace freeplay::integrators {

namespace {

constexpr std::size_t kManyTreesOfMatrix = 16;
constexpr double kSparseShareOfMatrix = 0.25;  // of all entries

}  // namespace

TreeBlocks::TreeBlocks(const MassStructure& structure, std::vector<std::pair<int, int>> couplings)
    : couplings_(std::move(couplings)) {
  const std::size_t trees = structure.blocks.size();
  std::vector<std::vector<int>> neighbours(trees);
  for (const auto& [i, j] : couplings_) {
    neighbours[static_cast<std::size_t>(i)].push_back(j);
    neighbours[static_cast<std::size_t>(j)].push_back(i);
  }
  choose_colours(neighbours);
  const auto add = [&](std::vector<Block>& to, int row, int column) {
    const Block block{row, column, value_count_};
    blocks_.push_back(block);
    to.push_back(block);
    value_count_ += static_cast<std::size_t>(structure.blocks[static_cast<std::size_t>(row)].size) *
                    static_cast<std::size_t>(structure.blocks[static_cast<std::size_t>(column)].size);
  };
  of_colour_.resize(colours_.size());
  for (std::size_t c = 0; c < colours_.size(); ++c) {
    for (const int tree : colours_[c]) {
      add(of_colour_[c], tree, tree);
      for (const int other : neighbours[static_cast<std::size_t>(tree)]) add(of_colour_[c], other, tree);
    }
  }
}

// Two trees of one colour are no neighbours and have none in common: what changes at a tree is by one of them.
// Greedily, in the order of the trees.
void TreeBlocks::choose_colours(const std::vector<std::vector<int>>& neighbours) {
  std::vector<int> colour(neighbours.size(), -1);
  for (std::size_t tree = 0; tree < neighbours.size(); ++tree) {
    std::vector<bool> is_taken(colours_.size() + 1, false);
    const auto take = [&](int other) {
      const int taken = colour[static_cast<std::size_t>(other)];
      if (taken >= 0) is_taken[static_cast<std::size_t>(taken)] = true;
    };
    for (const int next : neighbours[tree]) {
      take(next);
      for (const int second : neighbours[static_cast<std::size_t>(next)]) take(second);
    }
    const std::size_t chosen =
        static_cast<std::size_t>(std::find(is_taken.begin(), is_taken.end(), false) - is_taken.begin());
    if (chosen == colours_.size()) colours_.emplace_back();
    colour[tree] = static_cast<int>(chosen);
    colours_[chosen].push_back(static_cast<int>(tree));
  }
}

IterationMatrix::IterationMatrix(const System& system)
    : structure_(system.mass_structure()), column_(VecX::Zero(system.velocity_count())), kept_(column_) {
  const int n = system.velocity_count();
  if (structure_.blocks.size() >= kManyTreesOfMatrix) {
    if (auto couplings = force_couplings(system)) trees_.emplace(structure_, *std::move(couplings));
  }
  if (trees_) {
    std::vector<int> sizes;
    for (const MassStructure::Block& tree : structure_.blocks) sizes.push_back(tree.size);
    sparse_.set_pattern(sizes, trees_->couplings());
    if (static_cast<double>(sparse_.stored()) > kSparseShareOfMatrix * n * n) trees_.reset();
  }
  if (trees_) {
    tree_values_.assign(trees_->value_count(), 0.0);
    for (const TreeBlocks::Block& block : trees_->blocks()) place_.push_back(sparse_.place(block.row, block.column));
    return;
  }
  // The matrices are not filled: of a large system that never needs them they take no memory but addresses.
  A_.resize(n, n);
  P_.resize(n, n);
  factored_ = Eigen::PartialPivLU<MatX>(n);
}

void IterationMatrix::factor(double scale) {
  scale_ = scale;
  is_identity_ = false;
  if (trees_) {
    factor_trees();
    return;
  }
  P_ = -scale * A_;
  P_.diagonal().array() += 1;
  factored_.compute(P_);
}

// Where a pivot fails, P^-1 x is not finite, and so is what the step does with it: it says so and ends.
void IterationMatrix::factor_trees() {
  sparse_.set_zero();
  for (std::size_t b = 0; b < place_.size(); ++b) {
    const TreeBlocks::Block& block = trees_->blocks()[b];
    const int rows = structure_.blocks[static_cast<std::size_t>(block.row)].size,
              columns = structure_.blocks[static_cast<std::size_t>(block.column)].size;
    double* P = sparse_.values() + place_[b];
    for (int i = 0; i < rows * columns; ++i) P[i] = -scale_ * tree_values_[block.begin + static_cast<std::size_t>(i)];
    if (block.row != block.column) continue;
    for (int i = 0; i < rows; ++i) P[i + i * rows] += 1;
  }
  is_regular_ = sparse_.factor();
}

void IterationMatrix::write(std::vector<double>& method, std::size_t first) const {
  method.resize(is_identity_ ? first : first + 1 + entries());
  if (is_identity_) return;
  method[first] = scale_;
  std::copy_n(values(), entries(), method.begin() + static_cast<std::ptrdiff_t>(first) + 1);
}

void IterationMatrix::read(const std::vector<double>& method, std::size_t first) {
  if (method.size() == first) {
    is_identity_ = true;
    return;
  }
  const auto of_A = method.begin() + static_cast<std::ptrdiff_t>(first) + 1;
  const bool is_known = !is_identity_ && scale_ == method[first] && std::equal(of_A, method.end(), values());
  if (is_known) return;
  std::copy(of_A, method.end(), values());
  factor(method[first]);
}

double IterationMatrix::largest_row_sum() {
  if (is_identity_) return 0;
  if (!trees_) return A_.cwiseAbs().rowwise().sum().maxCoeff();
  column_.setZero();
  for (const TreeBlocks::Block& block : trees_->blocks()) {
    const MassStructure::Block &row = structure_.blocks[static_cast<std::size_t>(block.row)],
                               &column = structure_.blocks[static_cast<std::size_t>(block.column)];
    const double* values = tree_values_.data() + block.begin;
    for (int j = 0; j < column.size; ++j) {
      for (int i = 0; i < row.size; ++i) column_[row.first + i] += std::abs(values[i + j * row.size]);
    }
  }
  return column_.maxCoeff();
}

void IterationMatrix::solve_in_place(VecRef x) {
  if (is_identity_) return;
  if (trees_) {
    if (is_regular_)
      sparse_.solve_in_place(x.data());
    else
      x.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  column_ = x;
  x = factored_.solve(column_);
}

}  // namespace freeplay::integrators
