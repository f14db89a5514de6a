// A belt that is laid on two pulleys, before it runs: its tension, and what a user is told. Slip is in physics_slow.
#include <numbers>

#include "freeplay/core/error.h"
#include "physics/model_run.h"

namespace freeplay::test::belt_drive_start_test {
namespace {

// Strands are stretched by the tension asked for; on a pulley the chords are shorter than their arcs.
TEST(BeltDrive, StartsWithTheTensionThatItIsLaidOnWith) {
  for (const double tension : {100.0, 300.0}) {
    const ModelRun run = run_example("belt_drive", {"simulate.duration=8 us", fmt::format("tension={} N", tension)},
                                     {"tight.tension", "slack.tension"});
    ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
    // Links that lie half on a pulley are in the mean, too.
    EXPECT_NEAR(run["tight.tension"][0], tension, 5);
    EXPECT_NEAR(run["slack.tension"][0], tension, 5);
  }
}

TEST(BeltDrive, ATensionThatTheBeltCannotHaveIsRefused) {
  for (const char* change : {"tension=0 N", "tension=5 kN", "links=12", "friction=-1", "speed=0 rad/s"}) {
    try {
      static_cast<void>(build_model(load_example("belt_drive", {change})));
      FAIL() << change;
    } catch (const ModelError& error) {
      const std::string name = std::string(change).substr(0, std::string(change).find('='));
      EXPECT_EQ(error.diagnostics()[0].path, "parameters." + name);
      EXPECT_FALSE(error.diagnostics()[0].hint.empty());
    }
  }
}

}  // namespace
}  // namespace freeplay::test::belt_drive_start_test
