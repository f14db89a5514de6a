// Examples of other methods, run by events, against event-driven solutions of another program and closed forms.
#include "physics/mechanisms/cam_follower.h"
#include "physics/model_run.h"
#include "physics/rod_on_rough_floor.h"

namespace freeplay::test::event_driven_examples_test {
namespace {

// The integrator chooses its steps and finds contacts by itself: what the file says of these is taken away.
ModelRun run_by_events(const std::string& example, const Overrides& taken_away, Overrides overrides) {
  overrides.push_back("simulate.integrator=event-driven");
  for (const std::string& key : taken_away) overrides.push_back("simulate." + key + "=~");
  return run_example(example, overrides);
}

TEST(EventDriven, TheFollowerStrikesItsCamAtTheTimesOfAnIndependentSolution) {
  const ModelRun run = run_by_events("cam_follower", {"step", "lasting_contacts"}, {"duration=40 ms"});
  const std::vector<cam::Impact> impacts = cam::impacts_faster_than(0.02, run);
  ASSERT_EQ(impacts.size(), std::size(cam::kImpacts));
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    EXPECT_NEAR(impacts[k].time_s, cam::kImpacts[k].time_s, 6e-10) << k;  // their last digit
    EXPECT_NEAR(impacts[k].speed_m_s, cam::kImpacts[k].speed_m_s, 6e-7) << k;
  }
}

// Six lobes and their drops, which open the gap by the whole stroke. All lobes after the first one are alike.
TEST(EventDriven, TheFollowerStrikesItsCamSevenTimesInEveryLobe) {
  const ModelRun run = run_by_events("cam_follower", {"step", "lasting_contacts"}, {});
  const std::vector<cam::Impact> impacts = cam::impacts_faster_than(0.02, run);
  ASSERT_EQ(impacts.size(), 42U);
  for (std::size_t lobe = 1; lobe < 6; ++lobe) {
    for (std::size_t k = 0; k < std::size(cam::kLaterImpacts); ++k) {
      SCOPED_TRACE(fmt::format("lobe {}, impact {}", lobe, k));
      const cam::Impact& impact = impacts[7 * lobe + k];
      EXPECT_NEAR(impact.time_s - static_cast<double>(lobe) * cam::kLobeTime, cam::kLaterImpacts[k].time_s, 6e-10);
      EXPECT_NEAR(impact.speed_m_s, cam::kLaterImpacts[k].speed_m_s, 6e-7);
    }
  }
  std::vector<double> rests, releases;
  for (const EventRecord& event : run.record.events) {
    if (event.kind == ContactEventKind::kRest) rests.push_back(event.time_s);
    if (event.kind == ContactEventKind::kRelease) releases.push_back(event.time_s);
  }
  ASSERT_EQ(rests.size(), 6U);
  EXPECT_NEAR(rests[0], cam::kZenoTime_s, 6e-9);
  for (std::size_t lobe = 1; lobe < 6; ++lobe)
    EXPECT_NEAR(rests[lobe] - static_cast<double>(lobe) * cam::kLobeTime, cam::kLaterZenoTime_s, 6e-9) << lobe;
  ASSERT_GE(releases.size(), 5U);
  for (std::size_t lobe = 1; lobe < 6; ++lobe)
    EXPECT_NEAR(releases[lobe - 1], static_cast<double>(lobe) * cam::kLobeTime, 1e-9) << "at the drop";
  EXPECT_LT(run.summary.max_penetration_m, 1e-12);
}

// Friction stops it on its way up and holds it, or lets it slide down again. x points downhill.
TEST(EventDriven, ABlockStopsOnItsInclineAndTurnsBack) {
  const Overrides thrown_up = {"incline=20 deg", "speed=-2 m/s", "duration=1.5 s", "simulate.tolerance=1e-12"};
  Overrides rough = thrown_up, smooth = thrown_up;
  rough.push_back("friction=0.5");
  smooth.push_back("friction=0.3");
  const ModelRun stops = run_by_events("block_on_incline", {"step"}, rough);
  std::size_t row = 0;
  while (row + 1 < stops.rows() && stops["block.vx"][row] < -1e-9) ++row;
  EXPECT_NEAR(stops.time()[row], 0.251117160261, 1e-12);
  EXPECT_NEAR(stops["block.x"].back(), -0.251117160261, 1e-12);
  const ModelRun turns = run_by_events("block_on_incline", {"step"}, smooth);
  EXPECT_NEAR(turns["block.x"].back(), 0.0791031858, 1e-10);
}

// a = 0.3 m, b = 0.2 m, theta = 0.3 rad and -2 rad/s at the start: theta(2 s) by quadrature of the energy.
TEST(EventDriven, AnEllipseRollsToTheAngleThatItsEnergySays) {
  const double a = 0.3, b = 0.2, angle = 0.3, omega = -2;
  const double h = std::hypot(a * std::sin(angle), b * std::cos(angle));
  const double vy = omega * (a * a - b * b) * std::sin(angle) * std::cos(angle) / h;  // dh/dtheta omega
  const ModelRun run = run_by_events(
      "rolling_ellipse", {"step", "activation", "velocity_forces"},
      {"a=0.3 m", "b=0.2 m",
       fmt::format(
           "bodies.wheel.initial={{y: {:.17g} m, angle: 0.3 rad, omega: -2 rad/s, vx: {:.17g} m/s, vy: {:.17g} m/s}}",
           h, -omega * h, vy)});
  EXPECT_NEAR(run["wheel.angle"].back(), -0.189509149, 1e-8);
  EXPECT_EQ(run.summary.impacts, 0);
}

// By energy (docs/examples/falling_rod.md): sqrt(3/2 g sin(60 deg)/l) when it lies flat, after 0.5443336 s.
TEST(EventDriven, TheRodOnIceLiesFlatWithTheVelocityOfItsEnergy) {
  const ModelRun run = run_by_events("falling_rod", {"step"}, {"duration=0.54433361 s"});
  EXPECT_NEAR(run["rod.angle"].back(), 0, 1e-6);
  EXPECT_NEAR(run["rod.omega"].back(), -3.5698129, 1e-6);
  EXPECT_LT(run.summary.max_penetration_m, 1e-10);
}

TEST(EventDriven, ARodFallsToRestWhereItsImpactLawBringsIt) {
  for (const auto& [law, tangential, x_m] : kRodsAtRest) {
    SCOPED_TRACE(fmt::format("{} {}", law, tangential));
    const ModelRun run = fall_of_rod(law, tangential, "integrator: event-driven");
    EXPECT_NEAR(run["rod.x"].back(), x_m, 1e-5);
    EXPECT_NEAR(run["rod.angle"].back(), 0, 1e-9);
    EXPECT_NEAR(run["rod.vx"].back(), 0, 1e-9);
  }
}

// Between its first impact, at the head, and the second one, at the tip, a step moves the tip by more than the depth at
// which meshes tell their contacts: it was not seen to come in, and the bolt fell through the plate.
TEST(EventDriven, ABoltWhoseStepsAreLongDoesNotFallThroughItsPlate) {
  const Overrides taken_away = {"step", "activation", "velocity_forces"};
  const ModelRun run = run_by_events("bolt_on_plate", taken_away, {"duration=0.1 s", "simulate.max_step=8 ms"});
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_EQ(run.summary.handed_over_steps, 0);
  EXPECT_LT(run.summary.max_penetration_m, 1e-9);
  const ModelRun close = run_by_events("bolt_on_plate", taken_away, {"duration=0.1 s", "simulate.max_step=0.1 ms"});
  ASSERT_EQ(run.record.impacts.size(), close.record.impacts.size());
  for (std::size_t i = 0; i < run.record.impacts.size(); ++i)
    EXPECT_NEAR(run.record.impacts[i].time_s, close.record.impacts[i].time_s, 1e-6) << i;
}

// Play in a pin: the rocker stays between those of two ideal linkages, and time stepping tends to the same motion.
TEST(EventDriven, TheFourBarWithPlayIsWhatTimeSteppingTendsTo) {
  const ModelRun events =
      run_by_events("four_bar_clearance", {"step", "activation", "velocity_forces"}, {"simulate.duration=50 ms"});
  const auto end_of = [](const char* step) {
    return run_example("four_bar_clearance", {std::string("simulate.step=") + step, "simulate.duration=50 ms"},
                       {"rocker.angle"})["rocker.angle"]
        .back();
  };
  const double exact = events["rocker.angle"].back();
  const double coarse = std::abs(end_of("40 us") - exact), fine = std::abs(end_of("10 us") - exact);
  EXPECT_LT(fine, coarse);
  EXPECT_LT(fine, 1e-5);
}

}  // namespace
}  // namespace freeplay::test::event_driven_examples_test
