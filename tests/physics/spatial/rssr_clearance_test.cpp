// rssr_clearance: a spatial four-bar whose ball joint at the rocker has play, against ideal linkages in closed form.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::rssr_clearance_test {
namespace {

constexpr double kCrank = 0.04, kRocker = 0.09, kCoupler = 0.15;

// Rocker angle of the ideal linkage. With p the crank pin seen from the rocker's bearing, the end of the rocker
// (0, R cos(phi), R sin(phi)) is at the distance L from it where p_y cos(phi) + p_z sin(phi) = (R^2 + p^2 - L^2)/(2 R).
double rocker_angle(double crank_angle, double coupler = kCoupler) {
  const Vec3 p(kCrank * std::cos(crank_angle) - 0.03, kCrank * std::sin(crank_angle) - 0.12, -0.06);
  const double reach = (kRocker * kRocker + p.squaredNorm() - coupler * coupler) / (2 * kRocker);
  return std::atan2(p.z(), p.y()) + std::acos(reach / std::hypot(p.y(), p.z()));
}

const std::vector<std::string> kChannels = {
    "bearing.q",    "pivot.q",      "socket.gap",         "energy.total",
    "energy.drift", "energy.input", "energy.impact_loss", "energy.friction_loss"};

ModelRun run_with_clearance(double clearance_m) {
  return run_example("rssr_clearance", {fmt::format("c={} m", clearance_m)}, kChannels);
}

double largest_deviation(const ModelRun& run) {
  Worst deviation;
  for (std::size_t i = 0; i < run.rows(); ++i) deviation(run["pivot.q"][i] - rocker_angle(run["bearing.q"][i]));
  return deviation.value;
}

TEST(RssrClearance, WithAnIdealSocketTheRockerFollowsTheClosedForm) {
  const ModelRun run = run_example("rssr_clearance", {"joints.socket.model=ideal"}, {"bearing.q", "pivot.q"});
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  EXPECT_GE(run["bearing.q"].back(), 2 * std::numbers::pi);  // a whole turn and the rest of a step
  EXPECT_LT(largest_deviation(run), 1e-12);
}

TEST(RssrClearance, StartsAsTheIdealLinkage) {
  const ModelRun run = run_with_clearance(2e-4);
  EXPECT_NEAR(run["pivot.q"].front(), rocker_angle(0), 1e-12);
  EXPECT_NEAR(run["socket.gap"].front(), 2e-4, 1e-12);
}

// Crank pin and socket are L - c to L + c apart, and the rocker angle falls with that distance all the way between.
TEST(RssrClearance, TheRockerStaysBetweenTwoIdealLinkages) {
  const double c = 2e-4, penetration = 5e-8;
  const ModelRun run = run_with_clearance(c);
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double theta = run["bearing.q"][i], phi = run["pivot.q"][i];
    const double one = rocker_angle(theta, kCoupler - c - penetration);
    const double other = rocker_angle(theta, kCoupler + c + penetration);
    ASSERT_GE(phi, std::min(one, other)) << theta;
    ASSERT_LE(phi, std::max(one, other)) << theta;
  }
}

// At its largest the deviation is that of the ball on the side of its socket: proportional to c.
TEST(RssrClearance, TheDeviationFromTheIdealLinkageIsProportionalToTheClearance) {
  const double wide = largest_deviation(run_with_clearance(4e-4)), medium = largest_deviation(run_with_clearance(1e-4)),
               narrow = largest_deviation(run_with_clearance(2.5e-5));
  EXPECT_NEAR(wide / medium, 4, 0.4);
  EXPECT_NEAR(medium / narrow, 4, 0.4);
  EXPECT_NEAR(medium * kRocker, 1.5e-4, 0.1e-4);
}

TEST(RssrClearance, TheBallStaysInItsSocket) {
  const ModelRun run = run_with_clearance(2e-4);
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  EXPECT_LT(run.summary.max_penetration_m, 5e-8);
  for (const double gap : run["socket.gap"]) ASSERT_LE(gap, 2e-4 + 1e-12);
}

TEST(RssrClearance, TheEnergyLedgerAddsUp) {
  const ModelRun run = run_with_clearance(2e-4);
  const auto change = [&](const char* name) { return run[name].back() - run[name].front(); };
  EXPECT_GT(change("energy.impact_loss"), 1e-4);
  EXPECT_GT(change("energy.friction_loss"), 1e-4);
  // The motor pays for the losses; the linkage itself is back where it was, up to the kinetic energy that it keeps.
  EXPECT_GT(change("energy.input"), 0);
  EXPECT_NEAR(change("energy.input"),
              change("energy.impact_loss") + change("energy.friction_loss") + change("energy.total"), 2e-5);
}

// What the ledger does not explain is the error of the step, and falls with it.
TEST(RssrClearance, TheEnergyDriftIsOfFirstOrderInTheStep) {
  const auto drift = [](const char* step) {
    return largest(run_example("rssr_clearance", {step}, {"energy.drift"})["energy.drift"]);
  };
  const double coarse = drift("simulate.step=20 us"), fine = drift("simulate.step=10 us");
  EXPECT_NEAR(fine / coarse, 0.5, 0.03);
  EXPECT_LT(coarse, 2e-5);
}

}  // namespace
}  // namespace freeplay::test::rssr_clearance_test
