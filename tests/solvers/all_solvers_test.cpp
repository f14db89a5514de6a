// What every exact solver that takes friction must do, planar and spatial, whatever form G comes in. What each solver
// of the registry must do: solve_seam_test.cpp.
#include <gtest/gtest.h>

#include <random>

#include "freeplay/complementarity/problem/natural_residual.h"
#include "solvers_random/rigid_contacts.h"
#include "support/linear_algebra.h"

namespace freeplay::test::all_solvers_test {
namespace {

std::vector<std::string> exact_solvers() {
  std::vector<std::string> names;
  for (const SolverEntry& entry : solver_registry()) {
    const SolverTraits traits = entry.make()->traits();
    if (!traits.is_relaxed && traits.takes_friction) names.push_back(entry.name);
  }
  return names;
}
std::vector<std::string> spatial_solvers() {
  std::vector<std::string> names;
  for (const std::string& name : exact_solvers()) {
    if (find_solver(name)->make()->traits().takes_discs) names.push_back(name);
  }
  return names;
}
std::string name_of(const testing::TestParamInfo<std::string>& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class AllSolvers : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Solver> solver = find_solver(GetParam())->make();
};
INSTANTIATE_TEST_SUITE_P(Exact, AllSolvers, testing::ValuesIn(exact_solvers()), &name_of);
class SpatialSolvers : public AllSolvers {};
INSTANTIATE_TEST_SUITE_P(Exact, SpatialSolvers, testing::ValuesIn(spatial_solvers()), &name_of);

TEST_P(AllSolvers, SolveTheSphereWithTangentialRestitution) {
  // spec: v = (2, -3), e_N = 0.8, e_T = 0.5; in the plane G = diag(1, 3.5), c = (1 + e) gamma_A.
  for (const double mu : {0.3, 0.1}) {
    ContactProblem problem;
    problem.contact(mu);
    problem.G = Vec2(1, 3.5).asDiagonal();
    problem.c = (VecX(2) << -1.8 * 3, 1.5 * 2).finished();
    const Solved solved = solve_with(GetParam(), problem, 1e-12);
    ASSERT_EQ(solved.report.status, SolveStatus::kSolved);
    EXPECT_NEAR(solved.Lambda[0], 5.4, 1e-11);
    EXPECT_NEAR(solved.Lambda[1], mu == 0.3 ? -3 / 3.5 : -0.54, 1e-11);
  }
}

// Painleve's rod at tan phi = 2, mu = 2 (spec/planar.md, section 6): G_NN + mu G_NT < 0 while it slides.
ContactProblem painleve_rod(double c_N, double c_T) {
  ContactProblem problem;
  problem.contact(2);
  problem.G = (MatX(2, 2) << 1.6, -1.2, -1.2, 3.4).finished();
  problem.c = (VecX(2) << c_N, c_T).finished();
  return problem;
}

TEST_P(AllSolvers, FindTheImpactWithoutCollisionOfPainlevesRod) {
  // Inconsistent, b < 0: no force keeps the sliding tip up; the only solution sticks, (0.3, 0.4) in the limit b -> 0.
  const ContactProblem problem = painleve_rod(-1e-3, -1);
  const Solved solved = solve_with(GetParam(), problem, 1e-11);
  if (solved.report.status != SolveStatus::kSolved) {  // fails openly where its iteration need not converge
    EXPECT_TRUE(GetParam() == "prox-jacobi" || GetParam() == "prox-gauss-seidel" || GetParam() == "semismooth-newton");
    return;
  }
  EXPECT_LE(max_abs(solved.Lambda + solve_dense(problem.G, problem.c)), 1e-9);
  EXPECT_LE(max_abs(solved.Lambda - Vec2(0.3, 0.4)), 1e-3);
}

TEST_P(AllSolvers, FindOneOfTheThreeSolutionsOfTheIndeterminateRod) {
  const Solved solved = solve_with(GetParam(), painleve_rod(0.01, -1), 1e-11);
  ASSERT_EQ(solved.report.status, SolveStatus::kSolved);
  double nearest = kInfinity;
  for (const Vec2& solution : {Vec2(0, 0), Vec2(0.0125, 0.025), Vec2(0.2915, 0.397)}) {
    nearest = std::min(nearest, max_abs(solved.Lambda - solution));
  }
  EXPECT_LE(nearest, 1e-9);
}

TEST_P(SpatialSolvers, BrakeAgainstTheSlidingVelocityInSpace) {
  ContactProblem problem;
  problem.spatial_contact(0.5);
  problem.G = MatX::Identity(3, 3);
  problem.c = (VecX(3) << -1, 3, 4).finished();
  const Solved solved = solve_with(GetParam(), problem, 1e-12);
  ASSERT_EQ(solved.report.status, SolveStatus::kSolved);
  EXPECT_LE(max_abs(solved.Lambda - (VecX(3) << 1, -0.3, -0.4).finished()), 1e-11);
}

TEST_P(SpatialSolvers, StickWhereFrictionHolds) {
  ContactProblem problem;
  problem.spatial_contact(0.8);
  problem.G = (MatX(3, 3) << 2, 0.3, -0.2, 0.3, 3, 0.4, -0.2, 0.4, 4).finished();
  const VecX held = (VecX(3) << 1, 0.3, -0.4).finished();
  problem.c = -problem.G * held;
  const Solved solved = solve_with(GetParam(), problem, 1e-12);
  ASSERT_EQ(solved.report.status, SolveStatus::kSolved);
  EXPECT_LE(max_abs(solved.Lambda - held), 1e-11);
}

TEST_P(AllSolvers, TakeBilateralRowsAndJointFriction) {
  // Row 0 bilateral, rows 1 and 2 a contact, row 3 dry friction of a joint that slips, row 4 one that holds.
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 20; ++k) {
    ContactProblem problem;
    problem.free_rows(1).contact(0.4).interval(-0.05, 0.05).interval(-50, 50);
    const MatX A = MatX::NullaryExpr(5, 7, [&] { return normal(random); });
    problem.G = A * A.transpose();
    problem.c = VecX::NullaryExpr(5, [&] { return normal(random); });
    const Solved solved = solve_with(GetParam(), problem, 1e-9);
    if (solved.report.status != SolveStatus::kSolved) {
      EXPECT_EQ(GetParam(), "prox-jacobi") << "problem " << k;  // the only one that may be too slow here
      continue;
    }
    const Solved reference = solve_with("enumerative", problem, 1e-9);
    ASSERT_EQ(reference.report.status, SolveStatus::kSolved);
    EXPECT_LE(max_abs(problem.G * (solved.Lambda - reference.Lambda)), 1e-7) << "problem " << k;
  }
}

// The same matrix, factor by factor.
class Factors final : public MatrixFreeOperator {
 public:
  explicit Factors(MatX W) : W_(std::move(W)) {}
  int size() const override { return static_cast<int>(W_.cols()); }
  void apply(const ConstVecRef& x, VecRef y) const override { y = W_.transpose() * (W_ * x); }
  void diagonal_block(std::span<const int> rows, double* block) const override {
    for (const int j : rows) {
      for (const int i : rows) *block++ = W_.col(i).dot(W_.col(j));
    }
  }

