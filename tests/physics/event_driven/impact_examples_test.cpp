// Superball, Newton's cradle, impact oscillator and rocking block: impacts with closed forms, located by events.
#include <fstream>
#include <numbers>
#include <sstream>

#include "physics/model_run.h"
#include "support/places.h"

namespace freeplay::test::impact_examples_test {
namespace {

using std::numbers::pi;

// ---- superball ----

struct CurvePoint {
  std::string solid;
  double e_N = 0, e_T = 0, mu = 0, ratio = 0, gamma_in = 0, gamma_out = 0;
};

std::vector<CurvePoint> impact_curve() {
  std::ifstream file(test_dir() + "/reference/unilateral/impact_disc_curve.csv");
  EXPECT_TRUE(file.good());
  std::vector<CurvePoint> curve;
  std::string line;
  std::getline(file, line);  // the header
  while (std::getline(file, line)) {
    CurvePoint point;
    std::istringstream cells(line);
    std::getline(cells, point.solid, ',');
    char comma = 0;
    cells >> point.e_N >> comma >> point.e_T >> comma >> point.mu >> comma >> point.ratio >> comma >> point.gamma_in >>
        comma >> point.gamma_out;
    curve.push_back(point);
  }
  return curve;
}

// One impact on the floor without gravity. gamma: velocity of the surface over the speed of approach; G_TT/G_NN =
// 1 + m r^2/J.
TEST(Superball, ReturnsItsSurfaceAlongTheCurveOfTheImpactLaw) {
  const std::vector<CurvePoint> curve = impact_curve();
  ASSERT_EQ(curve.size(), 245U);
  for (const CurvePoint& point : curve) {
    SCOPED_TRACE(fmt::format("{}, gamma = {}", point.solid, point.gamma_in));
    const ModelRun run = run_example(
        "superball", {fmt::format("restitution={}", point.e_N), fmt::format("tangential_restitution={}", point.e_T),
                      fmt::format("friction={}", point.mu), fmt::format("roundness={}", 1 / (point.ratio - 1)),
                      fmt::format("speed_along={} m/s", point.gamma_in), "speed_down=1 m/s", "g=0 m/s^2", "height=10 m",
                      "duration=0.25 s", "simulate.tolerance=1e-12"});
    ASSERT_EQ(run.record.impacts.size(), 1U);
    constexpr double kRadius_m = 25e-3;
    EXPECT_NEAR(run["ball.vx"].back() + kRadius_m * run["ball.omega"].back(), point.gamma_out, 1e-10);
    EXPECT_NEAR(run["ball.vy"].back(), point.e_N, 1e-10);
  }
}

TEST(Superball, ComesBackFromUnderTheTable) {
  const ModelRun run = run_example("superball");
  ASSERT_GE(run.record.impacts.size(), 3U);
  const std::vector<std::string>& contacts = run.record.layout.contacts;
  const char* expected[] = {"on_floor", "under_table", "on_floor"};
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(contacts[static_cast<std::size_t>(run.record.impacts[i].contact)], expected[i]);
  EXPECT_GT(run["ball.vx"].front(), 0);
  EXPECT_LT(run["ball.vx"].back(), 0);
}

// ---- Newton's cradle ----

// Velocities right after the first impact, over the speed of the first ball before it.
std::vector<double> after_first_knock(const Overrides& overrides) {
  Overrides all = overrides;
  all.push_back("duration=0.2 s");
  const ModelRun run = run_example("newtons_cradle", all);
  EXPECT_FALSE(run.record.impacts.empty());
  const double impact_s = run.record.impacts.front().time_s;
  std::size_t row = 0;
  while (row + 1 < run.rows() && run.time()[row] < impact_s) ++row;
  // Energy of a ball on its string: the height falls by string (1 - cos(lift)).
  constexpr double kString_m = 0.1, kRadius_m = 0.01;
  const double drop_m = kString_m * (1 - std::cos(30 * pi / 180));
  const double before = std::sqrt(2 * 9.81 * drop_m / (kString_m * kString_m + 0.4 * kRadius_m * kRadius_m));
  std::vector<double> values;
  for (const char* ball : {"ball_1.omega", "ball_2.omega", "ball_3.omega"}) values.push_back(run[ball][row] / before);
  return values;
}

void expect_velocities(const std::vector<double>& found, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-8) << "ball " << i + 1;
}

TEST(NewtonsCradle, NewtonAndPoissonDifferWhereRestitutionsDo) {
  const double third = 1.0 / 3;
  expect_velocities(after_first_knock({"law=newton"}), {0, 0.5, 0.5});
  expect_velocities(after_first_knock({"law=poisson"}), {0, third, 2 * third});
  for (const char* law : {"law=newton", "law=poisson"})
    expect_velocities(after_first_knock({law, "restitution_12=1"}), {-third, 2 * third, 2 * third});
}

// With gaps between them the balls strike one after the other, and the last one flies off, as it does on a desk.
TEST(NewtonsCradle, BallsThatDoNotTouchPassTheImpulseOn) {
  const ModelRun run = run_example("newtons_cradle", {"gap=1 um", "restitution_12=1", "duration=0.2 s"});
  ASSERT_GE(run.record.impacts.size(), 2U);
  EXPECT_EQ(run.record.impacts[0].contact, 0);
  EXPECT_EQ(run.record.impacts[1].contact, 1);
  EXPECT_LT(run.record.impacts[1].time_s - run.record.impacts[0].time_s, 1e-5);
  EXPECT_NEAR(run["ball_1.omega"].back() / run["ball_3.omega"].back(), 0, 1e-3);
  EXPECT_NEAR(run["ball_2.omega"].back() / run["ball_3.omega"].back(), 0, 1e-3);
}

// Two balls that swing in step touch without a force: what is computed for it is rounding, and no reason for short
// steps.
TEST(NewtonsCradle, BallsThatSwingInStepTouchWithoutAForce) {
  const ModelRun run = run_example("newtons_cradle", {"law=newton", "duration=0.9 s"});
  EXPECT_LT(run.rows(), 1000U);
  EXPECT_GT(run["ball_3.omega"].back(), 1);
  EXPECT_NEAR(run["ball_2.omega"].back(), run["ball_3.omega"].back(), 1e-12);
  EXPECT_NEAR(run["knock_23.normal_force"].back(), 0, 1e-12);
}

// ---- impact oscillator ----

// One impact in n periods of the force, at x = 0: x = A cos(w t + phi) + B cos(w0 t) + C sin(w0 t) between two impacts,
// x = 0 at both ends, velocity e V at the first and -V at the last. That gives (docs/examples/impact_oscillator.md)
//   A^2 = ((1 + e) V/(2 w0 tan(pi n w0/w)))^2 + ((1 - e) V/(2 w))^2,   A = F/(m (w0^2 - w^2)).
double closed_form_speed(double drive, int periods) {
  constexpr double e = 0.7, w0 = 10, F = 10, m = 1;
  const double A = F / (m * (w0 * w0 - drive * drive));
  return std::abs(A) / std::hypot((1 + e) / (2 * w0 * std::tan(pi * periods * w0 / drive)), (1 - e) / (2 * drive));
}

TEST(ImpactOscillator, SettlesToTheClosedFormSpeedOfSingleImpactOrbits) {
  const struct {
    double drive;
    int periods;
  } orbits[] = {{18, 1}, {22, 1}, {26, 1}, {36, 2}, {40, 2}};
  for (const auto& [drive, periods] : orbits) {
    SCOPED_TRACE(drive);
    const ModelRun run = run_example("impact_oscillator",
                                     {fmt::format("drive_frequency={} rad/s", drive), "duration=40 s"}, {"slider.x"});
    const std::vector<ImpactRecord>& impacts = run.record.impacts;
    ASSERT_GT(impacts.size(), 2U);
    const double speed = closed_form_speed(drive, periods);
    EXPECT_NEAR(-impacts.back().normal_velocity_before, speed, 1e-8 * speed);
    EXPECT_NEAR(impacts.back().time_s - impacts[impacts.size() - 2].time_s, 2 * pi * periods / drive, 1e-8);
  }
}

// ---- rocking block ----

// The block turns about one corner, strikes with the other, and turns on about that one; angular momentum about it
// stays. Housner: omega+/omega- = 1 - 3/2 sin^2(alpha), alpha = atan(width/height).
TEST(RockingBlock, LosesHousnersShareOfItsVelocityAtEveryImpact) {
  const ModelRun run = run_example("rocking_block");
  const double alpha = std::atan2(0.4, 1.6);
  const double ratio = 1 - 1.5 * std::sin(alpha) * std::sin(alpha);
  const std::vector<ImpactRecord>& impacts = run.record.impacts;
  ASSERT_GT(impacts.size(), 20U);
  // Between impacts energy stays, so a block comes back as fast as it left.
  for (std::size_t i = 0; i + 1 < 20; ++i) {
    SCOPED_TRACE(i);
    EXPECT_NEAR(impacts[i + 1].normal_velocity_before / impacts[i].normal_velocity_before, ratio, 1e-9);
    // 1/2 J_0 omega^2 (1 - ratio^2), J_0 = 4/3 m r^2 about a corner, omega by the corner that comes down.
    const double omega = impacts[i].normal_velocity_before / 0.4;
    const double J0 = 4.0 / 3 * 100 * (0.2 * 0.2 + 0.8 * 0.8);
    EXPECT_NEAR(impacts[i].energy_lost_J, 0.5 * J0 * omega * omega * (1 - ratio * ratio), 1e-9);
    EXPECT_NE(impacts[i].contact, impacts[i + 1].contact);
  }
  // The first fall, by energy: the centre sinks from r cos(alpha - lift) to r cos(alpha).
  const double r = std::hypot(0.2, 0.8), lift = 10 * pi / 180;
  const double omega = std::sqrt(1.5 * 9.81 * (std::cos(alpha - lift) - std::cos(alpha)) / r);
  EXPECT_NEAR(-impacts[0].normal_velocity_before, 0.4 * omega, 1e-9);
}

}  // namespace
}  // namespace freeplay::test::impact_examples_test
