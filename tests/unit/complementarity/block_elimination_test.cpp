#include "freeplay/complementarity/linear/block_elimination.h"

#include <gtest/gtest.h>

#include <random>

#include "freeplay/math/types.h"
#include "support/linear_algebra.h"

namespace freeplay::test {
namespace {

// A matrix in blocks with dominant diagonal blocks and few others, as many above the diagonal as it happens.
struct RandomSystem {
  RandomSystem(const std::vector<int>& sizes, double density, unsigned seed) : generator(seed) {
    std::vector<int> first_row = {0};
    for (const int size : sizes) first_row.push_back(first_row.back() + size);
    K.start(first_row);
    std::uniform_real_distribution<double> unit(-1, 1);
    const int count = static_cast<int>(sizes.size());
    for (int i = 0; i < count; ++i) {
      std::vector<int> columns;
      for (int j = 0; j < count; ++j) {
        if (i == j || std::abs(unit(generator)) < density) columns.push_back(j);
      }
      K.append_row(columns);
      for (const BlockSparseMatrix::Block& block : K.row(i)) {
        const int rows = K.rows(i), width = K.rows(block.column);
        for (int k = 0; k < rows * width; ++k) K.values(block)[k] = unit(generator);
        if (block.column != i) continue;
        // Dominant, but with its large numbers off the diagonal of the block: rows must be exchanged.
        for (int k = 0; k < rows; ++k) K.values(block)[(k + 1) % rows + k * rows] += 20;
      }
    }
    values.resize(K.value_count());
    for (int i = 0; i < count; ++i) {
      for (const BlockSparseMatrix::Block& block : K.row(i)) {
        std::copy_n(K.values(block), K.rows(i) * K.rows(block.column), values.begin() + block.begin);
      }
    }
  }

  // Of the contacts that take part, in the order of their positions.
  MatX dense(const std::vector<int>& position, int unknowns) const {
    MatX matrix = MatX::Zero(unknowns, unknowns);
    for (int i = 0; i < K.block_rows(); ++i) {
      if (position[i] < 0) continue;
      for (const BlockSparseMatrix::Block& block : K.row(i)) {
        if (position[block.column] < 0) continue;
        matrix.block(position[i], position[block.column], K.rows(i), K.rows(block.column)) =
            Eigen::Map<const MatX>(K.values(block), K.rows(i), K.rows(block.column));
      }
    }
    return matrix;
  }

  std::mt19937 generator;
  BlockSparseMatrix K;
  std::vector<double> values;
};

void expect_solved(BlockElimination& elimination, RandomSystem& system, const std::vector<bool>& takes_part) {
  std::vector<int> position;
  int unknowns = 0;
  for (int i = 0; i < system.K.block_rows(); ++i) {
    position.push_back(takes_part[i] ? unknowns : -1);
    if (takes_part[i]) unknowns += system.K.rows(i);
  }
  std::vector<double> b(unknowns);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (double& value : b) value = unit(system.generator);
  const VecX rhs = Eigen::Map<const VecX>(b.data(), unknowns);
  elimination.analyse(system.K, position);
  ASSERT_TRUE(elimination.solve(system.K, system.values, position, b));
  const VecX expected = test::solve_dense(system.dense(position, unknowns), rhs);
  EXPECT_LT((Eigen::Map<const VecX>(b.data(), unknowns) - expected).norm(), 1e-12 * expected.norm());
}

TEST(BlockElimination, SolvesWhatDenseEliminationSolves) {
  BlockElimination elimination;  // one for all: it must notice that the pattern is another one
  unsigned seed = 1;
  for (const std::vector<int>& sizes : {std::vector<int>(40, 3), std::vector<int>(60, 2), std::vector<int>(50, 1),
                                        std::vector<int>{3, 1, 2, 3, 5, 1, 1, 3, 8, 2, 3, 1}}) {
    for (const double density : {0.0, 0.03, 0.3, 1.0}) {
      RandomSystem system(sizes, density, seed++);
      expect_solved(elimination, system, std::vector<bool>(sizes.size(), true));
    }
  }
}

TEST(BlockElimination, LeavesOutContactsThatTakeNoPart) {
  RandomSystem system(std::vector<int>(40, 3), 0.06, 7);
  BlockElimination elimination;
  std::vector<bool> takes_part(40, true);
  for (int round = 0; round < 20; ++round) {
    takes_part[(7 * round) % 40] = false;
    takes_part[(11 * round + 3) % 40] = true;
    expect_solved(elimination, system, takes_part);
    expect_solved(elimination, system, takes_part);
  }
}

TEST(BlockElimination, CountsItsProducts) {
  RandomSystem apart({3, 3, 3}, 0, 1);
  BlockElimination elimination;
  EXPECT_EQ(elimination.analyse(apart.K, {0, 3, 6}), 0);
  RandomSystem full({3, 3, 3}, 1, 1);
  EXPECT_EQ(elimination.analyse(full.K, {0, 3, 6}), 4 + 1);
  EXPECT_EQ(elimination.analyse(full.K, {0, -1, 3}), 1);
}

TEST(BlockElimination, RefusesASingularBlock) {
  RandomSystem system(std::vector<int>(3, 2), 0, 1);
  std::fill_n(system.values.begin() + system.K.row(1)[0].begin, 4, 0.0);
  std::vector<double> b(6, 1.0);
  BlockElimination elimination;
  elimination.analyse(system.K, {0, 2, 4});
  EXPECT_FALSE(elimination.solve(system.K, system.values, {0, 2, 4}, b));
}

}  // namespace
}  // namespace freeplay::test