 private:
  MatX W_;
};

TEST_P(AllSolvers, GiveTheSameForDenseSparseAndMatrixFree) {
  std::mt19937_64 random(9);
  int compared = 0;
  for (int k = 0; k < 60; ++k) {
    const int dimension = k % 2 == 0 ? 2 : 3, contacts = 1 + k % 5;
    const RigidContacts item = rigid_contacts(random, dimension, contacts, contacts, 0.6);
    const int n = item.problem.size();
    std::vector<int> begin = {0}, row;
    std::vector<double> value;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        if (item.problem.G(i, j) == 0) continue;
        row.push_back(i);
        value.push_back(item.problem.G(i, j));
      }
      begin.push_back(static_cast<int>(row.size()));
    }
    const BlockSparseMatrix sparse = block_sparse_from_columns(dimension, begin, row, value);
    const Factors factors(item.W);
    const LocalProblem problems[] = {item.problem.view(),
                                     {sparse, item.problem.c, item.problem.blocks},
                                     {factors, item.problem.c, item.problem.blocks}};
    VecX answers[3];
    SolveStatus status[3];
    for (int form = 0; form < 3; ++form) {
      answers[form] = VecX::Zero(n);
      status[form] = solver->solve(problems[form], {.tolerance = 1e-10}, ImpulseGuess::none(), answers[form]).status;
      if (status[form] == SolveStatus::kSolved) {
        EXPECT_LE(natural_residual(item.problem.view(), answers[form]).absolute, 1.001e-10);
      }
    }
    EXPECT_EQ(status[0], status[1]);
    if (status[0] != SolveStatus::kSolved) continue;
    EXPECT_LE(max_abs(item.W * (answers[0] - answers[1])), 1e-8);
    ++compared;
    if (status[2] == SolveStatus::kNotSupported) continue;  // pivoting needs entries
    EXPECT_LE(max_abs(item.W * (answers[0] - answers[2])), 1e-8);
  }
  EXPECT_GE(compared, solver->traits().takes_discs ? 50 : 25);
}

