// The slider-crank, event-driven, against the event-driven solution of another program (spec/planar.md, section 3.1).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "physics/slider_crank/impact_sequence.h"

namespace freeplay::test {
namespace {

ModelRun run_event_driven(double restitution, double duration_s, double tolerance, Overrides more = {}) {
  more.insert(more.end(),
              {"simulate.integrator=event-driven", "simulate.step=~", "simulate.lasting_contacts=~",
               fmt::format("restitution={}", restitution), fmt::format("simulate.duration={} s", duration_s),
               fmt::format("simulate.tolerance={}", tolerance)});
  return run_example("slider_crank", more);
}

// After n turns of the crank.
struct Turn {
  double restitution;
  int turns;
  double time_s, crank_speed_rad_s, energy_J;
};

class SliderCrankEvents : public testing::TestWithParam<Turn> {};

TEST_P(SliderCrankEvents, MeetTheReferenceAfterWholeTurns) {
  const Turn& turn = GetParam();
  const ModelRun run = run_event_driven(turn.restitution, turn.time_s, 1e-10);
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  constexpr double kPrinted_s = 0.5e-9;  // half of the last printed digit of the time
  const double angle = 2 * std::numbers::pi * turn.turns;
  EXPECT_NEAR(run["crank.angle"].back(), angle, turn.crank_speed_rad_s * kPrinted_s + 1e-6 * angle);
  EXPECT_NEAR(run["crank.omega"].back(), turn.crank_speed_rad_s, 1e-6 * turn.crank_speed_rad_s);
  EXPECT_NEAR(run["energy.total"].back(), turn.energy_J, 1e-6 * turn.energy_J);
}

INSTANTIATE_TEST_SUITE_P(
    Spec, SliderCrankEvents,
    testing::Values(Turn{0.1, 1, 0.068358361, 148.253602, 7.3213546}, Turn{0.1, 2, 0.137638664, 146.265621, 7.1262969},
                    Turn{0.4, 1, 0.068339862, 148.283423, 7.3243006}, Turn{0.4, 2, 0.137554495, 146.418171, 7.1411716},
                    Turn{0.6, 1, 0.068282385, 148.534015, 7.3490801}, Turn{0.6, 2, 0.137279280, 147.011715, 7.1991939},
                    Turn{0.9, 1, 0.068151068, 148.975751, 7.3999875}, Turn{0.9, 2, 0.137001815, 147.045793, 7.2422579}),
    [](const testing::TestParamInfo<Turn>& test) {
      return fmt::format("restitution_0_{}_turn_{}", std::lround(10 * test.param.restitution), test.param.turns);
    });

TEST(SliderCrankEventsOnly, StrikeAsTheReferenceDoes) {
  for (const double restitution : {0.1, 0.4, 0.6, 0.9}) {
    const ModelRun run = run_event_driven(restitution, 0.042, 1e-10);
    const std::vector<FaceImpact> expected = expected_impacts(restitution, 0.03, 0.0415),
                                  found = found_impacts(run, 0.03, 0.0415);
    ASSERT_EQ(found.size(), expected.size()) << restitution;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i].time, expected[i].time, 0.6e-9) << restitution << ", impact " << i;
      EXPECT_NEAR(found[i].approach, expected[i].approach, 0.6e-6) << restitution << ", impact " << i;
      EXPECT_EQ(found[i].face, expected[i].face);
    }
  }
}

// Whenever at least one corner is closed, from a landing to the release that leaves none.
std::vector<double> sustained_contacts(const ModelRun& run) {
  std::vector<double> lengths;
  int closed = 0;
  double begin_s = 0;
  for (const EventRecord& event : run.record.events) {
    if (event.kind == ContactEventKind::kLanding && closed++ == 0) begin_s = event.time_s;
    if (event.kind == ContactEventKind::kRelease && --closed == 0) lengths.push_back(event.time_s - begin_s);
  }
  if (closed > 0) lengths.push_back(run.time().back() - begin_s);
  return lengths;
}

TEST(SliderCrankEventsOnly, StrikeAndRestAsOftenAndAsLongAsTheReferenceInTwoTurns) {
  const struct {
    double restitution, two_turns_s;
    std::size_t impacts, sustained;  // impacts faster than 50 mm/s
    double total_ms;
  } table[] = {{0.1, 0.137638664, 16, 8, 68.07},
               {0.4, 0.137554495, 25, 5, 19.33},
               {0.6, 0.137279280, 27, 3, 4.47},
               {0.9, 0.137001815, 25, 0, 0}};
  for (const auto& row : table) {
    SCOPED_TRACE(row.restitution);
    const ModelRun run = run_event_driven(row.restitution, row.two_turns_s, 1e-10);
    EXPECT_EQ(found_impacts(run, 0.05, row.two_turns_s).size(), row.impacts);
    const std::vector<double> sustained = sustained_contacts(run);
    EXPECT_EQ(sustained.size(), row.sustained);
    EXPECT_NEAR(std::accumulate(sustained.begin(), sustained.end(), 0.0) * 1e3, row.total_ms, 0.005);  // as printed
  }
}

TEST(SliderCrankEventsOnly, TakeTwoThousandEvaluationsPerTurn) {
  for (const double restitution : {0.1, 0.4, 0.6, 0.9}) {
    const ModelRun run = run_event_driven(restitution, 0.1377, 1e-8);
    EXPECT_LE(run.summary.evaluations, 2 * 2000) << restitution;
    EXPECT_NEAR(run["crank.omega"].back(), run_event_driven(restitution, 0.1377, 1e-10)["crank.omega"].back(), 1e-4);
  }
}

TEST(SliderCrankEventsOnly, DoNotPenetrateAndKeepTheirLedger) {
  const ModelRun run = run_event_driven(0.4, 0.1377, 1e-11);
  EXPECT_LT(run.summary.max_penetration_m, 1e-12);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-9);
}

TEST(SliderCrankEventsOnly, TimesOfImpactsFollowTheTolerance) {
  const auto first_impacts = [](double tolerance) {
    // Steps as long as the error allows.
    return found_impacts(run_event_driven(0.4, 0.0285, tolerance, {"simulate.max_step=1 s"}), 0.03, 0.028);
  };
  const std::vector<FaceImpact> exact = first_impacts(1e-12);
  double coarse = 0, fine = 0;
  for (const auto& [tolerance, error] : {std::pair{1e-5, &coarse}, std::pair{1e-8, &fine}}) {
    const std::vector<FaceImpact> impacts = first_impacts(tolerance);
    ASSERT_EQ(impacts.size(), exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) *error = std::max(*error, std::abs(impacts[i].time - exact[i].time));
  }
  EXPECT_LT(fine, 0.02 * coarse);  // a method of order five with error per step: nearly in proportion
}

}  // namespace
}  // namespace freeplay::test
