// Values, precedence, names and dimensions of expressions. Derivatives are in expression_jet_test.cpp, mistakes in
// expression_mistakes_test.cpp.
#include "freeplay/math/expressions/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <numbers>
#include <string>

#include "unit/math/expression_test_support.h"

namespace freeplay::test::expression_test {
namespace {

using std::numbers::pi;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Expression, FollowsTheUsualPrecedence) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("10 - 3 - 2"), 5);
  EXPECT_EQ(value("12/3/2"), 2);
  EXPECT_EQ(value("12/3*2"), 8);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("(-2)^2"), 4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_EQ(value("--2"), 2);
  EXPECT_EQ(value("+2"), 2);
  EXPECT_EQ(value("-2^-2^1"), -0.25);
}

TEST(Expression, ReadsEveryFormOfNumber) {
  EXPECT_EQ(value("10"), 10);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("1."), 1);
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value("1.5E+2"), 150);
}

TEST(Expression, FunctionsHaveTheirValues) {
  EXPECT_DOUBLE_EQ(value("sin(pi/6)"), 0.5);
  EXPECT_DOUBLE_EQ(value("cos(60 deg)"), 0.5);
  EXPECT_DOUBLE_EQ(value("tan(pi/4)"), 1);
  EXPECT_DOUBLE_EQ(value("asin(1)"), pi / 2);
  EXPECT_DOUBLE_EQ(value("acos(-1)"), pi);
  EXPECT_DOUBLE_EQ(value("atan(1)"), pi / 4);
  EXPECT_DOUBLE_EQ(value("atan2(1 m, -1 m)"), 3 * pi / 4);
  EXPECT_DOUBLE_EQ(value("sinh(1)"), std::sinh(1.0));
  EXPECT_DOUBLE_EQ(value("cosh(1)"), std::cosh(1.0));
  EXPECT_DOUBLE_EQ(value("tanh(1)"), std::tanh(1.0));
  EXPECT_DOUBLE_EQ(value("log(exp(2))"), 2);
  EXPECT_DOUBLE_EQ(value("sqrt(9 m^2)"), 3);
  EXPECT_EQ(value("abs(-3 m)"), 3);
  EXPECT_EQ(value("sign(-3 m)"), -1);
  EXPECT_EQ(value("sign(0)"), 0);
  EXPECT_EQ(value("step(-1 s)"), 0);
  EXPECT_EQ(value("step(0 s)"), 1);
  EXPECT_EQ(value("floor(-1.5)"), -2);
  EXPECT_EQ(value("min(2 m, 30 mm)"), 0.03);
  EXPECT_EQ(value("max(2 m, 30 mm)"), 2);
  EXPECT_EQ(value("hypot(3 N, 4 N)"), 5);
  EXPECT_EQ(value("mod(7, 3)"), 1);
  EXPECT_EQ(value("mod(-1, 3)"), 2);  // the sign of the second argument: a phase stays in [0, period)
}

TEST(Expression, EveryListedFunctionParses) {
  for (const std::string& name : function_names()) {
    if (name == "pi") continue;
    const bool takes_two = name == "atan2" || name == "min" || name == "max" || name == "hypot" || name == "mod";
    EXPECT_NO_THROW(parse(name + (takes_two ? "(1, 2)" : "(0.5)"))) << name;
  }
}

