// Beams of changing section: cubic splines on knots, rotary inertia, Rayleigh's damping.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "elastic_models.h"
#include "freeplay/core/error.h"
#include "freeplay/mechanism/description/beam_splines.h"

namespace freeplay::test::elastic_spline_test {
namespace {

using Profile = std::function<BeamKnot(double)>;

// The reference beam: 1 m, 1 kg/m, E I = 100 N m^2.
BeamKnot uniform(double) {
  BeamKnot knot;
  knot.mass_per_length_kg_m = 1;
  knot.bending_stiffness_Nm2 = 100;
  return knot;
}

ElasticSpec spline_beam(int modes, int intervals, BendingShapes shapes, const Profile& profile = uniform) {
  ElasticSpec beam = reference_beam(modes, shapes);
  for (int k = 0; k <= intervals; ++k) {
    const double s = static_cast<double>(k) / intervals;
    beam.knots.push_back(profile(s));
    beam.knots.back().s_m = s;
  }
  return beam;
}

// Frequencies of the modes in the frame held fast.
VecX held_frequencies(const ElasticSpec& beam, Space space = Space::kPlanar) {
  MechanismSpec spec = held_beam(beam, "");
  spec.space = space;
  const auto mechanism = Mechanism::build(spec);
  const Mechanism::ElasticBody& body = mechanism->elastic_bodies[0];
  const MatX M = mass_at(*mechanism, mechanism->initial_state().q).block(body.u, body.u, body.count, body.count);
  return frequencies(MassStructure::dense(body.count), M, body.stiffness);
}

// A tapered cantilever by finite elements, as an independent route: beam elements with cubic Hermite functions, each
// uniform with the section of its middle. Rayleigh's quotient of the first mode by inverse iteration.
double first_frequency_by_elements(int elements, const Profile& profile) {
  const int n = 2 * elements;  // the clamp is left out
  MatX K = MatX::Zero(n, n), M = MatX::Zero(n, n);
  const double h = 1.0 / elements;
  for (int e = 0; e < elements; ++e) {
    const BeamKnot at = profile((e + 0.5) * h);
    const double EI = at.bending_stiffness_Nm2 / (h * h * h), m = at.mass_per_length_kg_m * h / 420;
    const double k[4][4] = {{12, 6 * h, -12, 6 * h},
                            {6 * h, 4 * h * h, -6 * h, 2 * h * h},
                            {-12, -6 * h, 12, -6 * h},
                            {6 * h, 2 * h * h, -6 * h, 4 * h * h}};
    const double c[4][4] = {{156, 22 * h, 54, -13 * h},
                            {22 * h, 4 * h * h, 13 * h, -3 * h * h},
                            {54, 13 * h, 156, -22 * h},
                            {-13 * h, -3 * h * h, -22 * h, 4 * h * h}};
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        const int row = 2 * e - 2 + i, column = 2 * e - 2 + j;
        if (row < 0 || column < 0) continue;
        K(row, column) += EI * k[i][j];
        M(row, column) += m * c[i][j];
      }
    }
  }
  VecX v = VecX::Ones(n);
  for (int i = 0; i < 12; ++i) v = solve_dense(K, M * v).normalized();
  return std::sqrt(v.dot(K * v) / v.dot(M * v));
}

TEST(SplineBeam, UniformItHasTheModesOfTheUniformBeam) {
  for (const BendingShapes shapes : {BendingShapes::kCantilever, BendingShapes::kSimplySupported,
                                     BendingShapes::kClampedClamped, BendingShapes::kFreeFree}) {
    SCOPED_TRACE(static_cast<int>(shapes));
    const VecX exact = held_frequencies(reference_beam(3, shapes)), fine = held_frequencies(spline_beam(3, 48, shapes));
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(fine[j] / exact[j], 1, 2e-5) << j;
    const std::vector<BeamShape> modes = bending_shapes(shapes, 3, 1);
    const std::vector<BeamSpline> splines =
        bending_splines(shapes, 3, spline_beam(3, 48, shapes).knots, BeamDirection::kY);
    for (std::size_t j = 0; j < 3; ++j) {
      for (const double s : {0.0, 0.21, 0.5, 0.77, 1.0}) {
        EXPECT_NEAR(splines[j].value(s), modes[j].value(s), 1e-4) << j << " at " << s;
        EXPECT_NEAR(splines[j].slope(s), modes[j].slope(s), 2e-3) << j << " at " << s;
      }
    }
  }
}

