// The block `bushing` of a joint: which direction gets which value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "unit/io/model/model_test_support.h"

namespace freeplay::test {
namespace {

JointSpec joint_of(const std::string& space, const std::string& joint) {
  const std::string inertia = space == "planar" ? "0.1 kg m^2" : "[0.1 kg m^2, 0.1 kg m^2, 0.1 kg m^2]";
  const ModelFile model =
      parse_model("freeplay: 1\nspace: " + space + "\nbodies: {arm: {mass: 1 kg, inertia: " + inertia +
                      "}}\njoints: {pin: {parent: ground, child: arm, " + joint + "}}\nsimulate: {duration: 1 s}\n",
                  "model.yaml");
  return model.mechanism.joints.at(0);
}

BushingSpec bushing_of(const std::string& space, const std::string& joint) {
  return joint_of(space, "model: bushing, " + joint).bushing.value();
}

TEST(BushingBlock, GivesOneValueToTheDirectionsThatTheJointHolds) {
  const BushingSpec pin = bushing_of("planar", "type: revolute, bushing: {stiffness: 2 kN/m, damping: 3 N s/m}");
  EXPECT_EQ(pin.stiffness_N_m, Vec3(2e3, 2e3, 0));
  EXPECT_EQ(pin.damping_Ns_m, Vec3(3, 3, 0));
  EXPECT_EQ(pin.torsional_stiffness_Nm_rad, Vec3::Zero()) << "it turns freely";

  const BushingSpec guide =
      bushing_of("planar", "type: prismatic, bushing: {stiffness: 2 kN/m, torsional_stiffness: 5 N m}");
  EXPECT_EQ(guide.stiffness_N_m, Vec3(0, 2e3, 0)) << "it slides freely";
  EXPECT_EQ(guide.torsional_stiffness_Nm_rad, Vec3(0, 0, 5));

  const BushingSpec hinge = bushing_of(
      "spatial",
      "type: revolute, bushing: {stiffness: 2 kN/m, torsional_stiffness: 5 N m, torsional_damping: 1 N m s}");
  EXPECT_EQ(hinge.stiffness_N_m, Vec3(2e3, 2e3, 2e3));
  EXPECT_EQ(hinge.torsional_stiffness_Nm_rad, Vec3(5, 5, 0));
  EXPECT_EQ(hinge.torsional_damping_Nms_rad, Vec3(1, 1, 0));

  const BushingSpec mount =
      bushing_of("spatial", "type: fixed, bushing: {stiffness: 2 kN/m, torsional_stiffness: 5 N m}");
  EXPECT_EQ(mount.stiffness_N_m, Vec3(2e3, 2e3, 2e3));
  EXPECT_EQ(mount.torsional_stiffness_Nm_rad, Vec3(5, 5, 5));
}

TEST(BushingBlock, GivesOneValueToWhatTheJointsOfSpaceHold) {
  const std::string values = ", bushing: {stiffness: 2 kN/m, torsional_stiffness: 5 N m}";
  const BushingSpec sleeve = bushing_of("spatial", "type: cylindrical" + values);
  EXPECT_EQ(sleeve.stiffness_N_m, Vec3(2e3, 2e3, 0));
  EXPECT_EQ(sleeve.torsional_stiffness_Nm_rad, Vec3(5, 5, 0));
  const BushingSpec table = bushing_of("spatial", "type: planar" + values);
  EXPECT_EQ(table.stiffness_N_m, Vec3(0, 0, 2e3));
  EXPECT_EQ(table.torsional_stiffness_Nm_rad, Vec3(5, 5, 0));
  const BushingSpec cross = bushing_of("spatial", "type: universal" + values);
  EXPECT_EQ(cross.stiffness_N_m, Vec3(2e3, 2e3, 2e3));
  EXPECT_EQ(cross.torsional_stiffness_Nm_rad, Vec3(0, 0, 5)) << "the arms of its cross stay perpendicular";
}

TEST(BushingBlock, GivesOneValueToAllDirectionsWhereTheJointHoldsNone) {
  const BushingSpec pin =
      bushing_of("planar", "type: revolute, bushing: {stiffness: 1 N/m, torsional_stiffness: 5 N m}");
  EXPECT_EQ(pin.torsional_stiffness_Nm_rad, Vec3(0, 0, 5));
  const BushingSpec ball =
      bushing_of("spatial", "type: spherical, bushing: {stiffness: 1 N/m, torsional_stiffness: 5 N m/rad}");
  EXPECT_EQ(ball.torsional_stiffness_Nm_rad, Vec3(5, 5, 5));
}

TEST(BushingBlock, TakesAListAsItStands) {
  const BushingSpec guide = bushing_of("spatial",
                                       "type: prismatic, bushing: {stiffness: [1 N/m, 2 N/m, 3 N/m], cubic_stiffness: "
                                       "[4 N/m^3, 5 N/m^3, 6 N/m^3], torsional_stiffness: [7 N m, 8 N m, 9 N m]}");
  EXPECT_EQ(guide.stiffness_N_m, Vec3(1, 2, 3));
  EXPECT_EQ(guide.cubic_stiffness_N_m3, Vec3(4, 5, 6));
  EXPECT_EQ(guide.torsional_stiffness_Nm_rad, Vec3(7, 8, 9));
}

TEST(BushingBlock, MayStayInTheFileOfAnotherModel) {
  EXPECT_FALSE(joint_of("planar", "type: revolute, bushing: {damping: 1 N s/m}").bushing.has_value());
}

TEST(BushingBlock, KeepsStopsDriversAndFrictionOfAnIdealJoint) {
  const JointSpec joint = joint_of("planar",
                                   "type: revolute, model: bushing, dry_friction: 1 N m, stops: {upper: 1 rad}, "
                                   "bushing: {stiffness: 1 N/m}");
  EXPECT_EQ(joint.dry_friction, 1);
  EXPECT_TRUE(joint.stops.has_value());
}

}  // namespace
}  // namespace freeplay::test
