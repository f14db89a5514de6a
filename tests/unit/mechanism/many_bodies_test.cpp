// Thousands of bodies are built where they were put. What grew with the square of their number would take minutes here.
#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/mechanism/mechanism.h"
#include "random_mechanism.h"

namespace freeplay::test::many_bodies_test {
namespace {

// Free bodies at given places, attitudes and velocities.
MechanismSpec free_bodies(Space space, int count) {
  RandomMechanism random(space, 7);
  MechanismSpec spec;
  spec.space = space;
  spec.gravity_m_s2 = {0, -9.81, 0};
  for (int i = 0; i < count; ++i) {
    BodySpec body;
    body.name = fmt::format("ball_{}", i);
    body.mass_kg = 1;
    body.inertia_kg_m2 = Mat3::Identity();
    const Vec3 p = random.vector(50), v = random.vector(1);
    for (std::size_t k = 0; k < (space == Space::kPlanar ? 2U : 3U); ++k) {
      body.initial.position_m[k] = p[static_cast<Eigen::Index>(k)];
      body.initial.velocity_m_s[k] = v[static_cast<Eigen::Index>(k)];
    }
    if (space == Space::kPlanar)
      body.initial.angle = random.uniform(-3, 3);
    else
      body.initial.quaternion = Vec4(1, random.uniform(-1, 1), random.uniform(-1, 1), 0.5).normalized();
    spec.bodies.push_back(body);
  }
  return spec;
}

// A slider that carries a chain of plates, each welded to the one before, and a spring from the ground to each.
MechanismSpec welded_chain(int count) {
  MechanismSpec spec;
  for (int i = 0; i < count; ++i) {
    BodySpec body;
    body.name = fmt::format("plate_{}", i);
    body.mass_kg = body.inertia_kg_m2(2, 2) = 1;
    JointSpec joint;
    joint.name = fmt::format("weld_{}", i);
    joint.type = i == 0 ? "prismatic" : "fixed";
    joint.parent = i == 0 ? "ground" : spec.bodies.back().name;
    joint.child = body.name;
    joint.at_child_m = {-0.01, 0, 0};
    SpringSpec spring;
    spring.name = fmt::format("spring_{}", i);
    spring.parent = "ground";
    spring.child = body.name;
    spring.at_parent_m = {0, 1, 0};
    spring.stiffness_N_m = 1;
    spec.bodies.push_back(body);
    spec.joints.push_back(joint);
    spec.springs.push_back(spring);
  }
  return spec;
}

class ManyBodies : public testing::TestWithParam<Space> {};

TEST_P(ManyBodies, StartWhereTheyWerePut) {
  const MechanismSpec spec = free_bodies(GetParam(), 10000);
  const auto mechanism = Mechanism::build(spec);
  const State state = mechanism->initial_state();
  ASSERT_EQ(mechanism->mass_structure().blocks.size(), spec.bodies.size());
  const bool planar = GetParam() == Space::kPlanar;
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
    const Mechanism::Node& node = mechanism->nodes[static_cast<std::size_t>(mechanism->node_of_body[i + 1])];
    for (int k = 0; k < (planar ? 2 : 3); ++k) {
      ASSERT_EQ(state.q[node.q + k], *spec.bodies[i].initial.position_m[static_cast<std::size_t>(k)]);
      ASSERT_NEAR(state.u[node.u + k], *spec.bodies[i].initial.velocity_m_s[static_cast<std::size_t>(k)], 1e-15);
    }
    if (planar)
      ASSERT_EQ(state.q[node.q + 2], *spec.bodies[i].initial.angle);
    else
      ASSERT_LT((state.q.segment<4>(node.q + 3) - *spec.bodies[i].initial.quaternion).norm(), 1e-14);
  }
}

INSTANTIATE_TEST_SUITE_P(Spaces, ManyBodies, testing::Values(Space::kPlanar, Space::kSpatial),
                         [](const auto& space) { return space.param == Space::kPlanar ? "Planar" : "Spatial"; });

// Names, the walk along the tree and the lengths of springs are looked up for each of them.
TEST(WeldedBodies, WithASpringEachHangWhereTheChainPutsThem) {
  constexpr int kPlates = 4000;
  const auto mechanism = Mechanism::build(welded_chain(kPlates));
  ASSERT_EQ(mechanism->springs.size(), static_cast<std::size_t>(kPlates));
  for (int i = 0; i < kPlates; ++i) {
    const double x = 0.01 * (i + 1);  // each plate is 10 mm farther along than the one before
    ASSERT_NEAR(mechanism->springs[static_cast<std::size_t>(i)].free_length, std::hypot(x, 1), 1e-11);
  }
}

// A four-bar loop that has to be assembled does not drag the free bodies beside it into its equations: a matrix of 6000
// unknowns would take minutes.
TEST(LoopBesideFreeBodies, IsAssembledWithoutThem) {
  MechanismSpec spec = free_bodies(Space::kPlanar, 2000);
  const auto add_bar = [&](const std::string& name, double length) {
    BodySpec bar;
    bar.name = name;
    bar.mass_kg = bar.inertia_kg_m2(2, 2) = length;
    spec.bodies.push_back(bar);
  };
  const auto add_pin = [&](const std::string& parent, double at_parent, const std::string& child, double at_child) {
    JointSpec pin;
    pin.name = parent + "_" + child;
    pin.type = "revolute";
    pin.parent = parent, pin.child = child;
    pin.at_parent_m = {at_parent, 0, 0}, pin.at_child_m = {at_child, 0, 0};
    spec.joints.push_back(pin);
  };
  add_bar("crank", 1), add_bar("coupler", 3), add_bar("rocker", 2);
  add_pin("ground", 0, "crank", -0.5);
  add_pin("crank", 0.5, "coupler", -1.5);
  add_pin("coupler", 1.5, "rocker", 1);
  add_pin("rocker", -1, "ground", 2.5);
  spec.joints[0].initial_q = {1.0};
  spec.joints[0].initial_u = {2.0};

  const auto mechanism = Mechanism::build(spec);
  const auto dynamics = mechanism->make_dynamics();
  const State state = mechanism->initial_state();
  dynamics->set_position(0, state.q);
  BilateralRows rows;
  rows.resize(mechanism->velocity_count(), mechanism->row_count());
  dynamics->row_positions(rows.g);
  dynamics->row_jacobian(rows);
  EXPECT_EQ(mechanism->row_count(), 2);
  EXPECT_LT(max_abs(rows.g), 1e-12);
  EXPECT_LT(max_abs(rows.W.transpose() * state.u), 1e-12);
  const Mechanism::Node& crank = mechanism->nodes[static_cast<std::size_t>(mechanism->joints[0].node)];
  EXPECT_NEAR(state.u[crank.u], 2, 1e-12);
}

}  // namespace
}  // namespace freeplay::test::many_bodies_test
