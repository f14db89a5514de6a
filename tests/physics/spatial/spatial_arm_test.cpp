// A robot arm with three revolute joints with play, in space: up to twelve rough contacts on eighteen freedoms, so that
// the contacts of a joint are redundant. The solver has to find a solution to the tolerance in every step.
#include "freeplay/complementarity/problem/natural_residual.h"
#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/io/problem/contact_problem_file.h"
#include "physics/model_run.h"
#include "support/places.h"

namespace freeplay::test::spatial_arm_test {
namespace {

constexpr double kTolerance = 1e-9;  // m/s, the default

struct Case {
  double friction, restitution, step_s, duration_s;
};

class ArmWithPlay : public testing::TestWithParam<Case> {};

TEST_P(ArmWithPlay, CompletesWithEveryStepCertified) {
  const Case arm = GetParam();
  const Overrides overrides = {fmt::format("mu={}", arm.friction), fmt::format("e={}", arm.restitution),
                               fmt::format("simulate.step={} s", arm.step_s),
                               fmt::format("simulate.duration={} s", arm.duration_s)};
  const ModelRun run =
      run_model(load_model(test_dir() + "/models/physics/arm.yaml", overrides), {{"step.residual", "energy.drift"}, 1});
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_LE(run.summary.worst_residual_m_s, kTolerance);
  EXPECT_LE(largest(run["step.residual"]), kTolerance);
}
INSTANTIATE_TEST_SUITE_P(Sweep, ArmWithPlay,
                         testing::Values(Case{0.05, 0, 200e-6, 0.2}, Case{0.1, 0.3, 100e-6, 0.3},
                                         Case{0.2, 0.3, 200e-6, 0.4}, Case{0.2, 0.9, 200e-6, 0.41},
                                         Case{0.3, 0, 200e-6, 0.48}, Case{0.3, 0.3, 100e-6, 1.0},
                                         Case{0.3, 0.3, 200e-6, 1.45}, Case{0.3, 0.6, 200e-6, 0.31},
                                         Case{0.5, 0, 50e-6, 0.06}, Case{0.5, 0, 200e-6, 0.1},
                                         Case{0.5, 0.3, 50e-6, 0.06}, Case{0.5, 0.9, 200e-6, 0.4}),
                         [](const auto& sweep) {
                           return fmt::format("mu{:.0f}e{:.0f}step{:.0f}us", 100 * sweep.param.friction,
                                              100 * sweep.param.restitution, 1e6 * sweep.param.step_s);
                         });

// One of the problems at which the runs stopped. Three contacts of the shoulder stick, and what they ask for differs by
// 5e-9 m/s in a direction that they share: one of them has to slip at that speed, and the load that they share has to
// move by a thousand times what the velocities say until it does.
TEST(ProblemOfTheArm, HasOneContactThatSlipsByVeryLittleAndIsSolved) {
  const io::ContactLocalProblem problem(io::read_contact_problem(test_dir() + "/reference/spatial/arm_hard.hdf5"));
  for (const char* name : {"auto", "proximal-point"}) {
    const std::unique_ptr<Solver> solver = find_solver(name)->make();
    VecX Lambda = VecX::Zero(problem.view().size());
    const SolveReport report = solver->solve(problem.view(), {.tolerance = kTolerance}, ImpulseGuess::none(), Lambda);
    EXPECT_EQ(report.status, SolveStatus::kSolved) << name << ": " << report.residual;
    EXPECT_LE(natural_residual(problem.view(), Lambda).absolute, kTolerance) << name;
    EXPECT_LT(report.iterations, 1000) << name;
  }
}

// Step 7128 of the run with mu = 0.3, e = 0.3 and 200 us, which stopped there. Contacts of the shoulder press against
// each other a hundred times as hard as the load asks for, and slip by next to nothing: proximal point comes to 6.4e-9
// m/s and gets no further, while a solution has a residual of rounding only.
TEST(ProblemOfTheArm, HasContactsThatPressAgainstEachOtherAndIsSolved) {
  const io::ContactLocalProblem problem(
      io::read_contact_problem(test_dir() + "/reference/spatial/arm_hard_200us.hdf5"));
  const std::unique_ptr<Solver> solver = find_solver("auto")->make();
  VecX Lambda = VecX::Zero(problem.view().size());
  const SolveReport report = solver->solve(problem.view(), {.tolerance = 1e-12}, ImpulseGuess::none(), Lambda);
  EXPECT_EQ(report.status, SolveStatus::kSolved) << report.residual;
  EXPECT_LE(natural_residual(problem.view(), Lambda).absolute, 1e-12);
  // Found by another program, from the same start, by the same least squares in other variables: a regression test.
  EXPECT_NEAR(Lambda.lpNorm<Eigen::Infinity>(), 1.2593947740, 1e-8);
}

}  // namespace
}  // namespace freeplay::test::spatial_arm_test
