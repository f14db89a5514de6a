#include "freeplay/complementarity/problem/natural_residual.h"

#include <gtest/gtest.h>

#include <random>

#include "support/linear_algebra.h"
#include "unit/complementarity/contact_problem.h"

namespace freeplay::test {
namespace {

double residual_of(const ContactProblem& problem, const VecX& Lambda) {
  return natural_residual(problem.view(), Lambda).absolute;
}

// The point of a disc that is nearest to z, as the best of all that it could be: z itself, its images on the circle and
// on the chord, and the corners.
VecX nearest_of_all(const ImpulseBlock& block, double radius, const Vec2& z) {
  const Vec2 d(block.direction[0], block.direction[1]), across(-d[1], d[0]);
  std::vector<Vec2> candidates = {z, radius * z.normalized()};
  if (block.cut > -radius) {
    const double half = std::sqrt(radius * radius - block.cut * block.cut);
    candidates.push_back(block.cut * d + z.dot(across) * across);
    for (const double side : {-half, half}) candidates.push_back(block.cut * d + side * across);
  }
  Vec2 nearest = Vec2::Constant(kInfinity);
  for (const Vec2& x : candidates) {
    const bool is_inside = x.norm() <= radius * (1 + 1e-12) && x.dot(d) >= block.cut - 1e-12 * radius;
    if (is_inside && (x - z).norm() < (nearest - z).norm()) nearest = x;
  }
  return nearest;
}

// The definition, word for word and in another arrangement than the library's: prox first, then the difference.
double by_definition(const ContactProblem& problem, const VecX& Lambda) {
  const VecX xi = problem.G * Lambda + problem.c;
  double largest = 0;
  for (const ImpulseBlock& block : problem.blocks) {
    std::vector<int> rows;
    const int head = block.normal_row >= 0 ? block.normal_row : block.row;
    for (const ImpulseBlock& other : problem.blocks) {
      if (other.row != head && (other.normal_row != head || block.set == ImpulseSet::kFree)) continue;
      for (int k = 0; k < other.size; ++k) rows.push_back(other.row + k);
    }
    MatX diagonal(rows.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < rows.size(); ++j) diagonal(i, j) = problem.G(rows[i], rows[j]);
    }
    const double rho = 1 / spectral_norm(diagonal);
    const VecX z = Lambda.segment(block.row, block.size) - rho * xi.segment(block.row, block.size);
    const double Lambda_N = block.normal_row >= 0 ? std::max(0.0, Lambda[block.normal_row]) : 0;
    VecX prox = z;
    if (block.set == ImpulseSet::kNonNegative) prox = z.cwiseMax(0);
    if (block.set == ImpulseSet::kInterval) {
      prox[0] = std::min(std::max(z[0], block.lo0 + block.lo1 * Lambda_N), block.hi0 + block.hi1 * Lambda_N);
    }
    if (block.set == ImpulseSet::kDisc) prox = nearest_of_all(block, block.r0 + block.mu * Lambda_N, z);
    largest = std::max(largest, (Lambda.segment(block.row, block.size) - prox).norm() / rho);
  }
  return largest;
}

TEST(NaturalResidual, OfOneFrictionalContactByHand) {
  ContactProblem problem;
  problem.G = (MatX(2, 2) << 3, 0, 0, 4).finished();  // |G|_2 = 4
  problem.c = (VecX(2) << -6, 2).finished();
  problem.contact(0.5);
  // Lambda = (2, -0.5): xi = (0, 0), inside the cone.
  EXPECT_EQ(residual_of(problem, (VecX(2) << 2, -0.5).finished()), 0);
  // Lambda = (1, -0.5): xi = (-3, 0); normal: prox(1 + 3/4) = 1.75, e = -0.75 * 4 = -3. Tangent: at its bound, e = 0.
  const NaturalResidual normal_off = natural_residual(problem.view(), (VecX(2) << 1, -0.5).finished());
  EXPECT_EQ(normal_off.absolute, 3);
  EXPECT_EQ(normal_off.worst_row, 0);
  EXPECT_EQ(normal_off.scale, 6);
  EXPECT_EQ(normal_off.relative(), 0.5);
  // Lambda = (2, 2): xi = (0, 10); prox(2 - 2.5) = -0.5, e = 2.5 * 4 = 10.
  EXPECT_EQ(residual_of(problem, (VecX(2) << 2, 2).finished()), 10);
  // Lambda = (2, -1.5), outside [-1, 1]: xi = (0, -4); prox(-1.5 + 1) = -0.5, e = -4.
  EXPECT_EQ(residual_of(problem, (VecX(2) << 2, -1.5).finished()), 4);
}

TEST(NaturalResidual, BoundIsTakenAtZeroForANegativeNormalImpulse) {
  ContactProblem problem;
  problem.G = MatX::Identity(2, 2);
  problem.c = (VecX(2) << 5, 7).finished();
  problem.contact(1);
  // xi = (4, 7). e_N = min(-1, 4) = -1. Tangent set {0}: e_T = 0.
  const NaturalResidual residual = natural_residual(problem.view(), (VecX(2) << -1, 0).finished());
  EXPECT_EQ(residual.absolute, 1);
  EXPECT_EQ(residual.worst_row, 0);
}

TEST(NaturalResidual, AgreesWithItsDefinitionOnRandomProblems) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 2000; ++trial) {
    // A free row, a contact, a friction interval, a spatial contact, and a contact with two interval tangents whose
    // rows do not follow each other.
    ContactProblem problem;
    const int n = 11;
    problem.G = MatX::NullaryExpr(n, n, [&] { return normal(random); });  // unsymmetric
    problem.c = VecX::NullaryExpr(n, [&] { return normal(random); });
    problem.free_rows().contact(0.3).interval(-0.2, 0.4).unilateral();
    problem.blocks.push_back({.set = ImpulseSet::kDisc, .row = 5, .size = 2, .normal_row = 4, .r0 = 0.1, .mu = 0.7});
    problem.unilateral().unilateral().friction(7, 0.2);
    problem.blocks.push_back(
        {.set = ImpulseSet::kInterval, .row = 10, .normal_row = 7, .lo0 = -0.3, .lo1 = 0.1, .hi0 = 0.1, .hi1 = 0.6});
    const VecX Lambda = VecX::NullaryExpr(n, [&] { return normal(random); });
    const double expected = by_definition(problem, Lambda);
    EXPECT_NEAR(residual_of(problem, Lambda), expected, 1e-13 * (1 + expected));
  }
}