// Ritz's values converge from above, with the power 2 (degree + 1 - 2) = 4 of the width.
TEST(SplineBeam, FrequenciesConvergeWithTheFourthPowerOfTheWidth) {
  const double exact = 10 * std::pow(4.694091132974175, 2);  // second mode of the cantilever
  const auto error = [&](int intervals) {
    return held_frequencies(spline_beam(2, intervals, BendingShapes::kCantilever))[1] / exact - 1;
  };
  const double coarse = error(4), middle = error(8), fine = error(16);
  EXPECT_GT(fine, 0);
  EXPECT_NEAR(std::log2(coarse / middle), 4, 0.4);
  EXPECT_NEAR(std::log2(middle / fine), 4, 0.2);
}

// A wedge of constant width whose height falls linearly to a fifth: E I ~ h^3, rho A ~ h. Between knots the section
// changes linearly, so that the error falls with the second power of their width.
TEST(SplineBeam, ATaperedCantileverHasTheFrequencyOfFiniteElements) {
  const Profile wedge = [](double s) {
    const double h = 1 - 0.8 * s;
    BeamKnot knot;
    knot.mass_per_length_kg_m = h;
    knot.bending_stiffness_Nm2 = 100 * h * h * h;
    return knot;
  };
  // Richardson's value of the element method, whose error is of the second order, too.
  const double at_60 = first_frequency_by_elements(60, wedge), at_120 = first_frequency_by_elements(120, wedge);
  const double reference = at_120 + (at_120 - at_60) / 3;
  const auto error = [&](int intervals) {
    return held_frequencies(spline_beam(2, intervals, BendingShapes::kCantilever, wedge))[0] / reference - 1;
  };
  EXPECT_NEAR(error(40), 0, 3e-4);
  EXPECT_NEAR(std::log2(error(10) / error(20)), 2, 0.1);
  EXPECT_NEAR(std::log2(error(20) / error(40)), 2, 0.1);
}

// A height that falls to the half: 3.8238, 18.3173 and 47.2648 in the unit sqrt(E I_0 / (rho A_0 L^4)) are the
// published values of the blade at rest (Hodges and Rutkowski 1981).
TEST(SplineBeam, ATaperedBladeHasThePublishedFrequencies) {
  const VecX w = held_frequencies(spline_beam(3, 100, BendingShapes::kCantilever, [](double s) {
    const double h = 1 - 0.5 * s;
    BeamKnot knot;
    knot.mass_per_length_kg_m = h;
    knot.bending_stiffness_Nm2 = 100 * h * h * h;
    return knot;
  }));
  const double published[] = {3.8238, 18.3173, 47.2648};
  for (int j = 0; j < 3; ++j) EXPECT_NEAR(w[j] / 10 / published[j], 1, 5e-5) << j;
}

TEST(SplineBeam, StretchesAndTwistsAsABarDoes) {
  const double pi = std::numbers::pi;
  for (const AxialShapes shapes : {AxialShapes::kFixedFree, AxialShapes::kFreeFree}) {
    ElasticSpec bar = reference_beam(1);
    bar.bending = BendingShapes::kNone;
    bar.axial = bar.torsion = shapes;
    bar.axial_modes = bar.torsion_modes = 2;
    for (int k = 0; k <= 12; ++k) {
      BeamKnot knot = uniform(0);
      knot.s_m = k / 12.0;
      knot.axial_stiffness_N = 900;
      knot.torsional_stiffness_Nm2 = 4;
      knot.polar_inertia_per_length_kg_m = 0.01;
      bar.knots.push_back(knot);
    }
    const VecX w = held_frequencies(bar, Space::kSpatial);  // 30 and 20 times the wave numbers
    const double first = shapes == AxialShapes::kFreeFree ? pi : pi / 2, second = first + pi;
    const double expected[] = {20 * first, 30 * first, 20 * second, 30 * second};
    VecX sorted(4);
    sorted << expected[0], expected[1], expected[2], expected[3];
    std::sort(sorted.begin(), sorted.end());
    for (int j = 0; j < 4; ++j) EXPECT_NEAR(w[j] / sorted[j], 1, 1e-6) << j;
  }
}

