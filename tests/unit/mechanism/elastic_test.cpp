// Elastic bodies in a floating frame: shape functions, modal frequencies, and the equations of motion against
// Lagrange's with a kinetic energy that is written down here by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/body_dynamics.h"
#include "freeplay/mechanism/description/beam_shapes.h"
#include "random_mechanism.h"
#include "support/linear_algebra.h"

namespace freeplay::test::elastic_test {
namespace {

// The beam of the reference: 1 m, 1 kg/m, E I = 100 N m^2; the body's origin at its beginning.
ElasticSpec reference_beam(int modes, BendingShapes shapes = BendingShapes::kCantilever) {
  ElasticSpec beam;
  beam.length_m = 1;
  beam.mass_per_length_kg_m = 1;
  beam.bending = shapes;
  beam.bending_modes = modes;
  beam.bending_stiffness_Nm2 = 100;
  beam.start_m = Vec3::Zero();
  return beam;
}

MechanismSpec held_beam(const ElasticSpec& beam, const std::string& joint_type) {
  MechanismSpec spec;
  BodySpec body;
  body.name = "beam";
  body.elastic = beam;
  spec.bodies.push_back(body);
  if (joint_type.empty()) return spec;
  JointSpec joint;
  joint.name = "root";
  joint.type = joint_type;
  joint.parent = "ground";
  joint.child = "beam";
  joint.at_child_m = beam.start();
  spec.joints.push_back(joint);
  return spec;
}

MatX mass_at(const Mechanism& mechanism, const VecX& q) {
  const auto dynamics = mechanism.make_dynamics();
  MassMatrix M(mechanism.mass_structure());
  dynamics->set_position(0, q);
  dynamics->mass_matrix(M);
  return M.to_dense();
}

VecX forces_at(const Mechanism& mechanism, const VecX& q, const VecX& u) {
  const auto dynamics = mechanism.make_dynamics();
  dynamics->set_position(0, q);
  dynamics->set_velocity(u);
  VecX h(mechanism.velocity_count());
  dynamics->forces(h);
  return h;
}

// Angular frequencies of  M q'' + K q = 0, ascending, for the dense symmetric K.
VecX frequencies(const MassStructure& structure, const MatX& M, MatX K) {
  MassMatrix factored(structure);
  for (int k = 0; k < M.rows(); ++k) {
    for (int j = 0; j <= k; ++j) factored.at(k, j) = M(k, j);
  }
  EXPECT_TRUE(factored.factor());
  for (int side = 0; side < 2; ++side) {  // L^-T K L^-1
    for (Eigen::Index c = 0; c < K.cols(); ++c) {
      VecX column = K.col(c);
      factored.half_solve_in_place(column);
      K.col(c) = column;
    }
    K.transposeInPlace();
  }
  return eigenvalues_of_symmetric(K).cwiseMax(0).cwiseSqrt();
}

VecX frequencies_at_rest(const Mechanism& mechanism) {
  const int n = mechanism.velocity_count();
  MatX K = MatX::Zero(n, n);
  for (const Mechanism::ElasticBody& body : mechanism.elastic_bodies) {
    K.block(body.u, body.u, body.count, body.count) = body.stiffness;
  }
  const VecX q = mechanism.initial_state().q;
  return frequencies(mechanism.mass_structure(), mass_at(mechanism, q), K);
}

TEST(BeamShapes, FulfilTheirBoundaryConditionsAlsoForHighModes) {
  for (const int mode : {1, 2, 5, 20, 60}) {
    SCOPED_TRACE(mode);
    const auto last = [&](BendingShapes kind) { return bending_shapes(kind, mode, 2).back(); };
    const BeamShape held = last(BendingShapes::kCantilever);
    const double k = held.wave_number_1_m, tolerance = 1e-13 * mode;
    EXPECT_NEAR(held.value(0), 0, tolerance);
    EXPECT_NEAR(held.slope(0) / k, 0, tolerance);
    EXPECT_NEAR(held.value(2), 1, tolerance);
    EXPECT_NEAR(held.curvature(2) / (k * k), 0, tolerance);
    const BeamShape clamped = last(BendingShapes::kClampedClamped), free = last(BendingShapes::kFreeFree);
    for (const double end : {0.0, 2.0}) {
      EXPECT_NEAR(clamped.value(end), 0, tolerance);
      EXPECT_NEAR(clamped.slope(end) / clamped.wave_number_1_m, 0, tolerance);
      EXPECT_NEAR(std::abs(free.value(end)), 1, tolerance);
      EXPECT_NEAR(free.curvature(end) / (k * k), 0, tolerance);
    }
  }
}

TEST(BeamShapes, AreThoseOfTheFrequencyEquations) {
  const std::vector<BeamShape> held = bending_shapes(BendingShapes::kCantilever, 4, 1);
  const double roots[] = {1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(held[i].wave_number_1_m, roots[i], 1e-10);
  const std::vector<BeamShape> free = bending_shapes(BendingShapes::kFreeFree, 3, 1);
  const double free_roots[] = {4.7300407449, 7.8532046241, 10.9956078380};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(free[i].wave_number_1_m, free_roots[i], 1e-10);
}

// w = (beta L)^2 sqrt(EI / (rho A L^4)); the reference gives them with nine digits.
TEST(ElasticBeam, HasTheFrequenciesOfACantilever) {
  const auto mechanism = Mechanism::build(held_beam(reference_beam(4), "fixed"));
  ASSERT_EQ(mechanism->velocity_count(), 4);
  const VecX w = frequencies_at_rest(*mechanism);
  const double expected[] = {35.160153, 220.344916, 616.972144, 1209.019161};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(w[i], expected[i], 1e-9 * expected[i] + 5e-7);
}

TEST(ElasticBeam, HasTheFrequenciesOfOtherSupports) {
  const double pi = std::numbers::pi;
  const auto w_of = [](BendingShapes shapes) {
    return frequencies_at_rest(*Mechanism::build(held_beam(reference_beam(3, shapes), "")));
  };
  // A free body: three rigid motions, and shapes that do not couple with them.
  const VecX free = w_of(BendingShapes::kFreeFree);
  EXPECT_NEAR(free[3], 10 * 4.7300407449 * 4.7300407449, 1e-6);
  EXPECT_NEAR(free[4], 10 * 7.8532046241 * 7.8532046241, 1e-6);
  // Pinned at both ends: the frame is held, as the shapes have it.
  MechanismSpec spec = held_beam(reference_beam(3, BendingShapes::kSimplySupported), "");
  const auto pinned = Mechanism::build(spec);
  const MatX M = mass_at(*pinned, pinned->initial_state().q);
  for (int j = 0; j < 3; ++j) {
    EXPECT_NEAR(std::sqrt(pinned->elastic_bodies[0].stiffness(j, j) / M(3 + j, 3 + j)), 10 * std::pow((j + 1) * pi, 2),
                1e-8);
  }
}

// The floating frame with cantilever shapes must converge to the hinged-free beam, tan(bL) = tanh(bL).
TEST(ElasticBeam, HingedAtItsRootConvergesToTheHingedFreeBeam) {
  const auto mechanism = Mechanism::build(held_beam(reference_beam(4), "revolute"));
  const VecX w = frequencies_at_rest(*mechanism);
  const double exact[] = {154.182057, 499.648620, 1042.476965}, error[] = {1.1e-5, 4.2e-4, 4.8e-3};
  EXPECT_NEAR(w[0], 0, 1e-4);
  for (int i = 0; i < 3; ++i) {
    const double relative = w[i + 1] / exact[i] - 1;
    EXPECT_NEAR(relative, error[i], 0.05 * error[i]) << i;
  }
}

TEST(ElasticBeam, AxialShapesHaveTheFrequenciesOfABar) {
  ElasticSpec bar;
  bar.length_m = 2;
  bar.mass_per_length_kg_m = 3;
  bar.axial = AxialShapes::kFixedFree;
  bar.axial_modes = 3;
  bar.axial_stiffness_N = 5e4;
  const VecX w = frequencies_at_rest(*Mechanism::build(held_beam(bar, "fixed")));
  const double c = std::sqrt(5e4 / 3.0);
  for (int j = 0; j < 3; ++j) EXPECT_NEAR(w[j], (j + 0.5) * std::numbers::pi * c / 2, 1e-9 * w[j]);
}

// Tip force F: F L^3 / (3 E I) at the tip; own weight: q L^4 / (8 E I) there, q L^2 / 2 and q L at the clamp.
TEST(ElasticBeam, BendsAsBeamTheorySaysUnderATipForceAndUnderItsWeight) {
  const auto tip_deflection = [](int modes, bool is_weight) {
    MechanismSpec spec = held_beam(reference_beam(modes), "fixed");
    if (is_weight) spec.gravity_m_s2 = Vec3(0, -1, 0);
    if (!is_weight) {
      AppliedLoadSpec load;
      load.name = "pull";
      load.body = "beam";
      load.at_m = Vec3(1, 0, 0);
      load.value[1] = Expression::constant(-1);
      spec.loads.push_back(load);
    }
    const auto mechanism = Mechanism::build(spec);
    const VecX zero = VecX::Zero(modes);
    const VecX q = solve_dense(mechanism->elastic_bodies[0].stiffness, forces_at(*mechanism, zero, zero));
    return q.sum();  // every shape is 1 at the tip
  };
  const double by_force = -1.0 / 300, by_weight = -1.0 / 800;
  EXPECT_NEAR(tip_deflection(40, false) / by_force, 1, 1e-6);
  EXPECT_NEAR(tip_deflection(40, true) / by_weight, 1, 1e-9);
  // The series of a force on the tip converges with the third power of the number of shapes.
  const double coarse = 1 - tip_deflection(10, false) / by_force, fine = 1 - tip_deflection(20, false) / by_force;
  EXPECT_NEAR(std::log2(coarse / fine), 3, 0.1);
}

TEST(ElasticBeam, TheClampCarriesTheWeightAndItsMoment) {
  MechanismSpec spec = held_beam(reference_beam(12), "fixed");
  spec.gravity_m_s2 = Vec3(0, -2, 0);
  const auto mechanism = Mechanism::build(spec);
  const VecX zero = VecX::Zero(12);
  const VecX q = solve_dense(mechanism->elastic_bodies[0].stiffness, forces_at(*mechanism, zero, zero));
  const auto dynamics = mechanism->make_dynamics();
  dynamics->set_position(0, q);
  dynamics->set_velocity(zero);
  dynamics->set_accelerations(zero, VecX());
  const auto read = [&](const char* name) {
    const int channel = find_channel(*mechanism, name);
    double value = 0;
    dynamics->read_channels({&channel, 1}, {&value, 1});
    return value;
  };
  EXPECT_NEAR(read("root.force_y"), 2, 1e-12);
  EXPECT_NEAR(read("root.moment"), 1, 1e-4);  // deformed, the arm is shorter by the foreshortening
  EXPECT_NEAR(read("beam.strain_energy"), 0.5 * q.dot(mechanism->elastic_bodies[0].stiffness * q), 1e-15);
}

// A hinged beam with a second beam and a rigid body on it, so that every coupling there is occurs.
MechanismSpec elastic_tree(bool with_foreshortening) {
  ElasticSpec first = reference_beam(3), second = reference_beam(2, BendingShapes::kCantilever);
  first.start_m.reset();  // the origin in the middle
  second.length_m = 0.7;
  second.mass_per_length_kg_m = 2;
  second.axial = AxialShapes::kFixedFree;
  second.axial_modes = 1;
  second.axial_stiffness_N = 500;
  first.foreshortening = second.foreshortening = with_foreshortening;
  MechanismSpec spec = held_beam(first, "revolute");
  spec.gravity_m_s2 = Vec3(1, -9.81, 0);
  BodySpec arm;
  arm.name = "arm";
  arm.elastic = second;
  spec.bodies.push_back(arm);
  BodySpec bob;
  bob.name = "bob";
  bob.mass_kg = 0.6;
  bob.inertia_kg_m2(2, 2) = 0.05;
  spec.bodies.push_back(bob);
  JointSpec elbow;
  elbow.name = "elbow";
  elbow.type = "revolute";
  elbow.parent = "beam";
  elbow.child = "arm";
  elbow.at_parent_m = Vec3(0.3, 0.05, 0);  // beside the axis
  elbow.at_child_m = Vec3::Zero();
  spec.joints.push_back(elbow);
  JointSpec slide;
  slide.name = "slide";
  slide.type = "prismatic";
  slide.parent = "arm";
  slide.child = "bob";
  slide.at_parent_m = Vec3(0.8, 0, 0);  // beyond the end
  slide.axis = Vec3(1, 2, 0);
  spec.joints.push_back(slide);
  spec.markers.push_back({"beam", {Mat3::Identity(), Vec3(0.2, -0.1, 0)}});
  spec.markers.push_back({"arm", {Mat3::Identity(), Vec3(0.7, 0, 0)}});
  spec.markers.push_back({"bob", {Mat3::Identity(), Vec3(0.1, 0.2, 0)}});
  SpringSpec spring;
  spring.name = "spring";
  spring.parent = "ground";
  spring.child = "arm";
  spring.at_parent_m = Vec3(2, 1, 0);
  spring.at_child_m = Vec3(0.4, 0, 0);
  spring.stiffness_N_m = 20;
  spring.free_length_m = 1;
  spec.springs.push_back(spring);
  return spec;
}

struct ElasticState {
  VecX q, u;
};
ElasticState random_elastic_state(const Mechanism& mechanism, std::uint64_t seed) {
  RandomMechanism random(Space::kPlanar, seed);
  const int n = mechanism.velocity_count();
  ElasticState state{VecX(n), VecX(n)};
  for (int k = 0; k < n; ++k) state.q[k] = random.uniform(-1.5, 1.5), state.u[k] = random.uniform(-2, 2);
  for (const Mechanism::ElasticBody& body : mechanism.elastic_bodies) state.q.segment(body.q, body.count) *= 0.2;
  return state;
}

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
  const Motion end = place(elbow, two, axial, 5, 0.7, Vec2(0.45, 0));  // 0.8 from the middle of the axis
  const Vec2 axis = turn(end.angle, Vec2(1, 2).normalized()), r = q[8] * axis;
  const Vec2 v_bob = end.v + u[8] * axis + end.omega * Vec2(-r.y(), r.x());
  return energy + 0.5 * 0.6 * v_bob.squaredNorm() + 0.5 * 0.05 * end.omega * end.omega;
}

class ElasticTree : public testing::TestWithParam<bool> {};

TEST_P(ElasticTree, KineticEnergyIsThatOfABeamWrittenOutByHand) {
  MechanismSpec spec = elastic_tree(GetParam());
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
    EXPECT_NEAR(kinetic_energy_by_hand(state.q, state.u, GetParam()), kinetic, 2e-7 * kinetic) << draw;
  }
}

// Lagrange's equations by difference quotients of M(q) and of the potential:
// h_k = -d(M u)_k/dt at du/dt = 0 + 1/2 u^T dM/dq_k u - dV/dq_k.
TEST_P(ElasticTree, ForcesAreThoseOfLagrange) {
  const auto mechanism = Mechanism::build([&] {
    MechanismSpec spec = elastic_tree(GetParam());
    spec.joints[1].at_child_m = Vec3(-0.35, 0, 0);
    return spec;
  }());
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
  }
}

