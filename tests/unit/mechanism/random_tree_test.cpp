// Random trees against finite differences and Newton-Euler equations written body by body.
#include <gtest/gtest.h>

#include "random_mechanism.h"

namespace freeplay::test::random_tree_test {
namespace {

constexpr int kDraws = 1000;  // per space and claim
constexpr double kStep = 1e-5;

class RandomTree : public testing::TestWithParam<Space> {
 protected:
  template <class Check>
  void for_each_draw(Check check) {
    for (int draw = 0; draw < kDraws; ++draw) {
      SCOPED_TRACE(draw);
      RandomMechanism random(GetParam(), 1000 + static_cast<std::uint64_t>(draw));
      check(random, random.integer(1, 10));
      if (HasFatalFailure()) return;
    }
  }
};

// The state a time h later if the accelerations are constant, to second order in h.
State moved(const Mechanism& mechanism, const State& state, const VecX& du, double h) {
  State later = state;
  mechanism.make_dynamics()->displace(later.q, h * state.u + 0.5 * h * h * du);
  later.u += h * du;
  return later;
}

TEST_P(RandomTree, VelocitiesOfAllBodiesAreTheDerivativesOfTheirPoses) {
  for_each_draw([](RandomMechanism& random, int bodies) {
    const auto mechanism = Mechanism::build(random.tree(bodies));
    const State state = random.state(*mechanism);
    const auto dynamics = mechanism->make_dynamics();
    const ChannelProbe probe(*mechanism, *dynamics);
    const VecX zero = VecX::Zero(mechanism->velocity_count());
    const State before = moved(*mechanism, state, zero, -kStep), after = moved(*mechanism, state, zero, kStep);
    for (int i = 1; i <= bodies; ++i) {
      const std::string body = fmt::format("b{}", i);
      dynamics->set_position(0, before.q);
      const Vec3 p_before = probe.position(body);
      const Mat3 R_before = probe.rotation(body);
      dynamics->set_position(0, after.q);
      const Vec3 p_after = probe.position(body);
      const Mat3 R_after = probe.rotation(body);
      dynamics->set_position(0, state.q);
      dynamics->set_velocity(state.u);
      const double scale = 1 + probe.velocity(body).norm() + probe.omega(body).norm();
      EXPECT_LT(((p_after - p_before) / (2 * kStep) - probe.velocity(body)).norm(), 2e-8 * scale * scale * scale);
      const Mat3 rate = (R_after - R_before) / (2 * kStep);
      EXPECT_LT((rate - skew(probe.omega(body)) * probe.rotation(body)).norm(), 2e-8 * scale * scale * scale);
    }
  });
}

// In order, as a recorder reads them, and in an order that keeps no vector together.
TEST_P(RandomTree, ChannelsReadTogetherAreThoseReadOneByOne) {
  for_each_draw([](RandomMechanism& random, int bodies) {
    const auto mechanism = Mechanism::build(random.tree(bodies));
    const State state = random.state(*mechanism);
    const auto dynamics = mechanism->make_dynamics();
    dynamics->set_position(0, state.q);
    dynamics->set_velocity(state.u);
    VecX du(mechanism->velocity_count());
    ASSERT_TRUE(dynamics->free_accelerations(du));
    dynamics->set_accelerations(du, VecX());
    std::vector<int> order(mechanism->channels().size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::vector<double> together(order.size());
    for (int turn = 0; turn < 2; ++turn) {
      dynamics->read_channels(order, together);
      for (std::size_t i = 0; i < order.size(); ++i) {
        double alone = 0;
        dynamics->read_channels(std::span(&order[i], 1), std::span(&alone, 1));
        EXPECT_EQ(together[i], alone) << mechanism->channels()[static_cast<std::size_t>(order[i])].name;
      }
      for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
    }
  });
}

TEST_P(RandomTree, CoordinateRatesAreTheDerivativeOfADisplacement) {
  for_each_draw([](RandomMechanism& random, int bodies) {
    const auto mechanism = Mechanism::build(random.tree(bodies));
    const State state = random.state(*mechanism);
    const auto dynamics = mechanism->make_dynamics();
    VecX before = state.q, after = state.q, rate(state.q.size());
    dynamics->displace(before, -kStep * state.u);
    dynamics->displace(after, kStep * state.u);
    dynamics->velocity_to_rate(state.q, state.u, rate);
    EXPECT_LT(((after - before) / (2 * kStep) - rate).norm(), 1e-8);
  });
}

// M du - h  =  sum over bodies of J_v^T m (a - g) + J_w^T d(J w)/dt, with accelerations by finite differences and the
// columns of J from unit velocities. Covers M, h and every velocity-dependent term.
TEST_P(RandomTree, EquationsOfMotionAreNewtonEulerForEveryBody) {
  for_each_draw([](RandomMechanism& random, int bodies) {
    const MechanismSpec spec = random.tree(bodies);
    const auto mechanism = Mechanism::build(spec);
    const State state = random.state(*mechanism);
    const auto dynamics = mechanism->make_dynamics();
    const ChannelProbe probe(*mechanism, *dynamics);
    const int n = mechanism->velocity_count();
    if (n == 0) return;
    const VecX du = random.velocities(*mechanism, 5);

    const auto momentum = [&](const State& s, std::size_t i) {
      dynamics->set_position(0, s.q);
      dynamics->set_velocity(s.u);
      const Mat3 R = probe.rotation(spec.bodies[i].name);
      Eigen::Matrix<double, 6, 1> result;
      result << spec.bodies[i].mass_kg * probe.velocity(spec.bodies[i].name),
          R * spec.bodies[i].inertia_kg_m2 * R.transpose() * probe.omega(spec.bodies[i].name);
      return result;
    };
    const State before = moved(*mechanism, state, du, -kStep), after = moved(*mechanism, state, du, kStep);
    VecX expected = VecX::Zero(n);
    double scale = 1;
    for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
      Eigen::Matrix<double, 6, 1> rate = (momentum(after, i) - momentum(before, i)) / (2 * kStep);
      rate.head<3>() -= spec.bodies[i].mass_kg * spec.gravity_m_s2;
      dynamics->set_position(0, state.q);
      for (int k = 0; k < n; ++k) {
        dynamics->set_velocity(VecX::Unit(n, k));
        expected[k] += rate.head<3>().dot(probe.velocity(spec.bodies[i].name)) +
                       rate.tail<3>().dot(probe.omega(spec.bodies[i].name));
      }
      scale = std::max(scale, rate.norm());
    }

    dynamics->set_position(0, state.q);
    dynamics->set_velocity(state.u);
    MassMatrix M(mechanism->mass_structure());
    dynamics->mass_matrix(M);
    VecX h(n), actual(n);
    dynamics->forces(h);
    M.multiply(du, actual);
    actual -= h;
    EXPECT_LT((actual - expected).norm(), 1e-6 * scale * n);
  });
}

// The reaction of joint i carries everything behind it: the rates of momentum minus weights of its subtree.
TEST_P(RandomTree, ReactionsBalanceTheMomentumOfTheSubtreeBehindTheJoint) {
  for_each_draw([](RandomMechanism& random, int bodies) {
    const MechanismSpec spec = random.tree(bodies);
    const auto mechanism = Mechanism::build(spec);
    const State state = random.state(*mechanism);
    const auto dynamics = mechanism->make_dynamics();
    const ChannelProbe probe(*mechanism, *dynamics);
    VecX du(mechanism->velocity_count());
    dynamics->set_position(0, state.q);
    dynamics->set_velocity(state.u);
    ASSERT_TRUE(dynamics->free_accelerations(du));
    const State before = moved(*mechanism, state, du, -kStep), after = moved(*mechanism, state, du, kStep);

    for (std::size_t j = 0; j < spec.joints.size(); ++j) {
      const JointSpec& joint = spec.joints[j];
      std::vector<bool> behind(spec.bodies.size(), false);
      behind[j] = true;  // body j+1 is the child of joint j+1, and later bodies hang on earlier ones
      for (std::size_t i = j + 1; i < spec.bodies.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k)
          behind[i] = behind[i] || (behind[k] && spec.joints[i].parent == spec.bodies[k].name);
      }
      dynamics->set_position(0, state.q);
      dynamics->set_velocity(state.u);
      dynamics->set_accelerations(du, VecX());
      const Mat3 R_child = probe.rotation(joint.child);
      const Vec3 point = probe.position(joint.child) + R_child * joint.at_child_m;
      const Mat3 R_parent = joint.parent == "ground" ? Mat3(Mat3::Identity()) : probe.rotation(joint.parent);
      const Mat3 axes = R_parent * mechanism->marker(mechanism->joints[j].parent_marker).place.R;
      const bool planar = GetParam() == Space::kPlanar;
      const Vec3 force = axes * probe.vector(joint.name, ".force_x", ".force_y", ".force_z");
      const Vec3 moment = planar ? Vec3(0, 0, probe(joint.name + ".moment"))
                                 : Vec3(axes * probe.vector(joint.name, ".moment_x", ".moment_y", ".moment_z"));

      Vec3 force_sum = Vec3::Zero(), moment_sum = Vec3::Zero();
      for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
        if (!behind[i]) continue;
        const BodySpec& body = spec.bodies[i];
        Vec3 p[2], L[2];
        for (const int side : {0, 1}) {
          const State& s = side == 0 ? before : after;
          dynamics->set_position(0, s.q);
          dynamics->set_velocity(s.u);
          const Mat3 R = probe.rotation(body.name);
          p[side] = body.mass_kg * probe.velocity(body.name);
          L[side] = R * body.inertia_kg_m2 * R.transpose() * probe.omega(body.name);
        }
        dynamics->set_position(0, state.q);
        const Vec3 f = (p[1] - p[0]) / (2 * kStep) - body.mass_kg * spec.gravity_m_s2;
        force_sum += f;
        moment_sum += (L[1] - L[0]) / (2 * kStep) + (probe.position(body.name) - point).cross(f);
      }
      const double scale = 1 + force_sum.norm() + moment_sum.norm() + du.norm() + state.u.squaredNorm();
      EXPECT_LT((force - force_sum).norm(), 1e-6 * scale);
      EXPECT_LT((moment - moment_sum).norm(), 1e-6 * scale);
    }
  });
}

