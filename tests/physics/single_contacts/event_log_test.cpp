// The log of events of runs that locate them, and what else a run tells of itself there.
#include "physics/model_run.h"
#include "support/places.h"

namespace freeplay::test::event_log_test {
namespace {

using enum ContactEventKind;

constexpr double kGravity = 9.81;

// Without what the contacts do at the start.
std::vector<EventRecord> later_events(const ModelRun& run) {
  std::vector<EventRecord> events;
  for (const EventRecord& event : run.record.events) {
    if (event.time_s > 0) events.push_back(event);
  }
  return events;
}

// ---- a ball that falls from h and rebounds with e ----

ModelRun ball(double restitution, const std::string& how = "integrator: event-driven", int every = 1) {
  return run_model(parse_model(fmt::format(R"(freeplay: 1
name: A ball on the floor
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  ball: {{mass: 2 kg, inertia: 0.004 kg m^2, initial: {{y: 1.1 m}}, shapes: {{skin: {{type: circle, radius: 100 mm}}}}}}
ground: {{shapes: {{floor: {{type: line, normal: [0, 1]}}}}}}
contacts:
  bounce: {{between: [ball.skin, ground.floor], impact: newton, restitution: {0}, friction: 0.3}}
simulate: {{{1}, duration: 3 s}}
)",
                                           restitution, how),
                               "ball.yaml"),
                   {{}, every});
}

TEST(EventLog, ABallThatFallsStrikesAtTheTimesOfItsSeriesAndThenRests) {
  constexpr double e = 0.5;
  const ModelRun run = ball(e);
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  const std::vector<EventRecord>& events = run.record.events;
  const double t1 = std::sqrt(2 / kGravity);  // the first impact; the k-th comes 2 t1 e^(k-1) after the one before it
  double t = t1, flight = 2 * t1 * e;
  std::size_t impacts = 0;
  for (const EventRecord& event : events) {
    EXPECT_EQ(event.contact, 0);
    if (event.kind != kImpact) continue;
    EXPECT_NEAR(event.time_s, t, 1e-9) << "impact " << impacts;
    t += flight;
    flight *= e;
    ++impacts;
  }
  EXPECT_GE(impacts, 5u);
  // Every impact but those below the threshold of the table is there, too.
  ASSERT_LE(run.record.impacts.size(), impacts);
  for (std::size_t i = 0; i < run.record.impacts.size(); ++i)
    EXPECT_EQ(run.record.impacts[i].time_s, events[i].time_s) << "only impacts come before the landing";
  // The rest is told with the last impact, and comes at the limit of the series.
  ASSERT_GE(events.size(), 2u);
  EXPECT_EQ(events[events.size() - 2].kind, kLanding);
  EXPECT_EQ(events.back().kind, kRest);
  EXPECT_NEAR(events.back().time_s, t1 * (1 + e) / (1 - e), 1e-9);
  EXPECT_GT(events.back().time_s, events[events.size() - 2].time_s);
}

TEST(EventLog, IsWholeWhereOnlyEveryTenthStepIsARow) {
  const ModelRun all = ball(0.5), few = ball(0.5, "integrator: event-driven", 10);
  ASSERT_LT(few.rows(), all.rows());
  ASSERT_EQ(few.record.events.size(), all.record.events.size());
  for (std::size_t i = 0; i < all.record.events.size(); ++i)
    EXPECT_EQ(few.record.events[i].time_s, all.record.events[i].time_s);
}

TEST(EventLog, TheSummaryCountsTheInstantsAndHasNoForceLawsToTellOf) {
  const ModelRun run = ball(0.5);
  EXPECT_GE(run.summary.events, run.summary.impacts);
  EXPECT_LT(run.summary.worst_residual_m_s2, 1e-6);
  // Landings are events; these belong to contacts whose force follows a law.
  EXPECT_EQ(run.summary.contacts_begun, 0);
  EXPECT_EQ(run.summary.rejected_by_contact, 0);
  EXPECT_EQ(run.summary.injected_energy_J, 0);
  const ModelRun stepped = ball(0.5, "integrator: moreau-midpoint, step: 1 ms");
  EXPECT_EQ(stepped.summary.events, 0);
  EXPECT_TRUE(stepped.record.events.empty());
}

TEST(EventLog, ChannelsTellOfTheStateAndOfTheImpactThatItsStepLedTo) {
  const ModelRun run = ball(0.5);
  const std::vector<double>&time = run.time(), &impulse = run["bounce.normal_impulse"],
        &force = run["bounce.normal_force"], &mode = run["bounce.mode"];
  std::size_t impact = 0, rows_at_rest = 0;
  for (std::size_t row = 0; row < time.size(); ++row) {
    if (impulse[row] != 0) {
      ASSERT_LT(impact, run.record.events.size());
      EXPECT_EQ(time[row], run.record.events[impact++].time_s);
    }
    const bool is_at_rest = mode[row] != 0;
    EXPECT_NEAR(force[row], is_at_rest ? 2 * kGravity : 0.0, 1e-9) << time[row];
    rows_at_rest += is_at_rest ? 1 : 0;
  }
  EXPECT_GT(impact, 4u);
  EXPECT_GT(rows_at_rest, 1u);
}

// ---- a block that friction stops and a growing pull moves back ----

TEST(EventLog, ABlockThatIsPulledBackHasTheSequenceOfItsModes) {
  const ModelRun run = run_model(parse_model(R"(freeplay: 1
name: A block on a rough floor
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  block: {mass: 1 kg, inertia: 0.01 kg m^2}
joints:
  track: {type: prismatic, parent: ground, child: block, initial: {u: 1 m/s}, dry_friction: 2 N}
forces:
  pull: {type: force, on: block, value: ["-4 N/s * t", 0 N]}
simulate: {integrator: event-driven, duration: 1 s}
)",
                                             "block.yaml"));
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  // u = 1 - 2t - 2t^2 is 0 at t = (sqrt(3) - 1)/2; the pull is then 1.46 N, and 2 N at 0.5 s.
  const std::vector<EventRecord> events = later_events(run);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, kStick);
  EXPECT_NEAR(events[0].time_s, (std::sqrt(3.0) - 1) / 2, 1e-9);
  EXPECT_EQ(events[1].kind, kSlip);
  EXPECT_NEAR(events[1].time_s, 0.5, 1e-9);
}

