// Free bodies alone are evaluated without a tree: same positions, velocities, forces, rows and channels as by the
// recursions over one.
#include <gtest/gtest.h>

#include <functional>

#include "freeplay/mechanism/dynamics/free_bodies.h"
#include "freeplay/mechanism/dynamics/mechanism_dynamics.h"
#include "random_mechanism.h"

namespace freeplay::test::free_bodies_test {
namespace {

constexpr int kBodies = 9;
constexpr double kRounding = 1e-13;

MechanismSpec some_bodies() {
  RandomMechanism random(Space::kSpatial, 11);
  MechanismSpec spec;
  spec.space = Space::kSpatial;
  spec.gravity_m_s2 = {0.3, -1, -9.81};
  for (int i = 0; i < kBodies; ++i) {
    BodySpec body;
    body.name = fmt::format("b{}", i);
    body.mass_kg = random.uniform(0.5, 3);
    body.inertia_kg_m2 = Vec3(0.3, 0.4, 0.5).asDiagonal();
    // Some with products of inertia, one a ball.
    if (i % 2 == 0) body.inertia_kg_m2(0, 1) = body.inertia_kg_m2(1, 0) = random.uniform(-0.1, 0.1);
    if (i == 5) body.inertia_kg_m2 = 0.4 * Mat3::Identity();
    spec.bodies.push_back(body);
  }
  MarkerSpec marker;
  marker.body = "b4";
  marker.place = {rotation_between({1, 0, 0}, Vec3(1, 2, 2) / 3), {0.1, -0.2, 0.3}};
  spec.markers.push_back(marker);
  return spec;
}

struct BothWays {
  BothWays() {
    mechanism = Mechanism::build(some_bodies());
    by_arrays = std::make_unique<FreeBodies>(mechanism);
    by_tree = make_spatial_dynamics(mechanism);
    RandomMechanism random(Space::kSpatial, 5);
    q = VecX::Zero(mechanism->coordinate_count());
    u = VecX::Zero(mechanism->velocity_count());
    for (double& x : q) x = random.uniform(-1, 1);
    for (double& x : u) x = random.uniform(-3, 3);
    by_tree->normalise(q);
    for (BodyDynamics* dynamics : {by_arrays.get(), by_tree.get()}) {
      dynamics->set_position(0.5, q);
      dynamics->set_velocity(u);
    }
  }
  std::shared_ptr<const Mechanism> mechanism;
  std::unique_ptr<BodyDynamics> by_arrays, by_tree;
  VecX q, u;
};

// One number per velocity or coordinate, by both.
void expect_same(BothWays& both, Eigen::Index size, const std::function<void(BodyDynamics&, VecRef)>& write) {
  VecX arrays = VecX::Zero(size), tree = VecX::Zero(size);
  write(*both.by_arrays, arrays);
  write(*both.by_tree, tree);
  EXPECT_LT((arrays - tree).cwiseAbs().maxCoeff(), kRounding * std::max(1.0, tree.cwiseAbs().maxCoeff()));
}

TEST(FreeBodies, AreRecognised) {
  BothWays both;
  EXPECT_TRUE(has_free_bodies_alone(*both.mechanism));
  MechanismSpec spec = some_bodies();
  JointSpec joint;
  joint.name = "hinge";
  joint.type = "revolute";
  joint.parent = "ground";
  joint.child = "b0";
  joint.axis = Vec3::UnitZ();
  spec.joints.push_back(joint);
  EXPECT_FALSE(has_free_bodies_alone(*Mechanism::build(spec)));
}

TEST(FreeBodies, HaveTheForcesAndAccelerationsOfATree) {
  BothWays both;
  const Eigen::Index n = both.u.size();
  expect_same(both, n, [](BodyDynamics& dynamics, VecRef out) { dynamics.forces(out); });
  expect_same(both, n, [](BodyDynamics& dynamics, VecRef out) { ASSERT_TRUE(dynamics.free_accelerations(out)); });
  // With loads between two bodies, and from the ground.
  for (BodyDynamics* dynamics : {both.by_arrays.get(), both.by_tree.get()}) {
    dynamics->add_load({BodyIndex{2}, BodyIndex{5}, {1, 2, -0.5}, {0.1, 0, 0.3}, {0.2, 0.1, -0.3}}, 4);
    dynamics->add_load({BodyIndex{1}, kGround, {0, 1, -0.5}, {0.1, 0.7, 0.3}, {0.1, 0.7, 0.3}}, 2);
  }
  expect_same(both, n, [](BodyDynamics& dynamics, VecRef out) { dynamics.forces(out); });
  expect_same(both, n, [](BodyDynamics& dynamics, VecRef out) { dynamics.free_accelerations_again(out); });
  // They last until the next velocity.
  for (BodyDynamics* dynamics : {both.by_arrays.get(), both.by_tree.get()}) dynamics->set_velocity(both.u);
  expect_same(both, n, [](BodyDynamics& dynamics, VecRef out) { dynamics.forces(out); });
}

TEST(FreeBodies, HaveTheMassAndEnergyOfATree) {
  BothWays both;
  MassMatrix arrays(both.mechanism->mass_structure()), tree(both.mechanism->mass_structure());
  both.by_arrays->mass_matrix(arrays);
  both.by_tree->mass_matrix(tree);
  EXPECT_LT((arrays.to_dense() - tree.to_dense()).cwiseAbs().maxCoeff(), kRounding);
  EXPECT_TRUE(arrays.factor());
  EXPECT_NEAR(both.by_arrays->energies().kinetic, both.by_tree->energies().kinetic, 1e-12);
  EXPECT_NEAR(both.by_arrays->energies().potential, both.by_tree->energies().potential, 1e-12);
}

TEST(FreeBodies, MoveAsATreeDoes) {
  BothWays both;
  const Eigen::Index n = both.q.size();
  const VecX delta = 0.1 * both.u;
  expect_same(both, n, [&](BodyDynamics& dynamics, VecRef q) { dynamics.velocity_to_rate(both.q, both.u, q); });
  expect_same(both, n, [&](BodyDynamics& dynamics, VecRef q) {
    q = both.q;
    dynamics.displace(q, delta);
  });
  expect_same(both, n, [&](BodyDynamics& dynamics, VecRef q) {
    q = both.q;
    dynamics.displace_straight(q, delta);
  });
  expect_same(both, n, [&](BodyDynamics& dynamics, VecRef q) {
    q = 1.5 * both.q;
    EXPECT_TRUE(dynamics.normalise(q));
  });
}

TEST(FreeBodies, HaveTheMarkersAndRowsOfATree) {
  BothWays both;
  std::vector<MarkerIndex> markers;
  for (std::size_t i = 0; i < both.mechanism->markers.size(); ++i) markers.push_back(MarkerIndex(static_cast<int>(i)));
  const auto as_numbers = [&](BodyDynamics& dynamics, VecRef out) {
    std::vector<Frame> frames(markers.size());
    std::vector<MarkerVelocity> velocities(markers.size());
    std::vector<MarkerBias> biases(markers.size());
    dynamics.placements(markers, frames);
    dynamics.velocities(markers, velocities);
    dynamics.biases(markers, biases);
    for (std::size_t i = 0; i < markers.size(); ++i) {
      const Eigen::Index at = 24 * static_cast<Eigen::Index>(i);
      out.segment<9>(at) = frames[i].R.reshaped();
      out.segment<3>(at + 9) = frames[i].p;
      out.segment<3>(at + 12) = velocities[i].v;
      out.segment<3>(at + 15) = velocities[i].w;
      out.segment<3>(at + 18) = biases[i].acceleration;
      out.segment<3>(at + 21) = biases[i].angular_acceleration;
    }
  };
  expect_same(both, 24 * static_cast<Eigen::Index>(markers.size()), as_numbers);
  const MarkerIndex beside = both.mechanism->given_marker(0);
  expect_same(both, 6 * both.u.size(), [&](BodyDynamics& dynamics, VecRef out) {
    MatX W(both.u.size(), 6);
    dynamics.marker_columns(beside, W);
    out = W.reshaped();
  });
  const Interaction interactions[] = {{BodyIndex{3}, beside, {1, 0.5, -2}, {0.3, 0.2, 0.1}, {0.3, 0.2, 0.4}},
                                      {BodyIndex{3}, kGround, {1, 0.5, -2}, {0.3, 0.2, 0.1}, {0.3, 0.2, 0.4}},
                                      {kGround, BodyIndex{7}, {1, 0.5, -2}, {0.3, 0.2, 0.1}, {0.3, 0.2, 0.4}},
                                      {beside, BodyIndex{5}, {1, 0.5, -2}, {0.3, 0.2, 0.1}, {0.3, 0.2, 0.4}}};
  for (const Interaction& on : interactions) {
    expect_same(both, both.u.size(), [&](BodyDynamics& dynamics, VecRef out) {
      std::array<RowPart, 2> parts;
      double column[12];
      dynamics.interaction_parts(on, parts, column);
      const double* entry = column;
      for (const RowPart& part : parts) {
        for (int k = 0; k < part.size; ++k) out[part.first + k] += *entry++;
      }
    });
  }
}

// The rows of a contact all at once, as one by one.
TEST(FreeBodies, HaveThreeInteractionsAsOneByOne) {
  BothWays both;
  FreeBodies& dynamics = dynamic_cast<FreeBodies&>(*both.by_arrays);
  constexpr std::size_t kStride = 14;
  Mat3 directions;
  directions << 1, 0.3, -2, 0.5, 1, 0.2, -0.7, 0.1, 1;
  for (const auto& [a, b] : {std::pair(BodyIndex{3}, BodyIndex{5}), std::pair(BodyIndex{3}, kGround),
                             std::pair(kGround, BodyIndex{7}), std::pair(BodyIndex{4}, BodyIndex{4})}) {
    Interaction on{a, b, {}, {0.3, 0.2, 0.1}, {0.3, 0.2, 0.4}};
    std::array<RowPart, 2> parts[3];
    double columns[3 * kStride] = {};
    dynamics.three_interaction_parts(on, directions, {&parts[0], &parts[1], &parts[2]}, columns, kStride);
    for (int k = 0; k < 3; ++k) {
      on.direction = directions.col(k);
      std::array<RowPart, 2> expected;
      double column[12];
      dynamics.interaction_parts(on, expected, column);
      int entry = 0;
      for (std::size_t side = 0; side < 2; ++side) {
        EXPECT_EQ(parts[k][side].first, expected[side].first);
        ASSERT_EQ(parts[k][side].size, expected[side].size);
        for (int i = 0; i < expected[side].size; ++i, ++entry)
          EXPECT_NEAR(columns[static_cast<std::size_t>(k) * kStride + static_cast<std::size_t>(entry)], column[entry],
                      1e-14);
      }
    }
  }
}

TEST(FreeBodies, HaveTheChannelsOfATree) {
  BothWays both;
  std::vector<int> channels;
  for (std::size_t c = 0; c < both.mechanism->channels().size(); ++c) channels.push_back(static_cast<int>(c));
  ASSERT_GE(channels.size(), 13U * kBodies);
  const Eigen::Index count = static_cast<Eigen::Index>(channels.size());
  expect_same(both, count, [&](BodyDynamics& dynamics, VecRef out) {
    dynamics.read_channels(channels, std::span(out.data(), channels.size()));
  });
  // A quaternion keeps its sign while the body turns on, and in a run that goes on elsewhere.
  const std::vector<double> memory = both.by_tree->channel_memory();
  ASSERT_EQ(both.by_arrays->channel_memory().size(), memory.size());
  both.by_arrays->set_channel_memory(memory);
  for (BodyDynamics* dynamics : {both.by_arrays.get(), both.by_tree.get()}) {
    VecX q = both.q;
    dynamics->displace(q, 0.9 * both.u);
    dynamics->set_position(0.6, q);
    dynamics->set_velocity(both.u);
  }
  expect_same(both, count, [&](BodyDynamics& dynamics, VecRef out) {
    dynamics.read_channels(channels, std::span(out.data(), channels.size()));
  });
}

}  // namespace
}  // namespace freeplay::test::free_bodies_test
