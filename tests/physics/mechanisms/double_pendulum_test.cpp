// The double pendulum: built from bodies and joints, and as a textbook model in minimal coordinates.
#include "physics/model_run.h"

namespace freeplay::test::double_pendulum_test {
namespace {

// A swing well below the horizontal. From there the motion is regular: the error of a step does not grow much in five
// seconds (the first test measures that), so two formulations with different step sizes, each exact to 1e-12 per step,
// can be asked to agree in ten digits. From the level start of the example they grow by e in about a second.
const Overrides kModerate = {"angle1=-50 deg",  "angle2=-70 deg",        "omega1=0.5 rad/s",
                             "omega2=-1 rad/s", "simulate.duration=5 s", "simulate.tolerance=1e-12"};

// Rows at the multiples of `step`: the integrator may have put others between them.
std::vector<double> on_grid(const ModelRun& run, const std::string& channel, double step) {
  std::vector<double> values;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    if (run.time()[i] == static_cast<double>(values.size()) * step) values.push_back(run[channel][i]);
  }
  return values;
}

constexpr double kStep = 0.01;  // of the example files
constexpr std::array kStateChannels = {"upper.x", "upper.y", "upper.vx", "upper.vy", "upper.angle", "upper.omega",
                                       "lower.x", "lower.y", "lower.vx", "lower.vy", "lower.angle", "lower.omega"};

TEST(DoublePendulum, SmallDisturbancesStaySmallFromTheModerateStart) {
  Overrides disturbed = kModerate;
  disturbed.push_back("angle2=-70 deg + 1e-6 rad");
  const ModelRun a = run_example("double_pendulum", kModerate), b = run_example("double_pendulum", disturbed);
  for (const char* channel : kStateChannels) {
    EXPECT_LT(largest_difference(on_grid(a, channel, kStep), on_grid(b, channel, kStep)), 30e-6) << channel;
  }
}

TEST(DoublePendulum, BodiesAndJointsMoveAsTheMinimalCoordinatesDo) {
  const ModelRun built = run_example("double_pendulum", kModerate);
  const ModelRun coded = run_example("double_pendulum_coded", kModerate);
  for (const char* channel : kStateChannels) {
    const std::vector<double> a = on_grid(built, channel, kStep), b = on_grid(coded, channel, kStep);
    ASSERT_EQ(a.size(), 501u);
    EXPECT_LT(largest_difference(a, b), 1e-10) << channel;
  }
}

TEST(DoublePendulum, OtherLengthsAndMassesAgreeToo) {
  Overrides other = kModerate;
  for (const char* text : {"m1=0.3 kg", "m2=2.5 kg", "l1=0.7 m", "l2=1.6 m", "J1=0.01 kg m^2", "J2=1 kg m^2"})
    other.emplace_back(text);
  const ModelRun built = run_example("double_pendulum", other), coded = run_example("double_pendulum_coded", other);
  for (const char* channel : kStateChannels) {
    EXPECT_LT(largest_difference(on_grid(built, channel, kStep), on_grid(coded, channel, kStep)), 1e-10) << channel;
  }
}

// The drift is the sum of the steps' errors; the largest energies here are about 10 J.
TEST(DoublePendulum, EnergyDriftFollowsTheTolerance) {
  double previous = 1;
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    const std::string setting = fmt::format("simulate.tolerance={}", tolerance);
    // The level, chaotic start, no forced grid: the step control alone decides.
    const ModelRun run = run_example("double_pendulum", {setting, "simulate.step=10 s"}, {"energy.total"});
    EXPECT_LT(run.summary.max_energy_drift_J, 200 * tolerance);
    EXPECT_LT(run.summary.max_energy_drift_J, previous / 10);
    previous = run.summary.max_energy_drift_J;
  }
}

// Let go level and at rest, the joints' forces follow from the accelerations at that instant. With both rods level,
// moments about the shoulder and about the elbow (m = l = 1, J = 1/12, M from the kinetic energy):
//   4/3 a1 + 1/2 a2 = -3/2 g,   1/2 a1 + 1/3 a2 = -1/2 g   =>   a1 = -9/7 g,  a2 = 3/7 g.
// Newton for the lower centre: F_elbow - g = a1 + a2/2 = -15/14 g; for the upper one: F_shoulder - F_elbow - g = a1/2.
TEST(DoublePendulum, ReleaseForcesAreThoseOfTheHandCalculation) {
  const ModelRun run = run_example("double_pendulum", {"simulate.duration=10 ms"});
  const double g = 9.81;
  EXPECT_NEAR(run["elbow.force_y"][0], -g / 14, 1e-12);
  EXPECT_NEAR(run["shoulder.force_y"][0], -g / 14 + g - 9.0 / 14 * g, 1e-12);
  EXPECT_NEAR(run["elbow.force_x"][0], 0, 1e-12);
  EXPECT_NEAR(run["elbow.moment"][0], 0, 1e-12);
}

}  // namespace
}  // namespace freeplay::test::double_pendulum_test
