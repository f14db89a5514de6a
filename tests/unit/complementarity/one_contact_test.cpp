// The problem of one contact against the natural residual, which knows nothing of modes.
#include "freeplay/complementarity/iterative/one_contact.h"

#include <gtest/gtest.h>

#include <random>

#include "contact_problem.h"
#include "freeplay/complementarity/problem/natural_residual.h"

namespace freeplay::test {
namespace {

struct Case {
  int dimension;
  double mu_most;
};
class OneContact : public testing::TestWithParam<Case> {};

TEST_P(OneContact, IsSolvedExactly) {
  const auto [dimension, mu_most] = GetParam();
  std::mt19937_64 random(31);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  int open = 0, stick = 0, slip = 0;
  for (int k = 0; k < 20000; ++k) {
    const MatX A = MatX::NullaryExpr(dimension, dimension, [&] { return normal(random); });
    ContactProblem problem;
    problem.G = A * A.transpose();
    problem.G += 0.01 * problem.G.trace() * MatX::Identity(dimension, dimension);
    problem.c = VecX::NullaryExpr(dimension, [&] { return normal(random); });
    const double mu = mu_most * uniform(random);
    dimension == 2 ? problem.contact(mu) : problem.spatial_contact(mu);
    GroupedProblem grouped;
    ASSERT_TRUE(grouped.assign(problem.view()));
    VecX z = VecX::Zero(dimension), Lambda(dimension);
    const GroupedContact& contact = grouped.contacts[0];
    ASSERT_TRUE(solve_one_contact(grouped.sets_of(contact), contact.size, grouped.H.values(*grouped.H.find(0, 0)),
                                  grouped.h.data(), z.data()))
        << "problem " << k;
    grouped.scatter(z, Lambda);
    const NaturalResidual residual = natural_residual(problem.view(), Lambda);
    ASSERT_LE(residual.relative(), 1e-12) << "problem " << k;
    const VecX xi = problem.G * Lambda + problem.c;
    if (Lambda[0] == 0) {
      ++open;
    } else {
      (xi.tail(dimension - 1).norm() < 1e-9 ? stick : slip) += 1;
    }
  }
  EXPECT_GT(open, 5000);
  EXPECT_GT(stick, 100);
  EXPECT_GT(slip, 100);
}
INSTANTIATE_TEST_SUITE_P(Cases, OneContact, testing::Values(Case{2, 0.5}, Case{2, 2}, Case{3, 0.5}, Case{3, 2}));

TEST(OneContact, SlidesStraightOnWhereTheBlockIsIsotropic) {
  ContactProblem problem;
  problem.G = MatX::Identity(3, 3);
  problem.c = (VecX(3) << -1, 3, 4).finished();
  problem.spatial_contact(0.5);
  GroupedProblem grouped;
  ASSERT_TRUE(grouped.assign(problem.view()));
  VecX z = VecX::Zero(3), Lambda(3);
  ASSERT_TRUE(solve_one_contact(grouped.sets_of(grouped.contacts[0]), 3, grouped.H.values(*grouped.H.find(0, 0)),
                                grouped.h.data(), z.data()));
  grouped.scatter(z, Lambda);
  EXPECT_LE(max_abs(Lambda - (VecX(3) << 1, -0.3, -0.4).finished()), 1e-14);
}

TEST(OneContact, SaysWhereThereIsNoSolution) {
  // Pressed together and moved by none of its own impulses.
  GroupedSet normal{.set = ImpulseSet::kNonNegative};
  GroupedSet free;
  for (const double K : {0.0, -0.5}) {
    const double b = -1;
    double z = 0;
    EXPECT_FALSE(solve_one_contact({&normal, 1}, 1, &K, &b, &z));
    EXPECT_EQ(z, 1) << "one prox step";
    z = 0;
    EXPECT_FALSE(solve_one_contact({&free, 1}, 1, &K, &b, &z));
    EXPECT_EQ(z, 1) << "one prox step";
  }
}

}  // namespace
}  // namespace freeplay::test
