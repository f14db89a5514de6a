// Trees of elastic and rigid bodies against Lagrange's equations, and a kinetic energy that is written down here by
// itself.
#include <gtest/gtest.h>

#include <cmath>

#include "elastic_models.h"
#include "freeplay/mechanism/description/beam_shapes.h"

namespace freeplay::test::elastic_tree_test {
namespace {

// The planar beams of elastic_tree() written out, with integrals over mass and foreshortening by Simpson's rule.
// Nothing of the mechanism is used, only its shape functions.
double kinetic_energy_by_hand(const VecX& q, const VecX& u, bool with_foreshortening) {
  struct Motion {
    Vec2 p, v;
    double angle = 0, omega = 0;
  };
  const auto turn = [](double angle, const Vec2& x) {
    return Vec2(std::cos(angle) * x.x() - std::sin(angle) * x.y(), std::sin(angle) * x.x() + std::cos(angle) * x.y());
  };
  // The place (s, offset) of a beam whose frame begins its axis at `at`.
  const auto place = [&](const Motion& at, const std::vector<BeamShape>& bending, const std::vector<BeamShape>& axial,
                         int first, double s, const Vec2& offset) {
    double x = s, y = 0, dx = 0, dy = 0, angle = 0, rate = 0;
    const auto slope_product = [&](double r, double& squared, double& product) {
      double slope = 0, slope_rate = 0;
      for (std::size_t j = 0; j < bending.size(); ++j) {
        slope += bending[j].slope(r) * q[first + static_cast<int>(j)];
        slope_rate += bending[j].slope(r) * u[first + static_cast<int>(j)];
      }
      squared = slope * slope, product = slope * slope_rate;
    };
    for (std::size_t j = 0; j < bending.size(); ++j) {
      const int k = first + static_cast<int>(j);
      y += bending[j].value(s) * q[k], dy += bending[j].value(s) * u[k];
      angle += bending[j].slope(s) * q[k], rate += bending[j].slope(s) * u[k];
    }
    for (std::size_t j = 0; j < axial.size(); ++j) {
      const int k = first + static_cast<int>(bending.size() + j);
      x += axial[j].value(s) * q[k], dx += axial[j].value(s) * u[k];
    }
    constexpr int kPieces = 300;
    for (int i = 0; i <= kPieces && with_foreshortening; ++i) {
      const double weight = (i == 0 || i == kPieces ? 1 : (i % 2 == 1 ? 4 : 2)) * s / (3.0 * kPieces);
      double squared = 0, product = 0;
      slope_product(s * i / kPieces, squared, product);
      x -= 0.5 * weight * squared, dx -= weight * product;
    }
    const Vec2 local(x, y), local_rate(dx, dy), r = turn(at.angle, local);
    Motion result;
    result.angle = at.angle + angle;
    result.omega = at.omega + rate;
    const Vec2 arm = turn(result.angle, offset);
    result.p = at.p + r + arm;
    result.v =
        at.v + turn(at.angle, local_rate) + at.omega * Vec2(-r.y(), r.x()) + result.omega * Vec2(-arm.y(), arm.x());
    return result;
  };
  const auto energy_of = [&](const Motion& at, const std::vector<BeamShape>& bending,
                             const std::vector<BeamShape>& axial, int first, double length, double density) {
    constexpr int kPieces = 200;
    double energy = 0;
    for (int i = 0; i <= kPieces; ++i) {
      const double weight = (i == 0 || i == kPieces ? 1 : (i % 2 == 1 ? 4 : 2)) * length / (3.0 * kPieces);
      energy +=
          0.5 * density * weight * place(at, bending, axial, first, length * i / kPieces, Vec2::Zero()).v.squaredNorm();
    }
    return energy;
  };
  const std::vector<BeamShape> three = bending_shapes(BendingShapes::kCantilever, 3, 1),
                               two = bending_shapes(BendingShapes::kCantilever, 2, 0.7),
                               axial = axial_shapes(AxialShapes::kFixedFree, 1, 0.7);
  Motion root{Vec2::Zero(), Vec2::Zero(), q[0], u[0]};
  double energy = energy_of(root, three, {}, 1, 1, 1);
  Motion elbow = place(root, three, {}, 1, 0.8, Vec2(0, 0.05));
  elbow.angle += q[4], elbow.omega += u[4];
  energy += energy_of(elbow, two, axial, 5, 0.7, 2);
  const Motion end = place(elbow, two, axial, 5, 0.7, Vec2(0, 0.4));
  const Vec2 axis = turn(end.angle, Vec2(1, 2).normalized()), r = q[8] * axis;
  const Vec2 v_bob = end.v + u[8] * axis + end.omega * Vec2(-r.y(), r.x());
  return energy + 0.5 * 0.6 * v_bob.squaredNorm() + 0.5 * 0.05 * end.omega * end.omega;
}

TEST(ElasticBeam, KineticEnergyIsThatOfABeamWrittenOutByHand) {
  for (const bool with_foreshortening : {false, true}) {
    MechanismSpec spec = elastic_tree(with_foreshortening);
    spec.bodies[1].elastic->start_m = Vec3(-0.35, 0, 0);
    spec.joints[1].at_child_m = Vec3(-0.35, 0, 0);
    const auto mechanism = Mechanism::build(spec);
    ASSERT_EQ(mechanism->velocity_count(), 1 + 3 + 1 + 3 + 1);
    ASSERT_EQ(mechanism->row_count(), 0);
    for (std::uint64_t draw = 0; draw < 20; ++draw) {
      const ElasticState state = random_elastic_state(*mechanism, draw);
      const auto dynamics = mechanism->make_dynamics();
      dynamics->set_position(0, state.q);
      dynamics->set_velocity(state.u);
      const double kinetic = dynamics->energies().kinetic;
      EXPECT_NEAR(0.5 * state.u.dot(mass_at(*mechanism, state.q) * state.u), kinetic, 1e-12 * kinetic);
      EXPECT_NEAR(kinetic_energy_by_hand(state.q, state.u, with_foreshortening), kinetic, 2e-7 * kinetic) << draw;
    }
  }
}

enum class TreeKind : std::uint8_t { kPlain, kForeshortened, kPinned };

class ElasticTree : public testing::TestWithParam<TreeKind> {
 protected:
  // kPinned: both beams hang on sections that move in their frames.
  static MechanismSpec tree() {
    MechanismSpec spec = elastic_tree(GetParam() != TreeKind::kPlain);
    spec.bodies[1].elastic->start_m = Vec3(-0.35, 0, 0);
    spec.joints[1].at_child_m = Vec3(-0.35, 0, 0);
    if (GetParam() == TreeKind::kPinned) {
      spec.bodies[0].elastic->bending = BendingShapes::kSimplySupported;
      spec.bodies[1].elastic->bending = BendingShapes::kFreeFree;
      spec.bodies[1].elastic->axial = AxialShapes::kFreeFree;
      spec.joints[1].at_child_m = Vec3(0.2, 0.1, 0);
    }
    return spec;
  }
};

// Lagrange's equations by difference quotients of M(q) and of the potential:
// h_k = -d(M u)_k/dt at du/dt = 0 + 1/2 u^T dM/dq_k u - dV/dq_k.
TEST_P(ElasticTree, ForcesAreThoseOfLagrange) {
  const auto mechanism = Mechanism::build(tree());
  ASSERT_EQ(mechanism->row_count(), 0);
  const int n = mechanism->velocity_count();
  constexpr double kStep = 1e-5;
  for (std::uint64_t draw = 0; draw < 20; ++draw) {
    const ElasticState state = random_elastic_state(*mechanism, 100 + draw);
    const auto dynamics = mechanism->make_dynamics();
    const auto potential = [&](const VecX& q) {
      dynamics->set_position(0, q);
      return dynamics->potential_energy();
    };
    VecX expected(n);
    const auto shifted = [&](const VecX& by) { return VecX(state.q + by); };
    const VecX momentum_rate = (mass_at(*mechanism, shifted(kStep * state.u)) * state.u -
                                mass_at(*mechanism, shifted(-kStep * state.u)) * state.u) /
                               (2 * kStep);
    for (int k = 0; k < n; ++k) {
      const VecX step = kStep * VecX::Unit(n, k);
      const auto energy = [&](const VecX& q) { return 0.5 * state.u.dot(mass_at(*mechanism, q) * state.u); };
      expected[k] = -momentum_rate[k] + (energy(shifted(step)) - energy(shifted(-step))) / (2 * kStep) -
                    (potential(shifted(step)) - potential(shifted(-step))) / (2 * kStep);
    }
    const VecX h = forces_at(*mechanism, state.q, state.u);
    EXPECT_LT((h - expected).norm(), 1e-7 * (1 + h.norm())) << draw;
    dynamics->set_position(0, state.q);
    dynamics->set_velocity(state.u);
    const double kinetic = dynamics->energies().kinetic;
    EXPECT_NEAR(0.5 * state.u.dot(mass_at(*mechanism, state.q) * state.u), kinetic, 1e-12 * kinetic);
  }
}

TEST_P(ElasticTree, MarkersMoveAsTheirPosesDo) {
  const auto mechanism = Mechanism::build(tree());
  const auto system = mechanism->make_dynamics();
  auto& dynamics = dynamic_cast<BodyDynamics&>(*system);
  const int n = mechanism->velocity_count();
  std::vector<MarkerIndex> markers;
  for (std::size_t i = 0; i < mechanism->markers.size(); ++i)
    markers.push_back(MarkerIndex{static_cast<std::int32_t>(i)});
  constexpr double kStep = 1e-4;
  // Of the fourth order: sections turn by some 40 rad/s.
  const auto rate = [](const auto& before_2, const auto& before, const auto& after, const auto& after_2) {
    return ((8 * (after - before) - (after_2 - before_2)) / (12 * kStep)).eval();
  };
  for (std::uint64_t draw = 0; draw < 10; ++draw) {
    const ElasticState state = random_elastic_state(*mechanism, 200 + draw);
    struct Snapshot {
      std::vector<Frame> pose;
      std::vector<MarkerVelocity> velocity;
    };
    const auto at = [&](double t) {
      Snapshot snapshot{std::vector<Frame>(markers.size()), std::vector<MarkerVelocity>(markers.size())};
      dynamics.set_position(0, state.q + t * state.u);
      dynamics.set_velocity(state.u);
      dynamics.placements(markers, snapshot.pose);
      dynamics.velocities(markers, snapshot.velocity);
      return snapshot;
    };
    const Snapshot before_2 = at(-2 * kStep), before = at(-kStep), after = at(kStep), after_2 = at(2 * kStep),
                   now = at(0);
    const double scale = 1 + state.u.squaredNorm();  // difference quotients, as in marker_test.cpp
    std::vector<MarkerBias> bias(markers.size());
    dynamics.biases(markers, bias);
    for (std::size_t i = 0; i < markers.size(); ++i) {
      const Vec3 v = rate(before_2.pose[i].p, before.pose[i].p, after.pose[i].p, after_2.pose[i].p);
      EXPECT_LT((v - now.velocity[i].v).norm(), 1e-7 * scale) << i;
      const Mat3 R_rate = rate(before_2.pose[i].R, before.pose[i].R, after.pose[i].R, after_2.pose[i].R);
      EXPECT_LT((R_rate - skew(now.velocity[i].w) * now.pose[i].R).norm(), 1e-7 * scale) << i;
      const Vec3 a = rate(before_2.velocity[i].v, before.velocity[i].v, after.velocity[i].v, after_2.velocity[i].v);
      EXPECT_LT((bias[i].acceleration + mechanism->gravity - a).norm(), 1e-7 * scale * std::sqrt(scale)) << i;
      MatX W(n, 6);
      dynamics.marker_columns(markers[i], W);
      EXPECT_LT((W.leftCols(3).transpose() * state.u - now.velocity[i].v).norm(), 1e-12) << i;
      EXPECT_LT((W.rightCols(3).transpose() * state.u - now.velocity[i].w).norm(), 1e-12) << i;
    }
  }
}

// Runge and Kutta's classical method is enough to see whether energy is lost: the error falls with the fifth power of
// the step.
TEST_P(ElasticTree, KeepsItsEnergy) {
  const auto mechanism = Mechanism::build(tree());
  const auto dynamics = mechanism->make_dynamics();
  const int n = mechanism->velocity_count();
  const auto energy = [&](const VecX& q, const VecX& u) {
    dynamics->set_position(0, q);
    dynamics->set_velocity(u);
    const Energies energies = dynamics->energies();
    return energies.kinetic + energies.potential;
  };
  const auto acceleration = [&](const VecX& q, const VecX& u) {
    dynamics->set_position(0, q);
    dynamics->set_velocity(u);
    VecX du(n);
    EXPECT_TRUE(dynamics->free_accelerations(du));
    return du;
  };
  const auto drift = [&](double dt) {
    VecX q = VecX::Zero(n), u = VecX::Zero(n);
    q[1] = 0.02;
    const double start = energy(q, u);
    for (int i = 0; i < std::lround(0.2 / dt); ++i) {
      const VecX a1 = acceleration(q, u), u2 = u + dt / 2 * a1;
      const VecX a2 = acceleration(q + dt / 2 * u, u2), u3 = u + dt / 2 * a2;
      const VecX a3 = acceleration(q + dt / 2 * u2, u3), u4 = u + dt * a3;
      const VecX a4 = acceleration(q + dt * u3, u4);
      q += dt / 6 * (u + 2 * u2 + 2 * u3 + u4);
      u += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return std::abs(energy(q, u) - start);
  };
  const double coarse = drift(1e-4), fine = drift(5e-5);
  EXPECT_LT(fine, 1e-6);
  EXPECT_GT(coarse / fine, 14);
}

std::string name_of_kind(const testing::TestParamInfo<TreeKind>& kind) {
  if (kind.param == TreeKind::kPinned) return "Pinned";
  return kind.param == TreeKind::kPlain ? "Plain" : "Foreshortened";
}

INSTANTIATE_TEST_SUITE_P(Kinds, ElasticTree,
                         testing::Values(TreeKind::kPlain, TreeKind::kForeshortened, TreeKind::kPinned), name_of_kind);

// The joint moves a section that itself moves in the floating frame. As a constraint on a free body it must hold in the
// same position and velocity, with the same energies.
TEST(ElasticBeam, AJointWhereTheBeamMovesInItsFrameIsTheSameAsItsConstraint) {
  for (const BendingShapes shapes : {BendingShapes::kSimplySupported, BendingShapes::kFreeFree}) {
    MechanismSpec spec = held_beam(reference_beam(3, shapes), "revolute");
    spec.gravity_m_s2 = Vec3(0, -9.81, 0);
    spec.joints[0].at_child_m = Vec3(0.2, 0.03, 0);
    const auto tree = Mechanism::build(spec);
    spec.joints[0].as_constraint = true;
    const auto rows = Mechanism::build(spec);
    ASSERT_EQ(tree->velocity_count(), 1 + 3);
    ASSERT_EQ(rows->velocity_count(), 3 + 3);
    ASSERT_EQ(rows->row_count(), 2);
    for (std::uint64_t draw = 0; draw < 5; ++draw) {
      const ElasticState state = random_elastic_state(*tree, 500 + draw);
      const auto on_tree = tree->make_dynamics(), on_rows = rows->make_dynamics();
      on_tree->set_position(0, state.q);
      on_tree->set_velocity(state.u);
      const ChannelProbe probe(*tree, *on_tree);
      VecX q(6), u(6);
      q << probe.position("beam").head<2>(), std::atan2(probe.rotation("beam")(1, 0), probe.rotation("beam")(0, 0)),
          state.q.tail(3);
      u << probe.velocity("beam").head<2>(), probe.omega("beam").z(), state.u.tail(3);
      on_rows->set_position(0, q);
      on_rows->set_velocity(u);
      BilateralRows bilateral;
      bilateral.resize(6, 2);
      on_rows->row_positions(bilateral.g);
      on_rows->row_jacobian(bilateral);
      EXPECT_LT(max_abs(bilateral.g), 1e-14);
      EXPECT_LT(max_abs(bilateral.W.transpose() * u), 1e-13);
      const Energies a = on_tree->energies(), b = on_rows->energies();
      EXPECT_NEAR(a.kinetic, b.kinetic, 1e-12 * a.kinetic);
      EXPECT_NEAR(a.potential, b.potential, 1e-12 * std::abs(a.potential) + 1e-12);
    }
  }
}

}  // namespace
}  // namespace freeplay::test::elastic_tree_test
