// Bushings: their forces are those of their potential, their losses those of their damping.
#include <gtest/gtest.h>

#include "freeplay/core/error.h"
#include "unit/mechanism/random_mechanism.h"

namespace freeplay::test {
namespace {

double channel_of(const Mechanism& mechanism, const std::string& name) {
  const auto dynamics = mechanism.make_dynamics();
  const State state = mechanism.initial_state();
  dynamics->set_position(state.t, state.q);
  dynamics->set_velocity(state.u);
  const int channel = find_channel(mechanism, name);
  EXPECT_GE(channel, 0) << name;
  double value = 0;
  dynamics->read_channels(std::span(&channel, 1), std::span(&value, 1));
  return value;
}

BushingSpec random_bushing(RandomMechanism& random, bool planar) {
  const auto positive = [&](double size) {
    return Vec3(random.uniform(1, size), random.uniform(1, size), random.uniform(1, size));
  };
  BushingSpec law{positive(50), positive(30), positive(4), positive(20), positive(10), positive(2)};
  if (planar) {
    for (Vec3* values : {&law.stiffness_N_m, &law.cubic_stiffness_N_m3, &law.damping_Ns_m}) values->z() = 0;
    for (Vec3* values :
         {&law.torsional_stiffness_Nm_rad, &law.torsional_cubic_stiffness_Nm_rad3, &law.torsional_damping_Nms_rad})
      values->head<2>().setZero();
  }
  return law;
}

// A random forest in which every third joint is a bushing of a random type.
MechanismSpec random_spec(RandomMechanism& random, Space space) {
  MechanismSpec spec = random.tree(6);
  std::vector<std::string> types = {"revolute", "fixed", "prismatic", "spherical"};
  if (space == Space::kSpatial) types.insert(types.end(), {"cylindrical", "planar", "universal"});
  for (std::size_t j = 0; j < spec.joints.size(); j += 2) {
    spec.joints[j].type = types[static_cast<std::size_t>(random.integer(0, static_cast<int>(types.size()) - 1))];
    spec.joints[j].second_axis.reset();
    if (space == Space::kPlanar && spec.joints[j].type != "prismatic") spec.joints[j].axis.reset();
    spec.joints[j].bushing = random_bushing(random, space == Space::kPlanar);
  }
  return spec;
}

class RandomBushings : public testing::TestWithParam<Space> {};

// h(q, 0) = -dV/dq, with bodies anywhere and turned by any angle.
TEST_P(RandomBushings, ForcesAreTheGradientOfThePotentialEnergy) {
  constexpr double kStep = 1e-6;
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomMechanism random(GetParam(), seed);
    const auto mechanism = Mechanism::build(random_spec(random, GetParam()));
    ASSERT_EQ(mechanism->bushings.size(), 3U);
    const State state = random.state(*mechanism);
    const auto dynamics = mechanism->make_dynamics();
    VecX h(mechanism->velocity_count());
    dynamics->set_position(0, state.q);
    dynamics->set_velocity(VecX::Zero(h.size()));
    dynamics->forces(h);
    for (Eigen::Index k = 0; k < h.size(); ++k) {
      double energy[2];
      for (const int side : {0, 1}) {
        VecX q = state.q;
        dynamics->displace(q, (side == 0 ? -kStep : kStep) * VecX::Unit(h.size(), k));
        dynamics->set_position(0, q);
        energy[side] = dynamics->potential_energy();
      }
      const double scale = std::max(1.0, h.cwiseAbs().maxCoeff());
      worst = std::max(worst, std::abs(h[k] + (energy[1] - energy[0]) / (2 * kStep)) / scale);
    }
  }
  EXPECT_LT(worst, 1e-7);
}

// With gravity, the gyroscopic forces and the springs as they are, damping takes exactly the power it reports.
TEST_P(RandomBushings, DampingTakesThePowerThatItReports) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomMechanism random(GetParam(), seed);
    MechanismSpec spec = random_spec(random, GetParam());
    const auto damped = Mechanism::build(spec);
    for (JointSpec& joint : spec.joints) {
      if (joint.bushing) joint.bushing->damping_Ns_m = joint.bushing->torsional_damping_Nms_rad = Vec3::Zero();
    }
    const auto elastic = Mechanism::build(spec);
    const State state = random.state(*damped);
    VecX h[2] = {VecX(state.u.size()), VecX(state.u.size())};
    double power = 0;
    for (const int i : {0, 1}) {
      const auto dynamics = (i == 0 ? damped : elastic)->make_dynamics();
      dynamics->set_position(0, state.q);
      dynamics->set_velocity(state.u);
      dynamics->forces(h[i]);
      const Powers powers = dynamics->powers(VecX::Zero(damped->row_count()));
      if (i == 0) {
        power = powers.damping;
      } else {
        EXPECT_EQ(powers.damping, 0);
      }
    }
    EXPECT_GT(power, 0);
    EXPECT_NEAR((h[1] - h[0]).dot(state.u) / power, 1, 1e-10);
  }
}