TEST(NaturalResidual, AgreesWithItsDefinitionWhereADiscIsCut) {
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> share(-1.1, 1);
  for (int trial = 0; trial < 5000; ++trial) {
    ContactProblem problem;
    problem.G = MatX::NullaryExpr(3, 3, [&] { return normal(random); });
    problem.c = VecX::NullaryExpr(3, [&] { return normal(random); });
    problem.spatial_contact(0.7);
    const double angle = normal(random);
    problem.blocks[1].r0 = 0.5;
    problem.blocks[1].cut = 0.5 * share(random);
    problem.blocks[1].direction = {std::cos(angle), std::sin(angle)};
    const VecX Lambda = VecX::NullaryExpr(3, [&] { return normal(random); });
    const double expected = by_definition(problem, Lambda);
    EXPECT_NEAR(residual_of(problem, Lambda), expected, 1e-12 * (1 + expected)) << trial;
  }
}

TEST(NaturalResidual, ADiscThatIsCutOffIsNeverSolved) {
  ContactProblem problem;
  problem.G = MatX::Identity(3, 3);
  problem.c = VecX::Zero(3);
  problem.spatial_contact(0.5);
  problem.blocks[1].r0 = 1;
  problem.blocks[1].cut = 1.5;
  for (const double x : {0.0, 1.0, 1.25, 1.5}) EXPECT_GE(residual_of(problem, (VecX(3) << 0, x, 0).finished()), 0.5);
  problem.blocks[1].cut = std::nan("");
  EXPECT_EQ(residual_of(problem, VecX::Zero(3)), kInfinity);
}

