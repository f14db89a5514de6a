// The arm with play in its joints, so rough (mu = 2) that its sleeves bind on their journals. In a step of 200 us there
// are problems of redundant contacts whose solution no solver finds; there the gaps stay as they are for one step,
// which is counted and told (docs/theory/contact.md). A better solver may find more of them: then this takes a harder
// model.
#include <gmock/gmock.h>

#include "physics/model_run.h"
#include "support/places.h"

namespace freeplay::test::kept_gaps_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kWords = "contacts could not close their gaps together";

ModelRun run_arm(const Overrides& overrides) {
  return run_model(load_model(test_dir() + "/models/physics/arm.yaml", overrides), {{"energy.drift"}, 1});
}

TEST(KeptGaps, AreToldAndCounted) {
  const ModelRun run = run_arm({"mu=2", "e=0", "simulate.step=200 us", "simulate.duration=0.3 s"});
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_GE(run.summary.kept_gap_steps, 1);
  EXPECT_THAT(run.summary.warnings, Contains(HasSubstr(kWords)));
}

TEST(KeptGaps, AreNotNeededInUsualJoints) {
  const ModelRun run = run_arm({"mu=0.5", "e=0", "simulate.step=200 us", "simulate.duration=0.3 s"});
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_EQ(run.summary.kept_gap_steps, 0);
  EXPECT_THAT(run.summary.warnings, Not(Contains(HasSubstr(kWords))));
}

}  // namespace
}  // namespace freeplay::test::kept_gaps_test
