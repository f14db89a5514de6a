// Joints that hold loosely, by play or as bushings: their coordinates are measured between their frames. What the
// coordinates say, how they move and what acts along them must fit together, however far the frames are apart.
#include <gtest/gtest.h>

#include <numbers>

#include "unit/mechanism/random_mechanism.h"

namespace freeplay::test {
namespace {

constexpr double kPi = std::numbers::pi;

// The last two joints of a random tree with play, the one before them a bushing.
MechanismSpec loose_spec(RandomMechanism& random, Space space) {
  MechanismSpec spec = random.tree(5);
  std::vector<std::string> types = {"revolute", "prismatic", "spherical"};
  if (space == Space::kSpatial) types.insert(types.end(), {"cylindrical"});
  const auto any = [&](const std::vector<std::string>& of) {
    return of[static_cast<std::size_t>(random.integer(0, static_cast<int>(of.size()) - 1))];
  };
  for (int k = 0; k < 2; ++k) {
    JointSpec joint = spec.joints.back();
    spec.joints.pop_back();
    joint.second_axis.reset();
    joint.type = any(types);
    if (space == Space::kPlanar && joint.type != "prismatic") joint.axis.reset();
    spec.joints_with_play.push_back(joint);
  }
  if (space == Space::kSpatial) types.insert(types.end(), {"universal", "planar"});
  JointSpec& mount = spec.joints.back();
  mount.second_axis.reset();
  mount.type = any(types);
  if (space == Space::kPlanar && mount.type != "prismatic") mount.axis.reset();
  mount.bushing = BushingSpec{};
  mount.bushing->stiffness_N_m = {1, 1, space == Space::kPlanar ? 0.0 : 1.0};
  return spec;
}

std::vector<const Mechanism::Joint*> loose_joints(const Mechanism& mechanism) {
  std::vector<const Mechanism::Joint*> joints;
  for (const Mechanism::Joint& joint : mechanism.joints) {
    if (joint.is_loose()) joints.push_back(&joint);
  }
  return joints;
}

class LooseJoints : public testing::TestWithParam<Space> {};
INSTANTIATE_TEST_SUITE_P(Spaces, LooseJoints, testing::Values(Space::kPlanar, Space::kSpatial),
                         [](const auto& space) { return space.param == Space::kPlanar ? "planar" : "spatial"; });

// dq/dt = u for every coordinate that is no quaternion.
TEST_P(LooseJoints, CoordinatesMoveAtTheirRates) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomMechanism random(GetParam(), seed);
    const auto mechanism = Mechanism::build(loose_spec(random, GetParam()));
    const auto dynamics = mechanism->make_dynamics();
    const ChannelProbe read(*mechanism, *dynamics);
    const State state = random.state(*mechanism);
    for (const Mechanism::Joint* joint : loose_joints(*mechanism)) {
      const int count = joint->type->u_count();
      if (joint->type->q_count() != count) continue;
      for (int k = 0; k < count; ++k) {
        const std::string number = count == 1 ? "" : fmt::format("_{}", k + 1);
        constexpr double kStep = 1e-5;
        double ends[2];
        for (const int end : {0, 1}) {
          VecX q = state.q;
          dynamics->set_position(0, q);
          dynamics->displace(q, (end == 0 ? -kStep : kStep) * state.u);
          dynamics->set_position(0, q);
          ends[end] = read(joint->name + ".q" + number);
        }
        dynamics->set_position(0, state.q);
        dynamics->set_velocity(state.u);
        const double rate = read(joint->name + ".u" + number);
        if (joint->type->name == "universal" && std::abs(ends[1] - ends[0]) > 1) continue;  // passed half a turn
        EXPECT_NEAR((ends[1] - ends[0]) / (2 * kStep), rate, 1e-5 * (1 + std::abs(rate)))
            << joint->type->name << number << " of seed " << seed;
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 100);
}

// A spring acts with the force of its potential, also where the axes of the joint are far from parallel.
TEST_P(LooseJoints, TorsionalSpringsAreTheForcesOfTheirEnergy) {
  int sprung = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomMechanism random(GetParam(), seed);
    MechanismSpec spec = loose_spec(random, GetParam());
    const auto add = [&](const JointSpec& joint) {
      if (joint.type != "revolute") return;
      spec.torsional_springs.push_back({"coil_" + joint.name, joint.name, 7, 0, 0.3, 0.4});
      ++sprung;
    };
    for (const JointSpec& joint : spec.joints_with_play) add(joint);
    add(spec.joints.back());
    const auto mechanism = Mechanism::build(spec);
    const auto dynamics = mechanism->make_dynamics();
    State state = random.state(*mechanism);
    const int n = mechanism->velocity_count();
    VecX h(n);
    dynamics->set_position(0, state.q);
    dynamics->set_velocity(VecX::Zero(n));
    dynamics->forces(h);
    for (int k = 0; k < n; ++k) {
      constexpr double kStep = 1e-5;
      double energy[2];
      for (const int end : {0, 1}) {
        VecX q = state.q;
        dynamics->displace(q, VecX(VecX::Unit(n, k) * (end == 0 ? -kStep : kStep)));
        dynamics->set_position(0, q);
        energy[end] = dynamics->potential_energy();
      }
      EXPECT_NEAR(h[k], -(energy[1] - energy[0]) / (2 * kStep), 1e-6 * (1 + h.norm())) << "seed " << seed;
    }
  }
  EXPECT_GE(sprung, 20);
}

// The row of a driver is the rate of what it prescribes, and zeta the rate of that.
TEST_P(LooseJoints, DriversHaveTheRowsOfTheirCoordinates) {
  int driven = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomMechanism random(GetParam(), seed);
    MechanismSpec spec = loose_spec(random, GetParam());
    for (const JointSpec& joint : spec.joints_with_play) {
      if (joint.type != "revolute" && joint.type != "prismatic") continue;
      const Dimension dimension = joint.type == "revolute" ? dimensions::kAngle : dimensions::kLength;
      spec.drivers.push_back({"motor_" + joint.name, joint.name, Expression::constant(0.1, dimension), {}});
    }
    if (spec.drivers.empty()) continue;
    const auto mechanism = Mechanism::build(spec);
    const auto dynamics = mechanism->make_dynamics();
    const State state = random.state(*mechanism);
    constexpr double kStep = 1e-5;
    BilateralRows rows;
    rows.resize(mechanism->velocity_count(), mechanism->row_count());
    VecX g[2], gamma[2];
    for (const int end : {0, 1}) {
      VecX q = state.q;
      dynamics->displace(q, (end == 0 ? -kStep : kStep) * state.u);
      dynamics->set_position(0, q);
      g[end].resize(mechanism->row_count());
      dynamics->row_positions(g[end]);
      dynamics->row_jacobian(rows);
      gamma[end] = rows.W.transpose() * state.u;
    }
    dynamics->set_position(0, state.q);
    dynamics->set_velocity(state.u);
    dynamics->row_jacobian(rows);
    dynamics->row_bias(rows.zeta);
    const VecX middle = rows.W.transpose() * state.u;
    for (const Mechanism::Driver& driver : mechanism->drivers) {
      const double slope = (g[1] - g[0])[driver.row] / (2 * kStep);
      if (std::abs(slope) > 1e4) continue;  // the residual has jumped by a turn
      EXPECT_NEAR(slope, middle[driver.row], 1e-5 * (1 + std::abs(slope))) << "seed " << seed;
      const double curvature = (gamma[1] - gamma[0])[driver.row] / (2 * kStep);
      EXPECT_NEAR(curvature, rows.zeta[driver.row], 1e-4 * (1 + state.u.squaredNorm())) << "seed " << seed;
      ++driven;
    }
  }
  EXPECT_GE(driven, 30);
}

