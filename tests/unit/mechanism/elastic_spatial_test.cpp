// Elastic beams in space: two planes of bending, stretching, torsion.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "elastic_models.h"
#include "freeplay/core/error.h"

namespace freeplay::test::elastic_spatial_test {
namespace {

// A beam that bends in two planes and stretches, on a hinge about a skew axis, with a rigid body on a hinge at its end.
// No ball joint, so that velocities are the rates of coordinates.
MechanismSpec spatial_tree() {
  ElasticSpec beam = reference_beam(2);
  beam.bending_stiffness_xz_Nm2 = 70;
  beam.axial = AxialShapes::kFixedFree;
  beam.axial_modes = 1;
  beam.axial_stiffness_N = 400;
  beam.polar_inertia_per_length_kg_m = 0.01;
  beam.torsion = AxialShapes::kFixedFree;
  beam.torsion_modes = 1;
  beam.torsional_stiffness_Nm2 = 30;
  MechanismSpec spec = held_beam(beam, "revolute");
  spec.space = Space::kSpatial;
  spec.gravity_m_s2 = Vec3(1, -3, -9);
  spec.joints[0].axis = Vec3(0.2, 0.5, 1);
  BodySpec bob;
  bob.name = "bob";
  bob.mass_kg = 0.7;
  bob.inertia_kg_m2 = Vec3(0.02, 0.03, 0.04).asDiagonal();
  spec.bodies.push_back(bob);
  JointSpec wrist;
  wrist.name = "wrist";
  wrist.type = "revolute";
  wrist.parent = "beam";
  wrist.child = "bob";
  wrist.axis = Vec3(1, -1, 0.3);
  wrist.at_parent_m = Vec3(1, 0.05, -0.1);
  wrist.at_child_m = Vec3(0.1, 0.2, 0.3);
  spec.joints.push_back(wrist);
  return spec;
}

TEST(SpatialBeam, ForcesAreThoseOfLagrange) {
  const auto mechanism = Mechanism::build(spatial_tree());
  const int n = mechanism->velocity_count();
  ASSERT_EQ(n, 1 + 6 + 1);
  constexpr double kStep = 1e-5;
  const auto dynamics = mechanism->make_dynamics();
  for (std::uint64_t draw = 0; draw < 20; ++draw) {
    const ElasticState state = random_elastic_state(*mechanism, 300 + draw);
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
    const double kinetic = dynamics->energies().kinetic;
    EXPECT_NEAR(energy(state.q), kinetic, 1e-12 * kinetic);
  }
}

TEST(SpatialBeam, MovesInItsPlaneAsThePlanarOneDoes) {
  MechanismSpec planar = elastic_tree(true), spatial;
  planar.bodies[1].elastic->start_m = planar.joints[1].at_child_m = Vec3(-0.35, 0, 0);
  planar.springs.clear();
  spatial = planar;
  spatial.space = Space::kSpatial;
  spatial.bodies[2].inertia_kg_m2 = 0.05 * Mat3::Identity();
  const auto a = Mechanism::build(planar), b = Mechanism::build(spatial);
  for (std::uint64_t draw = 0; draw < 5; ++draw) {
    const ElasticState state = random_elastic_state(*a, 400 + draw);
    const MatX M = mass_at(*a, state.q);
    EXPECT_LT((M - mass_at(*b, state.q)).norm(), 1e-12 * M.norm());
    const VecX h = forces_at(*a, state.q, state.u);
    EXPECT_LT((h - forces_at(*b, state.q, state.u)).norm(), 1e-12 * h.norm());
  }
}

// Across the plane of rotation there is no softening term: the flapping frequency itself.
TEST(SpatialBeam, FlapsWithTheFrequencyOfATurningBlade) {
  ElasticSpec beam = reference_beam(8);
  beam.bending_stiffness_xz_Nm2 = 100;
  MechanismSpec spec = held_beam(beam, "revolute");
  spec.space = Space::kSpatial;
  const auto mechanism = Mechanism::build(spec);
  const int n = 8;
  VecX u = VecX::Zero(1 + 2 * n);
  u[0] = 100;
  MatX K(n, n);
  constexpr double kStep = 1e-6;
  for (int j = 0; j < n; ++j) {
    const VecX step = kStep * VecX::Unit(1 + 2 * n, 1 + n + j);
    K.col(j) = -(forces_at(*mechanism, step, u) - forces_at(*mechanism, -step, u)).tail(n) / (2 * kStep);
  }
  const MatX M = mass_at(*mechanism, VecX::Zero(1 + 2 * n)).bottomRightCorner(n, n);
  const double flapping = frequencies(MassStructure::dense(n), M, 0.5 * (K + K.transpose()))[0] / 10;
  // Eight shapes in a beam under the tension of its own mass,  K = EI int W'' W'' + Omega^2 int (L^2 - x^2)/2 W' W':
  // computed elsewhere, from that formula. Ritz's value lies above the exact one, 11.2023.
  EXPECT_NEAR(flapping, 11.202697028, 1e-8);
  EXPECT_NEAR(flapping, 11.2023, 5e-4);
}

// w = (j - 1/2) pi/L sqrt(G I_t / (rho I_p)).
TEST(SpatialBeam, TwistsWithTheFrequenciesOfAShaft) {
  ElasticSpec shaft;
  shaft.length_m = 2;
  shaft.mass_per_length_kg_m = 3;
  shaft.polar_inertia_per_length_kg_m = 0.02;
  shaft.torsion = AxialShapes::kFixedFree;
  shaft.torsion_modes = 3;
  shaft.torsional_stiffness_Nm2 = 500;
  MechanismSpec spec = held_beam(shaft, "fixed");
  spec.space = Space::kSpatial;
  const VecX w = frequencies_at_rest(*Mechanism::build(spec));
  const double c = std::sqrt(500 / 0.02);
  for (int j = 0; j < 3; ++j) EXPECT_NEAR(w[j], (j + 0.5) * std::numbers::pi * c / 2, 1e-9 * w[j]);
}

// A free body has a quaternion: displacements and rates go past the modes as they should.
TEST(SpatialBeam, AFreeBeamKeepsItsModesApartFromItsQuaternion) {
  ElasticSpec beam = reference_beam(2, BendingShapes::kFreeFree);
  beam.start_m.reset();
  beam.bending_stiffness_xz_Nm2 = 50;
  beam.polar_inertia_per_length_kg_m = 1e-3;
  MechanismSpec spec = held_beam(beam, "");
  spec.space = Space::kSpatial;
  const auto mechanism = Mechanism::build(spec);
  ASSERT_EQ(mechanism->coordinate_count(), 7 + 4);
  ASSERT_EQ(mechanism->velocity_count(), 6 + 4);
  const auto dynamics = mechanism->make_dynamics();
  VecX q = mechanism->initial_state().q, rate(11), u = VecX::LinSpaced(10, 1, 10);
  dynamics->velocity_to_rate(q, u, rate);
  EXPECT_EQ(rate.tail(4), u.tail(4));
  dynamics->displace(q, u);
  EXPECT_EQ(q.tail(4), u.tail(4));
  dynamics->displace_straight(q, u);
  EXPECT_EQ(q.tail(4), 2 * u.tail(4));
  // A beam without thickness has no inertia about its axis.
  spec.bodies[0].elastic->polar_inertia_per_length_kg_m = 0;
  EXPECT_THROW(Mechanism::build(spec), ModelError);
}

}  // namespace
}  // namespace freeplay::test::elastic_spatial_test
