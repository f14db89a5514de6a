#include "freeplay/complementarity/iterative/newton/few_contacts_newton.h"

#include <gtest/gtest.h>

#include "freeplay/complementarity/problem/natural_residual.h"
#include "solvers_random/redundant_joints.h"

namespace freeplay::test {
namespace {

constexpr double kTight = 1e-12;

VecX newton_answer(const ContactProblem& problem, const VecX* start = nullptr) {
  FewContactsNewton newton;
  VecX Lambda = VecX::Constant(problem.size(), 7);
  newton.run(problem.view(), kTight, start == nullptr ? nullptr : start->data(), false, Lambda);
  return Lambda;
}

// G = 2 I: Lambda_N = -c_N/2. The impulse that would stop the sliding, |c_T|/2, is more than mu Lambda_N.
TEST(FewContactsNewton, BrakesAgainstTheSlidingByTheClosedForm) {
  ContactProblem problem;
  problem.G = 2 * MatX::Identity(3, 3);
  problem.c = Vec3(-4, 3, -4);
  problem.spatial_contact(0.25);
  EXPECT_LT((newton_answer(problem) - Vec3(2, -0.5 * 0.6, 0.5 * 0.8)).norm(), 1e-14);
}

TEST(FewContactsNewton, SticksSeparatesAndHoldsBoundsByTheClosedForm) {
  ContactProblem problem;
  problem.G = 2 * MatX::Identity(8, 8);
  problem.c = VecX(8);
  problem.c << -4, 0.3, -0.4, 1, 5, 5, 8, -6;
  problem.spatial_contact(0.5).spatial_contact(0.5).interval(-1, 1).free_rows();
  VecX expected(8);
  expected << 2, -0.15, 0.2, 0, 0, 0, -1, 3;
  EXPECT_LT((newton_answer(problem) - expected).norm(), 1e-14);
}

// Two contacts at one place share every velocity: only the sum of their impulses is decided. Whatever they pressed on
// each other at the start, half is what each of them has afterwards.
TEST(FewContactsNewton, ForgetsWhatRedundantContactsPressedOnEachOther) {
  ContactProblem problem;
  problem.G = MatX::Zero(6, 6);
  for (int i = 0; i < 3; ++i) problem.G(i, i) = problem.G(i + 3, i + 3) = problem.G(i, i + 3) = problem.G(i + 3, i) = 1;
  problem.c = VecX(6);
  problem.c << -2, 0.1, 0, -2, 0.1, 0;
  problem.spatial_contact(0.3).spatial_contact(0.3);
  VecX start(6);
  start << 1.5, -0.35, 0, 0.5, 0.25, 0;
  start[1] = -0.25, start[4] = 0.1;
  VecX expected(6);
  expected << 1, -0.05, 0, 1, -0.05, 0;
  EXPECT_LT((newton_answer(problem) - expected).norm(), 1e-3);
  EXPECT_LT((newton_answer(problem, &start) - expected).norm(), 1e-3);
}

TEST(FewContactsNewton, SaysWhatItTakes) {
  ContactProblem problem;
  problem.G = MatX::Identity(3, 3);
  problem.c = Vec3::Zero();
  problem.spatial_contact(0.5);
  EXPECT_TRUE(FewContactsNewton::takes(problem.view()));
  problem.blocks[1].cut = 0.1;
  EXPECT_FALSE(FewContactsNewton::takes(problem.view())) << "a disc that is cut";
  problem.blocks[1] = {.set = ImpulseSet::kDisc, .row = 1, .size = 2, .normal_row = 0, .r0 = 1, .mu = 0.5};
  EXPECT_FALSE(FewContactsNewton::takes(problem.view())) << "a radius of its own";
}

TEST(FewContactsNewton, NumbersThatAreNoneEndIt) {
  ContactProblem problem;
  problem.G = 2 * MatX::Identity(3, 3);
  problem.c = Vec3(-4, std::numeric_limits<double>::quiet_NaN(), -4);
  problem.spatial_contact(0.25);
  const VecX Lambda = newton_answer(problem);
  EXPECT_FALSE(natural_residual(problem.view(), Lambda).absolute < kInfinity);
}

// Of random mechanisms with redundant joints two of three are solved from nothing (336 of 500 when this was written),
// the rest is for the chain; and from the modes of an answer two or three steps lead to one.
TEST(FewContactsNewton, FindsMostOfRedundantJointsAndReturnsFromTheModesOfItsAnswer) {
  std::mt19937_64 random(5);
  int solved = 0, steps = 0;
  constexpr int kProblems = 500;
  for (int k = 0; k < kProblems; ++k) {
    const ContactProblem problem = redundant_joints(random, Targets::kGaps, 0.3).contacts.problem;
    FewContactsNewton newton;
    VecX Lambda(problem.size()), again(problem.size());
    newton.run(problem.view(), 0.5e-9, nullptr, false, Lambda);
    if (!(natural_residual(problem.view(), Lambda).absolute <= 1e-9)) continue;
    ++solved;
    EXPECT_EQ(newton.run(problem.view(), 0.5e-9, Lambda.data(), true, again), 0) << "a solution is kept";
    steps += newton.run(problem.view(), 0.5e-9, Lambda.data(), false, again);
    EXPECT_LE(natural_residual(problem.view(), again).absolute, 1e-9);
  }
  EXPECT_GE(solved, kProblems * 6 / 10);
  EXPECT_LE(steps, 3 * solved);
}

}  // namespace
}  // namespace freeplay::test
