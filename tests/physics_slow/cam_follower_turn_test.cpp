// A whole turn of the cam-follower at the smallest step of the reference.
#include "physics/mechanisms/cam_follower.h"

namespace freeplay::test {
namespace {

using namespace cam;

const std::vector<std::string> kChannels = {"follower.y", "follower.vy", "contact.gap", "contact.normal_impulse",
                                            "energy.drift"};

TEST(CamFollowerTurn, ImpactsAreTheEventDrivenOnesToOrderOne) {
  const double dt = 1e-6;
  const ModelRun run = run_example("cam_follower", {"step=1us"}, kChannels);
  const std::vector<Impact> impacts = impacts_faster_than(0.02, run);
  EXPECT_EQ(impacts.size(), 42u);  // seven per lobe
  ASSERT_GE(impacts.size(), 42u);
  EXPECT_NEAR(impacts[0].time_s, 2.8385e-3, 1e-12);
  for (std::size_t k = 0; k < 7; ++k) {
    EXPECT_NEAR(impacts[k].time_s, kImpacts[k].time_s, 4 * dt) << k;
    EXPECT_NEAR(impacts[k].speed_m_s, kImpacts[k].speed_m_s, 0.0035) << k;
  }
  for (std::size_t lobe = 1; lobe < 6; ++lobe) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Impact& impact = impacts[7 * lobe + k];
      EXPECT_NEAR(impact.time_s - static_cast<double>(lobe) * kLobeTime, kLaterImpacts[k].time_s, 4 * dt);
      EXPECT_NEAR(impact.speed_m_s, kLaterImpacts[k].speed_m_s, 0.0035);
    }
  }
  EXPECT_NEAR(start_of_sustained_contact(run), kZenoTime_s, kEarlySteps * dt);
  EXPECT_NEAR(mean_force(run, 24e-3, 26e-3), kForceAt25ms_N, 0.05);
  EXPECT_NEAR(run.summary.max_penetration_m, 5.0e-6, 0.1e-6);
  const auto [lowest, highest] = std::minmax_element(run["follower.y"].begin(), run["follower.y"].end());
  EXPECT_NEAR(*lowest, 0.00302, 1e-5);
  EXPECT_NEAR(*highest, 0.020, 1e-5);
  const auto [down, up] = std::minmax_element(run["follower.vy"].begin(), run["follower.vy"].end());
  EXPECT_NEAR(*down, -9.70, 0.01);
  EXPECT_NEAR(*up, 3.91, 0.01);
}

}  // namespace
}  // namespace freeplay::test
