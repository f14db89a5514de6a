// One impact under a force law: the falling ball and the pendulum of Flores and Ambrosio (2010), with every way to find
// the start of a contact. Where contacts begin late, the energy gained is known in closed form.
#include "physics/csv_table.h"
#include "physics/model_run.h"

namespace freeplay::test {
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
  EXPECT_NEAR(run.record.impacts[0].normal_velocity_after, 4.202142311, 1e-6);
  EXPECT_NEAR(run.record.impacts[0].normal_impulse, 2 * 4.202142311, 1e-3);
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
    const ModelRun run = ball("roots", "1 ms", {std::string("simulate.integrator=") + integrator});
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

TEST(PendulumWall, StrikesWhenAndAsHardAsTheClosedFormSays) {
  const ModelRun run = pendulum("roots", "0.1 ms", {"simulate.max_step=1 us"});
  ASSERT_EQ(run.record.impacts.size(), 1u);
  EXPECT_NEAR(run.record.impacts[0].time_s, 0.5922563932, 1e-8);
  EXPECT_NEAR(-run.record.impacts[0].normal_velocity_before, 4.427233854, 1e-8);
  EXPECT_NEAR(run.summary.max_penetration_m, 2.206804e-4, 1e-5 * 2.2e-4);
  EXPECT_NEAR(largest(run["strike.normal_force"]), 1.111336e5, 2e-5 * 1.1e5);  // sampled every microsecond
  EXPECT_NEAR(rebound(run), 0, 1e-5);
}

TEST(PendulumWall, LastsAsLongAsHertzSays) {
  const ModelRun run = pendulum("roots", "0.1 ms", {"simulate.max_step=0.1 us", "duration=0.5925 s"});
  double end_s = 0;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    if (run["strike.mode"][i - 1] > 0 && run["strike.mode"][i] == 0) end_s = run.time()[i];
  }
  EXPECT_NEAR(end_s - run.record.impacts.at(0).time_s, 1.467108e-4, 1e-7);
}

TEST(PendulumWall, TheImpactIsThatOfTheReference) {
  const CsvTable reference = read_csv("compliant/pendulum_impact.csv");
  const ModelRun run = pendulum("roots", "0.1 ms", {"simulate.max_step=0.2 us", "duration=0.5925 s"});
  const double start_s = run.record.impacts.at(0).time_s;
  int compared = 0;
  for (std::size_t k = 0; k < reference.at("t_minus_t_on").size(); ++k) {
    const double t = start_s + reference.at("t_minus_t_on")[k];
    if (t > run.time().back()) break;
    std::size_t i = 1;
    while (i + 1 < run.rows() && run.time()[i] < t) ++i;
    const double s = (t - run.time()[i - 1]) / (run.time()[i] - run.time()[i - 1]);
    const auto at = [&](const char* channel) { return (1 - s) * run[channel][i - 1] + s * run[channel][i]; };
    EXPECT_NEAR(-at("strike.gap"), reference.at("delta")[k], 1e-9) << k;
    EXPECT_NEAR(at("strike.normal_force"), reference.at("force")[k], 5) << k;
    ++compared;
  }
  EXPECT_GT(compared, 20);
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
}

}  // namespace
}  // namespace freeplay::test
