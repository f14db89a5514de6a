#include "freeplay/complementarity/iterative/self_stress.h"

#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/complementarity/problem/natural_residual.h"
#include "unit/complementarity/contact_problem.h"

namespace freeplay::test {
namespace {

// A body of mass 1 between two walls without friction: w = 1 and w = -1.
ContactProblem between_walls(double c_left, double c_right) {
  ContactProblem problem;
  problem.G = MatX{{1, -1}, {-1, 1}};
  problem.c = VecX{{c_left, c_right}};
  problem.unilateral().unilateral();
  return problem;
}

TEST(SelfStressOfWalls, SpeaksAgainstVelocitiesThatWouldPushTheWallsApart) {
  SelfStress search;
  VecX d = VecX::Zero(2);
  // xi_1 + xi_2 = c_1 + c_2 whatever the impulses are: -0.3 cannot be two numbers above zero.
  ASSERT_TRUE(search.find(between_walls(-1.3, 1).view(), 1e-9, d));
  EXPECT_NEAR(d[0], std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(d[1], std::sqrt(0.5), 1e-6);
  EXPECT_NE(solve_with("auto", between_walls(-1.3, 1)).report.status, SolveStatus::kSolved);
}

TEST(SelfStressOfWalls, IsNotReportedWhereThereIsASolution) {
  SelfStress search;
  VecX d = VecX::Zero(2);
  for (const double c : {1.3, 1.5, 1.3 + 1e-12}) {
    EXPECT_FALSE(search.find(between_walls(-1.3, c).view(), 1e-9, d)) << c;
    EXPECT_EQ(solve_with("auto", between_walls(-1.3, c)).report.status, SolveStatus::kSolved) << c;
  }
}

// A wedge of half-angle phi between two walls, which are asked to move apart sideways by s each while it stays: with
// friction beyond tan(phi) it jams. Rows (n, t) of both walls, unit mass, no rotation.
ContactProblem wedge(double phi, double mu, double s) {
  const double sine = std::sin(phi), cosine = std::cos(phi);
  const MatX W{{cosine, sine, -cosine, sine}, {sine, -cosine, sine, cosine}};
  ContactProblem problem;
  problem.G = W.transpose() * W;
  problem.c = VecX{{-s, 0, -s, 0}};
  problem.contact(mu).contact(mu);
  return problem;
}

TEST(SelfStressOfAWedge, ExistsOnlyWhereFrictionHoldsIt) {
  SelfStress search;
  VecX d = VecX::Zero(4);
  const double phi = 0.3;
  ASSERT_TRUE(search.find(wedge(phi, 1.1 * std::tan(phi), 0.1).view(), 1e-9, d));
  EXPECT_NEAR(d[0], d[2], 1e-6);
  EXPECT_NEAR(std::abs(d[1]) / d[0], std::tan(phi), 1e-5);  // the line between the contacts is horizontal
  EXPECT_FALSE(search.find(wedge(phi, 0.9 * std::tan(phi), 0.1).view(), 1e-9, d));
  EXPECT_EQ(solve_with("auto", wedge(phi, 0.9 * std::tan(phi), 0.1)).report.status, SolveStatus::kSolved);
}

// ---- The relative part of the tolerance: residuals that rounding makes of large impulses.

TEST(SolvedRelatively, IsWhatRoundingOfLargeImpulsesLeaves) {
  ContactProblem problem = between_walls(0, 0);
  problem.c.setConstant(1e-4);
  const VecX Lambda{{1e6, 1e6 - 1e-4}};  // xi = (2e-4, 0): off by 2e-4, where velocities are sums of 2e6
  EXPECT_NEAR(velocity_magnitude(problem.view(), Lambda), 2e6, 1e-3);
  const double residual = natural_residual(problem.view(), Lambda).absolute;
  EXPECT_NEAR(residual, 2e-4, 1e-9);
  const SolveReport strict = certify(problem.view(), {.relative_tolerance = 1e-12}, Lambda, "test", 0);
  EXPECT_EQ(strict.status, SolveStatus::kNotSolved);
  EXPECT_NEAR(strict.limit, 2e-6, 1e-11);
  const SolveReport lenient = certify(problem.view(), {.relative_tolerance = 1e-9}, Lambda, "test", 0);
  EXPECT_EQ(lenient.status, SolveStatus::kSolved);
  EXPECT_EQ(lenient.residual, residual) << "reported as it is";
}

TEST(SolvedRelatively, NeverHoldsForWhatIsNotFinite) {
  ContactProblem problem = between_walls(-1, 1);
  const VecX Lambda{{std::numeric_limits<double>::quiet_NaN(), 0}};
  EXPECT_EQ(certify(problem.view(), {}, Lambda, "test", 0).status, SolveStatus::kNotSolved);
  problem.c[0] = kInfinity;
  EXPECT_EQ(certify(problem.view(), {}, VecX::Zero(2), "test", 0).status, SolveStatus::kNotSolved);
}

}  // namespace
}  // namespace freeplay::test
