// Strands: the tension of those joints of a chain that are in a box now.
#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/core/error.h"
#include "unit/mechanism/random_mechanism.h"

namespace freeplay::test::strand_test {
namespace {

constexpr double kStiffness = 1000, kPitch = 0.1;

// Links along x, stretched apart by 1, 2, 3, ... mm: pin i, at the end of link i, carries (i + 1) N.
MechanismSpec stretched_row(int links) {
  MechanismSpec spec;
  double x = 0;
  StrandSpec strand{"strand", {}, {0, -1, 0}, {1, 1, 0}};
  for (int i = 0; i < links; ++i) {
    BodySpec link;
    link.name = fmt::format("link{}", i);
    link.mass_kg = 1;
    link.inertia_kg_m2 = 1e-3 * Mat3::Identity();
    link.initial.position_m = {x + kPitch / 2, 0, std::nullopt};
    link.initial.velocity_m_s = {0, i, std::nullopt};
    link.initial.angle = 0;
    link.initial.angular_velocity[2] = 0;
    spec.bodies.push_back(link);
    x += kPitch + (i + 1) * 1e-3;
    if (i == 0) continue;
    JointSpec pin;
    pin.name = fmt::format("pin{}", i - 1);
    pin.type = "revolute";
    pin.parent = fmt::format("link{}", i - 1);
    pin.child = link.name;
    pin.at_parent_m = {kPitch / 2, 0, 0};
    pin.at_child_m = {-kPitch / 2, 0, 0};
    pin.bushing.emplace();
    pin.bushing->stiffness_N_m = {kStiffness, kStiffness, 0};
    spec.joints.push_back(pin);
    strand.joints.push_back(pin.name);
  }
  spec.strands.push_back(strand);
  return spec;
}

double tension_of(const Mechanism& mechanism) {
  const auto dynamics = mechanism.make_dynamics();
  const State state = mechanism.initial_state();
  dynamics->set_position(state.t, state.q);
  const int channel = find_channel(mechanism, "strand.tension");
  double value = 0;
  dynamics->read_channels(std::span(&channel, 1), std::span(&value, 1));
  return value;
}

TEST(Strand, HasTheMeanForceOfTheJointsThatAreInIt) {
  MechanismSpec spec = stretched_row(5);
  EXPECT_NEAR(tension_of(*Mechanism::build(spec)), (1.0 + 2 + 3 + 4) / 4, 1e-10);
  // Pins 1 and 2, whose points on the parent are at 201 and 303 mm.
  spec.strands[0].lower_corner_m.x() = 0.15;
  spec.strands[0].upper_corner_m.x() = 0.35;
  EXPECT_NEAR(tension_of(*Mechanism::build(spec)), (2.0 + 3) / 2, 1e-10);
  spec.strands[0].lower_corner_m.y() = 0.5;
  EXPECT_TRUE(std::isnan(tension_of(*Mechanism::build(spec))));
}

// Free bodies that say all of their motion decide where a chain of bushings starts, stretched and moving apart.
TEST(Strand, ItsBodiesStartAsTheySay) {
  const auto mechanism = Mechanism::build(stretched_row(5));
  const State state = mechanism->initial_state();
  double x = 0;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(state.q[3 * i], x + kPitch / 2);
    EXPECT_EQ(state.u[3 * i + 1], i);
    x += kPitch + (i + 1) * 1e-3;
  }
}

TEST(Strand, NamesAJointThatIsNotThere) {
  MechanismSpec spec = stretched_row(3);
  spec.strands[0].joints.push_back("pin7");
  try {
    Mechanism::build(spec);
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics()[0].path, "strands.strand.joints");
    EXPECT_EQ(error.diagnostics()[0].message, "there is no joint 'pin7'");
  }
}

}  // namespace
}  // namespace freeplay::test::strand_test
