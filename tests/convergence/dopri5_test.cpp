// Fitted orders of dopri5 with fixed steps: trees, quaternions, closed loops, dense output.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "convergence/fitted_order.h"
#include "freeplay/integrators/smooth/dopri5.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_file.h"
#include "support/places.h"

namespace freeplay::test::dopri5_test {
namespace {

std::shared_ptr<const System> example(const std::string& name) {
  return build_system(load_model(examples_dir() + "/" + name + ".yaml"));
}

// Runs to `end` in steps of exactly `size`: a tolerance that accepts everything switches the step control off.
State run_fixed(const System& system, double size, double end,
                const std::function<void(const Dopri5&)>& after_step = {}) {
  IntegratorOptions options;
  options.relative_tolerance = options.absolute_tolerance = 1e12;
  options.first_step_s = options.max_step_s = size;
  Dopri5 integrator(system, options);
  State state = system.initial_state();
  EXPECT_EQ(integrator.start(state).status, StepStatus::kOk);
  const int count = static_cast<int>(std::lround(end / size));
  for (int k = 1; k <= count; ++k) {
    EXPECT_EQ(integrator.step(state, k * size).status, StepStatus::kOk);
    if (after_step) after_step(integrator);
  }
  EXPECT_EQ(integrator.counts().accepted, count);
  return state;
}

struct Case {
  const char* example;
  double end, largest_step;
};

class Dopri5Order : public testing::TestWithParam<Case> {};

TEST_P(Dopri5Order, IsFiveOnSmoothMotion) {
  const auto system = example(GetParam().example);
  const State exact = run_fixed(*system, GetParam().largest_step / 64, GetParam().end);
  std::vector<double> steps, errors;
  for (const int divide : {1, 2, 4, 8}) {
    const State state = run_fixed(*system, GetParam().largest_step / divide, GetParam().end);
    steps.push_back(GetParam().largest_step / divide);
    errors.push_back((state.q - exact.q).norm() + (state.u - exact.u).norm());
  }
  const double order = fitted_order(steps, errors);
  EXPECT_GT(order, 4.7) << errors.front() << " ... " << errors.back();
  EXPECT_LT(order, 5.6) << errors.front() << " ... " << errors.back();
}

INSTANTIATE_TEST_SUITE_P(Examples, Dopri5Order,
                         testing::Values(Case{"double_pendulum", 1.0, 0.02},        // a tree
                                         Case{"double_pendulum_coded", 1.0, 0.02},  // minimal coordinates
                                         Case{"spinning_top", 0.1, 0.002},          // quaternions
                                         Case{"andrews_squeezer", 0.01, 2e-4}),     // loops with projection
                         [](const auto& c) { return std::string(c.param.example); });

TEST(Dopri5DenseOutput, IsOfOrderFourBetweenTheSteps) {
  const auto system = example("double_pendulum");
  const double end = 1.0, fine = 0.02 / 64;
  // The exact motion on a fine grid that holds every quarter of every coarse step.
  std::vector<State> exact{system->initial_state()};
  run_fixed(*system, fine, end, [&](const Dopri5& integrator) {
    State state = exact.front();
    integrator.interpolate(static_cast<double>(exact.size()) * fine, state);
    exact.push_back(state);
  });
  std::vector<double> steps, errors;
  for (const int divide : {1, 2, 4}) {
    const double size = 0.02 / divide;
    double worst = 0, begin = 0;
    run_fixed(*system, size, end, [&](const Dopri5& integrator) {
      for (const double s : {0.25, 0.5, 0.75}) {
        State inside = exact.front();
        integrator.interpolate(begin + s * size, inside);
        const State& truth = exact[static_cast<std::size_t>(std::lround((begin + s * size) / fine))];
        worst = std::max(worst, (inside.q - truth.q).norm() + (inside.u - truth.u).norm());
      }
      begin += size;
    });
    steps.push_back(size);
    errors.push_back(worst);
  }
  EXPECT_GT(fitted_order(steps, errors), 4.0) << errors.front() << " ... " << errors.back();
}

TEST(Dopri5StepControl, ErrorFollowsTheTolerance) {
  const auto system = example("double_pendulum");
  const auto error_at = [&](double tolerance, const State& exact) {
    IntegratorOptions options;
    options.relative_tolerance = options.absolute_tolerance = tolerance;
    Dopri5 integrator(*system, options);
    State state = system->initial_state();
    EXPECT_EQ(integrator.start(state).status, StepStatus::kOk);
    while (state.t < 1.0) EXPECT_EQ(integrator.step(state, 1.0).status, StepStatus::kOk);
    EXPECT_EQ(state.t, 1.0);
    return (state.q - exact.q).norm();
  };
  const State exact = run_fixed(*system, 0.02 / 64, 1.0);
  for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
    EXPECT_LT(error_at(tolerance, exact), 200 * tolerance) << tolerance;
    EXPECT_GT(error_at(tolerance, exact), 1e-4 * tolerance) << "far more work than the tolerance asks for";
  }
}

}  // namespace
}  // namespace freeplay::test::dopri5_test
