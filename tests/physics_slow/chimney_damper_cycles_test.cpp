// The chimney damper over 50 cycles, by events and by time stepping (physics/event_driven/chimney_damper_test.cpp has
// the first ten).
#include "physics/event_driven/chimney_amplitudes.h"

namespace freeplay::test::chimney_damper {
namespace {

TEST(ChimneyDamperCycles, AreThoseOfAnIndependentSolution) {
  for (const ChimneyCase& of : plate_cases()) expect_amplitudes(of, {cycles(50)}, 5.5e-5);
}

TEST(ChimneyDamperCycles, AreNearThatSolutionByTimeStepping) {
  for (const ChimneyCase& of : plate_cases())
    expect_amplitudes(of, {cycles(50), "simulate.step=0.5 ms", "simulate.integrator=moreau-midpoint"}, 1e-3);
}

// Every event can be told from the others: time stepping never has to take over.
TEST(ChimneyDamperCycles, AreAllLocated) {
  for (const ChimneyCase& of : plate_cases()) {
    std::vector<std::string> overrides = of.overrides;
    overrides.push_back(cycles(20));
    EXPECT_TRUE(run_example("chimney_damper", overrides, {"chimney.x"}).summary.warnings.empty()) << of.name;
  }
}

// Fig. 20, right: the larger the graduation, the less is damped.
TEST(ChimneyDamperCycles, AreLargerWithALargerGraduation) {
  double before = 0;
  for (const double graduation : {0.10, 0.15, 0.20, 0.25, 0.30}) {
    const std::vector<double> found = amplitudes(run_example(
        "chimney_damper", {"plates=8", fmt::format("graduation={} m", graduation), cycles(20)}, {"chimney.x"}));
    double mean = 0;
    for (const double amplitude : found) mean += amplitude / static_cast<double>(found.size());
    EXPECT_GT(mean, before) << graduation;
    before = mean;
  }
}

}  // namespace
}  // namespace freeplay::test::chimney_damper
