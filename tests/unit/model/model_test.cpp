// From a spec to a run without any file: this program links freeplay::model and nothing above it.
#include "freeplay/model/model.h"

#include <gmock/gmock.h>

#include "freeplay/mechanism/mechanism.h"
#include "freeplay/model/coded_system.h"
#include "freeplay/simulation/recording/memory_sink.h"

namespace freeplay::test::model_test {
namespace {

using testing::HasSubstr;

constexpr double kG = 9.81;

template <class Action>
std::vector<Diagnostic> mistakes_of(Action action) {
  try {
    action();
  } catch (const ModelError& error) {
    return error.diagnostics();
  }
  return {};
}

// A ball of radius 0.1 m that falls from rest, its lowest point 0.5 m above the floor.
ModelSpec falling_ball() {
  ModelSpec spec;
  spec.mechanism.gravity_m_s2 = {0, -kG, 0};
  BodySpec ball;
  ball.name = "ball";
  ball.mass_kg = 2;
  ball.inertia_kg_m2(2, 2) = 0.008;
  ball.initial.position_m[1] = 0.6;
  spec.mechanism.bodies.push_back(ball);
  spec.shapes.push_back({"ball", "skin", "circle", CircleShape{Vec3::Zero(), 0.1}});
  spec.shapes.push_back({"ground", "floor", "line", LineShape{Vec3::Zero(), Vec3::UnitY()}});
  ContactSpec bounce{"bounce", "ball", "skin", "ground", "floor", {}};
  bounce.law.impact = "newton";
  bounce.law.restitution = 0.5;
  spec.contacts.push_back(bounce);
  spec.simulate.integrator = "moreau-midpoint";
  spec.simulate.step_s = 1e-4;
  spec.simulate.duration_s = 0.5;
  return spec;
}

ClearanceJointSpec loose_pin() {
  ClearanceJointSpec pin;
  pin.joint.name = "pin";
  pin.joint.type = "revolute";
  pin.joint.parent = "ground";
  pin.joint.child = "ball";
  pin.joint.at_parent_m = {0, 0.6, 0};
  pin.clearance_m = 1e-3;
  pin.law.impact = "newton";
  return pin;
}

TEST(ModelFromASpec, RunsWithoutAnyFile) {
  const ModelSpec spec = falling_ball();
  const Model model = build_model(spec);
  EXPECT_EQ(model.contacts->point_count(), 1);
  MemorySink result;
  const RunSummary summary = build_simulation(spec, model)->run(result, {});
  EXPECT_EQ(summary.status, RunStatus::kCompleted);
  // It falls 0.5 m: v = sqrt(2 g 0.5 m), and comes back with half of it. A step knows the instant to h only.
  ASSERT_EQ(result.impacts.size(), 1u);
  const double v = std::sqrt(2 * kG * 0.5), h = *spec.simulate.step_s;
  EXPECT_NEAR(result.impacts[0].normal_velocity_before, -v, kG * h);
  EXPECT_NEAR(result.impacts[0].normal_velocity_after, 0.5 * v, kG * h);
  EXPECT_NEAR(result.impacts[0].time_s, v / kG, 2 * h);
}

TEST(ModelFromASpec, AFreeMotionIsTheParabola) {
  ModelSpec spec = falling_ball();
  spec.simulate.duration_s = 0.3;  // the impact comes at 0.319 s
  spec.record.channels = {"ball.y"};
  MemorySink result;
  build_simulation(spec, build_model(spec))->run(result, {});
  ASSERT_EQ(result.columns.size(), 1u);
  EXPECT_NEAR(result.channel("ball.y").back(), 0.6 - kG / 2 * 0.3 * 0.3, 1e-12) << "exact for constant forces";
}

// The pin holds the ball in its centre: 0.016 N m turn its 0.008 kg m^2 by u = 2 rad/s^2 t, wherever it lies in its
// play.
TEST(ModelFromASpec, AMotorTurnsAJointWithPlay) {
  ModelSpec spec = falling_ball();
  spec.contacts.clear();
  spec.clearance_joints.push_back(loose_pin());
  spec.mechanism.drivers.push_back({"motor", "pin", {}, Expression::constant(0.016, dimensions::kTorque)});
  spec.simulate.duration_s = 0.1;
  MemorySink result;
  build_simulation(spec, build_model(spec))->run(result, {});
  EXPECT_NEAR(result.channel("pin.u").back(), 0.2, 1e-12);
  EXPECT_NEAR(result.channel("pin.q").back(), 0.01, 1e-12);
  EXPECT_NEAR(result.channel("motor.torque").back(), 0.016, 1e-15);
}

TEST(ModelFromASpec, MistakesNameTheElementAndNoFile) {
  ModelSpec spec = falling_ball();
  spec.contacts[0].shape_a = "skim";
  const std::vector<Diagnostic> mistakes = mistakes_of([&] { build_model(spec); });
  ASSERT_EQ(mistakes.size(), 1u);
  EXPECT_EQ(mistakes[0].path, "contacts.bounce.between");
  EXPECT_EQ(mistakes[0].mark.line, 0);
}

TEST(ModelFromASpec, AnImpactLawThatNoIntegratorKnowsIsRefused) {
  for (const char* integrator : {"moreau-midpoint", "moreau-jean", "nlp-variable-step"}) {
    const bool knows_poisson = std::string(integrator) != "nlp-variable-step";
    ModelSpec spec = falling_ball();
    spec.simulate.integrator = integrator;
    spec.contacts[0].law.impact = "poisson";
    spec.clearance_joints.push_back(loose_pin());
    spec.clearance_joints[0].law.impact = "newtons";
    const std::vector<Diagnostic> mistakes = mistakes_of([&] { build_simulation(spec, build_model(spec)); });
    ASSERT_EQ(mistakes.size(), knows_poisson ? 1u : 2u) << integrator;
    EXPECT_EQ(mistakes.back().path, "joints.pin.contact.impact");
    EXPECT_EQ(mistakes.back().message, std::string("'") + integrator + "' does not know the impact law 'newtons'");
    EXPECT_EQ(mistakes.back().hint, "use 'impact: newton'");
    if (!knows_poisson) {
      EXPECT_EQ(mistakes[0].path, "contacts.bounce.impact");
      EXPECT_EQ(mistakes[0].message, std::string("'") + integrator + "' does not know the impact law 'poisson'");
      EXPECT_EQ(mistakes[0].hint,
                "use 'impact: newton', or one of the integrators 'moreau-midpoint', 'moreau-jean', 'event-driven'");
    }
    EXPECT_EQ(run_obstacles(spec).size(), mistakes.size());
  }
}

TEST(ModelFromASpec, ASceneGivenAsCodeIsBuiltByItsName) {
  ModelSpec spec;
  spec.system = SystemSpec{"spheres_in_box", {{.name = "N", .text = "", .word = {}, .value = {3, {}}}}};
  spec.simulate = falling_ball().simulate;
  const Model model = build_model(spec);
  EXPECT_EQ(model.system->velocity_count(), 18);
  EXPECT_EQ(model.contacts->point_count(), 0) << "nothing has a name of its own";
  EXPECT_EQ(model.contacts->groups().size(), 1u);
  EXPECT_NO_THROW(build_simulation(spec, model));

  ModelSpec unfolded = spec;
  unfold_scene(unfolded);
  EXPECT_EQ(unfolded.scene, "spheres_in_box");
  EXPECT_FALSE(unfolded.system);
  EXPECT_EQ(unfolded.mechanism.bodies.size(), 3u);
  EXPECT_EQ(build_model(unfolded).contacts->groups().size(), 1u);
}

TEST(ModelFromASpec, ParametersOfCodedSystemsAreChecked) {
  ModelSpec spec;
  spec.system =
      SystemSpec{"double_pendulum", {{.name = "m1", .text = "", .word = {}, .value = {1, dimensions::kLength}}}};
  const std::vector<Diagnostic> mistakes = mistakes_of([&] { build_model(spec); });
  ASSERT_EQ(mistakes.size(), 1u);
  EXPECT_EQ(mistakes[0].path, "parameters.m1");
  EXPECT_EQ(mistakes[0].message, "must be a mass, but is a length");
  spec.system = SystemSpec{"double_pendulums", {}};
  EXPECT_THAT(mistakes_of([&] { build_model(spec); }).at(0).hint, HasSubstr("double_pendulum"));
}

}  // namespace
}  // namespace freeplay::test::model_test
