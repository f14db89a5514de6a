// Keys of a joint that act on its one coordinate: dry friction and stops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "unit/io/model_test_support.h"

namespace freeplay {
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

}  // namespace
}  // namespace freeplay