TEST(NaturalResidual, ManyRowsAreNoDifferentFromFew) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  ContactProblem problem;
  const int contacts = 150;  // more rows than the function holds at a time
  problem.G = MatX::NullaryExpr(2 * contacts, 2 * contacts, [&] { return normal(random); });
  problem.c = VecX::NullaryExpr(2 * contacts, [&] { return normal(random); });
  for (int k = 0; k < contacts; ++k) problem.unilateral();
  for (int k = 0; k < contacts; ++k) problem.friction(k, 0.5);
  const VecX Lambda = VecX::NullaryExpr(2 * contacts, [&] { return normal(random); });
  const double expected = by_definition(problem, Lambda);
  EXPECT_NEAR(residual_of(problem, Lambda), expected, 1e-12 * expected);
}

// Built backwards from a solution: choose Lambda and xi that satisfy the laws, then c = xi - G Lambda.
TEST(NaturalResidual, IsZeroAtSolutionsAndGrowsAwayFromThem) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> mode(0, 3);
  for (int trial = 0; trial < 2000; ++trial) {
    ContactProblem problem;
    const int contacts = 3;
    const MatX W = MatX::NullaryExpr(8, 2 * contacts, [&] { return normal(random); });
    problem.G = W.transpose() * W;
    VecX Lambda(2 * contacts), xi(2 * contacts);
    const double mu = 0.4;
    for (int k = 0; k < contacts; ++k) {
      problem.contact(mu);
      const double size = 0.1 + std::abs(normal(random)), speed = 0.1 + std::abs(normal(random));
      switch (mode(random)) {
        case 0:
          Lambda.segment(2 * k, 2) << 0, 0;
          xi.segment(2 * k, 2) << speed, normal(random);
          break;
        case 1:
          Lambda.segment(2 * k, 2) << size, -mu * size;
          xi.segment(2 * k, 2) << 0, speed;
          break;
        case 2:
          Lambda.segment(2 * k, 2) << size, mu * size;
          xi.segment(2 * k, 2) << 0, -speed;
          break;
        default:
          Lambda.segment(2 * k, 2) << size, 0.5 * mu * size;
          xi.segment(2 * k, 2) << 0, 0;
      }
    }
    problem.c = xi - problem.G * Lambda;
    const NaturalResidual at_solution = natural_residual(problem.view(), Lambda);
    EXPECT_LE(at_solution.relative(), 1e-15);
    // mu is small enough for uniqueness (G is well conditioned): elsewhere the residual is positive.
    VecX off = Lambda;
    off[0] += 1e-3;
    EXPECT_GT(residual_of(problem, off), 1e-6);
  }
}

TEST(NaturalResidual, AContactThatItsOwnImpulseDoesNotMoveStillHasAFiniteRho) {
  ContactProblem problem;
  problem.G = (MatX(2, 2) << 0, 5, -5, 2).finished();
  problem.c = VecX::Zero(2);
  problem.unilateral().unilateral();
  ContactGroups groups;
  groups.assign(problem.blocks);
  EXPECT_EQ(contact_norm(problem.view(), groups, 0), 5);
  EXPECT_EQ(contact_norm(problem.view(), groups, 1), 2);
  problem.G.setZero();
  problem.c << 1, 1;
  EXPECT_EQ(contact_norm(problem.view(), groups, 0), 1);
  // Lambda > 0 and xi > 0 at the same time is no solution, whatever G: e = min(1 * 3, 1).
  EXPECT_EQ(residual_of(problem, (VecX(2) << 3, 0).finished()), 1);
  EXPECT_EQ(residual_of(problem, VecX::Zero(2)), 0);
}