TEST(Expression, QuantitiesOfTheModelFilesHaveTheirDimensions) {
  const std::pair<const char*, Dimension> cases[] = {
      {"150 rad/s", dimensions::kAngularVelocity},
      {"7.4e-5 kg m^2", dimensions::kInertia},
      {"9.81 m/s^2", dimensions::kAcceleration},
      {"9.81 m s^-2", dimensions::kAcceleration},
      {"1e9 N/m^1.5", dimensions::kForce / *dimensions::kLength.power(1.5)},
      {"3 N m/rad", dimensions::kTorsionalStiffness},
      {"5 kg m^2/s^2", dimensions::kEnergy},
      {"2 Hz", dimensions::kAngularVelocity},
      {"100/s", dimensions::kAngularVelocity},
      {"-l1/2", dimensions::kLength},
      {"5 N/l1", dimensions::kStiffness},
      {"0.1 N * sin(2*pi*1Hz*t)", dimensions::kForce},
      {"10 deg * sin(2*pi*2Hz*t)", dimensions::kAngle},
      {"2 N m s * crank.omega", dimensions::kTorque},
      {"sqrt(2*9.81 m/s^2*h)", dimensions::kVelocity},
      {"5 m/min", dimensions::kVelocity},
      {"5 m/min(2 s, 3 s)", dimensions::kVelocity},
      {"(2 m)^2", Dimension(2, 0, 0)},
      {"l1^(1/2)", *dimensions::kLength.power(0.5)},
      {"slider.x^2/l1", dimensions::kLength},
  };
  for (const auto& [text, dimension] : cases) EXPECT_EQ(parse(text).dimension(), dimension) << text;
}

TEST(Expression, AnExponentTakesNoUnitSoThatDivisionFollowsIt) {
  EXPECT_EQ(value("2^3/h"), 16);
  EXPECT_EQ(parse("t^2/(1 s)").dimension(), dimensions::kTime);
}

TEST(Expression, TheUnitOfALiteralBindsTighterThanDivision) {
  EXPECT_EQ(parse("1/2 m").dimension(), dimensions::kNone / dimensions::kLength);
  EXPECT_EQ(value("10 N/2 m"), 5);  // (10 N)/(2 m)
  EXPECT_EQ(value("9.81 m/s^2/2"), 4.905);
  EXPECT_EQ(value("2 m^2"), 2);
  EXPECT_EQ(value("(2 m)^2"), 4);
}

TEST(Expression, ConstantsFoldAndVariablesAreListedOnce) {
  const Expression constant = parse("2*pi*l1 + 0");
  EXPECT_TRUE(constant.is_constant());
  EXPECT_DOUBLE_EQ(constant.constant_value(), 2 * pi * 0.153);
  const Expression varying = parse("slider.x*t + slider.x*(1 s)");
  EXPECT_FALSE(varying.is_constant());
  EXPECT_THAT(varying.variables(), ElementsAre(0, 2));
  const double variables[] = {3, 0, 2};
  EXPECT_EQ(varying.evaluate(variables), 8);
}

TEST(Expression, DefaultIsABareZero) {
  const Expression zero;
  EXPECT_TRUE(zero.is_constant());
  EXPECT_TRUE(zero.is_bare_zero());
  EXPECT_EQ(zero.constant_value(), 0);
  EXPECT_EQ(zero.evaluate_jet({}).rate, 0);
}

TEST(Expression, AZeroWithoutUnitFitsEveryDimension) {
  for (const char* text : {"0", "-0", "(0)", "0.0", "0 + 0", "nothing", "max(0, 0)"}) {
    EXPECT_TRUE(parse(text).is_bare_zero()) << text;
  }
  for (const char* text : {"0 m", "0 rad", "1 - 1", "0*1", "sin(0)", "1"})
    EXPECT_FALSE(parse(text).is_bare_zero()) << text;
  for (const char* text : {"0 + 3 mm", "3 mm - 0", "max(0, l1)", "min(slider.x, 0)", "nothing + l1", "hypot(0, l1)"}) {
    EXPECT_EQ(parse(text).dimension(), dimensions::kLength) << text;
  }
  EXPECT_EQ(value("atan2(0, l1)"), 0);
}

