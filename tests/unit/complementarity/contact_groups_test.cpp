#include "freeplay/complementarity/problem/contact_groups.h"

#include <gtest/gtest.h>

#include <random>

#include "freeplay/complementarity/problem/natural_residual.h"
#include "unit/complementarity/contact_problem.h"

namespace freeplay::test::contact_groups_test {
namespace {

// Blocks that count how often one of them is looked at.
struct CountedBlocks {
  std::span<const ImpulseBlock> blocks;
  long* looks;

  std::size_t size() const { return blocks.size(); }
  const ImpulseBlock& operator[](int b) const {
    ++*looks;
    return blocks[static_cast<std::size_t>(b)];
  }
};

// `contacts` planar contacts with their rows together or all normal rows first.
ContactProblem many_contacts(int contacts, bool rows_together) {
  ContactProblem problem;
  if (rows_together) {
    for (int k = 0; k < contacts; ++k) problem.contact(0.3);
    return problem;
  }
  for (int k = 0; k < contacts; ++k) problem.unilateral();
  for (int k = contacts - 1; k >= 0; --k) problem.friction(k, 0.3);
  return problem;
}

// Free rows, frictionless contacts and contacts of two or three blocks, in an order that has heads before what is bound
// to them and is random otherwise.
ContactProblem random_order(std::mt19937_64& random) {
  ContactProblem problem;
  std::vector<int> heads, bound(200, 0);
  for (int k = 0; k < 40; ++k) {
    const int choice = static_cast<int>(random() % 5);
    const int row = problem.blocks.empty() ? 0 : problem.blocks.back().row + problem.blocks.back().size;
    const int head = heads.empty() ? -1 : heads[random() % heads.size()];
    if (choice == 0) {
      problem.free_rows(1);
    } else if (choice <= 2 || bound[head < 0 ? 0 : head] > 2 || head < 0) {
      problem.unilateral();
      heads.push_back(row);
    } else {
      ++bound[head];
      if (choice == 3) {
        problem.friction(head, 0.4);
      } else {
        problem.blocks.push_back({.set = ImpulseSet::kDisc, .row = row, .size = 2, .normal_row = head, .mu = 0.2});
      }
    }
  }
  return problem;
}

// Twice the contacts, twice the work: a search for each contact would need four times as much.
TEST(ContactGroups, LookAtEachBlockAFixedNumberOfTimes) {
  for (const bool rows_together : {true, false}) {
    for (const int contacts : {1, 10, 1000, 2000}) {
      const ContactProblem problem = many_contacts(contacts, rows_together);
      long looks = 0;
      ContactGroups groups;
      groups.assign(CountedBlocks{problem.blocks, &looks});
      EXPECT_EQ(looks, 2 * contacts);
      for (int b = 0; b < 2 * contacts; ++b) ASSERT_EQ(groups.is_head(b), problem.blocks[b].normal_row < 0);
    }
  }
}

// The definition: all blocks whose normal_row is the head's row.
TEST(ContactGroups, AreTheBlocksWhoseBoundsDependOnTheHead) {
  std::mt19937_64 random(31);
  for (int trial = 0; trial < 200; ++trial) {
    const ContactProblem problem = random_order(random);
    ContactGroups groups;
    groups.assign(problem.blocks);
    for (int head = 0; head < static_cast<int>(problem.blocks.size()); ++head) {
      std::vector<int> expected;
      for (int b = 0; b < static_cast<int>(problem.blocks.size()); ++b) {
        if (problem.blocks[b].normal_row != problem.blocks[head].row) continue;
        expected.push_back(b);
        EXPECT_EQ(groups.head(b), head);
      }
      const std::span<const int> bound = groups.bound_to(head);
      EXPECT_EQ(std::vector<int>(bound.begin(), bound.end()), expected);
      EXPECT_EQ(groups.is_head(head), problem.blocks[head].normal_row < 0);
    }
  }
}

// G = 2, however many rows there are. Counts what is asked of it.
class CountedOperator final : public MatrixFreeOperator {
 public:
  explicit CountedOperator(int size) : size_(size) {}
  int size() const override { return size_; }
  void apply(const ConstVecRef& x, VecRef y) const override {
    ++products;
    y = 2 * x;
  }
  void diagonal_block(std::span<const int> rows, double* block) const override {
    ++blocks;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      for (std::size_t i = 0; i < rows.size(); ++i) *block++ = i == j ? 2 : 0;
    }
  }
  mutable int products = 0, blocks = 0;

 private:
  int size_;
};

TEST(NaturalResidual, AsksForOneProductAndForEachContactOnce) {
  const int contacts = 1000;
  const ContactProblem problem = many_contacts(contacts, true);
  const VecX c = VecX::Constant(2 * contacts, -1), Lambda = VecX::Constant(2 * contacts, 0.25);
  const CountedOperator G(2 * contacts);
  // xi = 2 * 0.25 - 1 in all rows. Normal rows: |min(2 * 0.25, xi)|; tangents: 2 * (0.25 - mu 0.25) = 0.35.
  EXPECT_DOUBLE_EQ(natural_residual({G, c, problem.blocks}, Lambda).absolute, 0.5);
  EXPECT_EQ(G.products, 1);
  EXPECT_EQ(G.blocks, contacts);
}

// Where the rows of a contact stand is no part of the problem.
TEST(NaturalResidual, DoesNotDependOnTheOrderOfRows) {
  std::mt19937_64 random(32);
  std::normal_distribution<double> normal;
  const int contacts = 100, n = 2 * contacts;
  ContactProblem together = many_contacts(contacts, true), apart = many_contacts(contacts, false);
  together.G = MatX::NullaryExpr(n, n, [&] { return normal(random); });
  together.c = VecX::NullaryExpr(n, [&] { return normal(random); });
  const VecX Lambda = VecX::NullaryExpr(n, [&] { return normal(random); });
  std::vector<int> place(static_cast<std::size_t>(n));  // in `together`, of each row of `apart`
  for (int k = 0; k < contacts; ++k) {
    place[static_cast<std::size_t>(k)] = 2 * k;
    place[static_cast<std::size_t>(n - 1 - k)] = 2 * k + 1;
  }
  apart.G = together.G(place, place);
  apart.c = together.c(place);
  const VecX moved = Lambda(place);
  const double expected = natural_residual(together.view(), Lambda).absolute;
  EXPECT_NEAR(natural_residual(apart.view(), moved).absolute, expected, 1e-13 * expected);
}

}  // namespace
}  // namespace freeplay::test::contact_groups_test
