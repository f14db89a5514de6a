// Problems with a closed-form answer, degenerate ones, and ones that have no answer; for the direct
// solvers of the plane and auto, which finds what they find.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "freeplay/complementarity/pivoting/enumerative.h"
#include "freeplay/complementarity/problem/natural_residual.h"
#include "solvers/slider_crank.h"

namespace freeplay::test::special_cases_test {
namespace {

class PlanarSolvers : public testing::TestWithParam<const char*> {
 protected:
  // Solves, and holds the report to what natural_residual says here.
  static Solved solve(const ContactProblem& problem, double tolerance = 1e-9) {
    Solved solved = solve_with(GetParam(), problem, tolerance);
    const NaturalResidual residual = natural_residual(problem.view(), solved.Lambda);
    EXPECT_EQ(solved.report.residual, residual.absolute);
    EXPECT_EQ(solved.report.relative_residual, residual.relative());
    EXPECT_EQ(solved.report.worst_row, residual.worst_row);
    EXPECT_EQ(solved.report.status == SolveStatus::kSolved, residual.absolute <= tolerance);
    return solved;
  }
  static void expect_solution(const ContactProblem& problem, const VecX& Lambda, double tolerance) {
    const Solved solved = solve(problem);
    EXPECT_EQ(solved.report.status, SolveStatus::kSolved);
    EXPECT_LE(max_abs(solved.Lambda - Lambda), tolerance) << solved.Lambda.transpose();
  }
};
INSTANTIATE_TEST_SUITE_P(Solvers, PlanarSolvers, testing::Values("auto", "enumerative", "lemke"),
                         [](const auto& test) { return std::string(test.param); });

VecX vec(std::initializer_list<double> values) {
  VecX result(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

// Painleve's rod at tan(phi) = 2: G = (1.6, -1.2; -1.2, 3.4), det G = 4, mu = 2.
ContactProblem painleve_rod(double c_N, double c_T) {
  ContactProblem problem;
  problem.G = (MatX(2, 2) << 1.6, -1.2, -1.2, 3.4).finished();
  problem.c = vec({c_N, c_T});
  problem.contact(2);
  return problem;
}

TEST_P(PlanarSolvers, ImpactWithoutCollisionWhereNoForceHelps) {
  // c = (-eps, -1): sliding leads to A < 0; the only solution sticks, G^-1 (eps, 1) = (1.2 + 3.4 eps, 1.6 + 1.2 eps)/4.
  const double eps = 1e-6;
  const ContactProblem problem = painleve_rod(-eps, -1);
  EXPECT_EQ(all_solutions(problem.view()).size(), 1u);
  expect_solution(problem, vec({0.3 + 0.85 * eps, 0.4 + 0.3 * eps}), 1e-15);
}

TEST_P(PlanarSolvers, OneOfTheThreeSolutionsOfTheIndeterminateRod) {
  // c = (0.01, -1): open; slip P_N = 0.01/0.8, P_T = 2 P_N; stick G^-1 (-0.01, 1) = (1.166, 1.588)/4.
  const ContactProblem problem = painleve_rod(0.01, -1);
  const std::vector<VecX> all = all_solutions(problem.view());
  ASSERT_EQ(all.size(), 3u);
  EXPECT_LE(max_abs(all[0]), 0);
  EXPECT_LE(max_abs(all[1] - vec({0.0125, 0.025})), 1e-15);
  EXPECT_LE(max_abs(all[2] - vec({0.2915, 0.397})), 1e-15);
  for (const VecX& Lambda : all) EXPECT_LE(natural_residual(problem.view(), Lambda).absolute, 1e-15);
  expect_solution(problem, vec({0, 0}), 0);  // an open contact stays open
}

TEST_P(PlanarSolvers, NoGuessMakesAFalseClaim) {
  std::mt19937 random(23);
  std::normal_distribution<double> normal;
  const int corners[2] = {1, 2};
  const std::unique_ptr<Solver> solver = find_solver(GetParam())->make();
  for (const double theta : {0.0, 1e-10, 0.01}) {
    const SliderCrankStep step = make_step(corners, {0.356, -0.1719, theta}, {108.6, -52.8, 1}, 1e-5, 0.01, 0.4, 0);
    const Vec3 u_E = step.u_end(solve(step.problem).Lambda);  // unique
    for (int trial = 0; trial < 200; ++trial) {
      VecX guess = VecX::NullaryExpr(4, [&] { return normal(random) * std::pow(10, 3 * normal(random)); });
      if (trial == 0) guess.setConstant(std::nan(""));
      if (trial == 1) guess.setConstant(kInfinity);
      VecX Lambda(4);
      const SolveReport report = solver->solve(step.problem.view(), {}, ImpulseGuess::from(guess), Lambda);
      EXPECT_EQ(report.status, SolveStatus::kSolved);
      EXPECT_LE(natural_residual(step.problem.view(), Lambda).absolute, 1e-9);
      EXPECT_LE((step.u_end(Lambda) - u_E).cwiseAbs().maxCoeff(), 1e-7);  // 1e-9 m/s over a / 2
    }
  }
}

TEST_P(PlanarSolvers, SphereSticksOrSlipsWithTangentialRestitution) {
  // m = 1, J = 0.4 r^2 m: G = diag(1, 3.5); v = (2, -3), eps_N = 0.8, eps_T = 0.5: c = (1.8 * -3, 1.5 * 2).
  ContactProblem problem;
  problem.G = Vec2(1, 3.5).asDiagonal();
  problem.c = vec({-5.4, 3});
  problem.contact(0.3);
  expect_solution(problem, vec({5.4, -3 / 3.5}), 2e-15);
  problem.blocks.clear();
  problem.contact(0.1);
  expect_solution(problem, vec({5.4, -0.54}), 2e-15);
}

TEST_P(PlanarSolvers, ThreeTouchingBalls) {
  // Equal masses 1, v = (1, 0, 0), e = 1, simultaneous Newton law: G = (2, -1; -1, 2), c = (1 + e) (-1, 0).
  ContactProblem problem;
  problem.G = (MatX(2, 2) << 2, -1, -1, 2).finished();
  problem.c = vec({-2, 0});
  problem.unilateral().unilateral();
  expect_solution(problem, vec({4.0 / 3, 2.0 / 3}), 1e-15);
}

TEST_P(PlanarSolvers, ParallelAndNearlyParallelSlider) {
  const int corners[2] = {1, 2};
  for (const double mu : {0.01, 0.3, 0.9}) {
    for (const double theta : {0.0, 1e-14, 1e-12, 1e-10, -1e-10, 1e-8, 1e-6, 1e-4}) {
      for (const double omega_3 : {0.0, 1e-8, 1.0, -20.0}) {
        for (const double omega_1 : {108.57, 0.3, 1e-6}) {  // the last one sticks
          const SliderCrankStep step =
              make_step(corners, {0.356, -0.1719, theta}, {omega_1, -0.486 * omega_1, omega_3}, 1e-4, mu, 0.4, 0);
          const Solved solved = solve(step.problem);
          EXPECT_EQ(solved.report.status, SolveStatus::kSolved)
              << "mu " << mu << ", theta_3 " << theta << ", omega_3 " << omega_3 << ", omega_1 " << omega_1
              << ", residual " << solved.report.residual;
          if (theta == 0 && omega_3 == 0) {
            EXPECT_NEAR(step.u_end(solved.Lambda)[2], 0, 1e-10);
          }
        }
      }
    }
  }
}

TEST_P(PlanarSolvers, FourCornersOfAJammedSlider) {
  const int corners[4] = {1, 2, 3, 4};
  for (const double mu : {0.01, 0.1, 0.6}) {
    for (const double omega_1 : {150.0, -3.0}) {
      const SliderCrankStep step = make_step(corners, {0.4, -0.2, 0}, {omega_1, -0.5 * omega_1, 0}, 1e-5, mu, 0.4, 0);
      EXPECT_EQ(solve(step.problem).report.status, SolveStatus::kSolved) << mu << ", " << omega_1;
    }
  }
}

TEST_P(PlanarSolvers, IdenticalContactsMoveLikeOne) {
  ContactProblem one;
  one.G = (MatX(2, 2) << 3, 0.5, 0.5, 2).finished();
  for (const VecX& c : {vec({-1, 0.1}), vec({-1, 4}), vec({-1, -4}), vec({1, 1})}) {
    one.c = c;
    one.blocks.clear();
    one.contact(0.4);
    ContactProblem three;
    three.G = one.G.replicate(3, 3);
    three.c = one.c.replicate(3, 1);
    three.contact(0.4).contact(0.4).contact(0.4);
    const Solved single = solve(one), triple = solve(three);
    EXPECT_EQ(single.report.status, SolveStatus::kSolved);
    EXPECT_EQ(triple.report.status, SolveStatus::kSolved);
    const VecX sum = triple.Lambda.segment(0, 2) + triple.Lambda.segment(2, 2) + triple.Lambda.segment(4, 2);
    EXPECT_LE(max_abs(sum - single.Lambda), 1e-14);
  }
}

TEST_P(PlanarSolvers, BilateralRowsWithAContact) {
  // Two unit masses; row 0 couples u_0 = u_1, row 1 is a stop of u_0. G = W^T W, W = (1 1; -1 0). Impact at -2:
  // the pair (mass 2) needs 4, half of which passes through the coupling.
  ContactProblem problem;
  problem.G = (MatX(2, 2) << 2, 1, 1, 1).finished();
  problem.c = vec({0, -2});
  problem.free_rows().unilateral();
  expect_solution(problem, vec({-2, 4}), 1e-14);
}

TEST_P(PlanarSolvers, RedundantBilateralRowsShareTheLoadContradictoryOnesAreReported) {
  ContactProblem problem;
  problem.G = (MatX(3, 3) << 2, 2, 1, 2, 2, 1, 1, 1, 1).finished();
  problem.c = vec({0, 0, -2});
  problem.free_rows(2).unilateral();
  expect_solution(problem, vec({-1, -1, 4}), 1e-13);
  problem.c = vec({0, 1e-3, -2});
  const Solved contradictory = solve(problem);
  EXPECT_EQ(contradictory.report.status, SolveStatus::kNotSolved);
  // The best compromise of two equal rows whose targets differ by 1e-3.
  EXPECT_NEAR(contradictory.report.residual, 0.5e-3, 1e-12);
}

TEST_P(PlanarSolvers, OnlyBilateralRows) {
  ContactProblem problem;
  problem.G = (MatX(2, 2) << 2, 1, 1, 3).finished();
  problem.c = vec({-5, -10});
  problem.free_rows(2);
  expect_solution(problem, vec({1, 3}), 1e-15);
  problem.blocks = {{.set = ImpulseSet::kFree, .row = 0, .size = 2}};  // as one block
  expect_solution(problem, vec({1, 3}), 1e-15);
}

TEST_P(PlanarSolvers, DryFrictionInAJoint) {
  ContactProblem problem;
  problem.G = MatX::Constant(1, 1, 2);
  problem.interval(-0.5, 0.5);
  // xi = 2 Lambda + c: |c| <= 1 sticks, beyond that the impulse is at its limit.
  for (const auto& [c, Lambda] : {std::pair{0.6, -0.3}, {-1.0, 0.5}, {3.0, -0.5}, {-3.0, 0.5}, {0.0, 0.0}}) {
    problem.c = vec({c});
    expect_solution(problem, vec({Lambda}), 1e-16);
  }
}

TEST_P(PlanarSolvers, BoundsThatCoincideFixTheImpulse) {
  ContactProblem problem;
  problem.G = (MatX(2, 2) << 2, 1, 1, 2).finished();
  problem.c = vec({-4, 1});
  problem.unilateral().interval(0.5, 0.5);
  expect_solution(problem, vec({1.75, 0.5}), 1e-15);
  // Sliding at acceleration level, lo1 = hi1 = -mu: (2 - 0.5) Lambda_N = 4.
  problem.blocks.pop_back();
  problem.blocks.push_back({.set = ImpulseSet::kInterval, .row = 1, .normal_row = 0, .lo1 = -0.5, .hi1 = -0.5});
  expect_solution(problem, vec({8.0 / 3, -4.0 / 3}), 1e-15);
}

TEST_P(PlanarSolvers, OneSidedAndMissingBounds) {
  ContactProblem problem;
  problem.G = MatX::Identity(3, 3);
  problem.interval(-1, kInfinity).interval(-kInfinity, 2).interval(-kInfinity, kInfinity);
  problem.c = vec({-5, 3, 7});
  expect_solution(problem, vec({5, -3, -7}), 0);  // none at its bound
  problem.c = vec({5, -3, 7});
  expect_solution(problem, vec({-1, 2, -7}), 0);  // both at it
}

TEST_P(PlanarSolvers, BoundsWithOffsetsAsInAnExpansionPhase) {
  // -0.2 <= Lambda_T <= 0.1 + 0.5 Lambda_N, G = I, c = (-2, -4): Lambda_T = 0.1 + 1.
  ContactProblem problem;
  problem.G = MatX::Identity(2, 2);
  problem.unilateral();
  problem.blocks.push_back(
      {.set = ImpulseSet::kInterval, .row = 1, .normal_row = 0, .lo0 = -0.2, .hi0 = 0.1, .hi1 = 0.5});
  problem.c = vec({-2, -4});
  expect_solution(problem, vec({2, 1.1}), 1e-15);
  problem.c = vec({1, -4});  // open, and still friction by the offset
  expect_solution(problem, vec({0, 0.1}), 1e-15);
  problem.c = vec({1, 0.15});
  expect_solution(problem, vec({0, -0.15}), 1e-15);
}

TEST_P(PlanarSolvers, NothingToSolve) {
  ContactProblem problem;
  problem.G.resize(0, 0);
  problem.c.resize(0);
  const Solved solved = solve(problem);
  EXPECT_EQ(solved.report.status, SolveStatus::kSolved);
  EXPECT_EQ(solved.report.iterations, 0);
}

TEST_P(PlanarSolvers, NotANumberIsNotSolved) {
  for (const double bad : {std::nan(""), kInfinity, -kInfinity}) {
    for (int place = 0; place < 4; ++place) {
      ContactProblem problem;
      problem.G = MatX::Identity(2, 2);
      problem.c = vec({-1, 1});
      problem.contact(0.3);
      if (place < 2) problem.c[place] = bad;
      if (place >= 2) problem.G(place - 2, 1) = bad;
      const Solved solved = solve(problem);
      EXPECT_EQ(solved.report.status, SolveStatus::kNotSolved) << bad << " at " << place;
      EXPECT_EQ(solved.report.residual, kInfinity);
    }
  }
}

TEST_P(PlanarSolvers, ImpossibleIsReported) {
  // Two walls that approach each other: xi_0 = a, xi_1 = -a - 1 cannot both be >= 0.
  ContactProblem problem;
  problem.G = (MatX(2, 2) << 1, -1, -1, 1).finished();
  problem.c = vec({0, -1});
  problem.unilateral().unilateral();
  const Solved solved = solve(problem);
  EXPECT_EQ(solved.report.status, SolveStatus::kNotSolved);
  EXPECT_GT(solved.report.residual, 0.1);
  EXPECT_LE(solved.report.residual, 1);  // no worse than doing nothing
  EXPECT_TRUE(all_solutions(problem.view()).empty());
}

TEST_P(PlanarSolvers, SpatialFrictionIsRefusedAndLambdaLeftAlone) {
  if (std::string(GetParam()) == "auto") return;  // takes it: see spatial_contact_test.cpp
  ContactProblem problem;
  problem.G = MatX::Identity(3, 3);
  problem.c = vec({-1, 0, 0});
  problem.unilateral();
  problem.blocks.push_back({.set = ImpulseSet::kDisc, .row = 1, .size = 2, .normal_row = 0, .mu = 0.3});
  const std::unique_ptr<Solver> solver = find_solver(GetParam())->make();
  EXPECT_FALSE(solver->traits().takes_discs);
  const VecX guess = vec({1, 2, 3}), before = vec({7, 8, 9});
  for (const ImpulseGuess& start : {ImpulseGuess::none(), ImpulseGuess::from(guess)}) {
    VecX Lambda = before;
    EXPECT_EQ(solver->solve(problem.view(), {}, start, Lambda).status, SolveStatus::kNotSupported);
    EXPECT_EQ(Lambda, before);
  }
}

TEST_P(PlanarSolvers, UnitsDoNotMatter) {
  // The same problem in other units of mass, length and time: Lambda scales by c / G.
  const int corners[2] = {3, 4};
  const SliderCrankStep step = make_step(corners, {2.34, 0.115, 0.013}, {-3.0, -67, -33.8}, 1e-5, 0.3, 0.4, 0);
  const VecX reference = solve(step.problem).Lambda;
  for (const double unit_G : {1e-12, 1e-3, 1e6, 1e15}) {
    for (const double unit_c : {1e-9, 1.0, 1e9}) {
      ContactProblem problem = step.problem;
      problem.G *= unit_G;
      problem.c *= unit_c;
      const Solved solved = solve(problem, 1e-9 * unit_c);
      EXPECT_EQ(solved.report.status, SolveStatus::kSolved);
      const VecX scaled = solved.Lambda * (unit_G / unit_c);
      EXPECT_LE(max_abs(scaled - reference), 1e-11 * max_abs(reference)) << unit_G << ", " << unit_c;
    }
  }
}

TEST(Enumerative, RefusesMoreThanEightContacts) {
  for (const int contacts : {8, 9}) {
    ContactProblem problem;
    problem.G = MatX::Identity(2 * contacts, 2 * contacts);
    problem.c = VecX::Constant(2 * contacts, -1);
    for (int k = 0; k < contacts; ++k) problem.contact(0.1);
    const Solved solved = solve_with("enumerative", problem);
    EXPECT_EQ(solved.report.status, contacts == 8 ? SolveStatus::kSolved : SolveStatus::kNotSupported);
    EXPECT_EQ(solve_with("auto", problem).report.solver, "lemke");
  }
  ContactProblem joints;  // 3^11 modes
  joints.G = MatX::Identity(11, 11);
  joints.c = VecX::Constant(11, 1);
  for (int k = 0; k < 11; ++k) joints.interval(-1, 1);
  EXPECT_EQ(solve_with("enumerative", joints).report.status, SolveStatus::kNotSupported);
  EXPECT_EQ(solve_with("lemke", joints).report.status, SolveStatus::kSolved);
}

TEST(Lemke, KeepsTheModesOfAGuessThatSolves) {
  const ContactProblem rod = painleve_rod(-1e-6, -1);
  const VecX guess = vec({1, 1});  // inside the cone: sticking
  VecX Lambda(2);
  const SolveReport report = find_solver("lemke")->make()->solve(rod.view(), {}, ImpulseGuess::from(guess), Lambda);
  EXPECT_EQ(report.status, SolveStatus::kSolved);
  EXPECT_EQ(report.iterations, 0);  // no pivots
  EXPECT_NEAR(Lambda[0], 0.3 + 0.85e-6, 1e-15);
}

TEST(Lemke, TakesManyContacts) {
  // A row of 40 unit blocks between walls, each on the floor with friction, all pushed to the right; normal load 1.
  const int blocks = 40;
  ContactProblem problem;
  const int rows = 2 * blocks + blocks;  // floor contacts (N, T), then gaps between neighbours and to the wall
  MatX W = MatX::Zero(2 * blocks, rows);
  VecX u(2 * blocks);
  for (int k = 0; k < blocks; ++k) {
    W(2 * k + 1, 2 * k) = 1;
    W(2 * k, 2 * k + 1) = 1;
    W(2 * k, 2 * blocks + k) = -1;
    if (k + 1 < blocks) W(2 * k + 2, 2 * blocks + k) = 1;
    u.segment(2 * k, 2) << 1 + 0.01 * k * k, -1;
    problem.contact(0.3);
  }
  for (int k = 0; k < blocks; ++k) problem.unilateral();
  problem.G = W.transpose() * W;
  problem.c = W.transpose() * u;
  const Solved solved = solve_with("lemke", problem);
  EXPECT_EQ(solved.report.status, SolveStatus::kSolved);
  const Solved by_islands = solve_with("auto", problem);  // too many rows to begin with pivots
  EXPECT_EQ(by_islands.report.status, SolveStatus::kSolved);
  EXPECT_LE(max_abs(problem.G * (solved.Lambda - by_islands.Lambda)), 1e-8);
}

TEST(Registry, NamesInOrder) {
  std::vector<std::string> names;
  for (const SolverEntry& entry : solver_registry()) {
    names.push_back(entry.name);
    EXPECT_EQ(entry.make()->name(), entry.name);
    EXPECT_EQ(entry.make()->traits().is_relaxed, entry.name == "relaxed-cone");
    EXPECT_FALSE(entry.description.empty());
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"auto", "dual-active-set", "enumerative", "lemke", "nsgs", "prox-gauss-seidel",
                                      "prox-jacobi", "proximal-point", "relaxed-cone", "semismooth-newton"}));
  EXPECT_EQ(find_solver("simplex"), nullptr);
}

}  // namespace
}  // namespace freeplay::test::special_cases_test
