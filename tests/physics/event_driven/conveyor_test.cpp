// The vibratory feeder (Pfeiffer 1999, section 6.3) against an independent event-driven solution.
#include "physics/csv_table.h"
#include "physics/model_run.h"

namespace freeplay::test::conveyor_test {
namespace {

double transport_rate(const std::string& example, const Overrides& overrides) {
  const ModelFile file = load_example(example, overrides);
  const Model model = build_model(file);
  MemorySink record;
  const RunSummary summary = build_simulation(file, model)->run(record, {});
  EXPECT_EQ(summary.status, RunStatus::kCompleted) << summary.message;
  EXPECT_EQ(summary.measures.size(), 1U);
  if (summary.measures.empty()) return std::nan("");
  EXPECT_EQ(summary.measures[0].name, "transport_rate");
  EXPECT_EQ(summary.measures[0].unit, "m/s");
  return summary.measures[0].value;
}

Overrides periodic(double amplitude_mm) {
  return {fmt::format("amplitude={} mm", amplitude_mm), "duration=2 s", "transient=1 s"};
}

// Errors of the first flights grow some 1e5 times up to the eighth impact at 2 mm.
TEST(Conveyor, StrikesTheTrackWhenAnIndependentSolverDoes) {
  const CsvTable reference = read_csv("unilateral/conveyor_first_impacts.csv");
  for (const double amplitude_mm : {0.5, 1.0, 2.0}) {
    const ModelRun run = run_example(
        "conveyor", {fmt::format("amplitude={} mm", amplitude_mm), "duration=0.7 s", "simulate.tolerance=1e-13"},
        {"part.x"});
    std::size_t impact = 0;
    for (std::size_t i = 0; i < reference.at("t").size(); ++i) {
      if (reference.at("amplitude_mm")[i] != amplitude_mm) continue;
      SCOPED_TRACE(fmt::format("{} mm, impact {}", amplitude_mm, impact));
      ASSERT_LT(impact, run.record.impacts.size());
      const ImpactRecord& found = run.record.impacts[impact++];
      EXPECT_NEAR(found.time_s, reference.at("t")[i], 1e-9);
      EXPECT_NEAR(found.normal_velocity_before, reference.at("g_NA")[i], 1e-7);
      EXPECT_NEAR(found.tangential_velocity_before, reference.at("g_TA")[i], 1e-7);
    }
    EXPECT_EQ(impact, 8U);
  }
}

// Below the amplitude at which it lifts off, 0.3835 mm, the part sticks and slides in turn; within a second
// its motion repeats itself every period. It moves downhill.
TEST(Conveyor, MovesDownhillWhereItDoesNotLiftOff) {
  const struct {
    double amplitude_mm, rate_mm_s;
  } table[] = {{0.025, -0.26364}, {0.05, -2.25783},  {0.10, -6.23533},  {0.15, -9.75611}, {0.20, -13.19110},
               {0.25, -16.59366}, {0.30, -19.98037}, {0.35, -23.35812}, {0.38, -25.38195}};
  for (const auto& [amplitude_mm, rate_mm_s] : table) {
    SCOPED_TRACE(amplitude_mm);
    EXPECT_NEAR(transport_rate("conveyor", periodic(amplitude_mm)) * 1e3, rate_mm_s, 1e-4 * std::abs(rate_mm_s));
  }
  EXPECT_NEAR(transport_rate("conveyor", periodic(0.015)), 0, 1e-12);  // friction holds it
}

// A little above it bounces in a way that repeats itself, with accumulations of impacts in each period.
TEST(Conveyor, HasATransportRateOfItsOwnWhereImpactsPileUpInEveryPeriod) {
  EXPECT_NEAR(transport_rate("conveyor", {"amplitude=0.4 mm", "duration=3 s", "transient=1 s"}) * 1e3, -25.8793,
              1e-3 * 25.8793);
  EXPECT_NEAR(transport_rate("conveyor", {"amplitude=0.45 mm", "duration=12 s", "transient=6 s"}) * 1e3, -43.5449,
              1e-3 * 43.5449);
}

TEST(Conveyor, ABlockThatDoesNotLiftOffMovesLikeAPoint) {
  EXPECT_NEAR(transport_rate("conveyor_block", periodic(0.3)) * 1e3, -19.98037, 1e-4 * 19.98037);
}

// Four corners that slide, stop and turn back together.
TEST(Conveyor, ABoxInSpaceThatDoesNotLiftOffMovesLikeAPoint) {
  EXPECT_NEAR(transport_rate("conveyor_spatial", periodic(0.1)) * 1e3, -6.23533, 1e-4 * 6.23533);
  EXPECT_NEAR(transport_rate("conveyor_spatial", periodic(0.3)) * 1e3, -19.98037, 1e-4 * 19.98037);
}

// One file has all parts: its parameter `part` chooses, and the block that does not tip is a point.
TEST(Conveyor, ItsParameterChoosesThePartThatIsFed) {
  Overrides of_block = periodic(0.2), of_box = periodic(0.2);
  of_block.push_back("part=block");
  of_box.insert(of_box.end(), {"part=box", "width=25 mm"});
  EXPECT_NEAR(transport_rate("conveyor", of_block) * 1e3, -13.19110, 1e-4 * 13.19110);
  EXPECT_NEAR(transport_rate("conveyor", of_box) * 1e3, -13.19110, 1e-4 * 13.19110);
}

// Its corners strike with friction, where Newton's law gives other impulses.
TEST(Conveyor, ABoxInSpaceThatBouncesObeysPoissonsLawLikeTheOtherParts) {
  const auto impulses = [](const Overrides& law) {
    Overrides overrides = {"part=box", "spin=0.5 rad/s", "amplitude=1 mm", "duration=0.3 s", "transient=0.1 s"};
    overrides.insert(overrides.end(), law.begin(), law.end());
    const ModelRun run = run_example("conveyor", overrides, {"part.x"});
    std::vector<double> all;
    for (const ImpactRecord& impact : run.record.impacts) all.push_back(impact.normal_impulse);
    return all;
  };
  const std::vector<double> of_file = impulses({});
  EXPECT_GT(of_file.size(), 20U);
  EXPECT_EQ(of_file, impulses({"contacts.support.impact=poisson"}));
  EXPECT_NE(of_file, impulses({"contacts.support.impact=newton"}));
}

// A ball in space and a disc in the plane of the same mass and moment of inertia: flights, impacts with spin, and
// sliding that ends in rolling are the same motion.
TEST(Conveyor, ABallInSpaceMovesLikeADiscInThePlane) {
  const Overrides common = {"amplitude=1 mm",
                            "duration=0.6 s",
                            "transient=0.1 s",
                            "simulate.tolerance=1e-12",
                            "bodies.part.initial.y=5 mm",
                            "contacts.support.impact=newton"};
  Overrides of_ball = common, of_disc = common;
  of_ball.insert(of_ball.end(), {"bodies.part.shapes.skin={type: sphere, radius: 5 mm}",
                                 "bodies.part.inertia=[1e-8 kg m^2, 1e-8 kg m^2, 1e-8 kg m^2]"});
  of_disc.insert(of_disc.end(),
                 {"bodies.part.shapes.skin={type: circle, radius: 5 mm}", "bodies.part.inertia=1e-8 kg m^2"});
  const ModelRun ball = run_example("conveyor_spatial", of_ball, {"part.x", "part.z"});
  const ModelRun disc = run_example("conveyor", of_disc, {"part.x"});
  ASSERT_EQ(ball.record.impacts.size(), disc.record.impacts.size());
  ASSERT_GE(ball.record.impacts.size(), 8U);
  for (std::size_t i = 0; i < ball.record.impacts.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_NEAR(ball.record.impacts[i].time_s, disc.record.impacts[i].time_s, 1e-9);
    EXPECT_NEAR(ball.record.impacts[i].normal_impulse, disc.record.impacts[i].normal_impulse, 1e-11);
  }
  EXPECT_NEAR(transport_rate("conveyor_spatial", of_ball), transport_rate("conveyor", of_disc), 1e-8);
  EXPECT_LT(largest(ball["part.z"]), 1e-12);
}

}  // namespace
}  // namespace freeplay::test::conveyor_test
