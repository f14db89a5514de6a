// Piles: G by its factors, and the solver that sweeps over them, against the matrix and the other solvers.
#include "freeplay/complementarity/piles/pile_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "freeplay/complementarity/problem/natural_residual.h"

namespace freeplay::test::pile_solver_test {
namespace {

constexpr int kVelocities = 6;  // of a tree

// Trees in a row that touch their neighbours and the ground, each contact with rows of its own at random: their blocks
// are full, as those of boxes, unless they are made those of spheres.
enum class Shape { kSpheres, kAny };

struct RandomPile {
  RandomPile(Shape shape, int trees, double mu, unsigned seed) : random(seed) {
    factors.start(trees, kVelocities * trees, 2 * kVelocities);
    for (int i = 0; i < trees; ++i) {
      add(shape, i, -1, mu);
      if (i > 0) add(shape, i, i - 1, mu);
      if (i > 2) add(shape, i, i - 3, mu);
    }
    c.resize(factors.size());
    for (Eigen::Index i = 0; i < c.size(); ++i) c[i] = number() - (i % 3 == 0 ? 0.7 : 0.0);
  }

  LocalProblem view() const { return {factors, c, blocks}; }
  MatX dense() const {
    MatX G(factors.size(), factors.size());
    for (int i = 0; i < factors.size(); ++i) {
      for (int j = 0; j < factors.size(); ++j) G(i, j) = factors.dot(i, j);
    }
    return G;
  }
  double number() { return std::uniform_real_distribution<double>(-1, 1)(random); }

  std::mt19937 random;
  RowFactors factors;
  VecX c;
  std::vector<ImpulseBlock> blocks;

 private:
  void add(Shape shape, int a, int b, double mu) {
    const int row = factors.size();
    Vec3 normal(number(), number(), 2 + number());
    normal.normalize();
    const Vec3 first = normal.unitOrthogonal(), second = normal.cross(first);
    for (const Vec3& direction : {normal, first, second}) {
      double* entry = factors.add({RowFactors::Part{a, kVelocities * a, kVelocities},
                                   b < 0 ? RowFactors::Part{} : RowFactors::Part{b, kVelocities * b, kVelocities}});
      const Vec3 arm = shape == Shape::kSpheres ? Vec3(-1.5 * normal) : Vec3(number(), number(), number());
      for (const double sign : {1.0, -1.0}) {
        if (sign < 0 && b < 0) break;
        const Vec3 turning = shape == Shape::kSpheres ? Vec3(arm.cross(direction)) : Vec3(sign * arm.cross(direction));
        for (int k = 0; k < 3; ++k) *entry++ = sign * direction[k];
        for (int k = 0; k < 3; ++k) *entry++ = turning[k];
      }
    }
    blocks.push_back({.set = ImpulseSet::kNonNegative, .row = row});
    blocks.push_back({.set = ImpulseSet::kDisc, .row = row + 1, .size = 2, .normal_row = row, .mu = mu});
  }
};

TEST(RowFactors, AreTheMatrixThatTheyAreTheFactorsOf) {
  RandomPile pile(Shape::kAny, 9, 0.5, 1);
  const MatX G = pile.dense();
  const int n = pile.factors.size();
  EXPECT_LT((G - G.transpose()).cwiseAbs().maxCoeff(), 1e-15);
  VecX x(n), y(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = pile.number();
  pile.factors.apply(x, y);
  EXPECT_LT((y - G * x).cwiseAbs().maxCoeff(), 1e-13);

  std::vector<int> begin;
  for (int row = 0; row <= n; row += 3) begin.push_back(row);
  BlockSparseMatrix blocks;
  pile.factors.write_blocks(begin, blocks);
  const LocalOperator sparse(blocks);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) EXPECT_EQ(sparse.entry(i, j), G(i, j));
  }
  double block[9];
  const int rows[] = {3, 4, 5};
  pile.factors.diagonal_block(rows, block);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_EQ(block[i + 3 * j], G(3 + i, 3 + j));
  }
  // Kept or not, a block is the same, and those that are not kept are not found.
  EXPECT_EQ(pile.factors.kept_block(3), nullptr);
  pile.factors.keep_block(5);
  EXPECT_EQ(pile.factors.kept_block(0), nullptr);
  EXPECT_EQ(pile.factors.kept_block(4), nullptr);
  EXPECT_EQ(pile.factors.kept_block(6), nullptr);
  ASSERT_NE(pile.factors.kept_block(3), nullptr);
  double kept[9];
  pile.factors.diagonal_block(rows, kept);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(kept[i], block[i]);
}

