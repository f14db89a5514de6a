// Steps of dopri5 against a limit: a grid of forced step ends must not cost more steps than it has intervals.
#include "freeplay/integrators/dopri5.h"

#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/mechanism/mechanism.h"

namespace freeplay::test {
namespace {

// A free body without forces: no step is ever too long for the tolerance.
std::shared_ptr<const Mechanism> free_body() {
  MechanismSpec spec;
  BodySpec body;
  body.name = "body";
  body.mass_kg = 1;
  body.inertia_kg_m2(2, 2) = 1;
  spec.bodies = {body};
  return Mechanism::build(spec);
}

// The steps that a grid of a hundred intervals from t takes.
int steps_on_grid(double t, double size) {
  const auto system = free_body();
  IntegratorOptions options;
  options.first_step_s = options.max_step_s = size;
  Dopri5 integrator(*system, options);
  State state = system->initial_state();
  const double first = std::round(t / size);
  state.t = first * size;
  EXPECT_EQ(integrator.start(state).status, StepStatus::kOk);
  int steps = 0;
  for (int k = 1; k <= 100; ++k) {
    const double limit = (first + k) * size;
    for (; state.t < limit; ++steps) {
      if (integrator.step(state, limit).status != StepStatus::kOk) return -1;
    }
    EXPECT_EQ(state.t, limit);
  }
  return steps;
}

TEST(Dopri5Grid, TakesOneStepPerIntervalEarlyAndLate) {
  for (const double t : {0.0, 1.0, 1e3, 1e6}) {
    for (const double size : {0.01, 1.0 / 360, 0.001 / 3}) EXPECT_EQ(steps_on_grid(t, size), 100) << t << " " << size;
  }
}

}  // namespace
}  // namespace freeplay::test
