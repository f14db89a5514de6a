// Friction as a function of the sliding speed: bounds, symmetry, limits.
#include "freeplay/contact/laws/sliding_force_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace freeplay::test {
namespace {

using Ramp = SlidingParameters::Ramp;

std::vector<SlidingParameters> all_laws() {
  std::vector<SlidingParameters> laws;
  for (const Ramp ramp : {Ramp::kAmbrosio, Ramp::kThrelfall}) {
    laws.push_back({.friction = 0.3, .ramp = ramp, .slip_speed_m_s = 1e-3});
    laws.push_back({.friction = 0.3, .ramp = ramp, .slip_speed_m_s = 1e-3, .rest_speed_m_s = 1e-4});
    laws.push_back(
        {.friction = 0.3, .ramp = ramp, .slip_speed_m_s = 1e-3, .static_friction = 0.5, .stribeck_speed_m_s = 0.02});
  }
  return laws;
}

TEST(SlidingForceLaw, ActsAgainstTheSlidingAndIsBounded) {
  for (const SlidingParameters& parameters : all_laws()) {
    const SlidingForceLaw law(parameters);
    const double largest = 100 * std::max(parameters.friction, parameters.static_friction);
    EXPECT_EQ(law.force(100, 0), 0);
    for (double v = 1e-9; v < 100; v *= 1.5) {
      const double F = law.force(100, v);
      EXPECT_LE(F, 0) << v;
      EXPECT_GE(F, -largest) << v;
      EXPECT_EQ(law.force(100, -v), -F) << v;
      EXPECT_EQ(law.force(0, v), 0);
    }
    EXPECT_NEAR(law.force(100, 50), -30, 1e-12) << "Coulomb's law at high speed";
  }
}

TEST(SlidingForceLaw, IsContinuous) {
  for (const SlidingParameters& parameters : all_laws()) {
    const SlidingForceLaw law(parameters);
    const double steepest = 100 * 0.5 * 3 / (parameters.slip_speed_m_s - parameters.rest_speed_m_s);
    double before = law.force(100, -5e-3);
    for (double v = -5e-3; v < 5e-3; v += 1e-6) {
      const double now = law.force(100, v + 1e-6);
      EXPECT_LE(std::abs(now - before), 1.001e-6 * steepest) << v;
      before = now;
    }
  }
}

TEST(SlidingForceLaw, AmbrosioRisesAlongALine) {
  const SlidingForceLaw law({.friction = 0.2, .slip_speed_m_s = 1e-3, .rest_speed_m_s = 2e-4});
  EXPECT_EQ(law.force(10, 2e-4), 0);
  EXPECT_NEAR(law.force(10, 6e-4), -1, 1e-14) << "half way";
  EXPECT_NEAR(law.force(10, 1e-3), -2, 1e-14);
  EXPECT_EQ(law.force(10, 1), -2);
}

TEST(SlidingForceLaw, ThrelfallHas95PercentAtTheSlipSpeed) {
  const SlidingForceLaw law({.friction = 0.2, .ramp = Ramp::kThrelfall, .slip_speed_m_s = 1e-3});
  EXPECT_NEAR(law.force(10, 1e-3), -2 * (1 - std::exp(-3.0)), 1e-14);
}

TEST(SlidingForceLaw, StribeckFallsFromTheStaticCoefficient) {
  const SlidingForceLaw law(
      {.friction = 0.2, .slip_speed_m_s = 1e-6, .static_friction = 0.3, .stribeck_speed_m_s = 0.01});
  EXPECT_NEAR(law.force(10, 1e-6), -3, 1e-6);
  EXPECT_NEAR(law.force(10, 0.01), -2 - std::exp(-1.0), 1e-14);
  EXPECT_NEAR(law.force(10, 1), -2, 1e-14);
}

TEST(SlidingForceLaw, WithoutFrictionThereIsNoForce) {
  EXPECT_EQ(SlidingForceLaw().force(10, 1), 0);
}

}  // namespace
}  // namespace freeplay::test
