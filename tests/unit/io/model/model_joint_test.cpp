// Joints of model files: what acts on a joint's one coordinate (dry friction and stops), the joints of space, where a
// joint starts and what its play is.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "unit/io/model/model_test_support.h"

namespace freeplay::test {
namespace {

using std::numbers::pi;
using testing::ElementsAre;
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

TEST(ModelJoint, RotationsAreAnglesQuaternionsOrAxisAndAngle) {
  const auto rotation_of = [](const std::string& space, const std::string& inertia, const std::string& rotation) {
    std::string text = "freeplay: 1\nsimulate: {duration: 1 s}\nspace: ";
    text += space + "\nbodies: {arm: {mass: 1 kg, inertia: " + inertia;
    text += "}}\njoints: {pin: {type: revolute, parent: ground, child: arm, rotation: " + rotation + "}}\n";
    return parse_model(text, "model.yaml").mechanism.joints[0].rotation;
  };
  const std::string tensor = "[1 kg m^2, 1 kg m^2, 1 kg m^2]";
  const Eigen::Quaterniond expected(Eigen::AngleAxisd(pi / 3, Vec3::UnitZ()));
  EXPECT_TRUE(rotation_of("planar", "1 kg m^2", "60 deg").isApprox(expected, 1e-15));
  EXPECT_TRUE(rotation_of("spatial", tensor, "{axis: [0, 0, 7], angle: 60 deg}").isApprox(expected, 1e-15));
  EXPECT_TRUE(rotation_of("spatial", tensor, "[cos(30 deg), 0, 0, sin(30 deg)]").isApprox(expected, 1e-15));
}

TEST(ModelJoint, AFreeJointTakesAValuePerCoordinate) {
  const ModelFile model = parse_model(R"(freeplay: 1
space: planar
bodies: {arm: {mass: 1 kg, inertia: 1 kg m^2}}
joints: {pin: {type: free, parent: ground, child: arm, initial: {q: [1 m, 2 cm, 90 deg], u: [0, 1 m/s, 3 rad/s]}}}
simulate: {duration: 1 s}
)",
                                      "model.yaml");
  EXPECT_THAT(model.mechanism.joints[0].initial_q, ElementsAre(1.0, 0.02, pi / 2));
  EXPECT_THAT(model.mechanism.joints[0].initial_u, ElementsAre(0.0, 1.0, 3.0));
}

// Typed with seven digits, a quaternion is a unit quaternion up to 1e-6; the rest of the program relies on more.
TEST(ModelJoint, TheQuaternionOfABallJointIsNormalised) {
  const auto q_of = [](const std::string& type, const std::string& q) {
    const ModelFile model = parse_model(
        "freeplay: 1\nspace: spatial\nbodies: {arm: {mass: 1 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]}}\n"
        "joints: {pin: {type: " +
            type + ", parent: ground, child: arm, initial: {q: " + q + "}}}\nsimulate: {duration: 1 s}\n",
        "model.yaml");
    return model.mechanism.joints.at(0).initial_q;
  };
  const std::vector<std::optional<double>> ball = q_of("spherical", "[0.7071068, 0, 0.7071068, 0]");
  ASSERT_EQ(ball.size(), 4U);
  EXPECT_DOUBLE_EQ(ball[0].value(), std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(ball[2].value(), std::sqrt(0.5));
  const std::vector<std::optional<double>> free = q_of("free", "[1 m, 2 m, 3 m, 0, 0, 1, 0]");
  EXPECT_THAT(free, ElementsAre(1.0, 2.0, 3.0, 0.0, 0.0, 1.0, 0.0));
}

TEST(ModelJoint, RadiiGiveTheClearance) {
  const ModelFile model = parse_model(R"(freeplay: 1
space: planar
bodies: {arm: {mass: 1 kg, inertia: 1 kg m^2}}
joints:
  pin: {type: revolute, model: clearance, parent: ground, child: arm, journal_radius: 9.5 mm, bearing_radius: 10 mm,
        contact: {restitution: 0.9, force: {law: lankarani-nikravesh, young: 207 GPa, poisson: 0.3}}}
simulate: {duration: 1 s}
)",
                                      "model.yaml");
  const ClearanceJointSpec& pin = model.clearance_joints.at(0);
  EXPECT_NEAR(pin.clearance_m, 0.5e-3, 1e-18);
  EXPECT_FALSE(pin.law.impact.has_value());
  EXPECT_EQ(pin.law.force.value().law, "lankarani-nikravesh");
  EXPECT_DOUBLE_EQ(pin.law.force.value().young_Pa.value(), 207e9);
  EXPECT_FALSE(pin.law.force.value().exponent.has_value()) << "the law decides";
}

// With friction the journal's radius must be known; any two of clearance and radii give it.
TEST(ModelJoint, ClearanceAndOneRadiusGiveTheOther) {
  const auto pin_with = [](const std::string& keys) {
    const ModelFile model = parse_model(
        "freeplay: 1\nspace: planar\nbodies: {arm: {mass: 1 kg, inertia: 1 kg m^2}}\njoints:\n"
        "  pin: {type: revolute, model: clearance, parent: ground, child: arm, " +
            keys +
            ",\n        contact: {impact: newton, restitution: 0.9, friction: 0.1}}\nsimulate: {duration: 1 s}\n",
        "model.yaml");
    return model.clearance_joints.at(0);
  };
  const ClearanceJointSpec by_bearing = pin_with("clearance: 0.5 mm, bearing_radius: 10 mm");
  EXPECT_DOUBLE_EQ(by_bearing.journal_radius_m.value(), 9.5e-3);
  EXPECT_DOUBLE_EQ(by_bearing.clearance_m, 0.5e-3);
  const ClearanceJointSpec by_journal = pin_with("clearance: 0.5 mm, journal_radius: 9.5 mm");
  EXPECT_DOUBLE_EQ(by_journal.bearing_radius_m.value(), 10e-3);
  EXPECT_DOUBLE_EQ(by_journal.clearance_m, 0.5e-3);
}

}  // namespace
}  // namespace freeplay::test