// Deep trees are solved by the articulated-body recursion, shallow ones by the mass matrix itself.
TEST_P(RandomTree, FreeAccelerationsSolveTheEquationsOfTheMassMatrixInShallowAndDeepTrees) {
  for_each_draw([](RandomMechanism& random, int bodies) {
    MechanismSpec spec = random.tree(bodies + random.integer(0, 1) * 15);
    random.add_springs(spec, 3);
    const auto mechanism = Mechanism::build(spec);
    const State state = random.state(*mechanism);
    const auto dynamics = mechanism->make_dynamics();
    dynamics->set_position(0, state.q);
    dynamics->set_velocity(state.u);
    VecX du(mechanism->velocity_count()), h(mechanism->velocity_count());
    ASSERT_TRUE(dynamics->free_accelerations(du));
    MassMatrix M(mechanism->mass_structure());
    dynamics->mass_matrix(M);
    const MatX dense = M.to_dense();
    dynamics->forces(h);
    EXPECT_LT((dense * du - h).norm(), 1e-11 * (1 + h.norm() + dense.norm() * du.norm()));
    ASSERT_TRUE(M.factor());
    M.solve_in_place(h);
    EXPECT_LT((h - du).norm(), 1e-9 * (1 + du.norm()));
  });
}

TEST_P(RandomTree, KineticEnergyIsTheQuadraticFormOfTheMassMatrix) {
  for_each_draw([](RandomMechanism& random, int bodies) {
    const auto mechanism = Mechanism::build(random.tree(bodies));
    const State state = random.state(*mechanism);
    const auto dynamics = mechanism->make_dynamics();
    dynamics->set_position(0, state.q);
    dynamics->set_velocity(state.u);
    MassMatrix M(mechanism->mass_structure());
    dynamics->mass_matrix(M);
    VecX p(mechanism->velocity_count());
    M.multiply(state.u, p);
    const double kinetic = dynamics->energies().kinetic;
    EXPECT_NEAR(0.5 * state.u.dot(p), kinetic, 1e-12 * (1 + kinetic));
  });
}