// The whole machinery on splines: forces are those of Lagrange's equations, by difference quotients.
TEST(SplineBeam, MovesAsTheUniformBeamDoesOnAHinge) {
  const auto forces = [](const ElasticSpec& beam) {
    MechanismSpec spec = held_beam(beam, "revolute");
    spec.gravity_m_s2 = Vec3(0, -9.81, 0);
    const auto mechanism = Mechanism::build(spec);
    VecX q(4), u(4);
    q << 0.4, 0.02, -0.01, 0.005;
    u << 3, -1, 0.5, 0.2;
    VecX du = forces_at(*mechanism, q, u);
    return solve_dense(mass_at(*mechanism, q), du);
  };
  const VecX exact = forces(reference_beam(3)), splines = forces(spline_beam(3, 24, BendingShapes::kCantilever));
  EXPECT_LT((exact - splines).norm(), 1e-4 * exact.norm());
}

// Rayleigh's beam, simply supported:  w^2 = E I k^4 / (rho A + rho I k^2),  exactly by its sines.
TEST(ElasticBeam, RotaryInertiaLowersTheFrequenciesAsRayleighFound) {
  ElasticSpec beam = reference_beam(3, BendingShapes::kSimplySupported);
  beam.rotary_inertia_per_length_kg_m = 0.002;
  const VecX w = held_frequencies(beam);
  ElasticSpec splines = spline_beam(3, 30, BendingShapes::kSimplySupported, [](double s) {
    BeamKnot knot = uniform(s);
    knot.rotary_inertia_per_length_kg_m = 0.002;
    return knot;
  });
  const VecX by_splines = held_frequencies(splines);
  for (int j = 0; j < 3; ++j) {
    const double k = (j + 1) * std::numbers::pi, expected = 10 * k * k / std::sqrt(1 + 0.002 * k * k);
    EXPECT_NEAR(w[j], expected, 1e-9 * expected);
    EXPECT_NEAR(by_splines[j], expected, 2e-5 * expected);
  }
}

// D = alpha M + beta K:  2 zeta_j w_j = alpha + beta w_j^2 of each mode by itself, since M and K are diagonal.
TEST(ElasticBeam, RayleighDampingIsAlphaMPlusBetaK) {
  ElasticSpec beam = reference_beam(3);
  beam.rayleigh = RayleighDamping{0.7, 2e-4};
  const auto mechanism = Mechanism::build(held_beam(beam, "fixed"));
  const VecX w = frequencies_at_rest(*mechanism);
  const MatX M = mass_at(*mechanism, VecX::Zero(3));
  for (int j = 0; j < 3; ++j) {
    const VecX h = forces_at(*mechanism, VecX::Zero(3), VecX::Unit(3, j));
    // Without deflection h is -D u; the quadratic terms of the foreshortening have no part along the mode itself here.
    EXPECT_NEAR(-h[j] / M(j, j), 0.7 + 2e-4 * w[j] * w[j], 1e-9 * (1 + w[j] * w[j])) << j;
  }
}

