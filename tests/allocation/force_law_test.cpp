// Force laws are evaluated in right-hand sides: none of them allocates.
#include <gtest/gtest.h>

#include "allocation_counter.h"
#include "freeplay/contact/laws/cylinder_laws.h"
#include "freeplay/contact/laws/force_law.h"

namespace freeplay::test {
namespace {

TEST(ForceLaw, EvaluationAllocatesNothing) {
  const CylinderPair journal{1.137e11, 9.5e-3, -10e-3, 15e-3};
  const NormalForceLaw laws[] = {NormalForceLaw(3e10, 1.5, 0.3), NormalForceLaw(3e9, 1.25, 0.3),
                                 NormalForceLaw::kelvin_voigt_by_ratio(1e6, 0.2),
                                 NormalForceLaw(johnson_law(journal), 0.3)};
  const SlidingForceLaw sliding({.friction = 0.2, .static_friction = 0.3, .stribeck_speed_m_s = 0.01});
  double sum = 0;
  EXPECT_EQ(allocations_during([&] {
              for (const NormalForceLaw& law : laws) {
                const double F = law.force(1e-6, -0.1, {0.5, 2});
                sum += F + law.elastic_energy(1e-6) + sliding.force(F, 0.02);
              }
            }),
            0u);
  EXPECT_GT(sum, 0);
}

TEST(FrictionLaw, EvaluationAllocatesNothing) {
  const FrictionLaw laws[] = {FrictionLaw::coulomb(0.3), FrictionLaw::stribeck({0.4, 0.3}),
                              FrictionLaw::table({{0, 0.4}, {1, 0.3}, {2, 0.35}})};
  double sum = 0;
  EXPECT_EQ(allocations_during([&] {
              for (const FrictionLaw& law : laws) sum += law.at(0) + law.at(0.5) + law.at(5) + law.static_limit();
            }),
            0u);
  EXPECT_GT(sum, 0);
}

}  // namespace
}  // namespace freeplay::test
