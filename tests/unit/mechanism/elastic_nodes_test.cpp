// Bodies of nodes and given modes against the beams that they were made of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "elastic_models.h"
#include "freeplay/core/error.h"
#include "freeplay/mechanism/description/beam_shapes.h"

namespace freeplay::test::elastic_nodes_test {
namespace {

constexpr double kFrequencies[] = {35.160153, 220.344916, 616.972144};

// The cantilever modes of the reference beam at nodes: the masses of intervals are gathered at their ends (trapezoidal
// rule); the modal mass of the beam itself is rho A L / 4.
std::shared_ptr<ElasticNodes> cantilever_nodes(int intervals, int modes, bool with_mass) {
  auto body = std::make_shared<ElasticNodes>();
  const std::vector<BeamShape> shapes = bending_shapes(BendingShapes::kCantilever, modes, 1);
  for (int k = 0; k <= intervals; ++k) {
    ElasticNode node;
    node.name = std::to_string(k);
    node.at_m = Vec3(static_cast<double>(k) / intervals, 0, 0);
    node.mass_kg = (k == 0 || k == intervals ? 0.5 : 1.0) / intervals;
    node.shapes = MatX::Zero(6, modes);
    for (int j = 0; j < modes; ++j) {
      const BeamShape& shape = shapes[static_cast<std::size_t>(j)];
      if (k == 0) continue;  // clamped, to the last digit
      node.shapes(1, j) = shape.value(node.at_m.x());
      node.shapes(5, j) = shape.slope(node.at_m.x());
    }
    body->nodes.push_back(node);
  }
  body->frequencies_rad_s.resize(modes);
  for (int j = 0; j < modes; ++j) {
    body->frequencies_rad_s[j] = 10 * std::pow(shapes[static_cast<std::size_t>(j)].wave_number_1_m, 2);
  }
  if (with_mass) body->mass = 0.25 * MatX::Identity(modes, modes);
  return body;
}

ElasticSpec spec_of(std::shared_ptr<const ElasticNodes> nodes) {
  ElasticSpec spec;
  spec.nodes = std::move(nodes);
  return spec;
}

// From the frequencies alone they are kept, up to what the nodes' masses couple the modes, which falls with the square
// of the distance. With the modal mass the stiffness is that of the beam, and the frequencies have the error of the
// masses.
TEST(ElasticNodes, GiveTheFrequenciesOfTheFileOrItsStiffness) {
  for (const bool with_mass : {false, true}) {
    const auto mechanism = Mechanism::build(held_beam(spec_of(cantilever_nodes(200, 3, with_mass)), "fixed"));
    const VecX w = frequencies_at_rest(*mechanism);
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(w[j] / kFrequencies[j], 1, with_mass ? 1e-4 : 1e-6) << j;
    EXPECT_NEAR(mechanism->bodies[1].mass_kg, 1, 1e-12);
  }
}

TEST(ElasticNodes, BendUnderATipForceAsTheSameShapesDo) {
  const auto tip = [](const ElasticSpec& spec) {
    MechanismSpec held = held_beam(spec, "fixed");
    AppliedLoadSpec load;
    load.name = "pull";
    load.body = "beam";
    load.at_m = Vec3(1, 0, 0);
    load.value[1] = Expression::constant(-1);
    held.loads.push_back(load);
    const auto mechanism = Mechanism::build(held);
    const VecX zero = VecX::Zero(6);
    return solve_dense(mechanism->elastic_bodies[0].stiffness, forces_at(*mechanism, zero, zero)).sum();
  };
  const double by_shapes = tip(reference_beam(6)), by_nodes = tip(spec_of(cantilever_nodes(100, 6, true)));
  EXPECT_NEAR(by_nodes, by_shapes, 1e-9 * std::abs(by_shapes));
  EXPECT_NEAR(by_nodes, -1.0 / 300, 2e-3 / 300);
}

// On a hinge, turning, with the foreshortening that follows from the nodes' slopes: accelerations converge to those of
// the beam with the square of the distance of the nodes.
TEST(ElasticNodes, MoveAsTheBeamDoes) {
  const auto accelerations = [](const ElasticSpec& spec) {
    MechanismSpec held = held_beam(spec, "revolute");
    held.gravity_m_s2 = Vec3(0, -9.81, 0);
    const auto mechanism = Mechanism::build(held);
    VecX q(4), u(4);
    q << 0.4, 0.02, -0.01, 0.005;
    u << 30, -1, 0.5, 0.2;
    return solve_dense(mass_at(*mechanism, q), forces_at(*mechanism, q, u));
  };
  const VecX exact = accelerations(reference_beam(3));
  const auto error = [&](int intervals) {
    return (accelerations(spec_of(cantilever_nodes(intervals, 3, false))) - exact).norm() / exact.norm();
  };
  const double coarse = error(50), fine = error(100);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2);
}

// Lagrange's equations by difference quotients, with nodes beside the axis and rotary inertias, in space, on a joint
// that sits on a node which moves in the frame.
TEST(ElasticNodes, ForcesAreThoseOfLagrange) {
  RandomMechanism random(Space::kSpatial, 7);
  auto body = std::make_shared<ElasticNodes>();
  constexpr int kModes = 3;
  for (int k = 0; k < 12; ++k) {
    ElasticNode node;
    node.name = std::to_string(k);
    node.at_m = Vec3(random.uniform(-1, 1), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5));
    node.mass_kg = random.uniform(0.1, 0.5);
    node.inertia_kg_m2 = Vec3(0.01, 0.012, 0.015);
    node.shapes.resize(6, kModes);
    for (int i = 0; i < node.shapes.size(); ++i) node.shapes.data()[i] = random.uniform(-1, 1);
    body->nodes.push_back(node);
  }
  body->stiffness = 50 * MatX::Identity(kModes, kModes);
  body->stiffness(0, 1) = body->stiffness(1, 0) = 10;
  MechanismSpec spec = held_beam(spec_of(body), "revolute");
  spec.space = Space::kSpatial;
  spec.gravity_m_s2 = Vec3(1, -3, -9);
  spec.joints[0].axis = Vec3(0.2, 0.5, 1);
  spec.joints[0].at_child_m = body->nodes[4].at_m + Vec3(0.01, -0.02, 0.03);
  const auto mechanism = Mechanism::build(spec);
  const int n = mechanism->velocity_count();
  ASSERT_EQ(n, 1 + kModes);
  constexpr double kStep = 1e-5;
  const auto dynamics = mechanism->make_dynamics();
  for (std::uint64_t draw = 0; draw < 10; ++draw) {
    const ElasticState state = random_elastic_state(*mechanism, 900 + draw);
    const auto potential = [&](const VecX& q) {
      dynamics->set_position(0, q);
      return dynamics->potential_energy();
    };
    const auto energy = [&](const VecX& q) { return 0.5 * state.u.dot(mass_at(*mechanism, q) * state.u); };
    VecX expected = -(mass_at(*mechanism, state.q + kStep * state.u) - mass_at(*mechanism, state.q - kStep * state.u)) *
                    state.u / (2 * kStep);
    for (int k = 0; k < n; ++k) {
      const VecX ahead = state.q + kStep * VecX::Unit(n, k), behind = state.q - kStep * VecX::Unit(n, k);
      expected[k] += (energy(ahead) - energy(behind) - potential(ahead) + potential(behind)) / (2 * kStep);
    }
    const VecX h = forces_at(*mechanism, state.q, state.u);
    EXPECT_LT((h - expected).norm(), 1e-7 * (1 + h.norm())) << draw;
    dynamics->set_position(0, state.q);
    dynamics->set_velocity(state.u);
    EXPECT_NEAR(energy(state.q), dynamics->energies().kinetic, 1e-12 * energy(state.q));
  }
}

