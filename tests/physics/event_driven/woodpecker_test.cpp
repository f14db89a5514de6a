// The woodpecker toy (Glocker 1995) against the limit cycle of an independent event-driven solution.
#include <gmock/gmock.h>

#include "physics/model_run.h"

namespace freeplay::test::woodpecker_test {
namespace {

TEST(Woodpecker, TendsToTheKnownLimitCycle) {
  const ModelRun run = run_example("woodpecker", {"simulate.duration=8 s"});
  // The beak is the first contact; each cycle it strikes once.
  std::vector<std::size_t> rows;
  for (const ImpactRecord& impact : run.record.impacts) {
    if (impact.contact != 0) continue;
    std::size_t row = rows.empty() ? 0 : rows.back();
    while (row + 1 < run.rows() && run.time()[row] < impact.time_s) ++row;
    rows.push_back(row);
  }
  ASSERT_GT(rows.size(), 50U);
  const std::size_t a = rows[rows.size() - 2], b = rows.back();
  EXPECT_NEAR((run.time()[b] - run.time()[a]) * 1e3, 145.9761, 1e-3);
  EXPECT_NEAR((run["sleeve.y"][b] - run["sleeve.y"][a]) * 1e3, -19.4454, 1e-3);
  // Right after the beak has struck.
  EXPECT_NEAR(run["bird.angle"][b], 0.12, 1e-9);
  EXPECT_NEAR(run["sleeve.vy"][b], -0.09378, 1e-5);
  EXPECT_NEAR(run["sleeve.omega"][b], 22.8785, 1e-3);
  EXPECT_NEAR(run["bird.omega"][b], -8.45559, 1e-4);
}

// Sleeve and bird lose height and nothing else: all of it is friction and impacts.
TEST(Woodpecker, LosesTheEnergyOfItsFall) {
  const ModelRun run = run_example("woodpecker", {"simulate.duration=1 s"});
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-9);
  EXPECT_GT(run.summary.account.impact_loss, 0);
  EXPECT_GT(run.summary.account.friction_loss, 0);
}

TEST(Woodpecker, IsNotForForceLaws) {
  const ModelFile file = load_example("woodpecker", {"simulate.integrator=dopri5"});
  ASSERT_EQ(run_obstacles(file).size(), 1U);
  EXPECT_THAT(run_obstacles(file)[0].message, testing::HasSubstr("no force laws"));
}

}  // namespace
}  // namespace freeplay::test::woodpecker_test