// The arms of spheres lie along the normals, of other solids anywhere.
TEST(PilePacks, KnowTheContactsOfSpheresAsRound) {
  for (const Shape shape : {Shape::kSpheres, Shape::kAny}) {
    RandomPile pile(shape, 30, 0.5, 2);
    const LocalProblem problem = pile.view();
    PileForm form;
    ASSERT_TRUE(form.assign(problem));
    for (int p = 0; p < form.exact().size(); ++p)
      EXPECT_EQ(form.exact().pack(p).is_round, shape == Shape::kSpheres ? 1 : 0);
  }
}

// Sweeps judge themselves in single precision as the form judges the same impulses in double.
TEST(PileSweeps, JudgeThemselvesToTheirPrecision) {
  RandomPile pile(Shape::kSpheres, 60, 0.5, 2);
  const LocalProblem problem = pile.view();
  PileForm form;
  ASSERT_TRUE(form.assign(problem));
  VecX Lambda = VecX::Zero(problem.size());
  form.evaluate(Lambda);
  PileSweeps<float> sweeps;
  sweeps.assign(form);
  sweeps.start(form, Lambda, std::vector<char>(form.contacts().size(), 1));
  ASSERT_TRUE(sweeps.has_all());
  sweeps.run({.least = 7, .most = 7, .cap = 0.8});
  const double worst = sweeps.judge(form);
  const std::vector<double> judged = form.residuals();
  sweeps.write(form, Lambda);
  EXPECT_NEAR(worst, form.evaluate(Lambda), 1e-5);
  EXPECT_GT(worst, 1e-3);
  for (std::size_t i = 0; i < judged.size(); ++i) EXPECT_NEAR(judged[i], form.residuals()[i], 1e-5);
}

// Single precision is rounded from the packs in double.
TEST(PilePacks, AreRoundedNumberByNumber) {
  RandomPile pile(Shape::kAny, 30, 0.5, 2);
  const LocalProblem problem = pile.view();
  PileForm form;
  ASSERT_TRUE(form.assign(problem));
  PilePacks<float> rounded;
  rounded.take(form.exact());
  PilePacks<double> copied;
  copied.take(form.exact());
  ASSERT_EQ(rounded.size(), form.exact().size());
  ASSERT_EQ(rounded.trees(), form.exact().trees());
  const PileWork<float> single = rounded.work(rounded.all());
  const PileWork<double> exact = copied.work(copied.all());
  for (int i = 0; i < 6 * single.width * kPileLanes * rounded.size(); ++i)
    ASSERT_EQ(single.rows[i], static_cast<float>(exact.rows[i]));
  for (int p = 0; p < rounded.size(); ++p) {
    const PilePack<double>& from = form.exact().pack(p);
    const PilePack<float>& to = rounded.pack(p);
    EXPECT_EQ(to.is_diagonal, from.is_diagonal);
    for (int lane = 0; lane < kPileLanes; ++lane) {
      EXPECT_EQ(to.a[lane], from.a[lane]);
      EXPECT_EQ(to.b[lane], from.b[lane]);
      EXPECT_EQ(to.inverse_01[lane], static_cast<float>(from.inverse_01[lane]));
      EXPECT_EQ(to.norm[lane], static_cast<float>(from.norm[lane]));
      EXPECT_EQ(to.c[2][lane], static_cast<float>(from.c[2][lane]));
    }
  }
}

// The certificate of a pile, in one pass over its contacts, against that of the same problem as a matrix; with blocks
// that are kept and without.
TEST(NaturalResidual, OfAPileIsThatOfItsMatrix) {
  for (const Shape shape : {Shape::kSpheres, Shape::kAny}) {
    for (const bool is_kept : {false, true}) {
      RandomPile pile(shape, 30, 0.4, 3);
      if (is_kept) {
        for (int last = 2; last < pile.factors.size(); last += 3) pile.factors.keep_block(last);
      }
      const MatX G = pile.dense();
      VecX Lambda(pile.factors.size());
      for (int k = 0; k < 20; ++k) {
        for (Eigen::Index i = 0; i < Lambda.size(); ++i) Lambda[i] = pile.number();
        const NaturalResidual swept = natural_residual(pile.view(), Lambda);
        const NaturalResidual dense = natural_residual({G, pile.c, pile.blocks}, Lambda);
        EXPECT_NEAR(swept.absolute, dense.absolute, 1e-13 * dense.scale);
        EXPECT_NEAR(swept.scale, dense.scale, 1e-13 * dense.scale);
        EXPECT_EQ(swept.worst_row, dense.worst_row);
      }
      Lambda[7] = std::nan("");
      EXPECT_EQ(natural_residual(pile.view(), Lambda).absolute, std::numeric_limits<double>::infinity());
    }
  }
}