// Work: springs take d(potential)/dt and the damping power out of the motion, gravity is part of the potential.
TEST_P(RandomTree, SpringForcesAreThePotentialsGradientPlusDamping) {
  for_each_draw([](RandomMechanism& random, int bodies) {
    MechanismSpec spec = random.tree(bodies);
    random.add_springs(spec, 4);
    const auto mechanism = Mechanism::build(spec);
    const State state = random.state(*mechanism);
    const auto dynamics = mechanism->make_dynamics();
    const VecX zero = VecX::Zero(mechanism->velocity_count());
    const State before = moved(*mechanism, state, zero, -kStep), after = moved(*mechanism, state, zero, kStep);
    dynamics->set_position(0, after.q);
    const double potential_after = dynamics->potential_energy();
    dynamics->set_position(0, before.q);
    const double rate = (potential_after - dynamics->potential_energy()) / (2 * kStep);
    dynamics->set_position(0, state.q);
    dynamics->set_velocity(state.u);
    const Powers powers = dynamics->powers(VecX());
    EXPECT_GE(powers.damping, 0);
    EXPECT_EQ(powers.input, 0);
    // Power of all forces = du/dt-independent part: h minus the velocity terms, which do no work beyond dK/dt.
    VecX du(mechanism->velocity_count());
    ASSERT_TRUE(dynamics->free_accelerations(du));
    const State kinetic_before = moved(*mechanism, state, du, -kStep),
                kinetic_after = moved(*mechanism, state, du, kStep);
    dynamics->set_position(0, kinetic_after.q);
    dynamics->set_velocity(kinetic_after.u);
    const double K_after = dynamics->energies().kinetic;
    dynamics->set_position(0, kinetic_before.q);
    dynamics->set_velocity(kinetic_before.u);
    const double kinetic_rate = (K_after - dynamics->energies().kinetic) / (2 * kStep);
    const double scale = 1 + std::abs(rate) + std::abs(kinetic_rate) + state.u.squaredNorm() + du.squaredNorm();
    EXPECT_NEAR(kinetic_rate, -rate - powers.damping, 1e-6 * scale);
  });
}

INSTANTIATE_TEST_SUITE_P(Spaces, RandomTree, testing::Values(Space::kPlanar, Space::kSpatial),
                         [](const auto& space) { return space.param == Space::kPlanar ? "Planar" : "Spatial"; });

}  // namespace
}  // namespace freeplay::test::random_tree_test
