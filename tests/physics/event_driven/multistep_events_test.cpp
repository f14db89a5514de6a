// CVODE between events (`smooth: cvode-bdf | cvode-adams`): the events of dopri5, to the tolerance.
#include "freeplay/simulation/integrator_choice.h"
#include "physics/model_run.h"

namespace freeplay::test::multistep_events_test {
namespace {

Overrides with(Overrides overrides, const std::string& smooth, const std::string& tolerance) {
  overrides.insert(overrides.end(), {"simulate.smooth=" + smooth, "simulate.tolerance=" + tolerance});
  return overrides;
}

void expect_same_events(const ModelRun& a, const ModelRun& b, double tolerance_s) {
  ASSERT_EQ(a.summary.status, RunStatus::kCompleted) << a.summary.message;
  ASSERT_EQ(b.summary.status, RunStatus::kCompleted) << b.summary.message;
  ASSERT_EQ(a.record.events.size(), b.record.events.size());
  ASSERT_FALSE(a.record.events.empty());
  for (std::size_t i = 0; i < a.record.events.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(a.record.events[i].kind, b.record.events[i].kind);
    EXPECT_EQ(a.record.events[i].contact, b.record.events[i].contact);
    EXPECT_NEAR(a.record.events[i].time_s, b.record.events[i].time_s, tolerance_s);
  }
}

TEST(MultistepEvents, AreThoseOfTheEmbeddedPair) {
  const struct {
    const char* example;
    Overrides overrides;
  } cases[] = {{"slider_crank", {"simulate.integrator=event-driven", "simulate.duration=0.028 s"}},
               {"conveyor", {"amplitude=0.3 mm", "duration=0.2 s", "transient=0.1 s"}}};
  for (const auto& one : cases) {
    const ModelRun pair = run_example(one.example, with(one.overrides, "dopri5", "1e-11"));
    {
      SCOPED_TRACE(std::string(one.example) + ", cvode-adams");
      expect_same_events(run_example(one.example, with(one.overrides, "cvode-adams", "1e-11")), pair, 1e-7);
    }
    {
      SCOPED_TRACE(std::string(one.example) + ", cvode-bdf");
      expect_same_events(run_example(one.example, with(one.overrides, "cvode-bdf", "1e-9")), pair, 1e-5);
    }
  }
}

// Dropped from h with restitution e a ball rests at sqrt(2h/g) (1 + e)/(1 - e).
TEST(MultistepEvents, ABouncingBallRestsWhenTheSeriesEnds) {
  const ModelFile file = parse_model(R"(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies: {ball: {mass: 1 kg, inertia: 1 kg m^2, initial: {y: 1 m}, shapes: {skin: {type: point}}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts: {bounce: {between: [ball.skin, ground.floor], impact: newton, restitution: 0.7}}
simulate: {integrator: event-driven, smooth: cvode-adams, duration: 3 s, tolerance: 1e-10}
)",
                                     "ball.yaml");
  const ModelRun run = run_model(file);
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  double rest_s = 0;
  for (const EventRecord& event : run.record.events) {
    if (event.kind == ContactEventKind::kRest) rest_s = event.time_s;
  }
  EXPECT_NEAR(rest_s, std::sqrt(2 / 9.81) * 1.7 / 0.3, 1e-6);
}

// CVODE refuses to begin so near to its end; an output instant may lie there, behind an event.
TEST(MultistepEvents, ASliverOfTimeBeforeAnInstantIsAStep) {
  const ModelFile file = parse_model(R"(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies: {ball: {mass: 1 kg, inertia: 1 kg m^2, initial: {y: 1 m}}}
simulate: {integrator: event-driven, smooth: cvode-adams, duration: 3 s}
)",
                                     "fall.yaml");
  const Model model = build_model(file);
  const std::unique_ptr<Integrator> integrator = make_integrator(*model.system, *model.contacts, file.simulate);
  State state = model.system->initial_state();
  ASSERT_EQ(integrator->start(state).status, StepStatus::kOk);
  for (const double t : {0.3, 0.1 + 0.2, 0.5}) {  // the first two are neighbours
    while (state.t < t) ASSERT_EQ(integrator->step(state, t).status, StepStatus::kOk) << t;
    EXPECT_EQ(state.t, t);
  }
  EXPECT_NEAR(state.q[1], 1 - 9.81 * 0.5 * 0.5 / 2, 1e-8);
}

// A stiff spring with a strong damper beside a bouncing part: the step of an explicit method is bound by it.
TEST(MultistepEvents, BdfTakesLongStepsWhereDampersAreStiff) {
  const std::string text = R"(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  ball: {mass: 1 kg, inertia: 1 kg m^2, initial: {y: 0.2 m}, shapes: {skin: {type: point}}}
  slow: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: 1 m, y: 0.1 m}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
joints: {guide: {type: prismatic, axis: [0, 1], parent: ground, at_parent: [1 m, 0], child: slow}}
forces:
  damper: {type: spring, parent: slow, child: ground, at_child: [1 m, -1 m], stiffness: 1e4 N/m, damping: 1e5 N s/m, free_length: 1.1 m}
contacts: {bounce: {between: [ball.skin, ground.floor], impact: newton, restitution: 0.5}}
simulate: {integrator: event-driven, duration: 0.6 s, tolerance: 1e-8}
)";
  const ModelRun pair = run_model(parse_model(text, "stiff.yaml"));
  const ModelRun bdf =
      run_model(parse_model(text, "stiff.yaml", std::vector<std::string>{"simulate.smooth=cvode-bdf"}));
  expect_same_events(bdf, pair, 1e-5);
  EXPECT_LT(5 * bdf.summary.steps, pair.summary.steps);
}

}  // namespace
}  // namespace freeplay::test::multistep_events_test