// Channels against Newton: what the bushing puts on a free body is its mass times acceleration less its weight.
TEST_P(RandomBushings, ReactionsAreThoseOfNewtonsLaw) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    RandomMechanism random(GetParam(), seed);
    MechanismSpec spec = random.tree(1);
    spec.joints[0].type = "fixed";
    spec.joints[0].axis.reset();
    spec.joints[0].second_axis.reset();
    spec.joints[0].bushing = random_bushing(random, GetParam() == Space::kPlanar);
    const auto mechanism = Mechanism::build(spec);
    const State state = random.state(*mechanism);
    const auto dynamics = mechanism->make_dynamics();
    VecX du(mechanism->velocity_count());
    dynamics->set_position(0, state.q);
    dynamics->set_velocity(state.u);
    ASSERT_TRUE(dynamics->free_accelerations(du));
    dynamics->set_accelerations(du, VecX());
    const int axes = GetParam() == Space::kPlanar ? 2 : 3;
    for (int k = 0; k < axes; ++k) {
      // A free body's first velocities are those of its centre of mass in world axes, which the joint's frame shares.
      const int channel = find_channel(*mechanism, std::string("j1.force_") + "xyz"[k]);
      double force = 0;
      dynamics->read_channels(std::span(&channel, 1), std::span(&force, 1));
      EXPECT_NEAR(force, spec.bodies[0].mass_kg * (du[k] - spec.gravity_m_s2[k]), 1e-10 * (1 + std::abs(force)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Spaces, RandomBushings, testing::Values(Space::kPlanar, Space::kSpatial),
                         [](const auto& space) { return space.param == Space::kPlanar ? "planar" : "spatial"; });

MechanismSpec hinged_rod(Space space) {
  MechanismSpec spec;
  spec.space = space;
  spec.bodies.push_back({"rod", 2, Mat3(Vec3(0.01, 0.2, 0.2).asDiagonal()), {}});
  JointSpec pin;
  pin.name = "pin";
  pin.type = "revolute";
  pin.parent = "ground";
  pin.child = "rod";
  pin.at_parent_m = {0.3, 0.2, 0};
  pin.at_child_m = {-0.5, 0, 0};
  pin.bushing = BushingSpec{};
  pin.bushing->stiffness_N_m = {1e4, 1e4, space == Space::kPlanar ? 0 : 1e4};
  spec.joints.push_back(pin);
  return spec;
}

class Bushing : public testing::TestWithParam<Space> {};
INSTANTIATE_TEST_SUITE_P(Spaces, Bushing, testing::Values(Space::kPlanar, Space::kSpatial),
                         [](const auto& space) { return space.param == Space::kPlanar ? "planar" : "spatial"; });

TEST_P(Bushing, IsNoTreeEdgeAndHasNoRows) {
  const auto mechanism = Mechanism::build(hinged_rod(GetParam()));
  EXPECT_EQ(mechanism->joints[0].role, Mechanism::JointRole::kBushing);
  EXPECT_EQ(mechanism->row_count(), 0);
  EXPECT_EQ(mechanism->degrees_of_freedom(), GetParam() == Space::kPlanar ? 3 : 6);
}

TEST_P(Bushing, StartsAsIfItWereIdeal) {
  MechanismSpec spec = hinged_rod(GetParam());
  spec.bodies[0].initial.angular_velocity[2] = 3;
  const auto mechanism = Mechanism::build(spec);
  EXPECT_NEAR(channel_of(*mechanism, "rod.x"), 0.8, 1e-14);
  EXPECT_NEAR(channel_of(*mechanism, "rod.y"), 0.2, 1e-14);
  EXPECT_NEAR(channel_of(*mechanism, "rod.vy"), 1.5, 1e-14) << "equal rates";
  EXPECT_NEAR(channel_of(*mechanism, "pin.eccentricity_x"), 0, 1e-14);
  EXPECT_NEAR(channel_of(*mechanism, "pin.force_y"), 0, 1e-9);
}

TEST_P(Bushing, TakesItsInitialValuesAsAnIdealJointDoes) {
  MechanismSpec spec = hinged_rod(GetParam());
  spec.joints[0].initial_q = {0.7};
  spec.joints[0].initial_u = {3.0};
  const auto mechanism = Mechanism::build(spec);
  EXPECT_NEAR(channel_of(*mechanism, "rod.x"), 0.3 + 0.5 * std::cos(0.7), 1e-13);
  EXPECT_NEAR(channel_of(*mechanism, "rod.vx"), -1.5 * std::sin(0.7), 1e-13);
  EXPECT_NEAR(channel_of(*mechanism, "pin.q"), 0.7, 1e-13);
  EXPECT_NEAR(channel_of(*mechanism, "pin.u"), 3, 1e-13);
}

// The bodies win; what they do not say is that of the ideal joint.
TEST_P(Bushing, StartsWhereABodySaysOtherwise) {
  MechanismSpec spec = hinged_rod(GetParam());
  spec.joints[0].type = "fixed";
  spec.bodies[0].initial.position_m[0] = 0.803;
  const auto mechanism = Mechanism::build(spec);
  EXPECT_NEAR(channel_of(*mechanism, "rod.x"), 0.803, 1e-14);
  EXPECT_NEAR(channel_of(*mechanism, "rod.y"), 0.2, 1e-14);
  EXPECT_NEAR(channel_of(*mechanism, "pin.eccentricity_x"), 0.003, 1e-14);
  EXPECT_NEAR(channel_of(*mechanism, "pin.force_x"), -30, 1e-9);
}

std::string refusal_of(const MechanismSpec& spec) {
  try {
    Mechanism::build(spec);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BushingRefusal, NamesTheMistake) {
  MechanismSpec spec = hinged_rod(Space::kSpatial);
  spec.joints[0].type = "free";
  EXPECT_NE(refusal_of(spec).find("a free joint holds nothing"), std::string::npos) << refusal_of(spec);
  spec = hinged_rod(Space::kSpatial);
  spec.joints[0].bushing->damping_Ns_m.y() = -1;
  EXPECT_NE(refusal_of(spec).find("joints.pin.bushing.damping"), std::string::npos) << refusal_of(spec);
  spec = hinged_rod(Space::kSpatial);
  spec.joints[0].as_constraint = true;
  EXPECT_NE(refusal_of(spec).find("no bilateral rows"), std::string::npos) << refusal_of(spec);
}

}  // namespace
}  // namespace freeplay::test
