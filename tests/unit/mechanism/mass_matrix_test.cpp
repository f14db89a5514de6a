#include "freeplay/mechanism/trees/mass_matrix.h"

#include <gtest/gtest.h>

namespace freeplay::test {
namespace {

// Positive definite: the diagonal is larger than the rest of its row.
void fill_chain(MassMatrix& M) {
  M.at(0, 0) = 3;
  M.at(1, 0) = 0.7, M.at(1, 1) = 2.3;
  M.at(2, 0) = -0.4, M.at(2, 1) = 1.1, M.at(2, 2) = 1.9;
}

// A fourth velocity beside the second one, without coupling: it is solved by the loops over the ways to the root, and
// changes nothing in the other three.
TEST(MassMatrix, AChainOfThreeGivesTheBitsOfTheGeneralLoops) {
  MassMatrix chain(MassStructure::from_parents({-1, 0, 1}));
  MassMatrix tree(MassStructure::from_parents({-1, 0, 1, 0}));
  ASSERT_TRUE(chain.structure().blocks.at(0).is_chain_of_three);
  ASSERT_FALSE(tree.structure().blocks.at(0).is_chain_of_three);
  fill_chain(chain);
  fill_chain(tree);
  tree.at(3, 0) = 0, tree.at(3, 3) = 1;
  const MatX dense = chain.to_dense();
  ASSERT_TRUE(chain.factor());
  ASSERT_TRUE(tree.factor());

  const Vec3 rhs(0.3, -1.7, 0.9);
  VecX x = rhs, y(4), half = rhs, half_of_tree(4);
  y << rhs, 0;
  half_of_tree = y;
  chain.solve_in_place(x);
  tree.solve_in_place(y);
  chain.half_solve_in_place(half);
  tree.half_solve_in_place(half_of_tree);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(x[i], y[i]);
    EXPECT_EQ(half[i], half_of_tree[i]);
  }
  EXPECT_LT((dense * x - rhs).norm(), 1e-15);
}

TEST(MassMatrix, AChainOfThreeThatIsNotPositiveIsRefused) {
  for (int k = 0; k < 3; ++k) {
    MassMatrix M(MassStructure::from_parents({-1, 0, 1}));
    fill_chain(M);
    M.at(k, k) = k == 2 ? 0 : 0.1;  // less than what the velocities behind take away
    EXPECT_FALSE(M.factor()) << k;
  }
}

}  // namespace
}  // namespace freeplay::test