// The foreshortening is summed up panel by panel: with many modes it is still the integral of the squared slope. A
// cantilever of the first mode alone, among sixty, is shorter by the same amount as one that has only that mode.
TEST(ElasticBeam, TheFirstOfSixtyModesShortensAsIfItWereAlone) {
  const auto sixty = Mechanism::build(held_beam(reference_beam(60), "fixed"));
  const auto one = Mechanism::build(held_beam(reference_beam(1), "fixed"));
  ASSERT_EQ(sixty->velocity_count(), 60);
  int compared = 0;
  for (const Mechanism::Section& alone : one->sections) {
    // The nearest points of the finer rule on both sides, and the line between them.
    const Mechanism::Section *below = nullptr, *above = nullptr;
    for (const Mechanism::Section& section : sixty->sections) {
      const double x = section.rest.x();
      if (x <= alone.rest.x() && (below == nullptr || x > below->rest.x())) below = &section;
      if (x >= alone.rest.x() && (above == nullptr || x < above->rest.x())) above = &section;
    }
    if (below == nullptr || above == nullptr || alone.foreshortening.size() == 0) continue;
    EXPECT_GE(alone.foreshortening(0, 0), below->foreshortening(0, 0) - 1e-12);
    EXPECT_LE(alone.foreshortening(0, 0), above->foreshortening(0, 0) + 1e-12);
    EXPECT_LT(above->foreshortening(0, 0) - below->foreshortening(0, 0), 0.06);
    ++compared;
  }
  EXPECT_GE(compared, 8);
}

std::string refusal_of(const ElasticSpec& beam, const std::function<void(MechanismSpec&)>& change = {}) {
  MechanismSpec spec = held_beam(beam, "fixed");
  if (change) change(spec);
  try {
    Mechanism::build(spec);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(SplineBeam, WrongKnotsAreRefused) {
  const auto refused = [](const std::function<void(ElasticSpec&)>& change) {
    ElasticSpec beam = spline_beam(2, 4, BendingShapes::kCantilever);
    change(beam);
    return refusal_of(beam);
  };
  using testing::HasSubstr;
  EXPECT_EQ(refused([](ElasticSpec&) {}), "");
  EXPECT_THAT(refused([](ElasticSpec& b) { std::swap(b.knots[1].s_m, b.knots[2].s_m); }), HasSubstr("do not increase"));
  EXPECT_THAT(refused([](ElasticSpec& b) { b.knots[2].s_m = b.knots[1].s_m; }), HasSubstr("do not increase"));
  EXPECT_THAT(refused([](ElasticSpec& b) { b.knots.back().s_m = 0.9; }), HasSubstr("but the axis"));
  EXPECT_THAT(refused([](ElasticSpec& b) { b.knots.resize(1); }), HasSubstr("there are 1 knots"));
  EXPECT_THAT(refused([](ElasticSpec& b) { b.bending_modes = 6; }), HasSubstr("carry only 5 such modes"));
  EXPECT_THAT(refused([](ElasticSpec& b) { b.knots[2].bending_stiffness_Nm2 = -1; }), HasSubstr("bending_stiffness"));
  EXPECT_THAT(refused([](ElasticSpec& b) { b.knots[0].mass_per_length_kg_m = 0; }), HasSubstr("mass_per_length"));
}

TEST(ElasticBeam, DampingGivenTwiceIsRefused) {
  ElasticSpec beam = reference_beam(2);
  beam.damping_ratio = 0.1;
  beam.rayleigh = RayleighDamping{1, 0};
  EXPECT_THAT(refusal_of(beam), testing::HasSubstr("given twice"));
}

// A place beside the axis is carried by the section at its x; beyond an end there is no beam.
TEST(ElasticBeam, PlacesBeyondItsEndsAreRefused) {
  const auto with_load_at = [](double x, double y) {
    return refusal_of(reference_beam(2), [&](MechanismSpec& spec) {
      AppliedLoadSpec load;
      load.name = "pull";
      load.body = "beam";
      load.at_m = Vec3(x, y, 0);
      load.value[1] = Expression::constant(1);
      spec.loads.push_back(load);
    });
  };
  EXPECT_EQ(with_load_at(1, 0.3), "");
  EXPECT_THAT(with_load_at(0.5, -5), testing::HasSubstr("5 m beside the axis of the beam 'beam'"));
  EXPECT_EQ(with_load_at(1 + 1e-12, 0), "");
  EXPECT_THAT(with_load_at(1.01, 0),
              testing::AllOf(testing::HasSubstr("forces.pull.at"), testing::HasSubstr("beyond")));
  EXPECT_THAT(with_load_at(-0.01, 0), testing::HasSubstr("beyond the end of the beam 'beam'"));
}

}  // namespace
}  // namespace freeplay::test::elastic_spline_test
