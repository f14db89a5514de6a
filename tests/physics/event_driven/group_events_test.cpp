// Groups of few bodies under event-driven: their pairs are contacts like any other.
#include <gmock/gmock.h>

#include "physics/model_run.h"
#include "unit/io/model/model_test_support.h"

namespace freeplay::test::group_events_test {
namespace {

using testing::HasSubstr;

// Three discs on a floor: the first is pushed and strikes the others.
const std::string kDiscs = R"(freeplay: 1
space: planar
parameters: {r: 50 mm}
gravity: [0, -9.81 m/s^2]
bodies:
  disc:
    mass: 1 kg
    inertia: 1.25e-3 kg m^2
    initial: {y: r}
    shapes: {rim: {type: circle, radius: r}}
    pattern: {count: 3, shift: [120 mm, 0]}
  runner: {mass: 1 kg, inertia: 1.25e-3 kg m^2, initial: {x: -200 mm, y: r, vx: 1 m/s}, shapes: {rim: {type: circle, radius: r}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
)";
const std::string kRun = "simulate: {integrator: event-driven, duration: 0.8 s, max_step: 10 ms}\n";
const std::string kGroup =
    "groups: {all: {members: [disc, runner], against: ground, impact: newton, restitution: 0.6, friction: 0.2}}\n";

std::string named_contacts() {
  const std::string law = "impact: newton, restitution: 0.6, friction: 0.2";
  const std::vector<std::string> bodies = {"disc_1", "disc_2", "disc_3", "runner"};
  std::string text = "contacts:\n";
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j)
      text += fmt::format("  c{}{}: {{between: [{}.rim, {}.rim], {}}}\n", i, j, bodies[i], bodies[j], law);
    text += fmt::format("  f{}: {{between: [{}.rim, ground.floor], {}}}\n", i, bodies[i], law);
  }
  return text;
}

TEST(GroupEvents, AreThoseOfTheSameContactsByName) {
  const ModelRun grouped = run_model(parse_model(kDiscs + kGroup + kRun, "grouped.yaml"));
  const ModelRun named = run_model(parse_model(kDiscs + named_contacts() + kRun, "named.yaml"));
  ASSERT_EQ(grouped.summary.status, RunStatus::kCompleted) << grouped.summary.message;
  ASSERT_EQ(named.summary.status, RunStatus::kCompleted) << named.summary.message;
  ASSERT_GE(grouped.record.impacts.size(), 3U);
  ASSERT_EQ(grouped.record.impacts.size(), named.record.impacts.size());
  for (std::size_t i = 0; i < named.record.impacts.size(); ++i)
    EXPECT_EQ(grouped.record.impacts[i].time_s, named.record.impacts[i].time_s);
  EXPECT_EQ(grouped["disc_3.x"], named["disc_3.x"]);
  EXPECT_GT(grouped["disc_3.x"].back(), 0.25) << "the last one has been struck";
  EXPECT_GE(grouped["all_disc_1_rim_disc_2_rim.gap"].front(), 0.0199) << "pairs have channels";
}

// Whoever has written the channels of a group into his file need not change them with the integrator.
TEST(GroupEvents, HaveTheTotalsOfTheGroup) {
  const ModelRun run = run_model(parse_model(kDiscs + kGroup + kRun, "grouped.yaml"));
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  std::size_t rows_with_load = 0;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    double sum = 0, count = 0, deepest = 0;
    for (const ContactPoint& point : run.contacts->points()) {
      const double force = run[point.contact + ".normal_force"][i];
      sum += force;
      count += force > 0 ? 1 : 0;
      deepest = std::max(deepest, -run[point.contact + ".gap"][i]);
    }
    EXPECT_EQ(run["all.contacts"][i], count) << i;
    EXPECT_NEAR(run["all.normal_force"][i], sum, 1e-12 * (1 + sum)) << i;
    EXPECT_EQ(run["all.penetration"][i], deepest) << i;
    // Four discs of 1 kg roll on the floor, and touch each other for an instant only.
    if (count == 4) {
      EXPECT_NEAR(sum, 4 * 9.81, 1e-6) << i;
      ++rows_with_load;
    }
  }
  EXPECT_GT(rows_with_load, 20U);
}

TEST(GroupEvents, LawsByMaterialsReachThePairs) {
  std::string text = kDiscs +
                     "materials: {steel: {with: {steel: {restitution: 1}}}}\n"
                     "groups: {all: {members: [disc, runner]}}\n" +
                     kRun;
  text.replace(text.find("gravity: [0, -9.81 m/s^2]"), 25, "gravity: [0, 0]");
  for (std::size_t at = text.find("    mass: 1 kg\n"); at != std::string::npos; at = std::string::npos)
    text.replace(at, 15, "    mass: 1 kg\n    material: steel\n");
  text.replace(text.find("runner: {mass: 1 kg,"), 20, "runner: {material: steel, mass: 1 kg,");
  const ModelRun run = run_model(parse_model(text, "cradle.yaml"));
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_NEAR(run["disc_3.vx"].back(), 1, 1e-9) << "elastic discs hand the velocity on";
  EXPECT_NEAR(run["runner.vx"].back(), 0, 1e-9);
}

TEST(GroupEvents, OfManyPairsAreRefusedWithTheirNumber) {
  std::string text = kDiscs + kGroup + kRun;
  text.replace(text.find("count: 3"), 8, "count: 30");
  const ModelFile file = parse_model(text, "many.yaml");
  const std::vector<Diagnostic> obstacles = run_obstacles(file);
  ASSERT_EQ(obstacles.size(), 1U);
  EXPECT_EQ(obstacles[0].path, "groups.all");
  // 31 discs: 31*30/2 pairs of them and 31 with the floor
  EXPECT_THAT(obstacles[0].message, HasSubstr("the groups have 496 of them: at most 300 are taken"));
}

}  // namespace
}  // namespace freeplay::test::group_events_test
