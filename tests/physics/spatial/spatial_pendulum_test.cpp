// The compound pendulum on an inclined axis: period by elliptic integral, reactions by hand.
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::spatial_pendulum_test {
namespace {

// Of the example file, SI.
constexpr double kMass = 3, kWidth = 0.6, kHeight = 0.4, kThickness = 0.01, kGravity = 9.81;
constexpr double kArm = kHeight / 2;
constexpr double kHingeInertia =
    kMass * (kHeight * kHeight + kThickness * kThickness) / 12 + kMass * kArm * kArm;  // about the hinge

// Only the part of gravity across the hinge turns the plate:  I q'' = -m g cos(inclination) arm sin(q).  Started from
// rest at q0 it swings with the period  4 sqrt(I / (m g cos(inclination) arm)) K(sin(q0/2)).
double period(double inclination, double amplitude) {
  const double slow = std::sqrt(kHingeInertia / (kMass * kGravity * std::cos(inclination) * kArm));
  return 4 * slow * std::comp_ellint_1(std::sin(amplitude / 2));
}

struct Case {
  const char* name;
  double inclination_deg, amplitude_deg;
};

class SpatialPendulum : public testing::TestWithParam<Case> {};

TEST_P(SpatialPendulum, SwingsWithThePeriodOfTheEllipticIntegral) {
  const auto [name, inclination, amplitude] = GetParam();
  const ModelRun run =
      run_example("spatial_pendulum",
                  {fmt::format("inclination={} deg", inclination), fmt::format("amplitude={} deg", amplitude),
                   "simulate.step=1 ms", "simulate.duration=20 s", "simulate.tolerance=1e-11"},
                  {"hinge.q", "hinge.u"});
  const std::vector<double> crossings = upward_crossings(run.time(), run["hinge.q"], run["hinge.u"]);
  ASSERT_GT(crossings.size(), 3u);
  const double swings = static_cast<double>(crossings.size() - 1);
  const double measured = (crossings.back() - crossings.front()) / swings;
  const double radian = std::numbers::pi / 180;
  const double expected = period(inclination * radian, amplitude * radian);
  EXPECT_NEAR(measured / expected, 1, 1e-9);
  // Upwards through zero for the first time after three quarters of a period.
  EXPECT_NEAR(crossings.front() / (0.75 * expected), 1, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Cases, SpatialPendulum,
                         testing::Values(Case{"example", 30, 120}, Case{"level_hinge", 0, 90}, Case{"small", 30, 0.5},
                                         Case{"steep_hinge", 80, 150}, Case{"nearly_over_the_top", 30, 179}),
                         [](const auto& c) { return std::string(c.param.name); });

TEST(SpatialPendulumEnergy, DriftFollowsTheTolerance) {
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    const ModelRun run = run_example(
        "spatial_pendulum", {fmt::format("simulate.tolerance={}", tolerance), "simulate.step=10 s"}, {"energy.total"});
    EXPECT_LT(run.summary.max_energy_drift_J, 300 * tolerance);
  }
}

// In the hinge's frame x points down along the slope, y across, z along the hinge: gravity is (g cos, 0, -g sin) and
// the centre stands at c = arm (cos q, sin q, 0). Newton: F = m (a - g). Euler: the hinge's axis is a principal axis,
// so  M = J q'' e_z + c x F;  its z component vanishes, the others come from gravity along the hinge alone.
TEST(SpatialPendulumReactions, AreThoseOfTheHandCalculation) {
  const ModelRun run = run_example("spatial_pendulum");
  const double inclination = std::numbers::pi / 6;
  const double g_across = kGravity * std::cos(inclination), g_along = kGravity * std::sin(inclination);
  Worst force_error, moment_error;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double q = run["hinge.q"][i], u = run["hinge.u"][i], c = std::cos(q), s = std::sin(q);
    const double alpha = -kMass * g_across * kArm * s / kHingeInertia;
    const Vec3 a = kArm * Vec3(-u * u * c - alpha * s, -u * u * s + alpha * c, 0);
    const Vec3 force = kMass * (a - Vec3(g_across, 0, -g_along));
    const Vec3 moment = kMass * g_along * kArm * Vec3(s, -c, 0);
    force_error((run.vector("hinge.force", i) - force).norm());
    moment_error((run.vector("hinge.moment", i) - moment).norm());
  }
  EXPECT_LT(force_error.value, 1e-10);
  EXPECT_LT(moment_error.value, 1e-10);
}

}  // namespace
}  // namespace freeplay::test::spatial_pendulum_test