// ---- three balls that touch: an impact that leaves parts approaching is followed by another at the same time ----

ModelRun cradle() {
  return run_model(load_model(test_dir() + "/models/physics/balls_in_a_row.yaml"));
}

TEST(EventLog, PartsThatMeetAtTheStartStrikeInTheTablesAndInTheLedger) {
  const ModelRun run = cradle();
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  // The first impact throws b at c, which it strikes at once.
  ASSERT_EQ(run.record.impacts.size(), 2u);
  EXPECT_EQ(run.record.impacts[0].contact, 0);
  EXPECT_NEAR(run.record.impacts[0].normal_velocity_before, -1, 1e-12);
  EXPECT_EQ(run.record.impacts[1].contact, 1);
  EXPECT_NEAR(run.record.impacts[1].normal_velocity_after, -0.8 * run.record.impacts[1].normal_velocity_before, 1e-12);
  for (const ImpactRecord& impact : run.record.impacts) EXPECT_EQ(impact.time_s, 0);
  ASSERT_EQ(run.record.events.size(), 2u);
  for (const EventRecord& event : run.record.events) {
    EXPECT_EQ(event.time_s, 0);
    EXPECT_EQ(event.kind, kImpact);
  }
  // Nothing approaches any more, and the momentum is what it was.
  EXPECT_LT(run["a.vx"].back(), run["b.vx"].back());
  EXPECT_LT(run["b.vx"].back(), run["c.vx"].back());
  EXPECT_NEAR(run["a.vx"].back() + run["b.vx"].back() + run["c.vx"].back(), 1.2, 1e-12);
  // The energy at the start is that before the first impact.
  EXPECT_NEAR(run.summary.energy_initial_J, 0.5 * (1 + 0.04), 1e-12);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-12);
  // Newton's law for both contacts (spec/unilateral.md, section 2), and then the second one once more.
  for (const auto& [body, speed] : {std::pair{"a", -0.08}, {"b", 0.72}, {"c", 0.56}})
    EXPECT_NEAR(run[std::string(body) + ".vx"][1], speed, 1e-12) << body;
  // Steps of length zero have rows of their own.
  ASSERT_GE(run.rows(), 4u);
  EXPECT_EQ(run.time()[2], run.time()[0]);
  EXPECT_NEAR(run["c.vx"][2] - run["b.vx"][2], run.record.impacts[1].normal_velocity_after, 1e-12);
  EXPECT_NEAR(run["c.vx"][1] - run["b.vx"][1], run.record.impacts[1].normal_velocity_before, 1e-12);
}

}  // namespace
}  // namespace freeplay::test::event_log_test
