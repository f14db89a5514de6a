// Models that a single nearest point cannot carry: an arc with ends, a groove of one spline, a cam that turns back, a
// Geneva drive with its natural locking arcs.
#include <algorithm>
#include <numbers>

#include "physics/model_run.h"
#include "support/places.h"

namespace freeplay::test::contour_models_test {
namespace {

ModelRun run(const std::string& name) {
  return run_model(load_model(test_dir() + "/models/contours/" + name + ".yaml", Overrides{}));
}

double least_gap(const ModelRun& run, const std::string& contact, std::size_t row) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::string suffix : {"", "_1", "_2", "_3", "_4", "_5", "_6"}) {
    const std::string channel = contact + ".gap" + suffix;
    const auto& names = run.record.layout.channels;
    if (std::any_of(names.begin(), names.end(), [&](const ChannelInfo& info) { return info.name == channel; }))
      least = std::min(least, run[channel][row]);
  }
  return least;
}

// At 1 m/s the point needs 10 ms to the flat side of the half disc, and comes back with half of the speed.
TEST(ContourModels, APointMeetsTheEndOfAnArc) {
  const ModelRun arc = run("arc_end");
  EXPECT_NEAR(arc["p.vy"].front(), 1, 0);
  EXPECT_NEAR(arc["p.vy"].back(), -0.5, 1e-12);
  for (std::size_t i = 0; i < arc.rows(); ++i) EXPECT_GT(least_gap(arc, "c", i), -1e-12);
  EXPECT_EQ(arc.summary.impacts, 1);
}

// On flanks of 45 degrees a ball of radius r rests at the height r sqrt(2).
TEST(ContourModels, ABallRestsInAGrooveOfOneSpline) {
  const ModelRun ball = run("vgroove");
  const std::size_t last = ball.rows() - 1;
  EXPECT_LT(std::abs(ball["ball.vy"][last]), 1e-12);
  EXPECT_LT(std::abs(ball["ball.vx"][last]), 1e-12);
  EXPECT_LT(0.01 * std::abs(ball["ball.omega"][last]), 1e-9);    // m/s: the tolerance of the contact solver
  EXPECT_NEAR(ball["ball.y"][last], 0.01 * std::sqrt(2), 1e-4);  // the spline is not quite straight
  EXPECT_LT(std::abs(ball["ball.y"][last] - ball["ball.y"][last / 2]), 1e-12);
  EXPECT_GT(least_gap(ball, "c", last), -1e-9);
}

// Edge on edge: two points each, however rounding turns the boxes.
TEST(ContourModels, BoxesRestOnTwoPointsEachWithoutRockingOrDrift) {
  const ModelRun boxes = run("boxes_on_an_edge");
  const std::size_t last = boxes.rows() - 1, before = last - 1000;
  for (const std::string body : {"lower", "upper"}) {
    EXPECT_LT(std::abs(boxes[body + ".angle"][last]), 1e-8);  // landing leaves a depth of order dt^2
    EXPECT_LT(std::abs(boxes[body + ".angle"][last] - boxes[body + ".angle"][before]), 1e-15);
    for (const std::string channel : {".vx", ".vy", ".omega"}) EXPECT_LT(std::abs(boxes[body + channel][last]), 1e-9);
    EXPECT_LT(std::abs(boxes[body + ".x"][last] - boxes[body + ".x"][before]), 1e-12);
  }
  EXPECT_TRUE(boxes.summary.warnings.empty());
  EXPECT_NEAR(boxes["lower.y"][last], 0.03, 1e-9);
  EXPECT_NEAR(boxes["upper.y"][last], 0.1, 1e-9);
  double weight = 0;
  for (const std::string point : {"_1", "_2"}) {
    EXPECT_GT(boxes["floor.normal_force" + point][last], 1);
    weight += boxes["floor.normal_force" + point][last];
  }
  EXPECT_NEAR(weight, 1.5 * 9.81, 1e-9);
}

// The torque goes to and fro. A wheel that turns back meets the radial face of a tooth.
TEST(ContourModels, ACamByItsLiftLocksWhereItDrops) {
  const ModelRun ratchet = run("ratchet_cam");
  double deepest = 0, farthest_back = 0, highest = -1e9;
  for (std::size_t i = 0; i < ratchet.rows(); ++i) {
    deepest = std::min(deepest, least_gap(ratchet, "c", i));
    highest = std::max(highest, ratchet["axle.q"][i]);
    farthest_back = std::max(farthest_back, highest - ratchet["axle.q"][i]);
  }
  EXPECT_GT(deepest, -1e-5);
  // Back by no more than one tooth.
  EXPECT_LT(farthest_back, 2 * std::numbers::pi / 12 + 1e-3);
}

// At the middle of its motion the wheel turns 1/(sqrt(2) - 1) times as fast as the crank, backwards.
TEST(ContourModels, AGenevaDriveOfSinglePartsPeaksAtTheRatioOfItsFourSlots) {
  const ModelRun geneva = run("geneva");
  double fastest = 0;
  for (const double omega : geneva["wheel.omega"]) fastest = std::min(fastest, omega);
  EXPECT_NEAR(-fastest / (2 * std::numbers::pi), 1 / (std::sqrt(2) - 1), 0.02);
  // Three turns of the crank from the middle of a dwell: three quarters of a turn.
  EXPECT_NEAR(geneva["axle.q"].back(), -1.5 * std::numbers::pi, 5e-3);
}

}  // namespace
}  // namespace freeplay::test::contour_models_test
