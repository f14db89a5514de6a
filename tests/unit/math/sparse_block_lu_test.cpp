#include "freeplay/math/sparse_block_lu.h"

#include <gtest/gtest.h>

#include <random>

#include "freeplay/math/types.h"
#include "support/linear_algebra.h"

namespace freeplay::test::sparse_block_lu_test {
namespace {

struct Sample {
  SparseBlockLu lu;
  MatX dense;
};

// Blocks of 1 to 3 rows in a ring with some chords; `symmetric`: positive definite.
Sample ring(int blocks, bool symmetric, unsigned seed) {
  std::mt19937 generator(seed);
  const auto number = [&] { return std::uniform_real_distribution<double>(-1, 1)(generator); };
  std::vector<int> sizes, first = {0};
  for (int i = 0; i < blocks; ++i) {
    sizes.push_back(1 + i % 3);
    first.push_back(first.back() + sizes.back());
  }
  std::vector<std::pair<int, int>> couplings;
  for (int i = 0; i + 1 < blocks; ++i) couplings.emplace_back(i, i + 1);
  couplings.emplace_back(0, blocks - 1);
  couplings.emplace_back(1, blocks / 2 + 1);
  Sample sample;
  sample.dense = MatX::Zero(first.back(), first.back());
  const auto part = [&](int i, int j) {
    return sample.dense.block(first[static_cast<std::size_t>(i)], first[static_cast<std::size_t>(j)],
                              sizes[static_cast<std::size_t>(i)], sizes[static_cast<std::size_t>(j)]);
  };
  std::vector<std::pair<int, int>> places;
  for (int i = 0; i < blocks; ++i) places.emplace_back(i, i);
  for (const auto& [i, j] : couplings) places.insert(places.end(), {{i, j}, {j, i}});
  for (const auto& [i, j] : places) part(i, j) = part(i, j).unaryExpr([&](double) { return number(); });
  if (symmetric) sample.dense = MatX(0.5 * (sample.dense + sample.dense.transpose()));
  sample.dense.diagonal().array() += 10;
  sample.lu.set_pattern(sizes, couplings);
  sample.lu.set_zero();
  for (const auto& [i, j] : places) {
    const MatX block = part(i, j);
    std::copy_n(block.data(), block.size(), sample.lu.values() + sample.lu.place(i, j));
  }
  return sample;
}

TEST(SparseBlockLu, SolvesAsDenseEliminationDoes) {
  for (const bool symmetric : {true, false}) {
    for (const int blocks : {5, 17, 60}) {
      Sample sample = ring(blocks, symmetric, static_cast<unsigned>(blocks));
      ASSERT_TRUE(sample.lu.factor());
      VecX b(sample.dense.rows());
      for (Eigen::Index i = 0; i < b.size(); ++i) b[i] = std::sin(1.3 * static_cast<double>(i) + 1);
      VecX x = b;
      sample.lu.solve_in_place(x.data());
      EXPECT_LT((sample.dense * x - b).lpNorm<Eigen::Infinity>(), 1e-13) << blocks << symmetric;
      EXPECT_LT((solve_dense(sample.dense, b) - x).lpNorm<Eigen::Infinity>(), 1e-13);
      EXPECT_GT(sample.lu.smallest_pivot(), 0.1);
    }
  }
}

// 1D Laplace matrix of a ring: constants are its kernel, so that the last pivot is rounding.
TEST(SparseBlockLu, TheSmallestPivotTellsASingularMatrix) {
  constexpr int kBlocks = 40;
  const std::vector<int> sizes(kBlocks, 1);
  std::vector<std::pair<int, int>> couplings;
  for (int i = 0; i + 1 < kBlocks; ++i) couplings.emplace_back(i, i + 1);
  couplings.emplace_back(0, kBlocks - 1);
  SparseBlockLu lu;
  lu.set_pattern(sizes, couplings);
  for (const double excess : {0.0, 1e-3}) {
    lu.set_zero();
    for (int i = 0; i < kBlocks; ++i) lu.values()[lu.place(i, i)] = 2 + excess;
    for (const auto& [i, j] : couplings) lu.values()[lu.place(i, j)] = lu.values()[lu.place(j, i)] = -1;
    const bool is_factored = lu.factor();
    if (excess == 0)
      EXPECT_TRUE(!is_factored || lu.smallest_pivot() < 1e-13);
    else
      EXPECT_TRUE(is_factored && lu.smallest_pivot() > 1e-3);
  }
}

// Without an exchange of rows the first pivot would be zero.
TEST(SparseBlockLu, RowsAreExchangedWithinABlock) {
  SparseBlockLu lu;
  const std::vector<int> sizes = {2, 2};
  const std::vector<std::pair<int, int>> couplings = {{0, 1}};
  lu.set_pattern(sizes, couplings);
  MatX A(4, 4);
  A << 0, 3, 1, 0, 2, 1, 0, 1, 1, 1, 0, 4, 0, 1, 5, 1;
  lu.set_zero();
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int c = 0; c < 2; ++c) {
        for (int r = 0; r < 2; ++r)
          lu.values()[lu.place(i, j) + static_cast<std::size_t>(r + 2 * c)] = A(2 * i + r, 2 * j + c);
      }
    }
  }
  ASSERT_TRUE(lu.factor());
  const VecX b = (VecX(4) << 1, -2, 0.5, 3).finished();
  VecX x = b;
  lu.solve_in_place(x.data());
  EXPECT_LT((A * x - b).norm(), 1e-14);
}

// A = B^T B, of which some columns of B are sums of others: what is left out is as many rows, and the others are solved
// as if those were not there.
TEST(SparseBlockLu, RowsThatFollowFromOthersAreLeftOut) {
  constexpr int kBlocks = 20, kRows = 2 * kBlocks;
  MatX B = MatX::Zero(kRows + 2, kRows);
  for (int j = 0; j < kRows; ++j) {
    for (int i = 0; i < 3; ++i) B(j / 2 * 2 + i, j) = std::sin(1.9 * j + 0.7 * i + 1);
  }
  B.col(13) = 2 * B.col(12);
  B.col(30) = B.col(31);
  const MatX A = B.transpose() * B;
  std::vector<std::pair<int, int>> couplings;
  for (int i = 0; i + 1 < kBlocks; ++i) couplings.emplace_back(i, i + 1);
  SparseBlockLu lu;
  lu.set_pattern(std::vector<int>(kBlocks, 2), couplings);
  lu.set_zero();
  const auto fill = [&](int i, int j) {
    const MatX block = A.block(2 * i, 2 * j, 2, 2);
    std::copy_n(block.data(), 4, lu.values() + lu.place(i, j));
  };
  for (int i = 0; i < kBlocks; ++i) fill(i, i);
  for (const auto& [i, j] : couplings) fill(i, j), fill(j, i);
  ASSERT_TRUE(lu.factor_definite(1e-9));
  ASSERT_EQ(lu.left_out().size(), 2u);
  EXPECT_GT(lu.smallest_pivot(), 1e-9);
  VecX wanted(kRows);
  for (int i = 0; i < kRows; ++i) wanted[i] = std::cos(2.3 * i);
  for (const int row : lu.left_out()) {
    EXPECT_TRUE(row == 12 || row == 13 || row == 30 || row == 31) << row;
    wanted[row] = 0;
  }
  VecX x = A * wanted;
  lu.solve_in_place(x.data());
  EXPECT_LT((x - wanted).norm(), 1e-9 * wanted.norm());
}

}  // namespace
}  // namespace freeplay::test::sparse_block_lu_test
