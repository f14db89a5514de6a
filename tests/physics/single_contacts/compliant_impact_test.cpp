// One impact under a force law: the falling ball and the pendulum of Flores and Ambrosio (2010), with every way to find
// the start of a contact. Where contacts begin late, the energy gained is known in closed form.
#include "physics/csv_table.h"
#include "physics/model_run.h"

namespace freeplay::test::compliant_impact_test {
namespace {

constexpr double kGravity = 9.81;

// Highest point that the ball reaches after its first impact, from the last row of a flight.
double apex(const ModelRun& run) {
  const std::size_t row = run.rows() - 1;
  const double vy = run["ball.vy"][row];
  EXPECT_GT(run["bounce.gap"][row], 0) << "still in contact";
  return run["ball.y"][row] + vy * vy / (2 * kGravity);
}

ModelRun ball(const std::string& control, const std::string& step, const Overrides& more = {}) {
  Overrides overrides = {"penetration_control=" + control, "step=" + step, "duration=0.5 s"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return run_example("falling_ball", overrides);
}

TEST(FallingBall, StrikesWhenAndAsFastAsItFell) {
  const ModelRun run = ball("roots", "0.1 ms");
  ASSERT_EQ(run.record.impacts.size(), 1u);
  EXPECT_NEAR(run.record.impacts[0].time_s, 0.428352937, 1e-9);
  EXPECT_NEAR(-run.record.impacts[0].normal_velocity_before, 4.202142311, 1e-9);
  EXPECT_NEAR(run.record.impacts[0].normal_velocity_after, 4.202142311, 1e-5);  // a fraction of a microsecond later
  const double weight_Ns = kGravity * 2.94328 * 1.84168e-4 / 4.202142311;       // gravity acts meanwhile
  EXPECT_NEAR(run.record.impacts[0].normal_impulse, 2 * 4.202142311 + weight_Ns, 5e-4);
  EXPECT_LT(run.summary.largest_initial_penetration_m, 1e-12);
  EXPECT_LT(std::abs(run.summary.energy_drift_J), 1e-6);
  EXPECT_NEAR(apex(run), 1, 1e-6);
}

struct LateStart {
  const char* step;
  double depth_m, gain_J, apex_m;
};
TEST(FallingBall, WithoutControlItGainsTheElasticEnergyOfTheLateStart) {
  for (const LateStart& late : {LateStart{"0.1 ms", 1.978e-4, 10.552, 2.07564},
                                {"1 ms", 2.7213e-3, 7409.0, 756.25},
                                {"10 ms", 6.9345e-3, 7.6813e4, 7831}}) {
    SCOPED_TRACE(late.step);
    const ModelRun run = ball("none", late.step);
    EXPECT_NEAR(run.summary.largest_initial_penetration_m, late.depth_m, 1e-3 * late.depth_m);
    EXPECT_NEAR(run.summary.injected_energy_J, late.gain_J, 1e-3 * late.gain_J);
    EXPECT_NEAR(run.summary.energy_drift_J, late.gain_J, 1e-3 * late.gain_J);
    EXPECT_NEAR(apex(run), late.apex_m, 1e-3 * late.apex_m);
    // The formula is exact.
    const double depth_m = run.summary.largest_initial_penetration_m;
    EXPECT_NEAR(run.summary.injected_energy_J, 4.795541962e10 * std::pow(depth_m, 2.5) / 2.5, 1e-9 * late.gain_J);
  }
  const ModelRun soft = ball("none", "1 ms", {"stiffness=1.4e8 N/m^1.5"});
  EXPECT_NEAR(soft.summary.injected_energy_J, 21.630, 1e-3 * 21.63);
  EXPECT_NEAR(apex(soft), 3.2049, 1e-3 * 3.2049);
}

TEST(FallingBall, ProcedureTwoAndItsSecantKeepTheDepthAndTheEnergy) {
  for (const std::string control : {"procedure-2", "secant"}) {
    for (const char* step : {"0.1 ms", "1 ms", "10 ms"}) {
      SCOPED_TRACE(control + " " + step);
      const ModelRun run = ball(control, step);
      EXPECT_GT(run.summary.largest_initial_penetration_m, 0);
      EXPECT_LE(run.summary.largest_initial_penetration_m, 1e-6);
      EXPECT_NEAR(apex(run), 1, 1e-5);
      EXPECT_GE(run.summary.rejected_by_contact, 1);
    }
  }
}

// Interpolation along the chord loses m g^2 h^2 alpha (1 - alpha)/2: alpha is where in the step the impact lies.
TEST(FallingBall, ProcedureOneLosesWhatItsChordCuts) {
  for (const auto& [step, h] : {std::pair{"1 ms", 1e-3}, {"10 ms", 1e-2}}) {
    SCOPED_TRACE(step);
    const ModelRun run = ball("procedure-1", step);
    const double t_impact = 0.428352937, alpha = t_impact / h - std::floor(t_impact / h);
    const double expected_J = -0.5 * kGravity * kGravity * h * h * alpha * (1 - alpha);
    EXPECT_NEAR(run.summary.energy_drift_J, expected_J, 0.03 * std::abs(expected_J) + 2e-5);
    EXPECT_EQ(run.summary.interpolated_starts, 1);
  }
}

TEST(FallingBall, LankaraniAndNikraveshReturnMoreThanTheNominalRestitution) {
  for (const auto& [restitution, height] : {std::pair{"0.9", 0.85047}, {"0.7", 0.67015}, {"0.5", 0.57330}}) {
    EXPECT_NEAR(apex(ball("roots", "0.1 ms", {std::string("restitution=") + restitution})), height, 2e-5);
  }
}

TEST(FallingBall, CvodeGivesTheSameImpact) {
  for (const char* integrator : {"cvode-bdf", "cvode-adams"}) {
    SCOPED_TRACE(integrator);
    const ModelRun run =
        ball("roots", "1 ms", {std::string("simulate.integrator=") + integrator, "simulate.tolerance=1e-11"});
    ASSERT_EQ(run.record.impacts.size(), 1u);
    EXPECT_NEAR(run.record.impacts[0].time_s, 0.428352937, 1e-9);
    EXPECT_LT(run.summary.largest_initial_penetration_m, 1e-12);
    EXPECT_NEAR(apex(run), 1, 1e-5);
  }
  const ModelRun refused = ball("procedure-2", "1 ms", {"simulate.integrator=cvode-bdf"});
  EXPECT_LE(refused.summary.largest_initial_penetration_m, 1e-6);
  EXPECT_GE(refused.summary.rejected_by_contact, 1);
  EXPECT_NEAR(apex(refused), 1, 1e-5);
  const ModelRun late = ball("none", "1 ms", {"simulate.integrator=cvode-bdf", "simulate.max_step=1 ms"});
  EXPECT_GT(late.summary.injected_energy_J, 1);
  const double depth_m = late.summary.largest_initial_penetration_m;
  EXPECT_NEAR(late.summary.injected_energy_J, 4.795541962e10 * std::pow(depth_m, 2.5) / 2.5,
              1e-9 * late.summary.injected_energy_J);
  EXPECT_NEAR(late.summary.energy_drift_J, late.summary.injected_energy_J, 1e-4 * late.summary.injected_energy_J);
}

// Without a grid of steps the first step is as long as the integrator likes.
ModelFile ball_without_grid(const Overrides& overrides) {
  ModelFile file = load_example("falling_ball", overrides);
  file.simulate.step_s.reset();
  return file;
}

TEST(FallingBall, ASmallGapAtTheStartIsAGap) {
  for (const char* height : {"100.1 mm", "100.5 mm", "100.9 mm"}) {
    const ModelRun run = run_model(
        ball_without_grid({std::string("height=") + height, "bodies.ball.initial.vy=-1 m/s", "duration=5 ms"}));
    EXPECT_EQ(run.summary.contacts_begun, 1) << height;
    EXPECT_EQ(run.summary.impacts, 1) << height;
    EXPECT_LT(run.summary.largest_initial_penetration_m, 1e-12) << height;
  }
}

// A contact that begins a moment before the end of the run, nearer than a step is usually rounded to.
TEST(FallingBall, AContactAtTheVeryEndEndsTheRun) {
  for (const double after : {2e-14, 5e-14, 1e-13, 1e-12, 1e-9}) {
    for (const char* control : {"roots", "secant", "procedure-2"}) {
      ModelFile file = ball_without_grid({std::string("penetration_control=") + control});
      file.simulate.duration_s = 0.42835293687811934 + after;
      const ModelRun run = run_model(file);
      EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << control << ", " << after;
      EXPECT_LE(run.summary.contacts_begun, 1) << control << ", " << after;
    }
  }
}

// ---- Pendulum ----

ModelRun pendulum(const std::string& control, const std::string& step, const Overrides& more = {}) {
  Overrides overrides = {"penetration_control=" + control, "step=" + step, "duration=0.6 s"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return run_example("pendulum_wall", overrides);
}

// Height of the bob where it turns: all its energy at the last row, which lies behind the impact, is potential there.
double rebound(const ModelRun& run) {
  const std::size_t row = run.rows() - 1;
  EXPECT_GT(run["strike.gap"][row], 0) << "still in contact";
  return run["energy.total"][row] / kGravity;
}

// Finely resolved by the tolerance alone.
ModelRun fine_impact() {
  return pendulum("roots", "0.1 ms", {"simulate.relative_tolerance=1e-13", "simulate.absolute_tolerance=1e-13"});
}

// Penetration at a time, by the cubic through position and speed of the bob at both ends of the row.
double penetration_at(const ModelRun& run, double t) {
  std::size_t i = 1;
  while (i + 1 < run.rows() && run.time()[i] < t) ++i;
  const double h = run.time()[i] - run.time()[i - 1], s = (t - run.time()[i - 1]) / h, s2 = s * s, s3 = s2 * s;
  const auto& x = run["bob.x"];
  const auto& v = run["bob.vx"];
  return (2 * s3 - 3 * s2 + 1) * x[i - 1] + (s3 - 2 * s2 + s) * h * v[i - 1] + (3 * s2 - 2 * s3) * x[i] +
         (s3 - s2) * h * v[i];
}

TEST(PendulumWall, StrikesWhenAndAsHardAsTheClosedFormSays) {
  const ModelRun run = fine_impact();
  ASSERT_EQ(run.record.impacts.size(), 1u);
  const double start_s = run.record.impacts[0].time_s;
  EXPECT_NEAR(start_s, 0.5922563932, 1e-8);
  EXPECT_NEAR(-run.record.impacts[0].normal_velocity_before, 4.427233854, 1e-8);
  double deepest_m = 0;
  for (double t = start_s; t < start_s + 1.5e-4; t += 1e-8) deepest_m = std::max(deepest_m, penetration_at(run, t));
  EXPECT_NEAR(deepest_m, 2.206804e-4, 1e-5 * 2.2e-4);
  EXPECT_NEAR(3.39e10 * std::pow(deepest_m, 1.5), 1.111336e5, 1e-5 * 1.1e5);
  EXPECT_NEAR(largest(run["strike.normal_force"]), 1.111336e5, 1e-3 * 1.1e5);  // at the rows
  EXPECT_NEAR(rebound(run), 0, 1e-5);
  for (std::size_t i = 1; i < run.rows(); ++i) {
    if (run["strike.mode"][i - 1] == 0 || run["strike.mode"][i] != 0) continue;
    const double end_s = run.time()[i] + run["bob.x"][i] / -run["bob.vx"][i];  // back to x = 0
    EXPECT_NEAR(end_s - start_s, 1.467108e-4, 1e-5 * 1.467e-4);
  }
}

TEST(PendulumWall, TheImpactIsThatOfTheReference) {
  const CsvTable reference = read_csv("compliant/pendulum_impact.csv");
  const ModelRun run = fine_impact();
  const double start_s = run.record.impacts.at(0).time_s;
  int in_contact = 0;
  for (std::size_t k = 0; k < reference.at("t_minus_t_on").size(); ++k) {
    const double depth_m = penetration_at(run, start_s + reference.at("t_minus_t_on")[k]);
    EXPECT_NEAR(depth_m, reference.at("delta")[k], 2e-9) << k;
    const double force_N = depth_m > 0 ? 3.39e10 * std::pow(depth_m, 1.5) : 0;
    EXPECT_NEAR(force_N, reference.at("force")[k], 2) << k;
    in_contact += force_N > 1;
  }
  EXPECT_GT(in_contact, 20);
}

TEST(PendulumWall, WithoutControlItGainsEnergy) {
  const ModelRun fine = pendulum("none", "0.1 ms");
  EXPECT_NEAR(fine.summary.largest_initial_penetration_m, 1.931e-4, 1e-3 * 1.931e-4);
  EXPECT_NEAR(fine.summary.energy_drift_J, 7.022, 1e-3 * 7.022);
  EXPECT_NEAR(rebound(fine), 0.7158, 1e-3 * 0.7158);
  const ModelRun coarse = pendulum("none", "1 ms", {"duration=0.594 s"});
  EXPECT_NEAR(coarse.summary.largest_initial_penetration_m, 3.292e-3, 1e-3 * 3.292e-3);
  EXPECT_NEAR(coarse.summary.injected_energy_J, 8.432e3, 1e-3 * 8.432e3);
}

TEST(PendulumWall, ReboundsAsHighAsTheLawReturns) {
  for (const auto& [restitution, height] : {std::pair{"0.9", -0.16611}, {"0.7", -0.36643}, {"0.5", -0.47403}}) {
    EXPECT_NEAR(rebound(pendulum("roots", "0.1 ms", {std::string("restitution=") + restitution})), height, 2e-5);
  }
  for (const char* control : {"procedure-1", "procedure-2", "secant"}) {
    EXPECT_NEAR(rebound(pendulum(control, "0.1 ms")), 0, 1e-5) << control;
  }
  for (const char* integrator : {"cvode-bdf", "cvode-adams"}) {
    const ModelRun run = pendulum("roots", "1 ms", {std::string("simulate.integrator=") + integrator});
    EXPECT_NEAR(rebound(run), 0, 1e-5) << integrator;
  }
  const ModelRun refused = pendulum("procedure-2", "1 ms", {"simulate.integrator=cvode-bdf"});
  EXPECT_NEAR(rebound(refused), 0, 1e-5);
  EXPECT_GT(refused.summary.rejected_by_contact, 3);
  EXPECT_LE(refused.summary.largest_initial_penetration_m, 1e-6);
}

}  // namespace
}  // namespace freeplay::test::compliant_impact_test
