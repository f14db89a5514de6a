// Single collisions: a sphere with tangential restitution, two blocks, three balls that touch.
#include "physics/single_contacts/analytic_benchmarks.h"

namespace freeplay::test {
namespace {

// m = 1 kg, r = 0.1 m, J = 0.4 m r^2, v = (2, -3) m/s, e_N = 0.8, e_T = 0.5. Normal and tangent are decoupled at the
// centre: Lambda_N = (1 + e_N) 3 m. In the tangent G_TT = 1/m + r^2/J = 3.5/m; sticking reverses gamma_T to
// -e_T gamma_T and takes Lambda_T = -(1 + e_T) 2 m/3.5, if friction can: |Lambda_T| <= mu Lambda_N.
struct SphereAfter {
  double vx, vy, omega, gamma_T;
};
SphereAfter sphere_after(double mu) {
  const double r = 0.1, J = 0.4 * r * r, Lambda_N = 1.8 * 3;
  const double Lambda_T = -std::min(1.5 * 2 / 3.5, mu * Lambda_N);
  const double vx = 2 + Lambda_T, omega = r * Lambda_T / J;
  return {vx, 2.4, omega, vx + r * omega};
}

TEST(SphereTangentialRestitution, StickingSurfacesAreReversed) {
  const ModelRun run = run_example("sphere_tangential_restitution");
  ASSERT_EQ(run.record.impacts.size(), 1u);
  const ImpactRecord& impact = run.record.impacts[0];
  const SphereAfter exact = sphere_after(0.3);
  expect_benchmark("sphere eN .8 eT .5 mu 0.3: v_x+", exact.vx, run["sphere.vx"].back());
  expect_benchmark("sphere eN .8 eT .5 mu 0.3: omega+", exact.omega, run["sphere.omega"].back());
  expect_benchmark("sphere eN .8 eT .5 mu 0.3: v_y+", exact.vy, run["sphere.vy"].back());
  expect_benchmark("sphere eN .8 eT .5 mu 0.3: gamma_T+", exact.gamma_T, impact.tangential_velocity_after);
  EXPECT_NEAR(impact.tangential_velocity_after, -0.5 * impact.tangential_velocity_before, 1e-14);
  EXPECT_NEAR(impact.normal_impulse, 5.4, 1e-13);
  EXPECT_NEAR(impact.tangential_impulse_1, -3 / 3.5, 1e-13);
}

TEST(SphereTangentialRestitution, SlippingSurfacesAreNot) {
  const ModelRun run = run_example("sphere_tangential_restitution", {"friction=0.1"});
  ASSERT_EQ(run.record.impacts.size(), 1u);
  const ImpactRecord& impact = run.record.impacts[0];
  const SphereAfter exact = sphere_after(0.1);
  expect_benchmark("sphere eN .8 eT .5 mu 0.1: v_x+", exact.vx, run["sphere.vx"].back());
  expect_benchmark("sphere eN .8 eT .5 mu 0.1: omega+", exact.omega, run["sphere.omega"].back());
  expect_benchmark("sphere eN .8 eT .5 mu 0.1: v_y+", exact.vy, run["sphere.vy"].back());
  expect_benchmark("sphere eN .8 eT .5 mu 0.1: gamma_T+", exact.gamma_T, impact.tangential_velocity_after);
  EXPECT_NEAR(impact.tangential_impulse_1, -0.1 * impact.normal_impulse, 1e-14);
}

// The kinetic energy of the example by hand: v^2/2 + J omega^2/2.
TEST(SphereTangentialRestitution, LossIsTheKineticEnergyThatIsGone) {
  for (const double mu : {0.1, 0.3}) {
    const ModelRun run = run_example("sphere_tangential_restitution", {fmt::format("friction={}", mu)});
    ASSERT_EQ(run.record.impacts.size(), 1u);
    const SphereAfter after = sphere_after(mu);
    const double lost = 6.5 - (after.vx * after.vx + after.vy * after.vy + 0.004 * after.omega * after.omega) / 2;
    EXPECT_NEAR(run.record.impacts[0].energy_lost_J, lost, 1e-13) << mu;
    EXPECT_NEAR(run["energy.impact_loss"].back() + run["energy.friction_loss"].back(), lost, 1e-13) << mu;
  }
}

// m1 = 1 kg at 3 m/s strikes m2 = 2 kg at rest: P = (1 + e) m1 m2/(m1 + m2) 3 = 2 (1 + e).
struct TwoBlocksCase {
  double restitution;
  const char *first, *second;
};
constexpr TwoBlocksCase kTwoBlocks[] = {
    {0.5, "two blocks e=0.5: v1+", "two blocks e=0.5: v2+"},
    {0.0, "two blocks e=0.0: v1+", "two blocks e=0.0: v2+"},
    {1.0, "two blocks e=1.0: v1+", "two blocks e=1.0: v2+"},
};

TEST(TwoBlocks, ShareTheirMomentum) {
  for (const TwoBlocksCase& item : kTwoBlocks) {
    const ModelRun run = run_example("two_blocks", {fmt::format("restitution={}", item.restitution)});
    const double P = 2 * (1 + item.restitution);
    expect_benchmark(item.first, 3 - P, run["first.vx"].back());
    expect_benchmark(item.second, P / 2, run["second.vx"].back());
    ASSERT_EQ(run.record.impacts.size(), 1u);
    EXPECT_NEAR(run.record.impacts[0].normal_impulse, P, 1e-13);
    EXPECT_NEAR(run.record.impacts[0].time_s, 0.1, 1e-4);  // 300 mm at 3 m/s
    EXPECT_NEAR(run.record.impacts[0].energy_lost_J, (1 - item.restitution * item.restitution) * 3, 1e-13);
  }
}

// Free blocks that meet with flat faces do the same: two corners strike, and neither block turns.
TEST(TwoBlocks, FacesStrikeLikePoints) {
  for (const TwoBlocksCase& item : kTwoBlocks) {
    const ModelRun run = run_test_model("two_blocks_with_faces", {fmt::format("restitution={}", item.restitution)});
    const double P = 2 * (1 + item.restitution);
    expect_benchmark(item.first, 3 - P, run["first.vx"].back());
    expect_benchmark(item.second, P / 2, run["second.vx"].back());
    for (const char* channel : {"first.omega", "first.vy", "second.omega", "second.vy"})
      EXPECT_LT(largest(run[channel]), 1e-13) << channel;
  }
}

// Both contacts are closed when the first ball arrives, and Newton's law holds in both at once:
// v2 - v1 = e, v3 - v2 = 0 and v1 + v2 + v3 = 1.
TEST(ThreeBalls, SimultaneousImpactsObeyNewtonsLawInBothContacts) {
  const struct {
    double restitution;
    const char *first, *second, *third;
  } cases[] = {{1.0, "three balls e=1.0: v1+ = 1-2(1+e)/3", "three balls e=1.0: v2+ = (1+e)/3",
                "three balls e=1.0: v3+ = (1+e)/3"},
               {0.5, "three balls e=0.5: v1+ = 1-2(1+e)/3", "three balls e=0.5: v2+ = (1+e)/3",
                "three balls e=0.5: v3+ = (1+e)/3"}};
  for (const auto& item : cases) {
    const ModelRun run = run_test_model("three_balls", {fmt::format("restitution={}", item.restitution)});
    const double e = item.restitution;
    expect_benchmark(item.first, 1 - 2 * (1 + e) / 3, run["first.vx"].back());
    expect_benchmark(item.second, (1 + e) / 3, run["second.vx"].back());
    expect_benchmark(item.third, (1 + e) / 3, run["third.vx"].back());
    EXPECT_NEAR(run["energy.impact_loss"].back(), (1 - e * e) / 3, 1e-14);
  }
}

// Newton's cradle is another order of events: one impact after the other.
TEST(ThreeBalls, WithGapsBetweenThemTheyHandTheVelocityOn) {
  const ModelRun run = run_test_model("three_balls", {"distance=10 mm"});
  ASSERT_EQ(run.record.impacts.size(), 2u);
  EXPECT_NEAR(run["first.vx"].back(), 0, 1e-14);
  EXPECT_NEAR(run["second.vx"].back(), 0, 1e-14);
  EXPECT_NEAR(run["third.vx"].back(), 1, 1e-14);
}

}  // namespace
}  // namespace freeplay::test
