// `model: ideal | clearance | bushing` runs for every joint of every example, with everything that acts on it. Where a
// joint type has no such model, the error says what to do.
#include <algorithm>
#include <filesystem>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/description/joint_table.h"
#include "physics/model_run.h"
#include "support/places.h"

namespace freeplay::test::every_joint_model_test {
namespace {

std::vector<std::string> examples_with_joints() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(examples_dir())) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string name = entry.path().stem().string();
    const ModelFile file = load_example(name);
    if (!file.system && file.scene.empty() && file.mechanism.joints.size() + file.clearance_joints.size() > 0)
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Play that any joint can have: far smaller than what it connects, with laws for every integrator.
ClearanceJointSpec with_play(const JointSpec& joint) {
  ClearanceJointSpec play;
  play.joint = joint;
  play.joint.bushing.reset();
  play.joint.as_constraint = false;
  play.clearance_m = 1e-5;
  play.journal_radius_m = 2e-3;
  play.bearing_radius_m = 2.01e-3;
  play.length_m = 0.02;
  play.width_m = 0.01;
  play.section_m = {{-0.005, -0.005}, {0.005, -0.005}, {0.005, 0.005}, {-0.005, 0.005}};
  play.law.impact = "newton";
  play.law.restitution = 0;  // which nlp-variable-step needs
  play.law.friction = 0.05;
  play.law.force.emplace();
  play.law.force->law = "kelvin-voigt";
  play.law.force->stiffness_N_mn = 1e6;
  play.law.force->damping_Ns_m = 100;
  return play;
}

JointSpec as_bushing(JointSpec joint, Space space) {
  const JointType* type = find_joint_type(joint.type, space);
  BushingSpec law;
  for (int k = 0; k < (space == Space::kPlanar ? 2 : 3); ++k) {
    if (!type->holds_along(k)) continue;
    law.stiffness_N_m[k] = 1e3;  // stable with the steps of all examples
    law.damping_Ns_m[k] = 0.1;
  }
  for (int k = space == Space::kPlanar ? 2 : 0; k < 3; ++k) {
    if (!type->holds_about(k)) continue;
    law.torsional_stiffness_Nm_rad[k] = 0.01;
    law.torsional_damping_Nms_rad[k] = 1e-6;
  }
  joint.bushing = law;
  joint.as_constraint = false;
  return joint;
}

// All joints as they are in the file, but for one: its model is `word`.
ModelFile with_model(ModelFile file, const std::string& name, const std::string& word) {
  std::vector<JointSpec>& joints = file.mechanism.joints;
  std::vector<ClearanceJointSpec>& plays = file.clearance_joints;
  const auto among = std::find_if(joints.begin(), joints.end(), [&](const JointSpec& j) { return j.name == name; });
  const auto among_plays =
      std::find_if(plays.begin(), plays.end(), [&](const ClearanceJointSpec& j) { return j.joint.name == name; });
  JointSpec joint = among != joints.end() ? *among : among_plays->joint;
  // Where it stands in the file: the order decides which joints are the tree.
  const std::size_t place = static_cast<std::size_t>(
      among != joints.end() ? among - joints.begin()
                            : static_cast<std::ptrdiff_t>(among_plays->joint.joints_before.value()));
  // Joints with play that come after it; they count the others before them.
  std::vector<std::string> behind;
  for (auto play = among != joints.end() ? plays.begin() : among_plays + 1; play != plays.end(); ++play) {
    if (among == joints.end() || *play->joint.joints_before > place) behind.push_back(play->joint.name);
  }
  const auto is_behind = [&](const ClearanceJointSpec& play) {
    return std::find(behind.begin(), behind.end(), play.joint.name) != behind.end();
  };
  const bool was_counted = among != joints.end(), is_counted = word != "clearance";
  if (was_counted)
    joints.erase(among);
  else
    plays.erase(among_plays);
  for (ClearanceJointSpec& play : plays) {
    if (is_behind(play))
      *play.joint.joints_before = *play.joint.joints_before + (is_counted ? 1 : 0) - (was_counted ? 1 : 0);
  }
  joint.bushing.reset();
  joint.joints_before.reset();
  // As the reader does: the contact of a joint with play has a friction of its own.
  for (JointLawSpec& law : file.joint_laws) {
    if (law.joint == name && word == "clearance") law.friction.reset();
  }
  if (is_counted) {
    if (word == "bushing") joint = as_bushing(joint, file.mechanism.space);
    joints.insert(joints.begin() + static_cast<std::ptrdiff_t>(place), joint);
  } else {
    joint.joints_before = place;
    plays.insert(std::find_if(plays.begin(), plays.end(), is_behind), with_play(joint));
  }
  file.record = {};
  file.measures.clear();
  SimulationOptions& simulate = file.simulate;
  simulate.duration_s =
      std::min(simulate.duration_s, 20 * simulate.step_s.value_or(simulate.max_step_s.value_or(1e-4)));
  return file;
}

bool can_be(const JointSpec& joint, Space space, const std::string& word) {
  const std::vector<std::string> with_play =
      space == Space::kPlanar
          ? std::vector<std::string>{"revolute", "prismatic", "pin_in_slot"}
          : std::vector<std::string>{"revolute", "prismatic", "cylindrical", "spherical", "pin_in_slot"};
  if (word == "clearance") return std::find(with_play.begin(), with_play.end(), joint.type) != with_play.end();
  if (word == "bushing") return joint.type != "free";
  return true;
}

void expect_it_runs(const ModelFile& file, const std::string& joint) {
  MemorySink sink;
  const Model model = build_model(file);
  const RunSummary summary = build_simulation(file, model)->run(sink, {});
  EXPECT_EQ(summary.status, RunStatus::kCompleted) << summary.message;
  ASSERT_GE(sink.time.size(), 2u);
  const Mechanism& mechanism = dynamic_cast<const Mechanism&>(*model.system);
  int channels = 0;
  for (const ChannelDescription& channel : mechanism.channels()) {
    if (!channel.name.starts_with(joint + ".")) continue;
    ++channels;
    EXPECT_TRUE(std::isfinite(sink.channel(channel.name).back())) << channel.name;
  }
  EXPECT_GE(channels, mechanism.space == Space::kPlanar ? 3 : 6) << "force and moment at least";
}

class EveryJoint : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Examples, EveryJoint, testing::ValuesIn(examples_with_joints()),
                         [](const auto& example) { return example.param; });

