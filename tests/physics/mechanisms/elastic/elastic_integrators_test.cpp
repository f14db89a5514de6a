// Every integrator runs elastic bodies, free and in contact.
#include <cmath>

#include "physics/model_run.h"

namespace freeplay::test::elastic_integrators_test {
namespace {

// A beam on a hinge that falls from the horizontal: it turns, bends and is stiffened. Energy m g L/2 = 4.9 J.
std::string pendulum(const std::string& simulate) {
  return "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\n"
         "bodies: {beam: {elastic: {length: 1 m, mass_per_length: 1 kg/m, start: [0, 0], bending: cantilever, "
         "bending_modes: 2, bending_stiffness: 100 N m^2}}}\n"
         "joints: {hinge: {type: revolute, parent: ground, child: beam}}\n"
         "simulate: {duration: 0.6 s, " +
         simulate + "}\n";
}

double unexplained_J(const std::string& simulate) {
  const ModelRun run = run_model(parse_model(pendulum(simulate), "pendulum.yaml"));
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << simulate;
  EXPECT_GT(largest(run["beam.strain_energy"]), 1e-3) << simulate;
  return largest(run["energy.drift"]);
}

class ElasticPendulum : public testing::TestWithParam<const char*> {};

TEST_P(ElasticPendulum, ClosesItsLedgerToTheTolerance) {
  const double scale = 9.81 / 2, tolerance = 1e-9;
  EXPECT_LT(unexplained_J(fmt::format("integrator: {}, tolerance: 1e-9, step: 1 ms", GetParam())), tolerance * scale);
}

INSTANTIATE_TEST_SUITE_P(ErrorControlled, ElasticPendulum,
                         testing::Values("dopri5", "cvode-bdf", "cvode-adams", "event-driven"));

struct Stepping {
  const char* simulate;
  int order;
};

class ElasticPendulumInSteps : public testing::TestWithParam<Stepping> {};

// Without a tolerance the step decides, with the order of the method.
TEST_P(ElasticPendulumInSteps, ClosesItsLedgerWithTheOrderOfTheMethod) {
  const auto with_step = [&](const char* step) {
    return unexplained_J(fmt::format(fmt::runtime(GetParam().simulate), step));
  };
  const double coarse = with_step("100 us"), fine = with_step("50 us");
  EXPECT_NEAR(std::log2(coarse / fine), GetParam().order, 0.1) << coarse << ' ' << fine;
  EXPECT_LT(coarse, 1e-6 * 9.81 / 2);
}

INSTANTIATE_TEST_SUITE_P(FixedSteps, ElasticPendulumInSteps,
                         testing::Values(Stepping{"integrator: moreau-midpoint, step: {}", 1},
                                         Stepping{"integrator: moreau-jean, step: {}", 2},
                                         Stepping{"integrator: nlp-variable-step, min_step: {0}, max_step: {0}", 1}));

struct Way {
  const char* name;
  Overrides of_events, words;
  double accepted;  // part of the angular speed before the impact
};

class ElasticImpact : public testing::TestWithParam<Way> {};

// What the stop gives to the beam with two shapes until it has left: the speed of its frame and of its modes, against
// located events. A stiff contact without loss does what Newton's law does with the restitution 1.
TEST_P(ElasticImpact, GivesWhatEventsGive) {
  const auto run_with = [](const Overrides& more) {
    Overrides words = {"bodies.beam.elastic.bending_modes=2", "duration=15 ms"};
    words.insert(words.end(), more.begin(), more.end());
    return run_example("cantilever_impact", words);
  };
  const ModelRun events = run_with(GetParam().of_events), run = run_with(GetParam().words);
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  for (const char* channel : {"hinge.u", "beam.modal_1_rate", "beam.modal_2_rate"}) {
    EXPECT_NEAR(run[channel].back() / 0.01, events[channel].back() / 0.01, GetParam().accepted) << channel;
  }
}

const char* const kForceLaw = ", force: {law: hertz, exponent: 1, stiffness: 1e11 N/m}";
const char* const kStiffContact = "contacts.strike.force={law: hertz, exponent: 1, stiffness: 1e11 N/m}";
INSTANTIATE_TEST_SUITE_P(
    Ways, ElasticImpact,
    testing::Values(Way{"midpoint", {}, {"simulate.integrator=moreau-midpoint", "simulate.step=2us"}, 0.01},
                    Way{"jean", {}, {"simulate.integrator=moreau-jean", "simulate.step=2us"}, 0.01},
                    Way{"nlp",
                        {},
                        {"simulate={integrator: nlp-variable-step, min_step: 2us, max_step: 2us, duration: duration}"},
                        0.01},
                    Way{"dopri5", {"restitution=1"}, {"simulate.integrator=dopri5", kStiffContact}, 0.01},
                    Way{"cvode", {"restitution=1"}, {"simulate.integrator=cvode-bdf", kStiffContact}, 0.01}),
    [](const auto& way) { return std::string(way.param.name); });

// A hinged beam in space that bends in two planes of different stiffness strikes a slanting wall with the ball at its
// end, at 0.01 rad/s: the wall pushes it aside, too.
std::string slanting(const std::string& contact, const std::string& simulate) {
  return "freeplay: 1\nspace: spatial\n"
         "bodies:\n  beam:\n"
         "    elastic: {length: 1 m, mass_per_length: 1 kg/m, polar_inertia_per_length: 0.001 kg m, start: [0, 0, 0], "
         "bending: cantilever, bending_modes: 2, bending_stiffness: 100 N m^2, bending_stiffness_xz: 60 N m^2}\n"
         "    shapes: {tip: {type: sphere, at: [1 m, 0, 0], radius: 1 mm}}\n"
         "joints: {hinge: {type: revolute, parent: ground, child: beam, initial: {q: 1e-5, u: -0.01 rad/s}}}\n"
         "ground: {shapes: {wall: {type: plane, at: [0, -sqrt(2)*1 mm, 0], normal: [0, 1, 1]}}}\n"
         "contacts: {strike: {between: [beam.tip, ground.wall], impact: newton, " +
         contact + "}}\nsimulate: {duration: 15 ms, " + simulate + "}\n";
}

struct SpatialWay {
  const char* name;
  double restitution;  // of the located events
  const char* force;
  const char* simulate;
};

class ElasticImpactInSpace : public testing::TestWithParam<SpatialWay> {};

TEST_P(ElasticImpactInSpace, GivesWhatEventsGive) {
  const auto run_with = [](const std::string& contact, const std::string& simulate) {
    return run_model(parse_model(slanting(contact, simulate), "slanting.yaml"));
  };
  const std::string restitution = fmt::format("restitution: {}", GetParam().restitution);
  const ModelRun events = run_with(restitution, "integrator: event-driven, tolerance: 1e-10, step: 0.1 ms");
  const ModelRun run = run_with(restitution + GetParam().force, GetParam().simulate);
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  EXPECT_GT(std::abs(events["beam.modal_3_rate"].back()), 0.004) << "across the plane of the hinge";
  for (const char* channel :
       {"hinge.u", "beam.modal_1_rate", "beam.modal_2_rate", "beam.modal_3_rate", "beam.modal_4_rate"}) {
    EXPECT_NEAR(run[channel].back() / 0.01, events[channel].back() / 0.01, 0.01) << channel;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ways, ElasticImpactInSpace,
    testing::Values(SpatialWay{"midpoint", 0, "", "integrator: moreau-midpoint, step: 2 us"},
                    SpatialWay{"jean", 0, "", "integrator: moreau-jean, step: 2 us"},
                    SpatialWay{"nlp", 0, "", "integrator: nlp-variable-step, min_step: 2 us, max_step: 2 us"},
                    SpatialWay{"dopri5", 1, kForceLaw, "integrator: dopri5, tolerance: 1e-10, step: 0.1 ms"},
                    SpatialWay{"cvode", 1, kForceLaw, "integrator: cvode-bdf, tolerance: 1e-10, step: 0.1 ms"}),
    [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace freeplay::test::elastic_integrators_test
