// Steps of dopri5 against a limit: a grid of forced step ends must not cost more steps than it has intervals.
#include "freeplay/integrators/smooth/dopri5.h"

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

TEST(Dopri5MinStep, RaisesASmallGuessInsteadOfFailing) {
  const auto system = free_body();
  IntegratorOptions options;
  options.min_step_s = 1e-3;
  Dopri5 integrator(*system, options);
  State state = system->initial_state();
  ASSERT_EQ(integrator.start(state).status, StepStatus::kOk);
  while (state.t < 1) ASSERT_EQ(integrator.step(state, 1).status, StepStatus::kOk);
}

// Where the rest of the way is a little more than the largest step, two halves of it would both be too small.
TEST(Dopri5MinStep, IsNotUndercutByHalvingBeforeALimit) {
  const auto system = free_body();
  IntegratorOptions options;
  options.min_step_s = 0.9e-3;
  options.max_step_s = 0.95e-3;
  Dopri5 integrator(*system, options);
  State state = system->initial_state();
  ASSERT_EQ(integrator.start(state).status, StepStatus::kOk);
  for (int k = 1; k <= 20; ++k) {
    const double limit = k * 1e-3;
    int before_the_last = 0;
    while (state.t < limit) {
      const StepReport report = integrator.step(state, limit);
      ASSERT_EQ(report.status, StepStatus::kOk);
      if (state.t == limit) break;  // only the limit may cut a step short
      EXPECT_GE(report.size_s, options.min_step_s) << k;
      ++before_the_last;
    }
    EXPECT_GE(before_the_last, 1) << k;  // otherwise there is nothing to see
  }
}

// A motion that jumps cannot be followed by any step: the projection must not carry the mechanism across.
TEST(Dopri5Projection, RefusesADriverThatJumps) {
  MechanismSpec spec;
  BodySpec body;
  body.name = "arm";
  body.mass_kg = 1;
  body.inertia_kg_m2(2, 2) = 1;
  spec.bodies = {body};
  JointSpec pin;
  pin.name = "pin";
  pin.type = "revolute";
  pin.parent = "ground";
  pin.child = "arm";
  spec.joints = {pin};
  const SymbolScope scope{[](std::string_view name) -> std::optional<Symbol> {
                            if (name != "t") return std::nullopt;
                            return Symbol{Symbol::Kind::kVariable, {}, 0, dimensions::kTime};
                          },
                          [] { return std::vector<std::string>{"t"}; }};
  spec.drivers = {{"motor", "pin", Expression::parse("0.5 rad * sign(t - 0.5 s)", scope), std::nullopt}};
  const auto system = Mechanism::build(spec);
  Dopri5 integrator(*system, {});
  State state = system->initial_state();
  ASSERT_EQ(integrator.start(state).status, StepStatus::kOk);
  StepReport report;
  while (state.t < 1 && report.status == StepStatus::kOk) report = integrator.step(state, 1);
  EXPECT_EQ(report.status, StepStatus::kProjectionFailed);
  EXPECT_NEAR(state.t, 0.5, 1e-9);
  EXPECT_NEAR(state.q[0], -0.5, 1e-9);
}

}  // namespace
}  // namespace freeplay::test
