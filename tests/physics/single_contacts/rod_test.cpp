// A slender rod with its tip on the floor: sliding into Painleve's paradox, and falling over without friction.
// m = 1 kg, half length l = 1 m, J = m l^2/3; the tip is at centre - l (cos phi, sin phi).
#include <numbers>

#include "freeplay/complementarity/pivoting/enumerative.h"
#include "physics/single_contacts/analytic_benchmarks.h"
#include "unit/complementarity/contact_problem.h"

namespace freeplay::test::rod_test {
namespace {

constexpr double kGravity = 9.81;

// G = W^T M^-1 W of the only contact of a model in its initial state, rows N and T.
MatX delassus(const std::string& example, const Overrides& overrides = {}) {
  const Model model = build_model(load_example(example, overrides));
  const std::unique_ptr<Dynamics> dynamics = model.system->make_dynamics();
  const State state = model.system->initial_state();
  dynamics->set_position(state.t, state.q);
  MassMatrix M(model.system->mass_structure());
  dynamics->mass_matrix(M);
  EXPECT_TRUE(M.factor());
  const std::unique_ptr<ContactKinematics> kinematics = model.contacts->make_kinematics(*dynamics);
  VecX g(model.contacts->point_count());
  kinematics->update_gaps(g);
  RowStore rows(model.system->mass_structure());
  EXPECT_EQ(kinematics->add_rows(0, rows), 2);
  MatX W(model.system->velocity_count(), 2);
  for (int i = 0; i < 2; ++i) rows.write_column(i, W.col(i));
  MatX MinvW = W;
  for (Eigen::Index i = 0; i < MinvW.cols(); ++i) M.solve_in_place(MinvW.col(i));
  return W.transpose() * MinvW;
}

TEST(PainleveRod, InverseInertiaAtTheTip) {
  const MatX G = delassus("painleve_rod");
  const double cos2 = 1.0 / 5, sin2 = 4.0 / 5, sin_cos = 2.0 / 5;  // tan phi = 2
  expect_benchmark("rod tan(phi)=2: G_NN = 1+3cos^2", 1 + 3 * cos2, G(0, 0));
  expect_benchmark("rod tan(phi)=2: G_NT = -3 sin cos", -3 * sin_cos, G(0, 1));
  expect_benchmark("rod tan(phi)=2: G_TT = 1+3 sin^2", 1 + 3 * sin2, G(1, 1));
  // Sliding to the left takes Lambda_T = mu Lambda_N; G_NN + mu G_NT < 0 means that pressing lifts nothing.
  expect_benchmark("rod: critical mu at tan(phi)=2", (1 + 3 * cos2) / (3 * sin_cos), -G(0, 0) / G(0, 1));
  for (const char* steeper_or_flatter : {"angle=atan(2.1)", "angle=atan(1.9)"}) {
    const MatX other = delassus("painleve_rod", {steeper_or_flatter});
    EXPECT_GT(-other(0, 0) / other(0, 1), 4.0 / 3) << steeper_or_flatter;
  }
}

// No finite force lets the tip slide on. Sticking in an instant is the only way out: G Lambda = (0, v) gives
// Lambda = (0.3, 0.4) m v, although nothing has collided.
TEST(PainleveRod, ImpactWithoutCollision) {
  const ModelRun run = run_example("painleve_rod", {"step=1 ns", "duration=1 ns"});
  expect_benchmark("rod mu=2 impact without collision: x'+ = -0.6 v", -0.6, run["rod.vx"].back());
  expect_benchmark("rod mu=2 impact without collision: y'+ = 0.3 v", 0.3, run["rod.vy"].back());
  expect_benchmark("rod mu=2 impact without collision: phi'+ = 1.5/sqrt5 v", 1.5 / std::sqrt(5.0),
                   run["rod.omega"].back());
  EXPECT_NEAR(run["slide.normal_impulse"].back(), 0.3, 1e-7);
  EXPECT_NEAR(run["slide.tangential_impulse"].back(), 0.4, 1e-7);
  EXPECT_EQ(run["slide.mode"].back(), static_cast<double>(ContactMode::kStick));
  EXPECT_NEAR(run["energy.kinetic"].front(), 0.5, 1e-15);
  EXPECT_NEAR(run["energy.kinetic"].back(), 0.3, 1e-7);
  EXPECT_NEAR(run["energy.friction_loss"].back(), 0.2, 1e-7);  // Lambda_T v/2
}

// The jump does not vanish with the step, its error does.
TEST(PainleveRod, JumpConvergesWithOrderOne) {
  double previous = 0;
  for (const double step : {1e-5, 1e-6, 1e-7}) {
    const ModelRun run =
        run_example("painleve_rod", {fmt::format("step={} s", step), fmt::format("duration={} s", step)});
    const double error = std::abs(run["rod.vy"].back() - 0.3);
    if (previous > 0) {
      EXPECT_NEAR(previous / error, 10, 0.1) << step;
    }
    previous = error;
  }
}

// Below mu = 4/3 the same rod slides on: the velocities change by what forces do in a step.
TEST(PainleveRod, SlidesOnBelowTheCriticalFriction) {
  for (const double mu : {0.5, 1.0, 1.3}) {
    const double step = 1e-9;
    const ModelRun run = run_example("painleve_rod", {fmt::format("friction={}", mu), "step=1 ns", "duration=1 ns"});
    // lambda_N = m g/(G_NN + mu G_NT), the textbook's formula for a sliding tip.
    const double lambda_N = kGravity / (1.6 - 1.2 * mu);
    EXPECT_NEAR(run["slide.normal_impulse"].back(), lambda_N * step, 1e-6 * lambda_N * step) << mu;
    EXPECT_NEAR(run["rod.vx"].back(), -1, 1e-6) << mu;
    EXPECT_EQ(run["slide.mode"].back(), static_cast<double>(ContactMode::kSlip));
  }
  const ModelRun above = run_example("painleve_rod", {"friction=1.34", "step=1 ns", "duration=1 ns"});
  EXPECT_NEAR(above["rod.vx"].back(), -0.6, 1e-6);
}

// Where the tip would rise by itself (b_N > 0) three answers satisfy all laws: lift off, slide, stick.
TEST(PainleveRod, IndeterminateStateHasThreeSolutions) {
  ContactProblem problem{delassus("painleve_rod"), Vec2(0.01, -1), {}};
  problem.contact(2);
  const std::vector<VecX> solutions = all_solutions(problem.view());
  expect_benchmark("rod mu=2, b_N=+.01: number of solutions", 3, static_cast<double>(solutions.size()));
  ASSERT_EQ(solutions.size(), 3u);
  // Sliding to the left, Lambda_T = 2 Lambda_N: (1.6 - 2.4) Lambda_N + 0.01 = 0.
  const double slip = 0.01 / 0.8;
  // Sticking: G Lambda = (-0.01, 1), det G = 1.6 * 3.4 - 1.2^2 = 4.
  const double stick_N = (-0.01 * 3.4 + 1.2) / 4, stick_T = (1.6 - 1.2 * 0.01) / 4;
  expect_benchmark("rod mu=2, b_N=+.01: P_N open", 0, solutions[0][0]);
  expect_benchmark("rod mu=2, b_N=+.01: P_N slip-", slip, solutions[1][0]);
  EXPECT_NEAR(solutions[1][1], 2 * slip, 1e-12);
  expect_benchmark("rod mu=2, b_N=+.01: P_N stick", stick_N, solutions[2][0]);
  expect_benchmark("rod mu=2, b_N=+.01: P_T stick", stick_T, solutions[2][1]);
  for (const char* solver : {"enumerative", "lemke", "auto"})
    EXPECT_LT(solve_with(solver, problem).Lambda.norm(), 1e-12) << solver;  // all three lift off
}

// Inconsistent: b_N < 0. One solution is left. The direct solvers and auto find it; every exact one finds it or says
// that it did not.
TEST(PainleveRod, InconsistentStateHasOneSolution) {
  ContactProblem problem{delassus("painleve_rod"), Vec2(-0.01, -1), {}};
  problem.contact(2);
  const std::vector<VecX> solutions = all_solutions(problem.view());
  ASSERT_EQ(solutions.size(), 1u);
  const Vec2 stick((0.01 * 3.4 + 1.2) / 4, (1.6 + 1.2 * 0.01) / 4);
  EXPECT_LT((solutions[0] - stick).norm(), 1e-12);
  for (const char* solver : {"enumerative", "lemke", "auto"})
    EXPECT_LT((solve_with(solver, problem).Lambda - stick).norm(), 1e-12) << solver;
  for (const SolverEntry& entry : solver_registry()) {
    const SolverTraits traits = entry.make()->traits();
    if (traits.is_relaxed || !traits.takes_friction) continue;
    const Solved solved = solve_with(entry.name, problem);
    if (solved.report.status == SolveStatus::kSolved) {
      EXPECT_LT((solved.Lambda - stick).norm(), 1e-7) << entry.name;
    } else {
      EXPECT_GT(solved.report.residual, 1e-9) << entry.name;
    }
  }
}

// Energy of the smooth fall: (m/2) l^2 phi'^2 (cos^2 phi + 1/3) = m g l (sin phi0 - sin phi).
double fall_rate(double phi) {
  const double phi0 = std::numbers::pi / 3;
  const double c = std::cos(phi);
  return -std::sqrt(2 * kGravity * (std::sin(phi0) - std::sin(phi)) / (c * c + 1.0 / 3));
}

// dt = dphi/|phi'| is singular at the start: phi = phi0 (1 - s^2) removes it. Simpson's rule.
double fall_time() {
  const double phi0 = std::numbers::pi / 3;
  const auto integrand = [&](double s) {
    if (s == 0) return 2 * phi0 / std::sqrt(2 * kGravity * std::cos(phi0) * phi0 / (0.25 + 1.0 / 3));
    return -2 * phi0 * s / fall_rate(phi0 * (1 - s * s));
  };
  constexpr int kIntervals = 2000;
  double sum = integrand(0) + integrand(1);
  for (int k = 1; k < kIntervals; ++k) sum += (k % 2 == 1 ? 4 : 2) * integrand(static_cast<double>(k) / kIntervals);
  return sum / (3 * kIntervals);
}

TEST(FallingRod, LandsFlatAtTheTimeOfTheQuadrature) {
  const ModelRun run = run_example("falling_rod", {"duration=0.56 s"});
  std::size_t flat = 0;
  while (run["rod.angle"][flat] > 0) ++flat;
  expect_benchmark("falling rod: time to phi=0 (quadrature)", fall_time(), run.time()[flat]);
  expect_benchmark("falling rod: phi'(phi=0) = -sqrt(1.5 g sin(phi0)/l)", fall_rate(0), run["rod.omega"][flat]);
  Worst gap, speed, sideways;
  for (std::size_t i = 0; i <= flat; ++i) {
    gap(run["stand.gap"][i]);
    speed(run["rod.omega"][i] - fall_rate(std::min(run["rod.angle"][i], std::numbers::pi / 3)));
    sideways(run["rod.vx"][i]);
  }
  expect_benchmark("falling rod: max |gap| (drift) at dt=1e-4", 0, gap.value);
  EXPECT_LT(gap.value, 1e-7);
  EXPECT_LT(speed.value, 1e-3);  // rad/s, all the way down
  EXPECT_EQ(sideways.value, 0);  // no friction, nothing pushes sideways
}

// The floor carries the rod until it lies: it does not lift off on the way, but for single steps in which the curved
// path of the tip has opened the gap.
TEST(FallingRod, TipStaysOnTheFloor) {
  const ModelRun run = run_example("falling_rod");
  for (std::size_t i = 10; i < run.rows(); ++i) {
    ASSERT_GT(run["stand.normal_force"][i], 0) << run.time()[i];
    ASSERT_LT(std::abs(run["stand.gap"][i]), kGravity * 1e-8) << run.time()[i];  // g dt^2
  }
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-11);
}

}  // namespace
}  // namespace freeplay::test::rod_test