TEST_P(ElasticTree, MarkersMoveAsTheirPosesDo) {
  MechanismSpec spec = elastic_tree(GetParam());
  spec.joints[1].at_child_m = Vec3(-0.35, 0, 0);
  const auto mechanism = Mechanism::build(spec);
  const auto system = mechanism->make_dynamics();
  auto& dynamics = dynamic_cast<BodyDynamics&>(*system);
  const int n = mechanism->velocity_count();
  std::vector<MarkerIndex> markers;
  for (std::size_t i = 0; i < mechanism->markers.size(); ++i)
    markers.push_back(MarkerIndex{static_cast<std::int32_t>(i)});
  constexpr double kStep = 1e-5;
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
    const Snapshot before = at(-kStep), after = at(kStep), now = at(0);
    const double scale = 1 + state.u.squaredNorm();  // difference quotients, as in marker_test.cpp
    std::vector<MarkerBias> bias(markers.size());
    dynamics.biases(markers, bias);
    for (std::size_t i = 0; i < markers.size(); ++i) {
      const Vec3 v = (after.pose[i].p - before.pose[i].p) / (2 * kStep);
      EXPECT_LT((v - now.velocity[i].v).norm(), 1e-7 * scale) << i;
      const Mat3 R_rate = (after.pose[i].R - before.pose[i].R) / (2 * kStep);
      EXPECT_LT((R_rate - skew(now.velocity[i].w) * now.pose[i].R).norm(), 1e-7 * scale) << i;
      const Vec3 a = (after.velocity[i].v - before.velocity[i].v) / (2 * kStep);
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
  MechanismSpec spec = elastic_tree(GetParam());
  spec.joints[1].at_child_m = Vec3(-0.35, 0, 0);
  const auto mechanism = Mechanism::build(spec);
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

INSTANTIATE_TEST_SUITE_P(Foreshortening, ElasticTree, testing::Bool(),
                         [](const auto& of) { return of.param ? std::string("With") : std::string("Without"); });

// Southwell: a beam that turns is stiffer. Flapping frequency of a beam without hub at the speed 10 sqrt(EI/(rho A
// L^4)): 11.2023 in the same unit (Wright, Smith, Thresher, Wang 1982); in the plane of rotation w^2 = w_flap^2 -
// Omega^2.
TEST(ElasticBeam, TurningStiffensItOnlyWithTheForeshortening) {
  const auto frequency = [](bool with_foreshortening, double speed) {
    ElasticSpec beam = reference_beam(8);
    beam.foreshortening = with_foreshortening;
    const auto mechanism = Mechanism::build(held_beam(beam, "revolute"));
    const int n = 8;
    VecX u = VecX::Zero(n + 1);
    u[0] = speed;
    MatX K(n, n);
    constexpr double kStep = 1e-6;
    for (int j = 0; j < n; ++j) {
      const VecX step = kStep * VecX::Unit(n + 1, j + 1);
      K.col(j) = -(forces_at(*mechanism, step, u) - forces_at(*mechanism, -step, u)).tail(n) / (2 * kStep);
    }
    const MatX M = mass_at(*mechanism, VecX::Zero(n + 1)).bottomRightCorner(n, n);
    return frequencies(MassStructure::dense(n), M, 0.5 * (K + K.transpose()))[0];
  };
  EXPECT_NEAR(frequency(true, 0) / 10, 3.51602, 1e-5);
  EXPECT_NEAR(frequency(true, 100) / 10, std::sqrt(11.2023 * 11.2023 - 100), 1e-3);
  EXPECT_NEAR(frequency(true, 30) / 10, std::sqrt(4.7973 * 4.7973 - 9), 1e-4);
  // Without it the turning beam loses its stiffness: w^2 = w_0^2 - Omega^2.
  EXPECT_NEAR(frequency(false, 30) / 10, std::sqrt(3.51602 * 3.51602 - 9), 1e-4);
}

// ---- in space

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
  planar.joints[1].at_child_m = Vec3(-0.35, 0, 0);
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

// Pinned in the middle of the free-free beam, where it moves: rows, and the frequencies of the beam that is pinned
// there.
TEST(ElasticBeam, AJointWhereTheBeamMovesInItsFrameBecomesRows) {
  ElasticSpec beam = reference_beam(3, BendingShapes::kFreeFree);
  MechanismSpec spec = held_beam(beam, "revolute");
  const auto mechanism = Mechanism::build(spec);
  EXPECT_EQ(mechanism->row_count(), 2);
  EXPECT_EQ(mechanism->velocity_count(), 6);
  EXPECT_EQ(mechanism->degrees_of_freedom(), 4);
  EXPECT_EQ(mechanism->joints[0].role, Mechanism::JointRole::kConstraint);
}

TEST(ElasticBeam, WrongDescriptionsAreRefused) {
  const auto refused = [](const std::function<void(ElasticSpec&)>& change) {
    ElasticSpec beam = reference_beam(2);
    change(beam);
    try {
      Mechanism::build(held_beam(beam, ""));
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refused([](ElasticSpec& beam) { beam.length_m = 0; }), testing::HasSubstr("bodies.beam.elastic.length"));
  EXPECT_THAT(refused([](ElasticSpec& beam) { beam.bending_modes = 0; }), testing::HasSubstr("bending_modes"));
  EXPECT_THAT(refused([](ElasticSpec& beam) { beam.bending_stiffness_xz_Nm2 = 1; }), testing::HasSubstr("planar"));
  EXPECT_THAT(refused([](ElasticSpec& beam) { beam.bending = BendingShapes::kNone; }),
              testing::HasSubstr("shape functions"));
  EXPECT_THAT(refused([](ElasticSpec& beam) { beam.initial_q = {1, 2, 3}; }), testing::HasSubstr("initial"));
  EXPECT_EQ(refused([](ElasticSpec&) {}), "");
}

}  // namespace
}  // namespace freeplay::test::elastic_test
