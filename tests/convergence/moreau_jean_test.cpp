// Fitted orders of moreau-jean on smooth motion, against dopri5 with a tight tolerance.
#include <gtest/gtest.h>

#include <cmath>

#include "convergence/fitted_order.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_file.h"
#include "freeplay/simulation/simulation.h"
#include "support/places.h"

namespace freeplay::test::moreau_jean_test {
namespace {

State run(const System& system, const char* integrator, double theta, double step, double end) {
  IntegratorOptions options;
  options.theta = theta;
  options.first_step_s = step;
  options.relative_tolerance = options.absolute_tolerance = 1e-12;
  const auto rule = find_integrator(integrator)->make(system, no_contacts(), options);
  State state = system.initial_state();
  EXPECT_EQ(rule->start(state).status, StepStatus::kOk);
  const long count = step > 0 ? std::lround(end / step) : 1;
  for (long k = 1; k <= count; ++k) {
    const double limit = k == count ? end : static_cast<double>(k) * step;
    while (state.t < limit) {
      const StepReport report = rule->step(state, limit);
      EXPECT_EQ(report.status, StepStatus::kOk) << rule->failure_details();
      if (report.status != StepStatus::kOk) return state;
    }
  }
  return state;
}

struct Case {
  const char* name;
  const char* file;
  double end, largest_step;
  double theta, order;
};

class MoreauJeanOrder : public testing::TestWithParam<Case> {};

TEST_P(MoreauJeanOrder, IsTheOneOfItsTheta) {
  const Case& tested = GetParam();
  const auto system = build_system(load_model(test_dir() + "/../" + tested.file));
  const State exact = run(*system, "dopri5", 0.5, 0, tested.end);
  std::vector<double> steps, errors;
  for (const int divide : {1, 2, 4, 8}) {
    const double step = tested.largest_step / divide;
    const State state = run(*system, "moreau-jean", tested.theta, step, tested.end);
    steps.push_back(step);
    errors.push_back((state.q - exact.q).norm() + (state.u - exact.u).norm());
  }
  const double order = fitted_order(steps, errors);
  EXPECT_NEAR(order, tested.order, 0.1) << errors.front() << " ... " << errors.back();
}

constexpr const char* kPendulum = "examples/double_pendulum.yaml";
constexpr const char* kCoded = "examples/double_pendulum_coded.yaml";
constexpr const char* kTop = "examples/spinning_top.yaml";
constexpr const char* kSprings = "tests/models/physics/mass_on_springs.yaml";
constexpr const char* kSqueezer = "examples/andrews_squeezer.yaml";
INSTANTIATE_TEST_SUITE_P(Examples, MoreauJeanOrder,
                         testing::Values(Case{"Tree", kPendulum, 1.0, 4e-3, 0.5, 2},
                                         Case{"TreeImplicitEuler", kPendulum, 0.5, 5e-4, 1, 1},
                                         Case{"TreeTwoThirds", kPendulum, 0.5, 5e-4, 2.0 / 3, 1},
                                         Case{"MinimalCoordinates", kCoded, 1.0, 4e-3, 0.5, 2},
                                         Case{"Quaternions", kTop, 0.1, 5e-4, 0.5, 2},
                                         Case{"Springs", kSprings, 1.0, 4e-3, 0.5, 2},
                                         Case{"SpringsImplicitEuler", kSprings, 1.0, 5e-4, 1, 1},
                                         Case{"Loops", kSqueezer, 0.01, 4e-5, 0.5, 2},
                                         Case{"LoopsImplicitEuler", kSqueezer, 0.01, 1e-5, 1, 1}),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace freeplay::test::moreau_jean_test