MechanismSpec arm_on(const std::string& type, bool has_play) {
  MechanismSpec spec;
  spec.space = Space::kSpatial;
  spec.bodies.push_back({"arm", 2, Mat3(Vec3(0.1, 0.2, 0.25).asDiagonal()), {}});
  JointSpec pin;
  pin.name = "pin";
  pin.type = type;
  pin.parent = "ground";
  pin.child = "arm";
  pin.at_parent_m = {0.3, 0.2, 0.1};
  pin.at_child_m = {-0.5, 0, 0.1};
  pin.axis = Vec3(1, 2, 2);
  pin.rotation = Eigen::Quaterniond(Eigen::AngleAxisd(0.6, Vec3(3, 0, 4) / 5));
  (has_play ? spec.joints_with_play : spec.joints).push_back(pin);
  return spec;
}

// With the frames together all coordinates are those of the ideal joint, whole turns included.
TEST(LooseJointsInSpace, StartWithTheCoordinatesOfTheIdealJoint) {
  struct Case {
    std::string type;
    std::vector<std::optional<double>> q, u;
  };
  const Eigen::Quaterniond e(Eigen::AngleAxisd(0.8, Vec3(2, 1, 2) / 3));
  for (const Case& one : {Case{"revolute", {9.0}, {3.0}}, Case{"revolute", {-2.0}, {}},
                          Case{"prismatic", {0.2}, {-1.0}}, Case{"cylindrical", {0.1, -20.0}, {0.4, 2.0}},
                          Case{"spherical", {e.w(), e.x(), e.y(), e.z()}, {1.0, 2.0, -3.0}}}) {
    std::vector<double> values[2];
    for (const bool has_play : {false, true}) {
      MechanismSpec spec = arm_on(one.type, has_play);
      JointSpec& pin = has_play ? spec.joints_with_play[0] : spec.joints[0];
      pin.initial_q = one.q;
      pin.initial_u = one.u;
      const auto mechanism = Mechanism::build(spec);
      EXPECT_EQ(mechanism->velocity_count(), has_play ? 6 : mechanism->joints[0].type->u_count());
      const auto dynamics = mechanism->make_dynamics();
      const State state = mechanism->initial_state();
      dynamics->set_position(0, state.q);
      dynamics->set_velocity(state.u);
      const ChannelProbe read(*mechanism, *dynamics);
      for (const ChannelDescription& channel : mechanism->channels()) {
        if (channel.name.starts_with("pin.q") || channel.name.starts_with("pin.u"))
          values[has_play ? 1 : 0].push_back(read(channel.name));
      }
    }
    ASSERT_EQ(values[0].size(), values[1].size()) << one.type;
    for (std::size_t i = 0; i < values[0].size(); ++i) EXPECT_NEAR(values[0][i], values[1][i], 1e-13) << one.type;
  }
}

