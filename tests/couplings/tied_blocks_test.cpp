// Trees that share a block of the mass matrix, since one row acts on all of them.
#include <gtest/gtest.h>

#include "freeplay/mechanism/trees/mass_matrix.h"

namespace freeplay::test::tied_blocks_test {
namespace {

// Trees {0, 1}, {2}, {3, 4}, {5}: a range from 1 to 3 takes the first three together and leaves the last one alone.
TEST(TiedTrees, ShareABlockAndSolveAsBefore) {
  const std::vector<int> parent = {-1, 0, -1, -1, 3, -1};
  const MassStructure apart = MassStructure::from_parents(parent),
                      tied = MassStructure::from_parents(parent, DeepTrees::kNone, {{1, 3}});
  EXPECT_EQ(apart.blocks.size(), 4u);
  ASSERT_EQ(tied.blocks.size(), 2u);
  EXPECT_EQ(tied.blocks[0].size, 5);
  VecX x(6);
  x << 1, -2, 3, 0.5, -1, 4;
  std::vector<VecX> solutions;
  for (const MassStructure& structure : {apart, tied}) {
    MassMatrix M(structure);
    for (int k = 0; k < 6; ++k) {
      M.at(k, k) = 3 + k;
      const int above = parent[static_cast<std::size_t>(k)];
      if (above >= 0) M.at(k, above) = 0.7;
    }
    const MatX dense = M.to_dense();
    ASSERT_TRUE(M.factor());
    VecX y = x;
    M.solve_in_place(y);
    EXPECT_LT((dense * y - x).norm(), 1e-13);
    solutions.push_back(y);
  }
  EXPECT_EQ(solutions[0], solutions[1]);
}

// Three trees of one velocity each are no chain of three.
TEST(TiedTrees, OfOneVelocityEachAreNoChain) {
  const MassStructure tied = MassStructure::from_parents({-1, -1, 1}, DeepTrees::kNone, {{0, 1}});
  ASSERT_EQ(tied.blocks.size(), 1u);
  EXPECT_FALSE(tied.blocks[0].is_chain_of_three);
}

}  // namespace
}  // namespace freeplay::test::tied_blocks_test
