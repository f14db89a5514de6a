#include "freeplay/complementarity/iterative/bilateral_reduction.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "freeplay/complementarity/problem/natural_residual.h"
#include "unit/complementarity/contact_problem.h"

namespace freeplay::test {
namespace {

// A ring of point masses in the plane, each held at a distance of the next one by a bilateral row, some of which strike
// a rough floor: G = W^T M^-1 W.
struct Ring {
  Ring(int masses, int contacts, unsigned seed, int redundant = 0, double mu = 0.5) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    const int rows = masses + redundant + 2 * contacts;
    MatX W = MatX::Zero(2 * masses, rows);
    // A contact stands before the joints, so that rows of both kinds change places.
    int row = 0;
    const auto add_contact = [&](int mass) {
      W(2 * mass + 1, row++) = 1;
      W(2 * mass, row++) = 1;
      problem.contact(mu);
    };
    if (contacts > 0) add_contact(0);
    for (int k = 0; k < masses + redundant; ++k) {
      const int i = k % masses, j = (i + 1) % masses;
      const double angle = 2 * 3.14159265358979 * i / masses;
      const Vec2 along(std::cos(angle), std::sin(angle));
      W.col(row).segment<2>(2 * i) = along;
      W.col(row++).segment<2>(2 * j) = -along;
      problem.free_rows();
    }
    for (int k = 1; k < contacts; ++k) add_contact(k * masses / contacts);
    VecX inverse_mass(2 * masses), u(2 * masses);
    for (int i = 0; i < 2 * masses; ++i) u[i] = unit(generator);
    for (int i = 0; i < masses; ++i) inverse_mass.segment<2>(2 * i).setConstant(1.5 + unit(generator));
    problem.G = W.transpose() * inverse_mass.asDiagonal() * W;
    problem.c = W.transpose() * u;
  }
  ContactProblem problem;
};

TEST(BilateralReduction, IsTheSchurComplementOfTheBilateralRows) {
  const ContactProblem problem = Ring(40, 6, 1).problem;
  ASSERT_TRUE(BilateralReduction::takes(problem.view()));
  BilateralReduction reduction;
  ASSERT_TRUE(reduction.reduce(problem.view()));
  std::vector<int> free_rows, others;
  for (const ImpulseBlock& block : problem.blocks)
    (block.set == ImpulseSet::kFree ? free_rows : others).push_back(block.row);
  const MatX of_others = problem.G(free_rows, others);
  const MatX X = MatX(problem.G(free_rows, free_rows)).fullPivLu().solve(of_others);
  const MatX expected = problem.G(others, others) - problem.G(others, free_rows) * X;
  const LocalProblem reduced = reduction.reduced();
  ASSERT_EQ(reduced.size(), 12);
  MatX G(12, 12);
  for (int j = 0; j < 12; ++j) G.col(j) = Eigen::Map<const VecX>(reduced.G.column(j), 12);
  EXPECT_LT((G - expected).cwiseAbs().maxCoeff(), 1e-12);
  for (std::size_t k = 0; k < 12; k += 2) EXPECT_EQ(reduced.blocks[k + 1].normal_row, reduced.blocks[k].row);
}

// Against a solver that takes all rows as they are. With little friction there is one answer; with mu = 0.5 Coulomb's
// law has several here (seed 10), of which each is certified by the residual of all rows.
TEST(BilateralReduction, AutoFindsTheImpulsesOfLemke) {
  for (const double mu : {0.02, 0.5}) {
    for (unsigned seed = 0; seed < 50; ++seed) {
      const int masses = 40 + static_cast<int>(seed), contacts = 1 + static_cast<int>(seed % 15);
      const ContactProblem problem = Ring(masses, contacts, seed, 0, mu).problem;
      const Solved by_contacts = solve_with("auto", problem), by_all = solve_with("lemke", problem);
      ASSERT_EQ(by_contacts.report.status, SolveStatus::kSolved) << seed;
      ASSERT_EQ(by_all.report.status, SolveStatus::kSolved) << seed;
      EXPECT_LT(natural_residual(problem.view(), by_contacts.Lambda).absolute, 1e-9) << seed;
      if (mu > 0.1) continue;
      const VecX difference = problem.G * (by_contacts.Lambda - by_all.Lambda);
      EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-8) << seed;
    }
  }
}

// A step later the same contacts stick and slide: one linear system says so.
TEST(BilateralReduction, ManyCoupledContactsKeepTheModesOfTheStepBefore) {
  ContactProblem problem = Ring(120, 40, 2, 0, 0.02).problem;
  const Solved before = solve_with("auto", problem);
  ASSERT_EQ(before.report.status, SolveStatus::kSolved);
  problem.c *= 1.01;
  VecX Lambda(problem.size());
  const SolveReport report = find_solver("auto")->make()->solve(problem.view(), {.tolerance = 1e-9},
                                                                ImpulseGuess::modes_of(before.Lambda), Lambda);
  ASSERT_EQ(report.status, SolveStatus::kSolved);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_LT((Lambda - 1.01 * before.Lambda).norm(), 1e-6 * Lambda.norm());
}

TEST(BilateralReduction, WithoutContactsTheRowsAreALinearSystem) {
  const ContactProblem problem = Ring(100, 0, 3).problem;
  const Solved solved = solve_with("auto", problem);
  ASSERT_EQ(solved.report.status, SolveStatus::kSolved);
  EXPECT_LT((problem.G * solved.Lambda + problem.c).cwiseAbs().maxCoeff(), 1e-11);
}

// Three rows stand there twice: the impulses of least norm are the same in both.
TEST(BilateralReduction, RedundantRowsShareTheirImpulses) {
  const ContactProblem problem = Ring(40, 5, 7, 3).problem;
  BilateralReduction reduction;
  EXPECT_TRUE(reduction.reduce(problem.view()));
  const Solved solved = solve_with("auto", problem);
  ASSERT_EQ(solved.report.status, SolveStatus::kSolved);
  std::vector<int> free_rows;
  for (const ImpulseBlock& block : problem.blocks) {
    if (block.set == ImpulseSet::kFree) free_rows.push_back(block.row);
  }
  ASSERT_EQ(free_rows.size(), 43u);
  for (std::size_t k = 0; k < 3; ++k) {
    const double one = solved.Lambda[free_rows[k]], other = solved.Lambda[free_rows[40 + k]];
    EXPECT_NEAR(one, other, 1e-9 * (1 + std::abs(one)));
  }
}

TEST(BilateralReduction, ForgetsTheProblemBefore) {
  const ContactProblem first = Ring(60, 9, 11).problem, other = Ring(45, 4, 12).problem;
  BilateralReduction fresh, used;
  ASSERT_TRUE(used.reduce(other.view()));
  ASSERT_TRUE(used.reduce(first.view()));
  ASSERT_TRUE(fresh.reduce(first.view()));
  const LocalProblem a = fresh.reduced(), b = used.reduced();
  ASSERT_EQ(a.size(), b.size());
  EXPECT_TRUE(a.c == b.c);
  for (int j = 0; j < a.size(); ++j)
    for (int i = 0; i < a.size(); ++i) EXPECT_EQ(a.G.column(j)[i], b.G.column(j)[i]);
}

TEST(BilateralReduction, IsNotForProblemsThatAreMostlyContacts) {
  EXPECT_FALSE(BilateralReduction::takes(Ring(20, 11, 1).problem.view()));
  EXPECT_FALSE(BilateralReduction::takes(Ring(900, 201, 1).problem.view()));
}

}  // namespace
}  // namespace freeplay::test