// Forty turns forwards, then sixty backwards, in steps of up to 2.5 rad; the state alone says how many there were.
TEST(LooseJointsInSpace, CountTheirTurns) {
  for (const char* type : {"revolute", "cylindrical"}) {
    const auto mechanism = Mechanism::build(arm_on(type, true));
    const std::string channel = std::string(type) == "revolute" ? "pin.q" : "pin.q_2";
    State state = mechanism->initial_state();
    const Vec3 axis = Vec3(1, 2, 2) / 3;
    double turned = 0;
    for (const double total : {80 * kPi, -40 * kPi}) {
      while (turned != total) {
        const double angle = std::clamp(total - turned, -2.5, 2.5);
        const auto dynamics = mechanism->make_dynamics();  // a new one: nothing is remembered but the state
        dynamics->set_position(0, state.q);
        const ChannelProbe read(*mechanism, *dynamics);
        VecX delta = VecX::Zero(6);
        // A free body's last velocities are those of its turning, in body axes.
        delta.tail<3>() = angle * (read.rotation("arm").transpose() * axis);
        dynamics->displace(state.q, delta);
        turned += angle;
        dynamics->set_position(0, state.q);
        ASSERT_NEAR(read(channel), turned, 1e-10) << type;
      }
    }
  }
}

// dq/dt of the counted angle, as integrators of smooth motion take it.
TEST(LooseJointsInSpace, GiveIntegratorsTheRateOfTheirTurns) {
  RandomMechanism random(Space::kSpatial, 5);
  const auto mechanism = Mechanism::build(arm_on("cylindrical", true));
  const State state = random.state(*mechanism);
  const auto dynamics = mechanism->make_dynamics();
  dynamics->set_position(0, state.q);
  dynamics->set_velocity(state.u);
  VecX rate(mechanism->coordinate_count());
  dynamics->velocity_to_rate(state.q, state.u, rate);
  const ChannelProbe read(*mechanism, *dynamics);
  ASSERT_EQ(mechanism->turns.size(), 1u);
  EXPECT_EQ(rate[mechanism->turns[0].q], read("pin.u_2"));
}

}  // namespace
}  // namespace freeplay::test
