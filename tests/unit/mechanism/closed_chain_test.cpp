// Rings of links whose places were typed with a few digits, as model files of chains have them. What grew with the
// third power of their number would take minutes here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/building/decided_start.h"
#include "freeplay/mechanism/mechanism.h"
#include "random_mechanism.h"

namespace freeplay::test::closed_chain_test {
namespace {

constexpr double kPi = std::numbers::pi, kPitch_m = 0.01;

// Position to 1 um, angles to 1e-5 rad.
double typed(double value, double last_digit) {
  return std::round(value / last_digit) * last_digit;
}

JointSpec pin(const std::string& name, const std::string& parent, double at_parent_m, const std::string& child,
              double at_child_m) {
  JointSpec joint;
  joint.name = name;
  joint.type = "revolute";
  joint.parent = parent, joint.child = child;
  joint.at_parent_m = {at_parent_m, 0, 0}, joint.at_child_m = {at_child_m, 0, 0};
  return joint;
}

enum class Pins : std::uint8_t { kBushings, kConstraints };

// Beside the ring a wheel turns on its own: it has a coordinate that nobody gives.
MechanismSpec ring(int links, Pins pins) {
  MechanismSpec spec;
  spec.space = Space::kPlanar;
  const double radius_m = kPitch_m / (2 * std::sin(kPi / links));
  BodySpec wheel;
  wheel.name = "wheel";
  wheel.mass_kg = wheel.inertia_kg_m2(2, 2) = 1;
  spec.bodies.push_back(wheel);
  spec.joints.push_back(pin("axle", "ground", 0, "wheel", 0));
  for (int i = 0; i < links; ++i) {
    BodySpec link;
    link.name = fmt::format("link_{}", i);
    link.mass_kg = 0.012;
    link.inertia_kg_m2(2, 2) = 1e-7;
    const double angle = 2 * kPi * i / links, out_m = radius_m * std::cos(kPi / links);
    link.initial.position_m = {typed(out_m * std::cos(angle), 1e-6), typed(out_m * std::sin(angle), 1e-6),
                               std::nullopt};
    link.initial.angle = typed(std::remainder(angle + kPi / 2, 2 * kPi), 1e-5);
    spec.bodies.push_back(link);
    JointSpec joint =
        pin(fmt::format("pin_{}", i), link.name, kPitch_m / 2, fmt::format("link_{}", (i + 1) % links), -kPitch_m / 2);
    if (pins == Pins::kBushings)
      joint.bushing.emplace().stiffness_N_m = {2e7, 2e7, 0};
    else
      joint.as_constraint = true;
    spec.joints.push_back(joint);
  }
  return spec;
}

std::vector<JointSpec> bushings(const MechanismSpec& spec) {
  std::vector<JointSpec> loose;
  std::ranges::copy_if(spec.joints, std::back_inserter(loose),
                       [](const JointSpec& joint) { return joint.bushing.has_value(); });
  return loose;
}

// How far links stand from where they were put.
double farthest_moved_m(const MechanismSpec& spec, const Mechanism& mechanism, const State& state) {
  const auto dynamics = mechanism.make_dynamics();
  const ChannelProbe probe(mechanism, *dynamics);
  dynamics->set_position(0, state.q);
  double farthest = 0;
  for (const BodySpec& body : spec.bodies) {
    if (!body.initial.position_m[0]) continue;
    for (const int k : {0, 1}) {
      const double given = *body.initial.position_m[static_cast<std::size_t>(k)];
      farthest = std::max(farthest, std::abs(probe.position(body.name)[k] - given));
    }
  }
  return farthest;
}

double opening_m(const Mechanism& mechanism) {
  const auto dynamics = mechanism.make_dynamics();
  dynamics->set_position(0, mechanism.initial_state().q);
  VecX g(mechanism.row_count());
  dynamics->row_positions(g);
  return g.cwiseAbs().maxCoeff();
}

TEST(RingOfBushings, StandsWhereItWasTypedWithoutAnIdealOneInItsPlace) {
  const MechanismSpec spec = ring(504, Pins::kBushings);
  EXPECT_TRUE(bodies_say_all(spec, bushings(spec)));
  const auto mechanism = Mechanism::build(spec);
  const State state = mechanism->initial_state();
  EXPECT_LT(farthest_moved_m(spec, *mechanism, state), 1e-15);
  EXPECT_EQ(state.u.norm(), 0);
}

// Its speed is not that of all links, since it stands beside its pins: no ideal ring of these links can be tried.
TEST(RingOfBushings, WithALinkThatMovesStandsWhereItWasTyped) {
  MechanismSpec spec = ring(252, Pins::kBushings);
  spec.bodies[1].initial.velocity_m_s[0] = 0.1;
  EXPECT_FALSE(bodies_say_all(spec, bushings(spec)));
  EXPECT_TRUE(bodies_contradict(spec, bushings(spec)));
  const auto mechanism = Mechanism::build(spec);
  const State state = mechanism->initial_state();
  EXPECT_LT(farthest_moved_m(spec, *mechanism, state), 1e-15);
  EXPECT_NEAR(state.u.norm(), 0.1, 1e-15);
}

TEST(RingOfConstraints, OfTypedPlacesCloses) {
  for (const bool is_one_left_out : {false, true}) {
    MechanismSpec spec = ring(252, Pins::kConstraints);
    if (is_one_left_out) spec.bodies[100].initial = {};
    const auto mechanism = Mechanism::build(spec);
    EXPECT_LT(opening_m(*mechanism), 1e-9);
    EXPECT_LT(farthest_moved_m(spec, *mechanism, mechanism->initial_state()), 3e-6);
    ASSERT_EQ(mechanism->assembly_notes().size(), 1u);
    EXPECT_THAT(mechanism->assembly_notes().front(), testing::StartsWith("initial positions moved by up to "));
  }
}

// Two of its links hang on places of the ground that are farther apart than the chain is long.
TEST(RingOfConstraints, ThatCannotReachSaysWhatStaysOpen) {
  MechanismSpec spec = ring(126, Pins::kConstraints);
  spec.joints.push_back(pin("left", "ground", -0.2, "link_0", 0));
  spec.joints.push_back(pin("right", "ground", 2, "link_63", 0));
  try {
    Mechanism::build(spec);
    FAIL() << "a chain of 1.26 m reaches over 2.2 m";
  } catch (const freeplay::core::ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the mechanism cannot be assembled: 'bodies.link_63.initial.x' stays "
                                                 "open by "));
    ASSERT_EQ(error.diagnostics().size(), 1u);
    EXPECT_THAT(error.diagnostics().front().hint,
                testing::StartsWith("no position that was tried fulfils all joints and initial values: check lengths, "
                                    "frames and `initial`. It is nearest to closing with axle "));
  }
}

