#include "freeplay/complementarity/problem/grouped_problem.h"

#include <gtest/gtest.h>

#include <random>

#include "contact_problem.h"
#include "freeplay/complementarity/problem/natural_residual.h"

namespace freeplay::test {
namespace {

MatX random_matrix(std::mt19937_64& random, int n) {
  std::normal_distribution<double> normal;
  return MatX::NullaryExpr(n, n, [&] { return normal(random); });
}

// Normal rows first and their friction at the end, a joint row in between: rows of a contact need not be neighbours.
ContactProblem scattered() {
  std::mt19937_64 random(5);
  ContactProblem problem;
  problem.unilateral().unilateral().interval(-0.2, 0.3).free_rows(1);
  problem.friction(1, 0.4).friction(0, 0.7);
  const MatX A = random_matrix(random, 6);
  problem.G = A * A.transpose();
  problem.c = random_matrix(random, 6).col(0);
  return problem;
}

TEST(GroupedProblem, GathersTheRowsOfAContact) {
  const ContactProblem source = scattered();
  GroupedProblem grouped;
  ASSERT_TRUE(grouped.assign(source.view()));
  ASSERT_EQ(grouped.contacts.size(), 4u);
  EXPECT_EQ(grouped.contacts[0].size, 2);
  EXPECT_EQ(grouped.source_row(grouped.contacts[0].row), 0);
  EXPECT_EQ(grouped.source_row(grouped.contacts[0].row + 1), 5);
  EXPECT_EQ(grouped.source_row(grouped.contacts[1].row + 1), 4);
  EXPECT_EQ(grouped.sets_of(grouped.contacts[0])[1].hi1, 0.7);
  EXPECT_EQ(grouped.island_count(), 1);
  for (std::size_t i = 0; i < 2; ++i) {
    const int k = static_cast<int>(i);
    const Mat2 K = Eigen::Map<const Mat2>(grouped.H.values(*grouped.H.find(k, k)));
    EXPECT_NEAR(K.jacobiSvd().singularValues()[0], 1, 1e-14) << "scaled to norm 1";
  }
}

TEST(GroupedProblem, ResidualIsTheNaturalOne) {
  std::mt19937_64 random(6);
  const ContactProblem source = scattered();
  GroupedProblem grouped;
  ASSERT_TRUE(grouped.assign(source.view()));
  for (int k = 0; k < 100; ++k) {
    const VecX Lambda = random_matrix(random, 6).col(0);
    VecX z(6), v(6), back(6);
    grouped.gather(Lambda, z);
    grouped.scatter(z, back);
    EXPECT_LE(max_abs(back - Lambda), 1e-15);
    grouped.velocity(z, v);
    const double natural = natural_residual(source.view(), Lambda).absolute;
    EXPECT_NEAR(grouped.residual(z, v), natural, 1e-13 * natural);
  }
}

TEST(GroupedProblem, IslandsAreWhatIsNotCoupled) {
  ContactProblem source;
  source.contact(0.3).contact(0.3).contact(0.3).contact(0.3);
  source.G = MatX::Identity(8, 8);
  source.G(0, 4) = 0.1;  // contact 0 feels contact 2, not the other way round
  source.c = VecX::LinSpaced(8, -1, 1);
  GroupedProblem whole, island;
  ASSERT_TRUE(whole.assign(source.view()));
  EXPECT_EQ(whole.island_count(), 3);
  island.assign_island(whole, 0);
  ASSERT_EQ(island.contacts.size(), 2u);
  EXPECT_EQ(island.source_row(0), 0);
  EXPECT_EQ(island.source_row(2), 4);
  VecX z = VecX::Ones(4), v(4), Lambda = VecX::Zero(8);
  island.velocity(z, v);
  EXPECT_NEAR(v[0], 1 + 0.1 - 1, 1e-15);
  island.scatter(z, Lambda);
  EXPECT_EQ(Lambda, (VecX(8) << 1, 1, 0, 0, 1, 1, 0, 0).finished());
}

TEST(GroupedProblem, RefusesWhatIsNotFinite) {
  ContactProblem source;
  source.contact(0.3);
  source.G = MatX::Identity(2, 2);
  source.c = VecX::Zero(2);
  GroupedProblem grouped;
  EXPECT_TRUE(grouped.assign(source.view()));
  source.G(0, 1) = std::nan("");
  EXPECT_FALSE(grouped.assign(source.view()));
  source.G(0, 1) = 0;
  source.c[1] = kInfinity;
  EXPECT_FALSE(grouped.assign(source.view()));
  source.c[1] = 0;
  source.blocks[1].hi1 = std::nan("");
  EXPECT_FALSE(grouped.assign(source.view()));
}

}  // namespace
}  // namespace freeplay::test
