// Derivatives in t against central differences: the rate against the value, the acceleration against the rate.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "freeplay/math/expressions/expression.h"

namespace freeplay::test::expression_jet_test {
namespace {

// x is t without its dimension, c a channel.
Expression parse(const std::string& text) {
  const SymbolScope scope{[](std::string_view name) -> std::optional<Symbol> {
                            if (name == "x") return Symbol{Symbol::Kind::kVariable, {}, 0, {}, false};
                            if (name == "c") return Symbol{Symbol::Kind::kVariable, {}, 1, {}, false};
                            return std::nullopt;
                          },
                          {}};
  return Expression::parse(text, scope);
}

TimeJet jet(const Expression& expression, double x, double c = 2) {
  const double variables[] = {x, c};
  return expression.evaluate_jet(variables);
}

void expect_consistent(const std::string& text, double x) {
  const Expression expression = parse(text);
  const double variables[] = {x, 2};
  const TimeJet at = jet(expression, x);
  EXPECT_DOUBLE_EQ(at.value, expression.evaluate(variables)) << text;

  // Fourth-order central differences: with h = 1e-3 the truncation h^4 f^(5) / 30 and the rounding eps f / h are both
  // far below the tolerance.
  const double h = 1e-3, tolerance = 1e-8;
  const TimeJet m2 = jet(expression, x - 2 * h), m1 = jet(expression, x - h);
  const TimeJet p1 = jet(expression, x + h), p2 = jet(expression, x + 2 * h);
  const double rate = (8 * (p1.value - m1.value) - (p2.value - m2.value)) / (12 * h);
  const double acceleration = (8 * (p1.rate - m1.rate) - (p2.rate - m2.rate)) / (12 * h);
  EXPECT_NEAR(at.rate, rate, tolerance * (1 + std::abs(rate))) << text << " at " << x;
  EXPECT_NEAR(at.acceleration, acceleration, tolerance * (1 + std::abs(acceleration))) << text << " at " << x;
}

TEST(ExpressionJet, EveryOperationMeetsFiniteDifferences) {
  // The inner function has non-zero first and second derivatives, so that every term of the chain rule counts.
  const std::string u = "(0.3 + 0.2*x + 0.1*x^2)", v = "(1.5 - 0.4*x + 0.3*x^3)";
  for (const char* name : {"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt",
                           "abs", "sign", "step", "floor", "-"}) {
    for (const double x : {-0.4, 0.1, 0.7}) expect_consistent(name + u, x);
  }
  for (const char* op : {"+", "-", "*", "/", "^"}) {
    for (const double x : {-0.4, 0.1, 0.7}) expect_consistent(u + op + v, x);
  }
  for (const char* name : {"atan2", "min", "max", "hypot", "mod"}) {
    for (const double x : {-0.4, 0.1, 0.7}) {
      expect_consistent(name + ("(" + u + "," + v + ")"), x);
      expect_consistent(name + ("(" + v + "," + u + ")"), x);
    }
  }
}

TEST(ExpressionJet, PowersOfNegativeAndZeroBasesWithConstantExponents) {
  for (const char* text : {"x^2", "x^3", "x^0", "x^1", "x^-2", "(x - 0.5)^4", "2^x", "x^c", "c^x", "abs(x)^2.5"}) {
    expect_consistent(text, -0.7);
    expect_consistent(text, 0.9);
  }
  for (const char* text : {"x^0", "x^1", "x^2", "x^3"}) expect_consistent(text, 0);
}

TEST(ExpressionJet, CompositeLawsMeetFiniteDifferences) {
  for (const char* text :
       {"0.1*sin(2*pi*x)*exp(-x/c)", "sqrt(1 + x^2)/(2 + cos(3*x))", "log(1 + exp(x*c))*tanh(x)",
        "atan2(sin(x), c + cos(x))", "step(x - 0.2)*(x - 0.2)^2", "mod(3*x, 0.7)*x", "abs(sin(4*x))"}) {
    for (const double x : {-0.3, 0.35, 0.9}) expect_consistent(text, x);
  }
}

TEST(ExpressionJet, OtherVariablesAreHeldConstant) {
  const TimeJet at = jet(parse("c^3 + sqrt(c - 2) + hypot(c - 2, c - 2) + atan2(c - 2, 0*c)"), 1, 2);
  // sqrt and hypot have no derivative at 0, yet nothing moves: the rates are 0, not NaN.
  EXPECT_EQ(at.value, 8);
  EXPECT_EQ(at.rate, 0);
  EXPECT_EQ(at.acceleration, 0);
}

TEST(ExpressionJet, AtAKinkTheDerivativesAreThoseFromTheRight) {
  EXPECT_EQ(jet(parse("abs(x)"), 0).rate, 1);
  EXPECT_EQ(jet(parse("max(x, 0)"), 0).rate, 1);
  EXPECT_EQ(jet(parse("max(0, x)"), 0).rate, 1);
  EXPECT_EQ(jet(parse("min(x, 0)"), 0).rate, 0);
  EXPECT_EQ(jet(parse("min(x, 3) + max(x - 3, 0)"), 3).rate, 1) << "a motion in two parts";
  EXPECT_EQ(jet(parse("max(x, 0)^2"), 0).acceleration, 2);
  EXPECT_EQ(jet(parse("max(x, 0)"), -1).rate, 0);
  EXPECT_EQ(jet(parse("step(x)"), 0).rate, 0);
  EXPECT_EQ(jet(parse("mod(x, 1)"), 1).rate, 1);
}

TEST(ExpressionJet, AConstantHasNoRates) {
  const TimeJet at = jet(parse("3*pi"), 5);
  EXPECT_DOUBLE_EQ(at.value, 3 * 3.14159265358979323846);
  EXPECT_EQ(at.rate, 0);
  EXPECT_EQ(at.acceleration, 0);
}

TEST(ExpressionJet, MotionAtAConstantSpeedIsSeenFromHowItIsWritten) {
  for (const char* text : {"3", "x", "2*x - 1", "-(x/4 + pi)", "sin(1)*x*3", "(x + 1)*(2 - 1)"})
    EXPECT_TRUE(parse(text).is_linear_in_time()) << text;
  for (const char* text : {"x*x", "x^2", "1/x", "sin(x)", "abs(x)", "c*x", "max(x, 1)", "x + c"})
    EXPECT_FALSE(parse(text).is_linear_in_time()) << text;
}

}  // namespace
}  // namespace freeplay::test::expression_jet_test