// The same of links that say all of where they are, without anything beside them.
TEST(RingOfConstraints, ThatCannotReachIsNotToldToClose) {
  MechanismSpec spec = ring(126, Pins::kConstraints);
  spec.bodies.erase(spec.bodies.begin());
  spec.joints.erase(spec.joints.begin());
  for (const auto& [name, x_m, link] : {std::tuple{"left", -0.2, "link_0"}, std::tuple{"right", 2.0, "link_63"}}) {
    spec.joints.push_back(pin(name, "ground", x_m, link, 0));
    spec.joints.back().as_constraint = true;
  }
  EXPECT_THAT(
      [&] { Mechanism::build(spec); },
      testing::ThrowsMessage<freeplay::core::ModelError>(testing::AllOf(
          testing::HasSubstr("stays open by "), testing::HasSubstr("no position that was tried fulfils all joints"))));
}

// Joints that a coupling, a driver or the initial velocity of another link may move are not taken to be at rest.
TEST(BodiesThatSayAll, AreAtRestOnlyWhereNothingMovesThem) {
  MechanismSpec spec = ring(12, Pins::kBushings);
  spec.bodies[0].initial.angular_velocity[2] = 5;  // the wheel's own
  EXPECT_TRUE(bodies_say_all(spec, bushings(spec)));
  MechanismSpec moved = spec;
  moved.bodies[7].initial.angular_velocity[2] = 1;
  EXPECT_FALSE(bodies_say_all(moved, bushings(moved)));
  MechanismSpec held = spec;
  held.joints.push_back(pin("hinge", "wheel", 0.01, "link_3", 0));
  EXPECT_FALSE(bodies_say_all(held, bushings(held)));
  MechanismSpec coupled = spec;
  CouplingSpec& gears = coupled.couplings.emplace_back();
  gears.terms = {{"axle", 0, 1}, {"pin_4", 0, 1}};
  EXPECT_FALSE(bodies_say_all(coupled, bushings(coupled)));
}

// One whose links stand on their pins to all digits starts with them centred, whatever moves it.
TEST(BodiesThatContradict, AreOffTheCentreByMoreThanRounding) {
  MechanismSpec spec = ring(4, Pins::kBushings);
  for (std::size_t i = 1; i < spec.bodies.size(); ++i) {
    const double angle = kPi / 2 * static_cast<double>(i - 1);
    spec.bodies[i].initial.position_m = {kPitch_m / 2 * std::cos(angle), kPitch_m / 2 * std::sin(angle), std::nullopt};
    spec.bodies[i].initial.angle = angle + kPi / 2;
  }
  EXPECT_FALSE(bodies_contradict(spec, bushings(spec)));
  *spec.bodies[2].initial.position_m[1] += 1e-8;
  EXPECT_TRUE(bodies_contradict(spec, bushings(spec)));
  spec.bodies[2].initial.angle.reset();
  EXPECT_FALSE(bodies_contradict(spec, bushings(spec)));
}

}  // namespace
}  // namespace freeplay::test::closed_chain_test
