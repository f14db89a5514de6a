// Functions given by samples: met exactly where they must be, with derivatives by differences, and of the right order.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "freeplay/math/expressions/expression.h"

namespace freeplay::test::sampled_function_test {
namespace {

using Interpolation = SampledFunction::Interpolation;
using Outside = SampledFunction::Outside;

struct Samples {
  std::vector<double> x, y;
};

// Uneven places: the formulas must not hang on equal steps.
Samples samples_of(const std::function<double(double)>& f, int count, double from, double to) {
  Samples samples;
  for (int i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / (count - 1);
    samples.x.push_back(from + (to - from) * (share + 0.05 * std::sin(2 * std::numbers::pi * share)));
    samples.y.push_back(f(samples.x.back()));
  }
  return samples;
}

SampledFunction function_of(const Samples& s, Interpolation interpolation, Outside outside = Outside::kHold) {
  return {s.x, s.y, interpolation, outside};
}

double largest_error(const SampledFunction& function, const std::function<double(double)>& f, double from, double to) {
  double error = 0;
  for (int i = 0; i < 1000; ++i) {
    const double x = from + (to - from) * (i + 0.5) / 1000;
    error = std::max(error, std::abs(function.value(x) - f(x)));
  }
  return error;
}

TEST(SampledFunction, ACubicSplineMeetsACubicExactly) {
  const auto cubic = [](double x) { return 1 - 2 * x + 3 * x * x - 0.5 * x * x * x; };
  const SampledFunction function = function_of(samples_of(cubic, 7, -1, 2), Interpolation::kCubic);
  for (const double x : {-0.99, -0.3, 0.0, 0.71, 1.9}) {
    const SampledFunction::Jet jet = function.at(x);
    EXPECT_NEAR(jet.value, cubic(x), 1e-13);
    EXPECT_NEAR(jet.slope, -2 + 6 * x - 1.5 * x * x, 1e-12);
    EXPECT_NEAR(jet.curvature, 6 - 3 * x, 1e-11);
  }
}

TEST(SampledFunction, ThreeSamplesGiveAParabolaAndTwoALine) {
  const auto parabola = [](double x) { return 2 + x - 3 * x * x; };
  const SampledFunction three = function_of(samples_of(parabola, 3, 0, 1), Interpolation::kCubic);
  EXPECT_NEAR(three.value(0.3), parabola(0.3), 1e-14);
  EXPECT_NEAR(three.value(0.8), parabola(0.8), 1e-14);
  const SampledFunction two({1, 3}, {5, 9}, Interpolation::kCubic, Outside::kHold);
  EXPECT_NEAR(two.value(1.5), 6, 1e-14);
  EXPECT_NEAR(two.at(1.5).slope, 2, 1e-14);
}

TEST(SampledFunction, ErrorsFallWithTheOrderOfTheInterpolation) {
  const auto wave = [](double x) { return std::sin(3 * x); };
  const auto order = [&](Interpolation interpolation) {
    const double coarse = largest_error(function_of(samples_of(wave, 41, 0, 2), interpolation), wave, 0, 2);
    const double fine = largest_error(function_of(samples_of(wave, 81, 0, 2), interpolation), wave, 0, 2);
    return std::log2(coarse / fine);
  };
  EXPECT_NEAR(order(Interpolation::kLinear), 2, 0.2);
  EXPECT_NEAR(order(Interpolation::kCubic), 4, 0.4);
  EXPECT_NEAR(order(Interpolation::kHold), 1, 0.2);
}

TEST(SampledFunction, APeriodicSplineIsSmoothWhereItRepeats) {
  const double period = 2 * std::numbers::pi;
  const auto wave = [](double x) { return std::sin(x) + 0.3 * std::cos(2 * x); };
  Samples s = samples_of(wave, 33, 0, period);
  s.y.back() = s.y.front();
  const SampledFunction function = function_of(s, Interpolation::kCubic, Outside::kRepeat);
  for (const double turns : {-3.0, 0.0, 5.0}) EXPECT_NEAR(function.value(1.1 + turns * period), wave(1.1), 2e-4);
  const SampledFunction::Jet before = function.at(-1e-9), after = function.at(1e-9);
  EXPECT_NEAR(before.slope, after.slope, 1e-7);
  EXPECT_NEAR(before.curvature, after.curvature, 1e-6);
  // Two intervals: both neighbours of a sample are the same one.
  const SampledFunction two({0, 1, 3}, {0, 2, 0}, Interpolation::kCubic, Outside::kRepeat);
  EXPECT_NEAR(two.at(1 - 1e-9).curvature, two.at(1 + 1e-9).curvature, 1e-6);
  EXPECT_NEAR(two.at(3 - 1e-9).curvature, two.at(1e-9).curvature, 1e-6);
}

TEST(SampledFunction, HasDerivativesThatMeetDifferences) {
  const Samples s = samples_of([](double x) { return std::exp(-x) * std::sin(5 * x); }, 12, 0, 2);
  for (const Interpolation interpolation : {Interpolation::kLinear, Interpolation::kCubic}) {
    const SampledFunction function = function_of(s, interpolation);
    for (const double x : {0.13, 0.77, 1.31, 1.9}) {
      const double h = 1e-5;
      EXPECT_NEAR(function.at(x).slope, (function.value(x + h) - function.value(x - h)) / (2 * h), 1e-7);
      EXPECT_NEAR(function.at(x).curvature, (function.at(x + h).slope - function.at(x - h).slope) / (2 * h), 1e-5);
    }
  }
}

TEST(SampledFunction, OutsideIsWhatWasAskedFor) {
  const std::vector<double> x = {1, 2, 4}, y = {10, 20, 0};
  const SampledFunction hold(x, y, Interpolation::kLinear, Outside::kHold);
  EXPECT_EQ(hold.value(0), 10);
  EXPECT_EQ(hold.value(100), 0);
  EXPECT_EQ(hold.at(100).slope, 0);
  const SampledFunction repeat(x, y, Interpolation::kLinear, Outside::kRepeat);
  EXPECT_DOUBLE_EQ(repeat.value(4.5), 15);
  EXPECT_DOUBLE_EQ(repeat.value(0), 10);  // one period before 3
  const SampledFunction stop(x, y, Interpolation::kLinear, Outside::kStop);
  EXPECT_TRUE(std::isnan(stop.value(4.1)));
  EXPECT_TRUE(std::isnan(stop.value(0.9)));
  EXPECT_EQ(stop.value(4 + 1e-12), 0);  // rounding of a sum of steps
  for (const SampledFunction* function : {&hold, &stop}) {
    EXPECT_DOUBLE_EQ(function->at(4).slope, -10) << "a motion that ends with its table is under way there";
    EXPECT_DOUBLE_EQ(function->at(4 + 1e-12).slope, -10);
    EXPECT_DOUBLE_EQ(function->at(1 - 1e-12).slope, 10);
  }
  const SampledFunction steps(x, y, Interpolation::kHold, Outside::kHold);
  EXPECT_EQ(steps.value(1.999), 10);
  EXPECT_EQ(steps.value(2), 20);
}

TEST(SampledFunction, SamplesThatAreNoFunctionAreRefused) {
  const auto message = [](std::vector<double> x, std::vector<double> y, Interpolation interpolation = {},
                          Outside outside = {}) {
    return SampledFunction::problem_of(x, y, interpolation, outside).message;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message({0, 1}, {0, 1}), "");
  EXPECT_NE(message({0}, {0}), "");
  EXPECT_NE(message({0, 2, 1}, {0, 1, 2}), "");
  EXPECT_NE(message({0, 1, 1}, {0, 1, 2}), "");
  EXPECT_NE(message({0, nan}, {0, 1}), "");
  EXPECT_NE(message({0, 1}, {0, nan}), "");
  EXPECT_NE(message({0, 1}, {0, 1}, Interpolation::kCubic, Outside::kRepeat), "");
  EXPECT_EQ(message({0, 1}, {0, 1}, Interpolation::kLinear, Outside::kRepeat), "");
}

// f(g(t)) in an expression: value and both derivatives by the chain rule.
TEST(SampledFunction, AnExpressionCallsItWithItsDerivatives) {
  const auto cubic = [](double x) { return x * x * x; };
  const Samples s = samples_of(cubic, 9, -1, 3);
  const NamedFunction named{std::make_shared<const SampledFunction>(function_of(s, Interpolation::kCubic)), {}, {}};
  const SymbolScope scope{[](std::string_view name) -> std::optional<Symbol> {
                            if (name == "x") return Symbol{Symbol::Kind::kVariable, {}, 0, {}, false};
                            return std::nullopt;
                          },
                          {},
                          [&](std::string_view name) { return name == "lift" ? &named : nullptr; }};
  const Expression expression = Expression::parse("2*lift(x^2) + lift(1)", scope);
  const double t[] = {1.2};
  const TimeJet jet = expression.evaluate_jet(t);  // 2 x^6 + 1
  EXPECT_NEAR(jet.value, 2 * std::pow(1.2, 6) + 1, 1e-12);
  EXPECT_NEAR(jet.rate, 12 * std::pow(1.2, 5), 1e-11);
  EXPECT_NEAR(jet.acceleration, 60 * std::pow(1.2, 4), 1e-10);
  EXPECT_EQ(expression.evaluate(t), jet.value);
  EXPECT_THROW(Expression::parse("lift(x, 2)", scope), ExpressionError);
  EXPECT_THROW(Expression::parse("lift(1 m)", scope), ExpressionError);
  EXPECT_THROW(Expression::parse("drop(1)", scope), ExpressionError);
}

}  // namespace
}  // namespace freeplay::test::sampled_function_test
