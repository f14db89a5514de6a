// A wall a little before the place where friction would stop a block: its gap is smallest just where the block stops,
// and would be open again at the end of the step if the block went on against the friction of its way there.
#include "physics/model_run.h"

namespace freeplay::test::wall_before_stop_test {
namespace {

TEST(EventDriven, ABlockStrikesAWallThatStandsALittleBeforeWhereItWouldStop) {
  const ModelRun run = run_model(parse_model(R"(freeplay: 1
space: planar
bodies:
  block: {mass: 1 kg, inertia: 1 kg m^2, shapes: {face: {type: point}}}
ground: {shapes: {wall: {type: line, at: [0.49999 m, 0], normal: [-1, 0]}}}
joints:
  rail: {type: prismatic, parent: ground, child: block, initial: {u: 1 m/s}, dry_friction: 1 N}
contacts:
  knock: {between: [block.face, ground.wall], impact: newton, restitution: 0.5}
simulate: {integrator: event-driven, step: 0.3 s, duration: 1.5 s}
)",
                                             "wall.yaml"));
  // v = 1 - t and x = t - t^2/2: at the wall 1 - v^2 = 2 x. It leaves with v/2 and slides back by v^2/8.
  const double v = std::sqrt(1 - 2 * 0.49999);
  ASSERT_EQ(run.record.impacts.size(), 1U);
  EXPECT_NEAR(run.record.impacts[0].time_s, 1 - v, 1e-9);
  EXPECT_NEAR(run.record.impacts[0].normal_velocity_before, -v, 1e-9);
  EXPECT_NEAR(run["block.x"].back(), 0.49999 - v * v / 8, 1e-9);
  EXPECT_TRUE(run.summary.warnings.empty());
}

}  // namespace
}  // namespace freeplay::test::wall_before_stop_test
