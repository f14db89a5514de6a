// Frequencies of a cantilever that turns, by modes in a floating frame and by fine finite elements.
#include "finite_beam.h"

namespace freeplay::test::finite_beam_test {
namespace {

constexpr int kModes = 12;
constexpr double kUnit = 10;  // sqrt(EI/(rho A L^4)) in rad/s

// Of the engine, linearised about the straight beam that turns: the modes from `first` on.
VecX engine_frequencies(const Mechanism& mechanism, double speed, int first) {
  const int all = mechanism.velocity_count();
  VecX u = VecX::Zero(all);
  u[0] = speed;
  MatX K(kModes, kModes);
  constexpr double kStep = 1e-6;
  for (int j = 0; j < kModes; ++j) {
    const VecX step = kStep * VecX::Unit(all, first + j);
    const VecX difference = forces_at(mechanism, step, u) - forces_at(mechanism, -step, u);
    K.col(j) = -difference.segment(first, kModes) / (2 * kStep);
  }
  const MatX M = mass_at(mechanism, VecX::Zero(all)).block(first, first, kModes, kModes);
  return frequencies(MassStructure::dense(kModes), M, 0.5 * (K + K.transpose()));
}

// The elements themselves: exact frequencies at rest, and the flapping frequencies of Wright, Smith, Thresher and Wang
// (1982), which have five digits.
TEST(FiniteBeam, HasTheKnownFrequencies) {
  const FiniteBeam beam;
  const VecX rest = beam.flapping(0);
  EXPECT_NEAR(rest[0] / kUnit, 3.5160152685, 1e-7);
  EXPECT_NEAR(rest[1] / kUnit, 22.034491565, 1e-5);
  const double speeds[] = {3, 6, 10}, known[] = {4.7973, 7.3604, 11.2023};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(beam.flapping(kUnit * speeds[i])[0] / kUnit, known[i], 5e-5);
  // The error falls with the fourth power of the number of elements: with forty it is below 1e-7.
  const auto with = [](int elements) { return FiniteBeam{.elements = elements}.flapping(100)[0]; };
  const double coarse = with(10) - with(20), fine = with(20) - with(40);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.1);
  EXPECT_LT(fine / 15, 1e-7 * with(40));
}

// Southwell's beam at several speeds, across the plane of rotation and in it, to 1e-4 with twelve modes.
TEST(FiniteBeam, AgreesWithTheModesOfATurningBeam) {
  ElasticSpec spec = reference_beam(kModes);
  const auto planar = Mechanism::build(held_beam(spec, "revolute"));
  spec.bending_stiffness_xz_Nm2 = spec.bending_stiffness_Nm2;
  MechanismSpec in_space = held_beam(spec, "revolute");
  in_space.space = Space::kSpatial;
  const auto spatial = Mechanism::build(in_space);
  const FiniteBeam beam;
  for (const double speed : {0.0, 20.0, 40.0, 60.0, 80.0, 100.0}) {
    SCOPED_TRACE(speed);
    const VecX in_plane = engine_frequencies(*planar, speed, 1),
               across = engine_frequencies(*spatial, speed, 1 + kModes);
    const VecX lead_lag = beam.lead_lag(speed), flapping = beam.flapping(speed);
    EXPECT_NEAR(across[0] / flapping[0], 1, 1e-4);
    EXPECT_NEAR(in_plane[0] / lead_lag[0], 1, 1e-4);
    EXPECT_NEAR(across[1] / flapping[1], 1, 1e-4);
    EXPECT_NEAR(in_plane[1] / lead_lag[1], 1, 1e-4);
  }
}

}  // namespace
}  // namespace freeplay::test::finite_beam_test
