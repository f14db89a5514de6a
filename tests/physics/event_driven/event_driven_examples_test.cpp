// Examples of other methods, run by events, against event-driven solutions of another program and closed forms.
#include "physics/mechanisms/cam_follower.h"
#include "physics/model_run.h"

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
  const struct {
    const char* law;
    const char* tangential;
    double x_m;
  } cases[] = {{"poisson", "beitelschmidt", 0.2667562},
               {"poisson", "safe", 0.2788956},
               {"poisson", "glocker", 0.2788956},
               {"newton", "beitelschmidt", 0.3027063}};
  for (const auto& [law, tangential, x_m] : cases) {
    SCOPED_TRACE(fmt::format("{} {}", law, tangential));
    const ModelRun run = run_model(parse_model(fmt::format(R"(freeplay: 1
name: A rod that falls on a rough floor
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  rod:
    mass: 1 kg
    inertia: 1 kg m^2/12
    initial: {{y: 1 m, angle: 0.5 rad, vx: 0.5 m/s}}
    shapes: {{left: {{type: point, at: [-0.5 m, 0]}}, right: {{type: point, at: [0.5 m, 0]}}}}
ground: {{shapes: {{floor: {{type: line, normal: [0, 1]}}}}}}
contacts:
  a: {{between: [rod.left, ground.floor], impact: {0}, tangential_law: {1}, restitution: 0.5, friction: 0.3}}
  b: {{between: [rod.right, ground.floor], impact: {0}, tangential_law: {1}, restitution: 0.5, friction: 0.3}}
simulate: {{integrator: event-driven, duration: 3 s}}
)",
                                                           law, tangential),
                                               "rod.yaml"));
    EXPECT_NEAR(run["rod.x"].back(), x_m, 1e-5);
    EXPECT_NEAR(run["rod.angle"].back(), 0, 1e-9);
    EXPECT_NEAR(run["rod.vx"].back(), 0, 1e-9);
  }
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
