// Mechanisms that others wrote who had only the documentation (tests/models/outside): they say what was meant, and run
// right.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../model_run.h"
#include "support/places.h"

namespace freeplay::test::outside_models_test {
namespace {

using std::numbers::pi;

ModelRun run_outside(const std::string& name, const Overrides& changes, const RecordOptions& record = {}) {
  return run_model(load_model(test_dir() + "/models/outside/" + name + ".yaml", changes), record);
}

// The motor turns a crank whose own bearing has play; with play in all seven joints the ram stays near its ideal way.
TEST(OutsideModels, AKnucklePressKeepsItsMotorInItsPlay) {
  const ModelRun play = run_outside("toggle", {"simulate.duration=0.3 s"}),
                 ideal = run_outside("toggle", {"simulate.duration=0.3 s", "play=ideal"});
  ASSERT_EQ(play.rows(), ideal.rows());
  Worst turn, way;
  for (std::size_t i = 0; i < play.rows(); ++i) {
    turn(play["main.q"][i] - 4 * pi * play.time()[i]);
    way(play["ram.y"][i] - ideal["ram.y"][i]);
  }
  EXPECT_LT(turn.value, 1e-9);
  EXPECT_LT(way.value, 1e-3) << "the play of seven joints, 0.1 mm each way, a little enlarged by the links";
  EXPECT_GT(way.value, 1e-4);
}

TEST(OutsideModels, ASpringAndATorqueActOnAJointWithPlay) {
  const ModelRun spring = run_outside("tors", {"simulate.duration=0.5 s"}),
                 ideal = run_outside("tors", {"simulate.duration=0.5 s", "joints.pin.model=ideal"});
  EXPECT_LT(largest_difference(spring["rod.angle"], ideal["rod.angle"]), 0.01);
  EXPECT_GT(largest(spring["rod.angle"]), 0.19) << "2 m g l/k";
  // 1 N m lifts m g l = 0.981 N m, and the pin rubs with at most mu r m g = 4.9 mN m: from rest.
  const ModelRun torque = run_outside("tors2", {"simulate.duration=0.5 s"});
  const double by_all = 0.5 * 0.25 * (1 - 0.981 - 0.0049) / 0.02, without_friction = 0.5 * 0.25 * (1 - 0.981) / 0.02;
  EXPECT_GT(torque["rod.angle"].back(), by_all);
  EXPECT_LT(torque["rod.angle"].back(), without_friction);
}

TEST(OutsideModels, AControllerHoldsASpatialArmWithPlay) {
  const ModelRun run = run_outside("pd", {"simulate.duration=0.5 s"});
  EXPECT_LT(largest(run["j.q"]), 1e-3);
  EXPECT_NEAR(run["a.z"].back(), -0.2, 0.3e-3) << "it hangs in its play";
}

// A pressed contact is one contact, and its force does not know the step.
TEST(OutsideModels, AScotchYokeIsNotThousandsOfImpacts) {
  const auto peak = [](const ModelRun& run) {
    return std::max(largest(run["slotL.normal_force"]), largest(run["slotR.normal_force"]));
  };
  const ModelRun run = run_outside("scotch", {}), halved = run_outside("scotch", {"simulate.step=5 us"});
  EXPECT_LT(run.record.impacts.size(), 300U);
  EXPECT_NEAR(peak(halved), peak(run), 0.2 * peak(run));
  const ModelRun compliant = run_outside("scotch_c", {"simulate.duration=0.1 s"});
  EXPECT_LT(largest_difference(compliant["yoke.x"], run_outside("scotch", {"simulate.duration=0.1 s"})["yoke.x"]),
            3e-4);
}

// 384 pairs of teeth as polygons.
TEST(OutsideModels, GearsToothByToothTurn) {
  const ModelRun run = run_outside("gears", {"simulate.duration=1 ms"}, {{"g1.omega", "g2.omega"}, 1});
  EXPECT_EQ(run.rows(), 51U);
  for (const char* channel : {"g1.omega", "g2.omega"}) EXPECT_TRUE(std::isfinite(run[channel].back())) << channel;
}

// 1 m/s against 30 N on 10 kg: at rest after v^2/(2 a) = 1/6 m, short of its stop, and turning on.
TEST(OutsideModels, ABarOnARodRubsAlongItAlone) {
  const ModelRun run = run_outside("cyl_stops", {});
  EXPECT_NEAR(run["j.q_1"].back(), 1.0 / 6, 1e-6);
  EXPECT_NEAR(run["j.u_2"].back(), 3, 1e-12);
}

}  // namespace
}  // namespace freeplay::test::outside_models_test
