// Markers against finite differences, on random trees: pose, velocity, Jacobian and bias say the same thing.
#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/body_dynamics.h"
#include "random_mechanism.h"

namespace freeplay::test::marker_test {
namespace {

constexpr double kStep = 1e-5;

// A random tree with markers all over it, the ground included, and a random state of it.
struct MarkedTree {
  MarkedTree(Space space, std::uint64_t seed) : random(space, seed) {
    MechanismSpec spec = random.tree(random.integer(1, 8));
    for (int i = 0; i < 6; ++i) {
      const int body = random.integer(0, static_cast<int>(spec.bodies.size()));
      const Mat3 R = space == Space::kPlanar
                         ? Mat3(Eigen::AngleAxisd(random.uniform(-3, 3), Vec3::UnitZ()).toRotationMatrix())
                         : rotation_between(random.vector(1), random.vector(1));
      spec.markers.push_back({body == 0 ? "ground" : fmt::format("b{}", body), {R, random.vector(1)}});
    }
    mechanism = Mechanism::build(spec);
    for (std::size_t i = 0; i < mechanism->markers.size(); ++i) {
      markers.push_back(MarkerIndex{static_cast<std::int32_t>(i)});
    }
    state = random.state(*mechanism);
    system = mechanism->make_dynamics();
    dynamics = dynamic_cast<BodyDynamics*>(system.get());
    scale = 1 + state.u.squaredNorm();
  }

  // At the state after the time h at constant u: along  dq/dt = T(q) u,  du/dt = 0.
  void go_to(double h) {
    VecX q = state.q;
    dynamics->displace(q, h * state.u);
    dynamics->set_position(state.t + h, q);
    dynamics->set_velocity(state.u);
  }
  std::vector<Frame> poses(double h) {
    go_to(h);
    std::vector<Frame> result(markers.size());
    dynamics->placements(markers, result);
    return result;
  }
  std::vector<MarkerVelocity> velocities(double h) {
    go_to(h);
    std::vector<MarkerVelocity> result(markers.size());
    dynamics->velocities(markers, result);
    return result;
  }