TEST_P(EveryJoint, RunsByEveryModelWord) {
  const ModelFile file = load_example(GetParam());
  std::vector<JointSpec> joints = file.mechanism.joints;
  for (const ClearanceJointSpec& play : file.clearance_joints) joints.push_back(play.joint);
  for (const JointSpec& joint : joints) {
    for (const std::string word : {"ideal", "clearance", "bushing"}) {
      SCOPED_TRACE(joint.name + ": " + word);
      // This shaft starts on the wall of its own play, with the speed of that place: other models have no such wall.
      const bool has_own_start = GetParam() == "worn_bearing" && word != "bushing";
      const bool is_possible = can_be(joint, file.mechanism.space, word) && !has_own_start;
      try {
        expect_it_runs(with_model(file, joint.name, word), joint.name);
        EXPECT_TRUE(is_possible);
      } catch (const ModelError& error) {
        EXPECT_FALSE(is_possible) << error.what();
        for (const Diagnostic& mistake : error.diagnostics()) EXPECT_FALSE(mistake.hint.empty()) << error.what();
      }
    }
  }
}

// One word turns all joints of an example into bushings: the file has what they need.
TEST(EveryJointOfAnExample, IsABushingByOneWord) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> examples = {
      {"knuckle_press", {"play=bushing"}},
      {"scotch_yoke", {"slot=bushing", "guide=bushing"}},
      {"steering_linkage", {"joints=bushing"}},
      {"robot_arm_play", {"joints=bushing"}}};
  for (const auto& [example, words] : examples) {
    SCOPED_TRACE(example);
    ModelFile file = load_example(example, words);
    file.simulate.duration_s = 400 * *file.simulate.step_s;
    file.record = {};
    int bushings = 0;
    for (const JointSpec& joint : file.mechanism.joints) bushings += joint.bushing ? 1 : 0;
    EXPECT_GE(bushings, 2);
    const ModelRun run = run_model(file);
    // Stable steps: no more than bushings of these stiffnesses give.
    const std::vector<double>& kinetic = run["energy.kinetic"];
    EXPECT_LT(largest(kinetic), 50 * (1 + kinetic.front()));
  }
}

}  // namespace
}  // namespace freeplay::test::every_joint_model_test