// The velocities B Lambda of the trees are what a step is made of. Where several impulses solve the problem, these are
// the same; so the answers of two solvers are compared by them.
VecX velocities(const RandomPile& pile, const VecX& Lambda) {
  VecX v(pile.factors.velocities());
  pile.factors.combine(Lambda, v);
  return v;
}

void expect_agreement(Shape shape, double mu, double tolerance, double difference) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    RandomPile pile(shape, 40, mu, seed);
    const int n = pile.factors.size();
    PileSolver solver;
    VecX swept(n), exact(n);
    const SolveReport report = solver.solve(pile.view(), {.tolerance = tolerance}, ImpulseGuess::none(), swept);
    EXPECT_EQ(report.status, SolveStatus::kSolved) << "seed " << seed << ", residual " << report.residual;
    const MatX G = pile.dense();
    const LocalProblem with_matrix{G, pile.c, pile.blocks};
    EXPECT_LE(natural_residual(with_matrix, swept).absolute, tolerance);
    const SolveReport other =
        find_solver("auto")->make()->solve(with_matrix, {.tolerance = 1e-11}, ImpulseGuess::none(), exact);
    ASSERT_EQ(other.status, SolveStatus::kSolved) << "seed " << seed;
    EXPECT_LT((velocities(pile, swept) - velocities(pile, exact)).cwiseAbs().maxCoeff(), difference) << "seed " << seed;
  }
}

TEST(PileSolver, HasTheVelocitiesThatTheMatrixGivesForSpheres) {
  expect_agreement(Shape::kSpheres, 0.3, 1e-9, 1e-7);
}

TEST(PileSolver, HasTheVelocitiesThatTheMatrixGivesForFullBlocks) {
  expect_agreement(Shape::kAny, 0.3, 1e-9, 1e-7);
}

// 1e-3 of velocities of about 1: sweeps in single precision, whose rounding is far below that.
TEST(PileSolver, KeepsCoarseTolerancesInSinglePrecision) {
  expect_agreement(Shape::kSpheres, 0.3, 1e-3, 0.1);
}

// The form judges contacts by packs, the certificate by the rows of G: two ways to one number.
TEST(PileForm, HasTheResidualOfTheCertificate) {
  for (const Shape shape : {Shape::kSpheres, Shape::kAny}) {
    RandomPile pile(shape, 40, 0.4, 11);
    VecX Lambda(pile.factors.size());
    for (Eigen::Index i = 0; i < Lambda.size(); ++i) Lambda[i] = pile.number();
    const LocalProblem problem = pile.view();
    PileForm form;
    ASSERT_TRUE(form.assign(problem));
    const double expected = natural_residual(problem, Lambda).absolute;
    EXPECT_NEAR(form.evaluate(Lambda), expected, 1e-13 * expected);
  }
}

// Through the option, with a pile that is large enough for a team: from nothing, and from a guess that is only
// polished.
TEST(PileSolver, GivesTheSameBitsWithAnyNumberOfThreads) {
  RandomPile pile(Shape::kSpheres, 1500, 0.4, 5);
  const int n = pile.factors.size();
  ASSERT_GT(n / 3, 4096);
  std::vector<VecX> cold, polished;
  for (const int threads : {1, 2, 3}) {
    PileSolver solver;
    const SolverOptions options{.tolerance = 0.5, .threads = threads};
    cold.emplace_back(n);
    const SolveReport first = solver.solve(pile.view(), options, ImpulseGuess::none(), cold.back());
    ASSERT_EQ(first.status, SolveStatus::kSolved) << first.residual;
    polished.emplace_back(n);
    const SolverOptions coarse{.tolerance = 200 * first.residual, .threads = threads};  // solved, not yet at rest
    const SolveReport report = solver.solve(pile.view(), coarse, ImpulseGuess::from(cold.front()), polished.back());
    EXPECT_EQ(report.status, SolveStatus::kSolved);
    EXPECT_EQ(report.iterations, 5) << "sweeps that polish";
  }
  for (std::size_t i = 1; i < cold.size(); ++i) {
    EXPECT_EQ(cold[i], cold[0]) << i;
    EXPECT_EQ(polished[i], polished[0]) << i;
  }
}