TEST(NaturalResidual, WhatIsNotANumberIsNotSolved) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ContactProblem problem;
  problem.G = MatX::Identity(2, 2);
  problem.c = VecX::Ones(2);
  problem.contact(0.3);
  for (int k = 0; k < 2; ++k) {
    VecX Lambda = VecX::Zero(2);
    Lambda[k] = nan;
    EXPECT_EQ(residual_of(problem, Lambda), kInfinity);
    ContactProblem broken = problem;
    broken.c[k] = nan;
    EXPECT_EQ(residual_of(broken, VecX::Zero(2)), kInfinity);
    broken = problem;
    broken.G(1, k) = nan;
    EXPECT_EQ(residual_of(broken, VecX::Zero(2)), kInfinity);
    broken = problem;
    broken.G(k, k) = kInfinity;
    EXPECT_EQ(residual_of(broken, VecX::Zero(2)), kInfinity);
  }
}

TEST(NaturalResidual, InfiniteBoundsAreNoBounds) {
  ContactProblem problem;
  problem.G = MatX::Identity(1, 1);
  problem.c = VecX::Constant(1, -3);
  problem.interval(-kInfinity, kInfinity);
  EXPECT_EQ(residual_of(problem, VecX::Constant(1, 1)), 2);  // a bilateral row: |xi|
  EXPECT_EQ(residual_of(problem, VecX::Constant(1, 3)), 0);
}

TEST(NaturalResidual, AnEmptyIntervalIsNeverSolved) {
  ContactProblem problem;
  problem.G = MatX::Identity(1, 1);
  problem.c = VecX::Zero(1);
  problem.interval(1, -1);
  for (const double Lambda : {-1.0, 0.0, 1.0}) EXPECT_GE(residual_of(problem, VecX::Constant(1, Lambda)), 2);
}

TEST(ZeroSolves, ExactlyWhereTheResidualOfZeroIsZero) {
  std::mt19937 random(5);
  std::uniform_int_distribution<int> pick(-1, 1);
  int yes = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    ContactProblem problem;
    problem.G = MatX::Identity(5, 5);
    problem.c = VecX::NullaryExpr(5, [&] { return std::max(-1, pick(random) + pick(random)); });
    problem.contact(0.3).interval(-0.1 * (pick(random) + 1), 0.1 * (pick(random) + 1)).unilateral();
    if (pick(random) > 0) {
      problem.free_rows();
    } else {
      problem.interval(-kInfinity, 0);
    }
    const bool expected = residual_of(problem, VecX::Zero(5)) == 0;
    EXPECT_EQ(zero_solves(problem.view()), expected);
    yes += expected;
  }
  EXPECT_GT(yes, 100);
  EXPECT_LT(yes, 2000);
}

TEST(NaturalResidual, BoundsThatAreNoNumbersAreNeverMet) {
  const double nan = std::nan("");
  ContactProblem disc;
  disc.spatial_contact(nan);
  disc.G = MatX::Identity(3, 3);
  disc.c = (VecX(3) << -1, 3, 4).finished();
  EXPECT_EQ(natural_residual(disc.view(), (VecX(3) << 1, 7, 7).finished()).absolute, kInfinity);
  disc.blocks[1].mu = kInfinity;  // times a normal impulse of zero
  EXPECT_EQ(natural_residual(disc.view(), (VecX(3) << 0, 7, 7).finished()).absolute, kInfinity);
  ContactProblem interval;
  interval.interval(nan, 1);
  interval.G = MatX::Identity(1, 1);
  interval.c = VecX::Constant(1, -3);
  EXPECT_EQ(natural_residual(interval.view(), VecX::Ones(1)).absolute, kInfinity);
}

}  // namespace
}  // namespace freeplay::test
