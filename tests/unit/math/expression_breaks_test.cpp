// Instants at which an expression jumps or has a kink, and the periods of its sines, against what its text says.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "freeplay/math/expressions/expression.h"

namespace freeplay::test::expression_breaks_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Outside = SampledFunction::Outside;

// x is t without its dimension, c a channel, table(0, 1, 3) a function of samples at these places.
Expression parse(const std::string& text, Outside outside = Outside::kHold) {
  const NamedFunction table{
      std::make_shared<const SampledFunction>(std::vector<double>{0, 1, 3}, std::vector<double>{0, 2, 0},
                                              SampledFunction::Interpolation::kLinear, outside),
      {},
      {}};
  const SymbolScope scope{[](std::string_view name) -> std::optional<Symbol> {
                            if (name == "x") return Symbol{Symbol::Kind::kVariable, {}, 0, {}, false};
                            if (name == "c") return Symbol{Symbol::Kind::kVariable, {}, 1, {}, false};
                            return std::nullopt;
                          },
                          {},
                          [&](std::string_view name) { return name == "table" ? &table : nullptr; }};
  return Expression::parse(text, scope);
}

// All of them from `t` on, up to `until`.
std::vector<double> breaks(const std::string& text, double t, double until, Outside outside = Outside::kHold) {
  const Expression expression = parse(text, outside);
  std::vector<double> found;
  while ((t = expression.next_break(t)) <= until) found.push_back(t);
  return found;
}

void expect_breaks(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-14);
}

TEST(ExpressionBreaks, AreTheSamplesOfTables) {
  expect_breaks(breaks("5 + 2*table(x)", -1, 10), {0, 1, 3});
  expect_breaks(breaks("table(2*x - 1)", -1, 10), {0.5, 1, 2});
  expect_breaks(breaks("table(4 - x)", 0, 10), {1, 3, 4});
  expect_breaks(breaks("table(x)", 2.5, 10, Outside::kRepeat), {3, 4, 6, 7, 9, 10});
}

TEST(ExpressionBreaks, AreTheZerosOfWhatIsNotSmooth) {
  expect_breaks(breaks("abs(x - 2)", 0, 10), {2});
  expect_breaks(breaks("step(x - 0.3) - step(x - 0.4)", 0, 10), {0.3, 0.4});
  expect_breaks(breaks("sign(1 - x/3)", 0, 10), {3});
  expect_breaks(breaks("min(x, 4 - x)", 0, 10), {2});
  expect_breaks(breaks("floor(x/2)", 0, 5), {2, 4});
  expect_breaks(breaks("mod(x, 0.5)", 0, 1.6), {0.5, 1, 1.5});
}

TEST(ExpressionBreaks, AreSeenThroughWhatIsLinearPieceByPiece) {
  expect_breaks(breaks("max(0, 1 - abs(x - 5))", 0, 10), {4, 5, 6});
  expect_breaks(breaks("step(table(x) - 1)", -1, 10), {0, 0.5, 1, 2, 3});
  expect_breaks(breaks("step(mod(x, 2) - 0.5)", 0, 5), {0.5, 2, 2.5, 4, 4.5});
}

TEST(ExpressionBreaks, AreNoneWhereNothingBreaksOrNothingIsKnown) {
  EXPECT_EQ(parse("sin(x) + x^2").next_break(0), kInfinity);
  EXPECT_EQ(parse("abs(c)").next_break(0), kInfinity);
  EXPECT_EQ(parse("abs(x^2 - 4)").next_break(0), kInfinity) << "not seen: its argument is not a + b t";
  EXPECT_EQ(Expression().next_break(0), kInfinity);
  EXPECT_EQ(parse("mod(x, 1e-12) + floor(1e12*x) + sin(1e12*x)").next_break(0), kInfinity) << "no step could follow";
  EXPECT_EQ(parse("sin(1e12*x)").shortest_period(), kInfinity);
}

TEST(ExpressionBreaks, TheNextOneIsLaterByMoreThanRounding) {
  const Expression expression = parse("mod(x, 0.1)");
  double t = 0;
  for (int k = 1; k <= 10'000; ++k) {
    t = expression.next_break(t);
    ASSERT_NEAR(t, 0.1 * k, 1e-9) << k;
  }
}

TEST(ExpressionPeriods, TheShortestOfAllSinesCounts) {
  EXPECT_NEAR(parse("sin(2*pi*5*x) + cos(3*x)").shortest_period(), 0.2, 1e-15);
  EXPECT_NEAR(parse("exp(sin(1 - 4*x))").shortest_period(), std::numbers::pi / 2, 1e-15);
  EXPECT_EQ(parse("sin(c) + x").shortest_period(), kInfinity);
}

}  // namespace
}  // namespace freeplay::test::expression_breaks_test
