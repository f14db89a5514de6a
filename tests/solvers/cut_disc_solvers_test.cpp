// Every solver that takes discs on contacts whose disc is cut, as in the expansion of an impact. Built backwards: an
// impulse of the set and a velocity that its law allows, then c = xi - G Lambda.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "freeplay/complementarity/problem/natural_residual.h"
#include "unit/complementarity/contact_problem.h"

namespace freeplay::test::cut_disc_solvers_test {
namespace {

struct Known {
  ContactProblem problem;
  VecX Lambda, xi;
};

enum class Place { kInside, kArc, kChord, kCorner };

// Writes the rows of one contact: normal impulse N (0: open), its disc of radius r0 + mu N, cut at half of r0.
void write_contact(std::mt19937_64& random, Place place, bool is_open, Known& known) {
  std::uniform_real_distribution<double> unit(0.1, 1), symmetric(-1, 1);
  const Eigen::Index row = known.Lambda.size();
  known.problem.spatial_contact(0.3 * unit(random));
  ImpulseBlock& block = known.problem.blocks.back();
  const double angle = 3 * symmetric(random), N = is_open ? 0 : unit(random);
  const Vec2 d(std::cos(angle), std::sin(angle)), across(-d[1], d[0]);
  block.r0 = unit(random);
  block.cut = 0.5 * block.r0;
  block.direction = {d[0], d[1]};
  const double radius = block.r0 + block.mu * N, half = std::sqrt(radius * radius - block.cut * block.cut);
  Vec2 T = 0.5 * (block.cut + radius) * d, xi_T = Vec2::Zero();
  if (place == Place::kArc) {
    const double turn = 0.8 * std::acos(block.cut / radius) * symmetric(random);
    T = radius * (std::cos(turn) * d + std::sin(turn) * across);
    xi_T = -unit(random) * T / radius;
  }
  if (place == Place::kChord) {
    T = block.cut * d + 0.8 * half * symmetric(random) * across;
    xi_T = unit(random) * d;
  }
  if (place == Place::kCorner) {  // between the normals of the chord and of the circle
    T = block.cut * d + half * across;
    xi_T = unit(random) * d - unit(random) * T / radius;
  }
  known.Lambda.conservativeResize(row + 3);
  known.xi.conservativeResize(row + 3);
  known.Lambda.tail<3>() << N, T[0], T[1];
  known.xi.tail<3>() << (is_open ? unit(random) : 0), xi_T[0], xi_T[1];
}

Known known_problem(std::mt19937_64& random, int contacts) {
  std::normal_distribution<double> normal;
  Known known;
  for (int i = 0; i < contacts; ++i) {
    const Place place = static_cast<Place>(random() % 4);
    write_contact(random, place, random() % 3 == 0, known);
  }
  const int n = 3 * contacts;
  const MatX A = MatX::NullaryExpr(n, 2 * n, [&] { return normal(random); });
  known.problem.G = A * A.transpose() / n;
  known.problem.c = known.xi - known.problem.G * known.Lambda;
  return known;
}

std::vector<std::string> solvers_with_discs() {
  std::vector<std::string> names;
  for (const SolverEntry& entry : solver_registry()) {
    const SolverTraits traits = entry.make()->traits();
    if (!traits.is_relaxed && traits.takes_discs) names.push_back(entry.name);
  }
  return names;
}

class CutDiscSolvers : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Exact, CutDiscSolvers, testing::ValuesIn(solvers_with_discs()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(CutDiscSolvers, FindWhatIsKnown) {
  std::mt19937_64 random(21);
  int solved = 0;
  constexpr int kProblems = 200;
  for (int k = 0; k < kProblems; ++k) {
    const Known known = known_problem(random, 1 + k % 4);
    ASSERT_LE(natural_residual(known.problem.view(), known.Lambda).absolute, 1e-13) << "problem " << k;
    const Solved answer = solve_with(GetParam(), known.problem, 1e-11);
    if (answer.report.status != SolveStatus::kSolved) continue;
    ++solved;
    EXPECT_LE(max_abs(known.problem.G * (answer.Lambda - known.Lambda)), 1e-8) << "problem " << k;
  }
  // Iterations promise nothing far from a solution; the chain does.
  EXPECT_GE(solved, GetParam() == "auto" ? kProblems : kProblems * 9 / 10);
}

TEST(CutDiscSolvers, PivotingSaysThatItCannotAndAutoGoesOn) {
  std::mt19937_64 random(22);
  const Known known = known_problem(random, 2);
  for (const char* name : {"lemke", "enumerative", "dual-active-set"})
    EXPECT_EQ(solve_with(name, known.problem).report.status, SolveStatus::kNotSupported) << name;
  EXPECT_EQ(solve_with("auto", known.problem).report.status, SolveStatus::kSolved);
}

// What is no cone keeps its law: the impulse stays in the cut disc.
TEST(CutDiscSolvers, TheRelaxedConeLeavesItAsItIs) {
  std::mt19937_64 random(23);
  for (int k = 0; k < 20; ++k) {
    const Known known = known_problem(random, 1);
    const Solved answer = solve_with("relaxed-cone", known.problem, 1e-10);
    ASSERT_EQ(answer.report.status, SolveStatus::kSolved);
    EXPECT_LE(natural_residual(known.problem.view(), answer.Lambda).absolute, 1e-9);
  }
}

}  // namespace
}  // namespace freeplay::test::cut_disc_solvers_test
