#include "solvers_random/natural_map.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace freeplay::test {
namespace {

// Normal impulses of both signs, friction inside and outside of its bounds: every piece of the map occurs.
VecX random_impulses(std::mt19937_64& random, int rows) {
  std::normal_distribution<double> normal;
  return VecX::NullaryExpr(rows, [&] { return normal(random); });
}

class NaturalMapOf : public testing::TestWithParam<int> {};  // dimension

TEST_P(NaturalMapOf, HasTheNaturalResidualAsItsLargestBlock) {
  std::mt19937_64 random(5);
  for (int k = 0; k < 200; ++k) {
    const RigidContacts item = rigid_contacts(random, GetParam(), 1 + k % 5, 2, 1.5);
    const VecX Lambda = random_impulses(random, item.problem.size());
    const VecX e = natural_map(item.problem, Lambda).e;
    double largest = 0;
    for (const ImpulseBlock& block : item.problem.blocks) {
      largest = std::max(largest, e.segment(block.row, block.size).norm());
    }
    const NaturalResidual residual = natural_residual(item.problem.view(), Lambda);
    EXPECT_NEAR(largest, residual.absolute, 1e-13 * (residual.absolute + residual.scale));
  }
}

TEST_P(NaturalMapOf, HasTheDerivativeOfDifferences) {
  constexpr double kStep = 1e-6;
  std::mt19937_64 random(6);
  for (int k = 0; k < 200; ++k) {
    const RigidContacts item = rigid_contacts(random, GetParam(), 1 + k % 5, 2, 1.5);
    const VecX Lambda = random_impulses(random, item.problem.size());
    const VecX direction = random_impulses(random, item.problem.size());
    const VecX forward = natural_map(item.problem, Lambda + kStep * direction).e;
    const VecX backward = natural_map(item.problem, Lambda - kStep * direction).e;
    const VecX expected = (forward - backward) / (2 * kStep), actual = natural_map(item.problem, Lambda).J * direction;
    EXPECT_LE(max_abs(actual - expected), 1e-7 * (1 + max_abs(expected))) << "problem " << k;
  }
}
INSTANTIATE_TEST_SUITE_P(Dimensions, NaturalMapOf, testing::Values(2, 3));

constexpr double kAgreedVelocity = 1e-7;

RigidContacts planar_contacts(const MatX& W, const VecX& u, const std::vector<double>& mu) {
  RigidContacts item{{}, W, u};
  item.problem.G = W.transpose() * W;
  item.problem.c = W.transpose() * u;
  for (const double of_contact : mu) item.problem.contact(of_contact);
  return item;
}

double residual_of(const RigidContacts& item, const VecX& Lambda) {
  return natural_residual(item.problem.view(), Lambda).absolute;
}

// Both are certified to 1e-10, and yet their velocities differ by more than kAgreedVelocity.
void expect_certified_but_different(const RigidContacts& item, const VecX& a, const VecX& b) {
  EXPECT_LE(residual_of(item, a), 1e-10);
  EXPECT_LE(residual_of(item, b), 1e-10);
  EXPECT_GE(max_abs(item.W * (a - b)), kAgreedVelocity);
}

TEST(AreOneSolution, CertifiedAnswersToAnIllConditionedProblem) {
  // A tangent that hardly moves anything, G_TT = 1e-9: a residual of 1e-11 leaves Lambda_T open by 0.01.
  const double w = std::sqrt(1e-9);
  const RigidContacts item =
      planar_contacts((MatX(2, 2) << 1, 0, 0, w).finished(), (VecX(2) << -1, -0.5 * w).finished(), {1});
  const VecX exact = (VecX(2) << 1, 0.5).finished(), inexact = (VecX(2) << 1, 0.51).finished();
  expect_certified_but_different(item, exact, inexact);
  EXPECT_TRUE(are_one_solution(item, exact, inexact, kAgreedVelocity));
}

TEST(AreOneSolution, CertifiedAnswersThatShareTheLoadInDifferentWays) {
  // Two smooth contacts at one place, G_NN = 1e-9: Lambda_N1 + Lambda_N2 = 1 is all that is determined. Halfway both
  // contacts are closed, whereas the first one is open in the inexact answer.
  const double w = std::sqrt(1e-9);
  const RigidContacts item = planar_contacts((MatX(1, 4) << w, 0, w, 0).finished(), VecX::Constant(1, -w), {0, 0});
  const VecX exact = (VecX(4) << 1, 0, 0, 0).finished(), inexact = (VecX(4) << 0, 0, 1.01, 0).finished();
  expect_certified_but_different(item, exact, inexact);
  EXPECT_FALSE(residuals_explain(item, exact, inexact, 0.1 * max_abs(item.W * (exact - inexact))));
  EXPECT_TRUE(are_one_solution(item, exact, inexact, kAgreedVelocity));
}

TEST(AreOneSolution, NotTheTwoOfPainlevesRod) {
  // tan(phi) = 2, mu = 2, c = (0.01, -1): G = W^T W = (1.6, -1.2; -1.2, 3.4), det G = 4. It stays open, or sticks with
  // Lambda = -G^-1 c = (1.166, 1.588) / 4.
  const double root = std::sqrt(1.6);
  const MatX W = (MatX(2, 2) << root, -1.2 / root, 0, 2 / root).finished();
  const VecX u = solve_dense(W.transpose(), (VecX(2) << 0.01, -1).finished());
  const RigidContacts item = planar_contacts(W, u, {2});
  const VecX open = VecX::Zero(2), stick = (VecX(2) << 1.166 / 4, 1.588 / 4).finished();
  expect_certified_but_different(item, open, stick);
  EXPECT_FALSE(are_one_solution(item, open, stick, kAgreedVelocity));
}

}  // namespace
}  // namespace freeplay::test
