// Contacts of a mechanism: rows against finite differences of the gaps, and how joints with play start.
#include "freeplay/contact/points/mechanism_contacts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "freeplay/contact/play/start_with_play.h"
#include "freeplay/core/error.h"
#include "unit/mechanism/random_mechanism.h"

namespace freeplay::test {
namespace {

using testing::HasSubstr;

ContactSpec contact(std::string name, std::string body_a, std::string body_b, double friction) {
  ContactLawSpec law;
  law.impact = "newton";
  law.friction = friction;
  return {std::move(name), std::move(body_a), "skin", std::move(body_b), "skin", law};
}

// A random planar tree in which the last two bodies touch each other and the ground, far apart from all of it.
struct TouchingTree {
  MechanismSpec spec;
  ContactModelSpec contacts;
};

TouchingTree touching_tree(RandomMechanism& random) {
  TouchingTree model;
  model.spec = random.tree(random.integer(2, 6));
  const std::string last = model.spec.bodies.back().name, other = model.spec.bodies.front().name;
  model.contacts.shapes = {
      {last, "skin", "circle", CircleShape{random.vector(0.2), 1e-3}},
      {other, "skin", "circle", CircleShape{random.vector(0.2), 2e-3}},
      {"ground", "skin", "line", LineShape{Vec3(0, -100, 0), Vec3(0.6, 0.8, 0)}},
  };
  model.contacts.contacts = {contact("floor", last, "ground", 0.3), contact("pair", last, other, 0)};
  if (model.spec.joints.back().type == "revolute") {
    model.spec.joints.back().stops = JointStopsSpec{-100.0, 100.0, 0.5};
    model.spec.joints.back().dry_friction = 2;
  }
  return model;
}

TEST(MechanismContacts, RowsAreTheRatesOfTheGaps) {
  int compared = 0;
  for (std::uint64_t draw = 0; draw < 200; ++draw) {
    RandomMechanism random(Space::kPlanar, draw);
    const TouchingTree model = touching_tree(random);
    const auto mechanism = Mechanism::build(model.spec);
    const auto contacts = MechanismContacts::build(mechanism, model.spec, model.contacts);
    const auto dynamics = mechanism->make_dynamics();
    const auto kinematics = contacts->make_kinematics(*dynamics);
    const State state = random.state(*mechanism);
    const int points = contacts->point_count();
    VecX g(points), before(points), after(points), gamma_N(points);
    constexpr double h = 1e-5;
    const auto gaps_at = [&](double shift, VecX& gaps) {
      VecX q = state.q;
      const VecX delta = shift * state.u;
      dynamics->displace(q, delta);
      dynamics->set_position(0, q);
      kinematics->update_gaps(gaps);
    };
    gaps_at(-h, before);
    gaps_at(h, after);
    gaps_at(0, g);
    dynamics->set_velocity(state.u);
    kinematics->normal_velocities(gamma_N);
    RowStore rows(mechanism->mass_structure());
    for (int i = 0; i < points; ++i) {
      ASSERT_EQ(kinematics->add_rows(i, rows), contacts->points()[static_cast<std::size_t>(i)].rows());
    }
    int row = 0;
    for (int i = 0; i < points; ++i) {
      const ContactPoint& point = contacts->points()[static_cast<std::size_t>(i)];
      if (point.has_normal) {
        const double rate = (after[i] - before[i]) / (2 * h);
        EXPECT_NEAR(rows.dot(row, state.u), rate, 1e-6 * (1 + std::abs(rate))) << point.name() << " " << draw;
        EXPECT_NEAR(gamma_N[i], rate, 1e-6 * (1 + std::abs(rate))) << point.name() << " " << draw;
        ++compared;
      } else {
        EXPECT_EQ(g[i], -std::numeric_limits<double>::infinity());
      }
      row += point.rows();
    }
  }
  EXPECT_GT(compared, 400);
}

// The reaction of the root joint carries the contact forces: a body at rest on a floor weighs on the floor.
TEST(MechanismContacts, ForcesReachTheReactions) {
  MechanismSpec spec;
  spec.gravity_m_s2 = Vec3(0, -10, 0);
  BodySpec body;
  body.name = "block";
  body.mass_kg = 2;
  body.inertia_kg_m2 = Mat3::Identity();
  spec.bodies = {body};
  JointSpec slide;
  slide.name = "slide";
  slide.type = "prismatic";
  slide.parent = "ground";
  slide.child = "block";
  spec.joints = {slide};
  ContactModelSpec model;
  model.shapes = {{"block", "skin", "point", PointShape{}},
                  {"ground", "skin", "line", LineShape{Vec3::Zero(), Vec3::UnitY()}}};
  model.contacts = {contact("floor", "block", "ground", 0.5)};
  const auto mechanism = Mechanism::build(spec);
  const auto contacts = MechanismContacts::build(mechanism, spec, model);
  const auto dynamics = mechanism->make_dynamics();
  const auto kinematics = contacts->make_kinematics(*dynamics);
  dynamics->set_position(0, VecX::Zero(1));
  dynamics->set_velocity(VecX::Zero(1));
  VecX g(1);
  kinematics->update_gaps(g);
  ContactForces forces;
  kinematics->write_force(0, 15, {-3, 0}, forces);
  dynamic_cast<BodyDynamics&>(*dynamics).set_contact_forces(forces);
  dynamics->set_accelerations(VecX::Constant(1, -3 / 2.0), VecX());
  const int channel = find_channel(*mechanism, "slide.force_y");
  double force = 0;
  dynamics->read_channels(std::span(&channel, 1), std::span(&force, 1));
  EXPECT_NEAR(force, 20 - 15, 1e-14) << "the joint bears what the floor does not";
}

std::string message_of(const MechanismSpec& spec, const ContactModelSpec& contacts) {
  try {
    MechanismContacts::build(build_mechanism_with_play(spec, contacts.clearance_joints), spec, contacts);
  } catch (const ModelError& error) {
    return error.diagnostics().front().path + ": " + error.diagnostics().front().message;
  }
  return {};
}

TEST(MechanismContacts, InitialPenetrationIsAnErrorWithItsSize) {
  MechanismSpec spec;
  BodySpec body;
  body.name = "ball";
  body.mass_kg = 1;
  body.inertia_kg_m2 = Mat3::Identity();
  body.initial.position_m[1] = 0.0975;
  spec.bodies = {body};
  ContactModelSpec model;
  model.shapes = {{"ball", "skin", "circle", CircleShape{Vec3::Zero(), 0.1}},
                  {"ground", "skin", "line", LineShape{Vec3::Zero(), Vec3::UnitY()}}};
  model.contacts = {contact("bounce", "ball", "ground", 0)};
  EXPECT_THAT(message_of(spec, model), HasSubstr("contacts.bounce: 'bounce' penetrates by 0.0025 m"));
  spec.bodies[0].initial.position_m[1] = 0.1;
  EXPECT_EQ(message_of(spec, model), "") << "touching is fine";
}

// ---- joints with play ---------------------------------------------------------------------------------------------

MechanismSpec two_links() {
  MechanismSpec spec;
  for (const char* name : {"crank", "rod"}) {
    BodySpec body;
    body.name = name;
    body.mass_kg = 1;
    body.inertia_kg_m2 = Mat3::Identity();
    spec.bodies.push_back(body);
  }
  JointSpec bearing;
  bearing.name = "bearing";
  bearing.type = "revolute";
  bearing.parent = "ground";
  bearing.child = "crank";
  bearing.at_child_m = Vec3(-0.5, 0, 0);
  spec.joints = {bearing};
  return spec;
}

ClearanceJointSpec loose_pin() {
  ClearanceJointSpec play;
  play.joint.name = "pin";
  play.joint.type = "revolute";
  play.joint.parent = "crank";
  play.joint.child = "rod";
  play.joint.at_parent_m = Vec3(0.5, 0, 0);
  play.joint.at_child_m = Vec3(-1, 0, 0);
  play.clearance_m = 1e-3;
  play.law.impact = "newton";
  return play;
}

double channel_of(const Mechanism& mechanism, const std::string& name) {
  const auto dynamics = mechanism.make_dynamics();
  const State state = mechanism.initial_state();
  dynamics->set_position(state.t, state.q);
  dynamics->set_velocity(state.u);
  const int channel = find_channel(mechanism, name);
  double value = 0;
  dynamics->read_channels(std::span(&channel, 1), std::span(&value, 1));
  return value;
}

TEST(JointWithPlay, StartsAsIfItWereIdeal) {
  MechanismSpec spec = two_links();
  spec.bodies[0].initial.angle = 0.3;
  spec.bodies[0].initial.angular_velocity[2] = 2;
  spec.bodies[1].initial.angle = -0.2;
  const auto mechanism = build_mechanism_with_play(spec, {loose_pin()});
  EXPECT_EQ(mechanism->velocity_count(), 4) << "the rod is a free body";
  // Pin at the crank's end: the rod's centre is 1 m along the rod from there.
  EXPECT_NEAR(channel_of(*mechanism, "rod.x"), std::cos(0.3) + std::cos(-0.2), 1e-12);
  EXPECT_NEAR(channel_of(*mechanism, "rod.y"), std::sin(0.3) + std::sin(-0.2), 1e-12);
  // Equal rates: the pin's velocity is that of the crank's end.
  const double omega = channel_of(*mechanism, "rod.omega");
  EXPECT_NEAR(channel_of(*mechanism, "rod.vx"), -2 * std::sin(0.3) - omega * std::sin(-0.2), 1e-12);
  EXPECT_NEAR(channel_of(*mechanism, "rod.vy"), 2 * std::cos(0.3) + omega * std::cos(-0.2), 1e-12);
}

TEST(JointWithPlay, StartsWhereABodySaysOtherwise) {
  MechanismSpec spec = two_links();
  spec.bodies[1].initial.position_m = {2.0002, -0.0005, std::nullopt};
  const auto mechanism = build_mechanism_with_play(spec, {loose_pin()});
  const auto contacts = MechanismContacts::build(mechanism, spec, {{}, {}, {loose_pin()}});
  EXPECT_NEAR(channel_of(*mechanism, "rod.x"), 2.0002, 1e-15);
  EXPECT_NEAR(channel_of(*mechanism, "rod.y"), -0.0005, 1e-15);

  spec.bodies[1].initial.position_m = {2.01, 0.0, std::nullopt};
  const auto outside = build_mechanism_with_play(spec, {loose_pin()});
  EXPECT_THROW(MechanismContacts::build(outside, spec, {{}, {}, {loose_pin()}}), ModelError);
}

// The same pendulum with and without play, by one word: `initial` on the joint means the same.
TEST(JointWithPlay, TakesItsInitialValuesAsAnIdealJointDoes) {
  MechanismSpec spec = two_links();
  ClearanceJointSpec pin = loose_pin();
  pin.joint.initial_q = {0.5};
  pin.joint.initial_u = {3.0};
  spec.bodies[0].initial.angle = 0.3;
  spec.bodies[0].initial.angular_velocity[2] = 2;
  const auto mechanism = build_mechanism_with_play(spec, {pin});
  EXPECT_NEAR(channel_of(*mechanism, "rod.angle"), 0.8, 1e-14);
  EXPECT_NEAR(channel_of(*mechanism, "rod.omega"), 5, 1e-13);
  EXPECT_NEAR(channel_of(*mechanism, "rod.x"), std::cos(0.3) + std::cos(0.8), 1e-13);
  EXPECT_NEAR(channel_of(*mechanism, "rod.vy"), 2 * std::cos(0.3) + 5 * std::cos(0.8), 1e-13);
}

TEST(JointWithPlay, KeepsTheVelocitiesThatBodiesAskFor) {
  MechanismSpec spec = two_links();
  spec.bodies[0].initial.angle = 0.3;
  spec.bodies[1].initial.angle = 0;
  spec.bodies[1].initial.velocity_m_s[1] = 0.25;  // an ideal pin would not allow this
  spec.bodies[1].initial.velocity_m_s[0] = 0.5;
  spec.bodies[0].initial.angular_velocity[2] = 0;
  spec.bodies[1].initial.angular_velocity[2] = 0;
  const auto mechanism = build_mechanism_with_play(spec, {loose_pin()});
  EXPECT_NEAR(channel_of(*mechanism, "rod.vx"), 0.5, 1e-14);
  EXPECT_NEAR(channel_of(*mechanism, "rod.vy"), 0.25, 1e-14);
  EXPECT_NEAR(channel_of(*mechanism, "rod.x"), std::cos(0.3) + 1, 1e-12) << "still centred";
}

}  // namespace
}  // namespace freeplay::test