std::string refusal_of(const std::function<void(ElasticNodes&)>& change, const Vec3& joint_at = Vec3::Zero()) {
  const auto body = cantilever_nodes(20, 2, true);
  change(*body);
  try {
    MechanismSpec spec = held_beam(spec_of(body), "fixed");
    spec.joints[0].at_child_m = joint_at;
    Mechanism::build(spec);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(ElasticNodes, WrongBodiesAreRefused) {
  using testing::HasSubstr;
  const auto nothing = [](ElasticNodes&) {};
  EXPECT_EQ(refusal_of(nothing), "");
  EXPECT_THAT(refusal_of(nothing, Vec3(1.2, 0, 0)), HasSubstr("joints.root.at_child"));
  EXPECT_EQ(refusal_of(nothing, Vec3(1.05, 0.05, 0)), "");
  EXPECT_THAT(refusal_of([](ElasticNodes& b) { b.nodes.clear(); }), HasSubstr("it has 0 modes"));
  EXPECT_THAT(refusal_of([](ElasticNodes& b) { b.nodes[3].shapes.resize(6, 1); }), HasSubstr("node 3"));
  EXPECT_THAT(refusal_of([](ElasticNodes& b) { b.nodes[3].shapes(1, 0) = std::nan(""); }), HasSubstr("not finite"));
  EXPECT_THAT(refusal_of([](ElasticNodes& b) { b.nodes[3].at_m.z() = 1; }), HasSubstr("not in the plane"));
  EXPECT_THAT(refusal_of([](ElasticNodes& b) { b.frequencies_rad_s.resize(1); }), HasSubstr("1 frequencies for 2"));
  EXPECT_THAT(refusal_of([](ElasticNodes& b) { b.mass.resize(1, 1); }), HasSubstr("2 x 2"));
  EXPECT_THAT(refusal_of([](ElasticNodes& b) { b.frequencies_rad_s.resize(0); }), HasSubstr("either a stiffness"));
  EXPECT_THAT(refusal_of([](ElasticNodes& b) { b.mass(1, 1) = 0.4; }), HasSubstr("the modal mass of mode 2 is 0.4 kg"));
  EXPECT_THAT(refusal_of([](ElasticNodes& b) { b.frequencies_rad_s[1] = 0; }), HasSubstr("mode 2 finds no resistance"));
  EXPECT_THAT(refusal_of([](ElasticNodes& b) {
                b.frequencies_rad_s.resize(0);
                b.stiffness = MatX::Ones(2, 2);
                b.stiffness(0, 1) = b.stiffness(1, 0) = 2;
              }),
              HasSubstr("the stiffness is indefinite"));
  EXPECT_THAT(refusal_of([](ElasticNodes& b) {
                b.frequencies_rad_s.resize(0);
                b.stiffness = MatX::Identity(2, 2);
                b.stiffness(0, 1) = 0.5;
              }),
              HasSubstr("not symmetric"));
  EXPECT_THAT(refusal_of([](ElasticNodes& b) { b.mass(1, 1) = -1; }), HasSubstr("mass of the modes"));
  EXPECT_THAT(refusal_of([](ElasticNodes& b) {
                for (ElasticNode& node : b.nodes) node.turns = false;
              }),
              HasSubstr("no node has rotations"));
}

// The rigid motions of a free body, which every finite-element program lists first.
TEST(ElasticNodes, RigidBodyModesAreRefused) {
  EXPECT_THAT(refusal_of([](ElasticNodes& b) {
                b.mass.resize(0, 0);
                for (ElasticNode& node : b.nodes) {
                  node.shapes(1, 1) = 0.3 + 0.5 * node.at_m.x();
                  node.shapes(5, 1) = 0.5;
                }
              }),
              testing::HasSubstr("mode 2 is a motion of the rigid body"));
}

}  // namespace
}  // namespace freeplay::test::elastic_nodes_test
