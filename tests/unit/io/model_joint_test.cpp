// Joints of model files: what acts on a joint's one coordinate (dry friction and stops), and the joints of space.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "unit/io/model_test_support.h"

namespace freeplay::test {
namespace {

using testing::HasSubstr;

std::string with_joints(const std::string& joints) {
  return "freeplay: 1\nspace: planar\nparameters: {rub: 20 mN m}\nbodies: {arm: {mass: 1 kg, inertia: 0.1 kg m^2}}\n"
         "joints:\n" +
         joints + "simulate: {duration: 1 s}\n";
}

JointSpec joint_of(const std::string& joint) {
  const ModelFile model = parse_model(with_joints(joint), "model.yaml");
  EXPECT_EQ(model.mechanism.joints.size(), 1u);
  return model.mechanism.joints.at(0);
}

TEST(JointLimits, AreAbsentUnlessGiven) {
  const JointSpec joint = joint_of("  pin: {type: revolute, parent: ground, child: arm}\n");
  EXPECT_EQ(joint.dry_friction, 0);
  EXPECT_FALSE(joint.stops.has_value());
}

TEST(JointLimits, OfATurningJointAreAnglesAndATorque) {
  const JointSpec joint = joint_of(
      "  pin: {type: revolute, parent: ground, child: arm, dry_friction: 2*rub,\n"
      "        stops: {lower: -90 deg, upper: 1 rad, restitution: 0.3}}\n");
  EXPECT_DOUBLE_EQ(joint.dry_friction, 0.04);
  ASSERT_TRUE(joint.stops.has_value());
  EXPECT_DOUBLE_EQ(joint.stops->lower.value(), -1.5707963267948966);
  EXPECT_EQ(joint.stops->upper, 1);
  EXPECT_EQ(joint.stops->restitution, 0.3);
}

TEST(JointLimits, OfASlidingJointAreLengthsAndAForce) {
  const JointSpec joint =
      joint_of("  guide: {type: prismatic, parent: ground, child: arm, dry_friction: 5 N, stops: {upper: 30 mm}}\n");
  EXPECT_EQ(joint.dry_friction, 5);
  ASSERT_TRUE(joint.stops.has_value());
  EXPECT_FALSE(joint.stops->lower.has_value());
  EXPECT_DOUBLE_EQ(joint.stops->upper.value(), 0.03);
  EXPECT_EQ(joint.stops->restitution, 0) << "a stop is plastic unless the file says otherwise";
}

TEST(JointLimits, CanBeSetFromOutside) {
  const std::string text = with_joints("  pin: {type: revolute, parent: ground, child: arm}\n");
  const ModelFile model =
      parse_model(text, "model.yaml",
                  std::vector<std::string>{"joints.pin.stops={lower: 0, upper: 1}", "joints.pin.dry_friction=1 N m"});
  EXPECT_EQ(model.mechanism.joints.at(0).stops.value().upper, 1);
  EXPECT_EQ(model.mechanism.joints.at(0).dry_friction, 1);
}

TEST(JointLimits, BothAreReportedWhereTheyCannotBe) {
  const std::vector<Diagnostic> mistakes = mistakes_in(
      with_joints("  pin: {type: free, parent: ground, child: arm, dry_friction: 1 N, stops: {lower: 0}}\n"));
  ASSERT_EQ(mistakes.size(), 2u);
  EXPECT_EQ(mistakes[0].path, "joints.pin.dry_friction");
  EXPECT_EQ(mistakes[1].path, "joints.pin.stops");
  for (const Diagnostic& mistake : mistakes) EXPECT_THAT(mistake.hint, HasSubstr("use a revolute or prismatic joint"));
}

JointSpec joint_of_space(const std::string& joint) {
  const ModelFile model = parse_model(
      "freeplay: 1\nspace: spatial\nbodies: {arm: {mass: 1 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]}}\n"
      "joints: {pin: {parent: ground, child: arm, " +
          joint + "}}\nsimulate: {duration: 1 s}\n",
      "model.yaml");
  return model.mechanism.joints.at(0);
}

TEST(JointOfSpace, HasInitialValuesOfMixedDimensions) {
  const JointSpec sleeve = joint_of_space("type: cylindrical, initial: {q: [20 mm, 90 deg], u: [3 m/s, 1 rad/s]}");
  EXPECT_THAT(sleeve.initial_q, testing::ElementsAre(0.02, std::numbers::pi / 2));
  EXPECT_THAT(sleeve.initial_u, testing::ElementsAre(3.0, 1.0));
  const JointSpec table =
      joint_of_space("type: planar, initial: {q: [20 mm, 1 m, 180 deg], u: [1 m/s, -2 m/s, 3 rad/s]}");
  EXPECT_THAT(table.initial_q, testing::ElementsAre(0.02, 1.0, std::numbers::pi));
  EXPECT_THAT(table.initial_u, testing::ElementsAre(1.0, -2.0, 3.0));
  const JointSpec cross = joint_of_space("type: universal, initial: {q: [90 deg, -1 rad], u: [1 rad/s, 2 rad/s]}");
  EXPECT_THAT(cross.initial_q, testing::ElementsAre(std::numbers::pi / 2, -1.0));
  EXPECT_THAT(cross.initial_u, testing::ElementsAre(1.0, 2.0));
}

TEST(JointOfSpace, TakesASecondAxisIfItIsUniversal) {
  const JointSpec cross = joint_of_space("type: universal, axis: [0, 2, 0], second_axis: [3, 0, 0]");
  EXPECT_EQ(cross.axis.value(), Vec3(0, 1, 0));
  EXPECT_EQ(cross.second_axis.value(), Vec3(1, 0, 0));
  EXPECT_FALSE(joint_of_space("type: universal").second_axis.has_value());
}

TEST(JointOfSpace, SaysWhatToUseInThePlaneInstead) {
  const std::pair<const char*, const char*> substitutes[] = {
      {"cylindrical", "use revolute or prismatic"}, {"planar", "use free"}, {"universal", "use revolute"}};
  for (const auto& [type, cure] : substitutes) {
    const std::vector<Diagnostic> mistakes =
        mistakes_in(with_joints(fmt::format("  pin: {{type: {}, parent: ground, child: arm}}\n", type)));
    ASSERT_EQ(mistakes.size(), 1u) << type;
    EXPECT_EQ(mistakes[0].path, "joints.pin.type");
    EXPECT_THAT(mistakes[0].hint, HasSubstr(cure));
  }
}

}  // namespace
}  // namespace freeplay::test