  RandomMechanism random;
  std::shared_ptr<const Mechanism> mechanism;
  std::vector<MarkerIndex> markers;
  State state;
  std::unique_ptr<Dynamics> system;
  BodyDynamics* dynamics = nullptr;
  double scale = 1;
};

class Markers : public testing::TestWithParam<Space> {};

TEST_P(Markers, VelocityIsTheRateOfThePose) {
  for (std::uint64_t draw = 0; draw < 300; ++draw) {
    SCOPED_TRACE(draw);
    MarkedTree tree(GetParam(), 41000 + draw);
    const std::vector<Frame> before = tree.poses(-kStep), after = tree.poses(kStep), now = tree.poses(0);
    const std::vector<MarkerVelocity> velocity = tree.velocities(0);
    for (std::size_t i = 0; i < now.size(); ++i) {
      EXPECT_LT(((after[i].p - before[i].p) / (2 * kStep) - velocity[i].v).norm(), 1e-7 * tree.scale);
      // dR/dt = w x R
      const Mat3 R_rate = (after[i].R - before[i].R) / (2 * kStep);
      EXPECT_LT((R_rate - skew(velocity[i].w) * now[i].R).norm(), 1e-7 * tree.scale);
    }
  }
}

// Velocities are linear in u: unit velocities give the derivative without a difference quotient.
TEST_P(Markers, JacobianIsTheDerivativeOfTheVelocityByU) {
  for (std::uint64_t draw = 0; draw < 300; ++draw) {
    SCOPED_TRACE(draw);
    MarkedTree tree(GetParam(), 42000 + draw);
    const int n = tree.mechanism->velocity_count();
    tree.dynamics->set_position(0, tree.state.q);
    std::vector<MatX> W(tree.markers.size(), MatX::Constant(n, 6, 7));  // what was there before does not count
    for (std::size_t i = 0; i < W.size(); ++i) tree.dynamics->marker_columns(tree.markers[i], W[i]);
    for (int k = 0; k < n; ++k) {
      tree.dynamics->set_velocity(VecX::Unit(n, k));
      std::vector<MarkerVelocity> velocity(tree.markers.size());
      tree.dynamics->velocities(tree.markers, velocity);
      for (std::size_t i = 0; i < W.size(); ++i) {
        EXPECT_LT((W[i].row(k).head<3>().transpose() - velocity[i].v).norm(), 1e-13);
        EXPECT_LT((W[i].row(k).tail<3>().transpose() - velocity[i].w).norm(), 1e-13);
      }
    }
  }
}

TEST_P(Markers, BiasIsTheAccelerationAtConstantU) {
  for (std::uint64_t draw = 0; draw < 300; ++draw) {
    SCOPED_TRACE(draw);
    MarkedTree tree(GetParam(), 43000 + draw);
    const std::vector<MarkerVelocity> before = tree.velocities(-kStep), after = tree.velocities(kStep);
    tree.go_to(0);
    std::vector<MarkerBias> bias(tree.markers.size());
    tree.dynamics->biases(tree.markers, bias);
    for (std::size_t i = 0; i < bias.size(); ++i) {
      const Vec3 acceleration = (after[i].v - before[i].v) / (2 * kStep);
      const Vec3 angular_acceleration = (after[i].w - before[i].w) / (2 * kStep);
      const double tolerance = 1e-7 * tree.scale * std::sqrt(tree.scale);
      EXPECT_LT((bias[i].acceleration + tree.mechanism->gravity - acceleration).norm(), tolerance);
      EXPECT_LT((bias[i].angular_acceleration - angular_acceleration).norm(), tolerance);
    }
  }
}

TEST_P(Markers, AnInteractionIsAForceAtOneAndTheOppositeAtTheOther) {
  for (std::uint64_t draw = 0; draw < 100; ++draw) {
    SCOPED_TRACE(draw);
    MarkedTree tree(GetParam(), 44000 + draw);
    const int n = tree.mechanism->velocity_count();
    const std::vector<Frame> at = tree.poses(0);
    MatX W_a(n, 6), W_b(n, 6);
    for (std::size_t a = 0; a < at.size(); ++a) {
      const std::size_t b = (a + 1) % at.size();
      const Vec3 direction = tree.random.vector(1);
      const Interaction interaction{tree.markers[a], tree.markers[b], direction, at[a].p, at[b].p};
      std::array<RowPart, 2> parts;
      VecX values(n), column = VecX::Zero(n);
      tree.dynamics->interaction_parts(interaction, parts, values.data());
      const double* value = values.data();
      for (const RowPart& part : parts) {
        for (int k = part.first; k < part.first + part.size; ++k) column[k] = *value++;
      }
      tree.dynamics->marker_columns(tree.markers[a], W_a);
      tree.dynamics->marker_columns(tree.markers[b], W_b);
      EXPECT_LT((column - (W_a - W_b).leftCols<3>() * direction).norm(), 1e-13 * (1 + W_a.norm() + W_b.norm()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Spaces, Markers, testing::Values(Space::kPlanar, Space::kSpatial),
                         [](const auto& space) { return space.param == Space::kPlanar ? "Planar" : "Spatial"; });

TEST(Marker, OfTheDescriptionIsWhereItWasPut) {
  MechanismSpec spec;
  spec.bodies.resize(1);
  spec.bodies[0].name = "plate";
  spec.bodies[0].mass_kg = spec.bodies[0].inertia_kg_m2(2, 2) = 1;
  spec.bodies[0].initial.position_m = {4, 5, std::nullopt};
  spec.bodies[0].initial.angle = std::acos(0.0);
  spec.markers = {{"ground", {Mat3::Identity(), {1, 2, 0}}}, {"plate", {Mat3::Identity(), {1, 2, 0}}}};
  const auto mechanism = Mechanism::build(spec);
  const auto system = mechanism->make_dynamics();
  system->set_position(0, mechanism->initial_state().q);
  const std::array<MarkerIndex, 3> markers{mechanism->given_marker(0), mechanism->given_marker(1),
                                           marker_of(BodyIndex{1})};
  std::array<Frame, 3> at;
  dynamic_cast<BodyDynamics&>(*system).placements(markers, at);
  EXPECT_LT((at[0].p - Vec3(1, 2, 0)).norm(), 1e-15);
  EXPECT_LT((at[1].p - Vec3(4 - 2, 5 + 1, 0)).norm(), 1e-15);  // turned by a quarter
  EXPECT_LT((at[1].R.col(0) - Vec3(0, 1, 0)).norm(), 1e-15);
  EXPECT_LT((at[2].p - Vec3(4, 5, 0)).norm(), 1e-15);
}

TEST(Marker, OnAnUnknownBodyIsAnErrorThatSaysWhich) {
  MechanismSpec spec;
  spec.markers = {{"ground", {}}, {"plate", {}}};
  try {
    static_cast<void>(Mechanism::build(spec));
    FAIL() << "no error";
  } catch (const ModelError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1U);
    EXPECT_EQ(error.diagnostics()[0].path, "markers[1].body");
  }
}

}  // namespace
}  // namespace freeplay::test::marker_test
