#include "freeplay/complementarity/problem/block_sparse_matrix.h"

#include <gtest/gtest.h>

#include <random>

#include "freeplay/complementarity/problem/local_operator.h"

namespace freeplay::test {
namespace {

// 3 x 3 blocks of size 2 with entries (0,0), (0,2), (1,1), (2,0).
struct Example {
  std::vector<int> begin = {0}, row;
  std::vector<double> value;
  MatX dense = MatX::Zero(6, 6);

  Example() {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    for (int j = 0; j < 6; ++j) {
      for (int i = 0; i < 6; ++i) {
        const int bi = i / 2, bj = j / 2;
        if (!((bi == bj && bi < 2) || bi + bj == 2) || (bi == 2 && bj == 2)) continue;
        row.push_back(i);
        value.push_back(normal(random));
        dense(i, j) = value.back();
      }
      begin.push_back(static_cast<int>(row.size()));
    }
  }
};

TEST(BlockSparseMatrix, IsTheMatrixOfItsColumns) {
  const Example example;
  const BlockSparseMatrix matrix = block_sparse_from_columns(2, example.begin, example.row, example.value);
  EXPECT_EQ(matrix.size(), 6);
  EXPECT_EQ(matrix.block_rows(), 3);
  EXPECT_EQ(matrix.value_count(), 16u);
  EXPECT_EQ(matrix.find(0, 1), nullptr);
  EXPECT_NE(matrix.find(2, 0), nullptr);
  EXPECT_EQ(matrix.block_of(3), 1);
  const VecX x = VecX::LinSpaced(6, -1, 2);
  VecX y(6);
  matrix.apply(x.data(), y.data());
  EXPECT_LE(max_abs(y - example.dense * x), 1e-15);
}

TEST(BlockSparseMatrix, EntriesOfOnePlaceAddUp) {
  const std::vector<int> begin = {0, 2}, row = {0, 0};
  const std::vector<double> value = {1.5, 2};
  const BlockSparseMatrix matrix = block_sparse_from_columns(1, begin, row, value);
  EXPECT_EQ(*matrix.values(*matrix.find(0, 0)), 3.5);
}

TEST(BlockSparseMatrix, TakesBlocksOfDifferentSizes) {
  BlockSparseMatrix matrix;
  matrix.start(std::vector<int>{0, 1, 4});
  matrix.append_row(std::vector<int>{1});
  matrix.append_row(std::vector<int>{0, 1});
  double* corner = matrix.values(*matrix.find(0, 1));  // 1 x 3
  corner[0] = 1, corner[1] = 2, corner[2] = 3;
  matrix.values(*matrix.find(1, 0))[2] = 5;          // row 3, column 0
  matrix.values(*matrix.find(1, 1))[1 + 3 * 2] = 7;  // row 2, column 3
  const VecX x = (VecX(4) << 1, 10, 100, 1000).finished();
  VecX y(4);
  matrix.apply(x.data(), y.data());
  EXPECT_EQ(y, (VecX(4) << 3210, 0, 7000, 5).finished());
}

class Wrapped final : public MatrixFreeOperator {
 public:
  explicit Wrapped(MatX G) : G_(std::move(G)) {}
  int size() const override { return static_cast<int>(G_.rows()); }
  void apply(const ConstVecRef& x, VecRef y) const override { y = G_ * x; }
  void diagonal_block(std::span<const int> rows, double* block) const override {
    for (const int j : rows) {
      for (const int i : rows) *block++ = G_(i, j);
    }
  }

 private:
  MatX G_;
};

TEST(LocalOperator, TheThreeFormsAreOneMatrix) {
  const Example example;
  const BlockSparseMatrix sparse = block_sparse_from_columns(2, example.begin, example.row, example.value);
  const Wrapped wrapped(example.dense);
  const VecX x = VecX::LinSpaced(6, 1, -3);
  const int rows[] = {4, 0, 1};
  for (const LocalOperator& G : {LocalOperator(example.dense), LocalOperator(sparse), LocalOperator(wrapped)}) {
    VecX y(6);
    G.apply(x, y);
    EXPECT_LE(max_abs(y - example.dense * x), 1e-14);
    Mat3 block;
    G.diagonal_block(rows, block.data());
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) EXPECT_EQ(block(i, j), example.dense(rows[i], rows[j]));
    }
    if (!G.has_entries()) continue;
    for (int i = 0; i < 6; ++i) {
      VecX row = VecX::Zero(6);
      G.for_each_in_row(i, [&](int j, double value) { row[j] = value; });
      EXPECT_EQ(row, example.dense.row(i).transpose());
      EXPECT_EQ(G.entry(i, 5 - i), example.dense(i, 5 - i));
    }
  }
}

}  // namespace
}  // namespace freeplay::test
