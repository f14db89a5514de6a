// Elastic beams in a floating frame: shape functions, modal frequencies, statics, stiffening by rotation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "elastic_models.h"
#include "freeplay/core/error.h"
#include "freeplay/mechanism/description/beam_shapes.h"

namespace freeplay::test::elastic_beam_test {
namespace {

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
}  // namespace freeplay::test::elastic_beam_test
