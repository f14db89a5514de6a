#include "freeplay/complementarity/iterative/grouped_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// Contacts with one to three rows that touch a few others each.
ContactProblem random_islands(std::mt19937_64& random, int contacts) {
  ContactProblem problem;
  for (int k = 0; k < contacts; ++k) {
    const int kind = static_cast<int>(random() % 3);
    if (kind == 0) problem.unilateral();
    if (kind == 1) problem.contact(0.3);
    if (kind == 2) problem.spatial_contact(0.3);
  }
  const int n = problem.blocks.back().row + problem.blocks.back().size;
  problem.G = MatX::Identity(n, n);
  for (int k = 0; k < n / 4; ++k) {
    const int i = static_cast<int>(random() % n), j = static_cast<int>(random() % n);
    problem.G(i, j) += 0.1 * (k + 1);
  }
  problem.c = VecX::LinSpaced(n, -1, 1);
  return problem;
}

TEST(GroupedProblem, EveryContactIsInOneIslandWithAllThatItIsCoupledTo) {
  std::mt19937_64 random(8);
  int most = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const ContactProblem source = random_islands(random, 30);
    GroupedProblem whole, island;
    ASSERT_TRUE(whole.assign(source.view()));
    std::vector<int> island_of(whole.contacts.size(), -1);
    int first = -1;  // contacts of the islands: islands stand in the order of their first ones
    for (int k = 0; k < whole.island_count(); ++k) {
      ASSERT_FALSE(whole.island(k).empty());
      EXPECT_GT(whole.island(k)[0], first);
      first = whole.island(k)[0];
      EXPECT_TRUE(std::is_sorted(whole.island(k).begin(), whole.island(k).end()));
      for (const int contact : whole.island(k)) {
        EXPECT_EQ(island_of[contact], -1);
        island_of[contact] = k;
      }
    }
    most = std::max(most, whole.island_count());
    for (int i = 0; i < static_cast<int>(whole.contacts.size()); ++i) {
      ASSERT_GE(island_of[i], 0);
      for (const BlockSparseMatrix::Block& block : whole.H.row(i)) EXPECT_EQ(island_of[block.column], island_of[i]);
    }
    // z, v and impulses island by island are those of the whole, bit for bit.
    const VecX z = random_matrix(random, source.size()).col(0);
    VecX v(source.size()), Lambda(source.size()), pieced = VecX::Zero(source.size());
    whole.velocity(z, v);
    whole.scatter(z, Lambda);
    for (int k = 0; k < whole.island_count(); ++k) {
      island.assign_island(whole, k);
      EXPECT_EQ(island.island_count(), 1);
      ASSERT_EQ(island.contacts.size(), whole.island(k).size());
      VecX part(island.size()), part_v(island.size());
      for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const GroupedContact& here = island.contacts[i];
        const GroupedContact& there = whole.contacts[whole.island(k)[i]];
        ASSERT_EQ(here.size, there.size);
        EXPECT_EQ(here.scale, there.scale);
        EXPECT_EQ(island.sets_of(here).back().set, whole.sets_of(there).back().set);
        part.segment(here.row, here.size) = z.segment(there.row, there.size);
      }
      island.velocity(part, part_v);
      for (std::size_t i = 0; i < island.contacts.size(); ++i) {
        const GroupedContact& here = island.contacts[i];
        EXPECT_EQ(part_v.segment(here.row, here.size), v.segment(whole.contacts[whole.island(k)[i]].row, here.size));
      }
      island.scatter(part, pieced);
    }
    EXPECT_EQ(pieced, Lambda);
  }
  EXPECT_GT(most, 5);
}

// Contacts that know nothing of each other, far more of them than could be searched through for each.
TEST(GroupedProblem, HandsOutEveryOneOfManyIslands) {
  constexpr int kContacts = 64000;
  ContactProblem problem;
  for (int k = 0; k < kContacts; ++k) problem.unilateral();
  for (int k = 0; k < kContacts; ++k) problem.friction(k, 0.3);
  problem.c = VecX::LinSpaced(2 * kContacts, -1, -2);
  std::vector<int> begin(1, 0), row;
  for (int j = 0; j < 2 * kContacts; ++j) {
    row.push_back(j);
    begin.push_back(j + 1);
  }
  const BlockSparseMatrix G = block_sparse_from_columns(1, begin, row, std::vector<double>(row.size(), 1.0));
  const LocalProblem local{G, problem.c, problem.blocks};
  GroupedProblem whole, island;
  ASSERT_TRUE(whole.assign(local));
  ASSERT_EQ(whole.island_count(), kContacts);
  std::vector<int> seen(static_cast<std::size_t>(kContacts), 0);
  for (int k = 0; k < kContacts; ++k) {
    island.assign_island(whole, k);
    ASSERT_EQ(island.size(), 2);
    ASSERT_EQ(island.source_row(1), island.source_row(0) + kContacts) << "a normal row and its own friction";
    ++seen[static_cast<std::size_t>(island.source_row(0))];
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), kContacts);
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