TEST_P(AllSolvers, TakeASolutionAsAGuessForWhatItIs) {
  std::mt19937_64 random(12);
  const int dimension = solver->traits().takes_discs ? 3 : 2;
  for (int k = 0; k < 20; ++k) {
    const RigidContacts item = rigid_contacts(random, dimension, 3, 4, 0.5);
    VecX solution = VecX::Zero(item.problem.size());
    ASSERT_EQ(find_solver("auto")
                  ->make()
                  ->solve(item.problem.view(), {.tolerance = 1e-12}, ImpulseGuess::none(), solution)
                  .status,
              SolveStatus::kSolved);
    VecX Lambda(item.problem.size());
    const SolveReport report =
        solver->solve(item.problem.view(), {.tolerance = 1e-9}, ImpulseGuess::from(solution), Lambda);
    ASSERT_EQ(report.status, SolveStatus::kSolved);
    EXPECT_LE(max_abs(item.W * (Lambda - solution)), 1e-8);
    if (GetParam() == "enumerative") continue;  // a search takes no guesses
    EXPECT_EQ(report.iterations, 0);
  }
}

TEST_P(AllSolvers, TakeAGuessThatIsNoNumberForNone) {
  ContactProblem problem;
  problem.contact(0.3).free_rows(1);
  problem.G = (MatX(3, 3) << 2, 0.1, 0, 0.1, 2, 0, 0, 0, 1).finished();
  problem.c = (VecX(3) << -1, 0.5, 2).finished();
  const VecX guess = VecX::Constant(3, std::nan(""));
  VecX Lambda(3);
  EXPECT_EQ(solver->solve(problem.view(), {}, ImpulseGuess::from(guess), Lambda).status, SolveStatus::kSolved);
  EXPECT_TRUE(Lambda.allFinite());
}