TEST(Expression, ConstantIsReadBackFromItsText) {
  for (const Dimension& dimension : {dimensions::kNone, dimensions::kLength, dimensions::kAngularVelocity,
                                     dimensions::kDamping, dimensions::kForce / *dimensions::kLength.power(1.5)}) {
    const Expression constant = Expression::constant(0.1 + 0.2, dimension);
    const Expression again = parse(constant.text());
    EXPECT_EQ(again.constant_value(), constant.constant_value()) << constant.text();
    EXPECT_EQ(again.dimension(), dimension) << constant.text();
    EXPECT_FALSE(constant.is_bare_zero());
  }
}

TEST(Expression, KeepsItsText) {
  EXPECT_EQ(parse(" l1 / 2 ").text(), " l1 / 2 ");
}

TEST(Expression, NumbersDoNotDependOnTheLocale) {
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;
    EXPECT_EQ(value("1.5 m"), 1.5) << name;
  }
  std::setlocale(LC_ALL, "C");
}

TEST(Expression, ANanIsNotHiddenByMinMaxSignOrStep) {
  const double variables[] = {-1, 0, 0};
  for (const char* text : {"min(1, sqrt(t/(1 s)))", "min(sqrt(t/(1 s)), 1)", "max(1, sqrt(t/(1 s)))",
                           "max(sqrt(t/(1 s)), 1)", "sign(sqrt(t))", "step(sqrt(t))"}) {
    EXPECT_TRUE(std::isnan(parse(text).evaluate(variables))) << text;
  }
}

TEST(ExpressionDimensions, SumsAndFunctionsRefuseMixedDimensions) {
  const Mistake sum = mistake("l1 + 2 s");
  EXPECT_EQ(sum.offset, 3);
  EXPECT_EQ(sum.message, "the two sides of `+` are a length (m) and a time (s): `l1 + 2 s`");
  EXPECT_THAT(mistake("l1 + 2").hint, HasSubstr("give the plain number a unit"));
  EXPECT_THAT(mistake("l1 - mass").message, HasSubstr("`-`"));
  EXPECT_THAT(mistake("min(l1, 2 s)").message, HasSubstr("arguments of `min`"));
  EXPECT_THAT(mistake("max(1, l1)").message, HasSubstr("arguments of `max`"));
  EXPECT_THAT(mistake("atan2(l1, mass)").message, HasSubstr("arguments of `atan2`"));
  EXPECT_THAT(mistake("hypot(l1, mass)").message, HasSubstr("arguments of `hypot`"));
  EXPECT_THAT(mistake("mod(t, 1)").message, HasSubstr("arguments of `mod`"));
}

TEST(ExpressionDimensions, TranscendentalFunctionsRefuseDimensions) {
  for (const char* name :
       {"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "floor"}) {
    const Mistake error = mistake(std::string(name) + "(l1)");
    EXPECT_THAT(error.message, HasSubstr("is a length (m), but must be a plain number or an angle: `l1`"));
    EXPECT_EQ(error.offset, std::string(name).size() + 1);
  }
  EXPECT_THAT(mistake("sin(t)").hint, HasSubstr("multiply the time by a frequency"));
}

TEST(ExpressionDimensions, APowerOfAQuantityNeedsAConstantPlainExponent) {
  EXPECT_THAT(mistake("l1^(t/(1 s))").message, HasSubstr("varying power"));
  EXPECT_THAT(mistake("2^l1").message, HasSubstr("the exponent is a length"));
  EXPECT_THAT(mistake("l1^0.3").message, HasSubstr("no dimension"));
  EXPECT_THAT(mistake("l1^1000").hint, HasSubstr("at most 100"));
  EXPECT_THAT(mistake("sqrt((1 m)^(1/12))").message, HasSubstr("no square root"));
  EXPECT_THAT(mistake("(1 m)^90*(1 m)^90").message, HasSubstr("no dimension"));
  EXPECT_NO_THROW(parse("friction^(t/(1 s))"));
  EXPECT_EQ(parse("l1^0").dimension(), dimensions::kNone);
}

}  // namespace
}  // namespace freeplay::test::expression_test
