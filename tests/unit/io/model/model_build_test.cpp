#include "freeplay/io/model/model_build.h"

#include <gmock/gmock.h>

#include "freeplay/mechanism/mechanism.h"

namespace freeplay::test::model_build_test {

namespace {

using testing::HasSubstr;

const std::string kRun = "simulate: {duration: 1 s}\n";

ModelFile model(const std::string& text) {
  return parse_model("freeplay: 1\n" + text + kRun, "model.yaml");
}

template <class Action>
std::vector<Diagnostic> mistakes_of(Action action) {
  try {
    action();
  } catch (const ModelError& error) {
    return error.diagnostics();
  }
  return {};
}

TEST(BuildSystem, MakesAMechanismOfBodiesAndJoints) {
  const ModelFile file = model(
      "space: planar\nbodies: {arm: {mass: 1 kg, inertia: 1 kg m^2}}\n"
      "joints: {pin: {type: revolute, parent: ground, child: arm}}\n");
  const std::shared_ptr<const System> system = build_system(file);
  ASSERT_NE(dynamic_cast<const Mechanism*>(system.get()), nullptr);
  EXPECT_EQ(system->velocity_count(), 1);
}

TEST(BuildSystem, MistakesOfTheMechanismGetTheirPlace) {
  // The two pins are 1 m apart on the ground, but 0.5 m apart on the arm: only assembly finds that out.
  const ModelFile file = model(
      "space: planar\nbodies: {arm: {mass: 1 kg, inertia: 1 kg m^2}}\njoints:\n"
      "  left: {type: revolute, parent: ground, child: arm}\n"
      "  right: {type: revolute, parent: ground, at_parent: [1 m, 0], child: arm, at_child: [0.5 m, 0]}\n");
  const std::vector<Diagnostic> mistakes = mistakes_of([&] { build_system(file); });
  ASSERT_EQ(mistakes.size(), 1u);
  EXPECT_EQ(mistakes[0].mark.file, "model.yaml");
  EXPECT_GE(mistakes[0].mark.line, 4) << "at the joints, or at one of them";
  EXPECT_FALSE(mistakes[0].excerpt.empty());
}

TEST(BuildSystem, ParametersOfACodedSystemHaveDefaults) {
  const std::shared_ptr<const System> system =
      build_system(model("system: double_pendulum\nparameters: {angle1: 30 deg}\n"));
  const State state = system->initial_state();
  EXPECT_DOUBLE_EQ(state.q[0], 0.5235987755982988);
  EXPECT_EQ(state.q[1], 0);
}

TEST(BuildSystem, ParametersOfACodedSystemAreCheckedAllAtOnce) {
  const ModelFile file =
      model("system: double_pendulum\nparameters:\n  m1: 1 m\n  lenght: 1 m\n  g: {word: earth}\n  angle1: 0\n");
  const std::vector<Diagnostic> mistakes = mistakes_of([&] { build_system(file); });
  ASSERT_EQ(mistakes.size(), 3u);
  EXPECT_EQ(mistakes[0].message, "must be a mass, but is a length");
  EXPECT_EQ(mistakes[0].mark.line, 4);
  EXPECT_THAT(mistakes[1].message, HasSubstr("has no parameter 'lenght'"));
  EXPECT_THAT(mistakes[1].hint, HasSubstr("available: m1, m2"));
  EXPECT_THAT(mistakes[2].message, HasSubstr("is the word 'earth'"));
}

TEST(BuildSystem, ValuesOutOfRangeAreTheSystemsOwnMistakes) {
  const ModelFile file = model("system: double_pendulum\nparameters:\n  m1: -1 kg\n");
  const std::vector<Diagnostic> mistakes = mistakes_of([&] { build_system(file); });
  ASSERT_EQ(mistakes.size(), 1u);
  EXPECT_EQ(mistakes[0].path, "parameters.m1");
  EXPECT_EQ(mistakes[0].mark.line, 4);
}

const std::string kPlay =
    "space: planar\nbodies: {arm: {mass: 1 kg, inertia: 1 kg m^2}}\njoints:\n"
    "  pin: {type: revolute, parent: ground, child: arm, model: clearance, clearance: 1 mm,\n"
    "        contact: {impact: newton, restitution: 0.5}}\n";

TEST(RunObstacles, PlayNeedsTheLawThatTheIntegratorTakes) {
  ModelFile file = model(kPlay);
  EXPECT_EQ(build_system(file)->velocity_count(), 3) << "play leaves the arm free";
  const std::vector<Diagnostic> obstacles = run_obstacles(file);
  ASSERT_EQ(obstacles.size(), 1u);
  EXPECT_EQ(obstacles[0].path, "joints.pin.contact");
  EXPECT_EQ(obstacles[0].mark.line, 6);
  EXPECT_THAT(obstacles[0].message, HasSubstr("'dopri5' needs a force law"));
  EXPECT_THAT(obstacles[0].hint, HasSubstr("moreau-midpoint"));
  EXPECT_EQ(mistakes_of([&] { build_simulation(file, build_model(file)); }).size(), 1u);

  file.simulate.integrator = "moreau-midpoint";
  EXPECT_TRUE(run_obstacles(file).empty());
  file.clearance_joints[0].law.impact.reset();
  file.clearance_joints[0].law.force.emplace().law = "hertz";
  EXPECT_EQ(run_obstacles(file).size(), 1u) << "a force is no impact law";
  file.simulate.integrator = "dopri5";
  EXPECT_TRUE(run_obstacles(file).empty());

  file.simulate.integrator = "moreau-midpoint";
  file.clearance_joints[0].law.impact = "poisson";
  EXPECT_TRUE(run_obstacles(file).empty());
  file.clearance_joints[0].law.impact = "newtons";
  EXPECT_EQ(run_obstacles(file).size(), 1u) << "a law that does not exist";
  file.clearance_joints[0].law.impact = "poisson";
  file.mechanism.space = Space::kSpatial;
  file.clearance_joints[0].law.friction = 0.1;
  EXPECT_TRUE(run_obstacles(file).empty()) << "in space too";
}

TEST(RunObstacles, AnIntegratorThatDoesNotExistIsOne) {
  ModelFile file = model("system: double_pendulum\n");
  EXPECT_TRUE(run_obstacles(file).empty());
  file.simulate.integrator = "leapfrog";
  const std::vector<Diagnostic> obstacles = run_obstacles(file);
  ASSERT_EQ(obstacles.size(), 1u);
  EXPECT_EQ(obstacles[0].message, "'leapfrog' is not available in this version");
  EXPECT_EQ(obstacles[0].hint,
            "available: dopri5, cvode-bdf, cvode-adams, moreau-midpoint, moreau-jean, event-driven, "
            "nlp-variable-step");
}

TEST(BuildSimulation, UnknownChannelsGetTheirPlace) {
  const ModelFile file = model("system: double_pendulum\nrecord: [upper.x, lower.z]\n");
  const std::shared_ptr<const System> system = build_system(file);
  const std::vector<Diagnostic> mistakes = mistakes_of([&] { build_simulation(file, build_model(file)); });
  ASSERT_EQ(mistakes.size(), 1u);
  EXPECT_EQ(mistakes[0].mark.line, 3);
}

}  // namespace

}  // namespace freeplay::test::model_build_test
