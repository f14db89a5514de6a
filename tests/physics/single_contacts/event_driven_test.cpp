// Event-driven motion against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "freeplay/integrators/integrator.h"
#include "physics/model_run.h"

namespace freeplay::test {
namespace {

constexpr double kGravity = 9.81;

Overrides event_driven(Overrides more = {}) {
  more.insert(more.end(), {"simulate.integrator=event-driven", "simulate.step=~"});
  return more;
}

Overrides event_driven_in_space(Overrides more = {}) {
  more.emplace_back("simulate.activation=~");
  return event_driven(std::move(more));
}

TEST(EventDriven, BouncingBallRestsAtTheEndOfItsSeries) {
  for (const double e : {0.2, 0.5, 0.7, 0.9}) {
    const ModelFile file = load_example("bouncing_ball", event_driven({fmt::format("restitution={}", e)}));
    const Model model = build_model(file);
    SimulationOptions options = file.simulate;
    const IntegratorEntry* entry = find_integrator("event-driven");
    IntegratorOptions of_rule;
    static_cast<RuleOptions&>(of_rule) = options;
    const std::unique_ptr<Integrator> integrator = entry->make(*model.system, *model.contacts, of_rule);
    State state = model.system->initial_state();
    ASSERT_EQ(integrator->start(state).status, StepStatus::kOk);
    const double expected = std::sqrt(2 / kGravity) * (1 + e) / (1 - e);
    double rest_s = 0;
    while (state.t < expected + 0.5) {
      ASSERT_EQ(integrator->step(state, expected + 0.5).status, StepStatus::kOk);
      for (const ContactEvent& event : integrator->events()) {
        if (event.kind == ContactEventKind::kRest) rest_s = event.time_s;
      }
    }
    EXPECT_NEAR(rest_s, expected, 1e-9) << e;
    EXPECT_NEAR(state.u.norm(), 0, 1e-12);
  }
}

TEST(EventDriven, SlidingBallRolls) {
  const double v0 = 2, mu = 0.2, rolls_s = 2 * v0 / (7 * mu * kGravity);
  const ModelRun run = run_example("rolling_ball", event_driven_in_space());
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_NEAR(run["ball.vx"].back(), 5.0 / 7 * v0, 1e-9);
  const std::vector<double>& mode = run["cloth.mode"];
  std::size_t first = 0;
  while (first < mode.size() && mode[first] != static_cast<double>(ContactMode::kStick)) ++first;
  ASSERT_LT(first, mode.size());
  EXPECT_NEAR(run.time()[first], rolls_s, 1e-9);
  // Slides v0 t - mu g t^2/2, then rolls.
  const double x = v0 * rolls_s - mu * kGravity * rolls_s * rolls_s / 2 + 5.0 / 7 * v0 * (0.6 - rolls_s);
  EXPECT_NEAR(run["ball.x"].back(), x, 1e-9);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-10);
}

// Sliding in one direction and being pushed across: the direction of friction turns. Against a run with a much smaller
// tolerance of another method.
TEST(EventDriven, BallWithSidewardsSpinSlidesOnACurve) {
  const Overrides start = {"side=1 m/s", "spin=30 rad/s"};
  const ModelRun coarse = run_example("rolling_ball", event_driven_in_space(start));
  Overrides fine = event_driven_in_space(start);
  fine.emplace_back("simulate.tolerance=1e-12");
  const ModelRun exact = run_example("rolling_ball", fine);
  EXPECT_NEAR(coarse["ball.x"].back(), exact["ball.x"].back(), 1e-8);
  EXPECT_NEAR(coarse["ball.y"].back(), exact["ball.y"].back(), 1e-8);
  // A ball under friction alone keeps the direction of its sliding: a parabola (Euler).
  EXPECT_NEAR(coarse["ball.vx"].back(), 5.0 / 7 * 2, 1e-9);
  EXPECT_NEAR(coarse["ball.vy"].back(), 5.0 / 7 * 1, 1e-9);
}

TEST(EventDriven, AgreesWithTimeSteppingToItsOrder) {
  const ModelRun events = run_example("bouncing_ball", event_driven({"speed=1 m/s", "spin=5 rad/s"}));
  const auto error = [&](double step_s) {
    const ModelRun steps =
        run_example("bouncing_ball", {"speed=1 m/s", "spin=5 rad/s", fmt::format("step={} s", step_s)});
    return std::abs(steps["ball.x"].back() - events["ball.x"].back());
  };
  EXPECT_LT(error(1e-5), 0.3 * error(1e-4));
  EXPECT_LT(error(1e-5), 1e-4);
}

TEST(EventDriven, PainlevesRodIsNamedAndStopped) {
  const ModelRun run = run_example("painleve_rod", event_driven());
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  ASSERT_FALSE(run.summary.warnings.empty());
  EXPECT_NE(run.summary.warnings[0].find("Painleve"), std::string::npos) << run.summary.warnings[0];
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-8);
}

TEST(EventDriven, AStormOfEventsEndsTheRunWithWhatItHas) {
  const ModelFile file = parse_model(R"(freeplay: 1
name: A ball between two walls, a nanometre from each
space: planar
bodies:
  ball: {mass: 1 kg, inertia: 1 kg m^2, initial: {vx: 1 m/s}, shapes: {skin: {type: circle, radius: 10 mm}}}
ground:
  shapes:
    left: {type: line, at: [-10.000001 mm, 0], normal: [1, 0]}
    right: {type: line, at: [10.000001 mm, 0], normal: [-1, 0]}
contacts:
  l: {between: [ball.skin, ground.left], impact: newton, restitution: 1}
  r: {between: [ball.skin, ground.right], impact: newton, restitution: 1}
simulate: {integrator: event-driven, duration: 1 ms}
)",
                                     "storm.yaml");
  const Model model = build_model(file);
  MemorySink record;
  const RunSummary summary = Simulation(*model.system, *model.contacts, file.simulate).run(record, {});
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_EQ(summary.failure, StepStatus::kEventsTooDense);
  EXPECT_EQ(record.impacts.size(), 19999u);
  EXPECT_NEAR(std::abs(record.channel("ball.vx").back()), 1, 1e-12);
}

TEST(EventDriven, GoesOnFromASavedState) {
  const ModelFile file = load_example("bouncing_ball", event_driven({"speed=1 m/s"}));
  const Model model = build_model(file);
  IntegratorOptions options;
  const auto make = [&] { return find_integrator("event-driven")->make(*model.system, *model.contacts, options); };
  const std::unique_ptr<Integrator> first = make(), second = make();
  State state = model.system->initial_state();
  ASSERT_EQ(first->start(state).status, StepStatus::kOk);
  for (int k = 0; k < 20; ++k) ASSERT_EQ(first->step(state, 1.6).status, StepStatus::kOk);
  first->save(state);
  State saved = state;
  ASSERT_TRUE(second->fits(saved));
  ASSERT_EQ(second->resume(saved, first->counts()), StepStatus::kOk);
  while (state.t < 1.6) {
    ASSERT_EQ(first->step(state, 1.6).status, StepStatus::kOk);
    ASSERT_EQ(second->step(saved, 1.6).status, StepStatus::kOk);
    ASSERT_EQ(state.t, saved.t);
    ASSERT_EQ(state.q, saved.q);
    ASSERT_EQ(state.u, saved.u);
    ASSERT_EQ(state.method, saved.method);
  }
}

}  // namespace
}  // namespace freeplay::test
