// How elastic bodies start where loops and initial values do not quite agree: they do not deform for typed digits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "elastic_models.h"
#include "freeplay/core/error.h"

namespace freeplay::test::elastic_assembly_test {
namespace {

using testing::HasSubstr;

JointSpec joint(const char* name, const char* type, const char* parent, const char* child) {
  JointSpec spec;
  spec.name = name;
  spec.type = type;
  spec.parent = parent;
  spec.child = child;
  return spec;
}

BodySpec rigid(const char* name) {
  BodySpec body;
  body.name = name;
  body.mass_kg = 1;
  body.inertia_kg_m2 = 0.1 * Mat3::Identity();
  return body;
}

// A crank of 0.5 m, an elastic rod of 1 m clamped to its pin's axes, a slider in a guide along x.
struct SliderCrank {
  MechanismSpec spec = held_beam(reference_beam(3), "");

  SliderCrank() {
    spec.bodies.push_back(rigid("crank"));
    spec.bodies.push_back(rigid("slider"));
    JointSpec pin = joint("pin", "revolute", "crank", "beam"), wrist = joint("wrist", "revolute", "beam", "slider");
    pin.at_parent_m = Vec3(0.5, 0, 0);
    wrist.at_parent_m = Vec3(1, 0, 0);
    spec.joints = {joint("hub", "revolute", "ground", "crank"), pin, wrist,
                   joint("guide", "prismatic", "ground", "slider")};
  }
  BodyInitialSpec& crank() { return spec.bodies[1].initial; }
  BodyInitialSpec& rod() { return spec.bodies[0].initial; }
};

VecX modal_rates(const Mechanism& mechanism) {
  const Mechanism::ElasticBody& body = mechanism.elastic_bodies[0];
  return mechanism.initial_state().u.segment(body.u, body.count);
}
VecX modal_coordinates(const Mechanism& mechanism) {
  const Mechanism::ElasticBody& body = mechanism.elastic_bodies[0];
  return mechanism.initial_state().q.segment(body.q, body.count);
}

// Stretched out, a crank at w turns the rod at -w/2: the wrist turns against it at 5 rad/s, and the modes, whose slopes
// at the tip are large, must have no part in that. Off by 0.1 % the guide is missed by 5 mm/s; modes with the value 1
// at the tip can meet that with such rates, and a crank and a rod that are rigid cannot.
TEST(ElasticStart, ModesTakeNoMoreOfTheVelocitiesThanWhatContradictsTheLoop) {
  SliderCrank given;
  given.crank().angle = 0;
  given.rod().angle = 0;
  given.crank().angular_velocity[2] = 10;
  given.rod().angular_velocity[2] = -5;
  const auto exact = Mechanism::build(given.spec);
  EXPECT_LT(max_abs(modal_rates(*exact)), 1e-12);
  EXPECT_TRUE(exact->assembly_notes().empty());
  given.rod().angular_velocity[2] = -5.005;
  const auto rounded = Mechanism::build(given.spec);
  EXPECT_GT(max_abs(modal_rates(*rounded)), 1e-4);
  EXPECT_LT(max_abs(modal_rates(*rounded)), 0.01);
  ASSERT_EQ(rounded->assembly_notes().size(), 1u);
  EXPECT_THAT(rounded->assembly_notes()[0], HasSubstr("elastic bodies start to deform, modal rates by up to 0.00"));
}

TEST(ElasticStart, VelocitiesThatContradictTheLoopByMoreAreToldWithTheBody) {
  SliderCrank given;
  given.crank().angle = 0;
  given.rod().angle = 0;
  given.crank().angular_velocity[2] = 10;
  given.rod().angular_velocity[2] = -8;
  try {
    Mechanism::build(given.spec);
    FAIL() << "the model was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics()[0].path, "bodies.beam.elastic");
    EXPECT_THAT(error.diagnostics()[0].message, HasSubstr("would meet the initial velocities"));
    EXPECT_THAT(error.diagnostics()[0].hint, HasSubstr("leave some of them out"));
  }
}

// sin 0.3 / 2 = sin of the rod's angle: given to three digits the loop stays open by half a millimetre.
TEST(ElasticStart, AnglesOfThreeDigitsMoveAndTheRodStaysStraight) {
  SliderCrank given;
  given.crank().angle = 0.3;
  given.rod().angle = -0.149;
  const auto mechanism = Mechanism::build(given.spec);
  EXPECT_LT(max_abs(modal_coordinates(*mechanism)), 1e-12);
  ASSERT_EQ(mechanism->assembly_notes().size(), 1u);
  EXPECT_THAT(mechanism->assembly_notes()[0], HasSubstr("initial positions moved by up to 0.00"));
  EXPECT_THAT(mechanism->assembly_notes()[0], testing::Not(HasSubstr("modal")));
}

// A clamped beam whose tip is carried 1 mm above its axis: nothing but the beam can give way.
TEST(ElasticStart, SupportsOutOfLineBendTheBeam) {
  MechanismSpec spec = held_beam(reference_beam(3), "fixed");
  spec.bodies.push_back(rigid("shoe"));
  JointSpec wrist = joint("wrist", "revolute", "beam", "shoe"), guide = joint("guide", "prismatic", "ground", "shoe");
  wrist.at_parent_m = Vec3(1, 0, 0);
  guide.at_parent_m = Vec3(0, 1e-3, 0);
  spec.joints.push_back(wrist);
  spec.joints.push_back(guide);
  const auto mechanism = Mechanism::build(spec);
  // Modes of a cantilever are 1 or -1 at the tip, which is the sum of them up to the sign.
  EXPECT_GT(modal_coordinates(*mechanism).cwiseAbs().sum(), 1e-3 * (1 - 1e-9));
  ASSERT_EQ(mechanism->assembly_notes().size(), 1u);
  EXPECT_THAT(mechanism->assembly_notes()[0], HasSubstr("and modal coordinates by up to 0.00"));
}

}  // namespace
}  // namespace freeplay::test::elastic_assembly_test