// Bilateral rows without inertia of their own (zero diagonal), as in a problem with Lagrange multipliers.
TEST(SaddlePoints, AreSolvedByAuto) {
  std::mt19937_64 random(14);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 100; ++k) {
    ContactProblem problem;
    problem.free_rows(2).spatial_contact(0.6).spatial_contact(0.6);
    const MatX W = MatX::NullaryExpr(10, 6, [&] { return normal(random); });
    const MatX V = MatX::NullaryExpr(6, 2, [&] { return normal(random); });
    problem.G = MatX::Zero(8, 8);
    problem.G.bottomRightCorner(6, 6) = W.transpose() * W;
    problem.G.bottomLeftCorner(6, 2) = V;
    problem.G.topRightCorner(2, 6) = -V.transpose();
    const VecX known = (VecX(8) << 1, -2, 1, 0.1, 0.2, 2, -0.3, 0.1).finished();  // both contacts stick
    problem.c = -problem.G * known;
    const Solved solved = solve_with("auto", problem, 1e-9);
    EXPECT_EQ(solved.report.status, SolveStatus::kSolved) << "problem " << k << ", residual " << solved.report.residual;
  }
}

TEST(RelaxedCone, NeverCallsNumbersThatAreNoneSolved) {
  ContactProblem problem;
  problem.contact(0.1).contact(0.1);
  problem.G = MatX::Identity(4, 4);
  problem.G(0, 2) = problem.G(2, 0) = -3;  // indefinite: the iteration runs away
  problem.c = (VecX(4) << -1, 0.1, -1, 0.2).finished();
  EXPECT_EQ(solve_with("relaxed-cone", problem).report.status, SolveStatus::kNotSolved);
}

TEST(ProxJacobi, EveryRFactorSolvesAndTheSpectralOneIsTheFastest) {
  std::mt19937_64 random(10);
  int spectral_total = 0, row_sum_total = 0;
  for (int k = 0; k < 20; ++k) {
    const RigidContacts item = rigid_contacts(random, 3, 4, 6, 0.4);
    VecX reference = VecX::Zero(item.problem.size());
    ASSERT_EQ(find_solver("auto")
                  ->make()
                  ->solve(item.problem.view(), {.tolerance = 1e-10}, ImpulseGuess::none(), reference)
                  .status,
              SolveStatus::kSolved);
    for (const RFactor r_factor : {RFactor::kSpectral, RFactor::kRowSum, RFactor::kDiagonal}) {
      VecX Lambda = VecX::Zero(item.problem.size());
      const SolveReport report =
          find_solver("prox-jacobi")
              ->make()
              ->solve(item.problem.view(), {.tolerance = 1e-10, .r_factor = r_factor}, ImpulseGuess::none(), Lambda);
      ASSERT_EQ(report.status, SolveStatus::kSolved) << "problem " << k;
      EXPECT_LE(max_abs(item.W * (Lambda - reference)), 1e-7);
      if (r_factor == RFactor::kSpectral) spectral_total += report.iterations;
      if (r_factor == RFactor::kRowSum) row_sum_total += report.iterations;
    }
  }
  EXPECT_LT(spectral_total, row_sum_total);
}

TEST(RelaxedCone, LiftsWhatSlidesAndSaysSo) {
  // A point mass at 5 m/s on the floor, mu = 0.5: relaxed friction makes it rise at 5 mu / (1 + mu^2) = 2 m/s.
  ContactProblem problem;
  problem.contact(0.5);
  problem.G = MatX::Identity(2, 2);
  problem.c = (VecX(2) << 0, 5).finished();
  const std::unique_ptr<Solver> solver = find_solver("relaxed-cone")->make();
  EXPECT_TRUE(solver->traits().is_relaxed);
  VecX Lambda = VecX::Zero(2);
  const SolveReport report = solver->solve(problem.view(), {.tolerance = 1e-12}, ImpulseGuess::none(), Lambda);
  EXPECT_EQ(report.status, SolveStatus::kSolved);  // of the relaxed problem
  EXPECT_NEAR(Lambda[0], 2, 1e-12);
  EXPECT_NEAR(report.residual, 2, 1e-12) << "of Coulomb's law";
  const Solved exact = solve_with("nsgs", problem, 1e-12);
  EXPECT_EQ(exact.Lambda, VecX::Zero(2));
}

}  // namespace
}  // namespace freeplay::test::all_solvers_test