TEST(PileSolver, NeedsNoSweepFromASolutionAndGivesTheSameBitsTwice) {
  RandomPile pile(Shape::kSpheres, 40, 0.5, 7);
  const int n = pile.factors.size();
  PileSolver solver, other;
  const SolverOptions options{.tolerance = 1e-9};
  VecX first(n), again(n);
  ASSERT_EQ(solver.solve(pile.view(), options, ImpulseGuess::none(), first).status, SolveStatus::kSolved);
  // A guess that is far below the tolerance is only polished, and kept as it is once nothing is left but rounding.
  VecX polished = first;
  SolveReport at_rest;
  at_rest.iterations = -1;
  for (int k = 0; k < 40 && at_rest.iterations != 0; ++k) {
    const VecX guess = polished;
    at_rest = solver.solve(pile.view(), {.tolerance = 1e-6}, ImpulseGuess::from(guess), polished);
    EXPECT_LE(at_rest.iterations, 5);
    if (at_rest.iterations == 0) {
      EXPECT_EQ(polished, guess);
    }
  }
  EXPECT_EQ(at_rest.iterations, 0);
  // What was solved before plays no part.
  RandomPile another(Shape::kAny, 60, 0.2, 8);
  VecX ignored(another.factors.size());
  static_cast<void>(other.solve(another.view(), options, ImpulseGuess::none(), ignored));
  ASSERT_EQ(other.solve(pile.view(), options, ImpulseGuess::none(), again).status, SolveStatus::kSolved);
  EXPECT_EQ(first, again);
}

// Few sweeps: where there are more threads than cores, each meeting of theirs takes its time.
TEST(PileSweeps, GiveTheSameBitsWithAnyNumberOfThreads) {
  for (const Shape shape : {Shape::kSpheres, Shape::kAny}) {
    RandomPile pile(shape, 400, 0.5, 4);
    const LocalProblem problem = pile.view();
    PileForm form;
    ASSERT_TRUE(form.assign(problem));
    const std::vector<char> all(form.contacts().size(), 1);
    VecX alone;
    double residual = 0;
    for (const int threads : {1, 2, 3, 8}) {
      ThreadTeam team(threads);
      VecX Lambda = VecX::Zero(pile.factors.size());
      form.evaluate(Lambda, &team);
      PileSweeps<float> sweeps;
      sweeps.assign(form);
      sweeps.start(form, Lambda, all);
      EXPECT_EQ(sweeps.run({.least = 4, .most = 4, .cap = 0.8}, threads == 1 ? nullptr : &team), 4);
      sweeps.write(form, Lambda);
      const double left = form.evaluate(Lambda, &team);
      if (threads == 1) {
        alone = Lambda;
        residual = left;
      }
      EXPECT_EQ(Lambda, alone) << threads << " threads";
      EXPECT_EQ(left, residual) << threads << " threads";
    }
    EXPECT_FALSE(alone.isZero(0));
  }
}

// Clusters by Newton's method are what is left where sweeps alone would take thousands.
TEST(PileClusters, SolveTheirContactsWithAllOthersHeld) {
  RandomPile pile(Shape::kSpheres, 12, 0.5, 3);
  const int n = pile.factors.size();
  const LocalProblem problem = pile.view();
  PileForm form;
  ASSERT_TRUE(form.assign(problem));
  VecX Lambda = VecX::Zero(n);
  ASSERT_GT(form.evaluate(Lambda), 0.1);
  PileClusters clusters;
  clusters.start(form);
  clusters.solve(form, 1e-9, 1, n, Lambda);  // one cluster that is the whole pile
  EXPECT_LT(form.evaluate(Lambda), 1e-9);
}

TEST(PileSolver, SaysWhatItDoesNotTake) {
  RandomPile pile(Shape::kSpheres, 5, 0.5, 1);
  VecX Lambda(pile.factors.size());
  PileSolver solver;
  const MatX G = pile.dense();
  EXPECT_EQ(solver.solve({G, pile.c, pile.blocks}, {}, ImpulseGuess::none(), Lambda).status,
            SolveStatus::kNotSupported);
  pile.blocks[1].cut = 0.1;
  EXPECT_EQ(solver.solve(pile.view(), {}, ImpulseGuess::none(), Lambda).status, SolveStatus::kNotSupported);
  // `auto` solves these all the same, by a matrix of its own.
  EXPECT_NE(find_solver("auto")->make()->solve(pile.view(), {}, ImpulseGuess::none(), Lambda).status,
            SolveStatus::kNotSupported);
  pile.blocks[1].cut = -kInfinity;
  pile.c[0] = std::nan("");
  EXPECT_NE(find_solver("auto")->make()->solve(pile.view(), {}, ImpulseGuess::none(), Lambda).status,
            SolveStatus::kSolved);
}

}  // namespace
}  // namespace freeplay::test::pile_solver_test
