// Values, precedence, names, dimensions and mistakes of expressions. Derivatives are in expression_jet_test.cpp.
#include "freeplay/math/expressions/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <string>

namespace freeplay::test::expression_test {
namespace {

using std::numbers::pi;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// t is variable 0, crank.omega variable 1 (and slider.x variable 2); the rest are parameters.
const std::map<std::string, Symbol, std::less<>>& symbols() {
  const auto parameter = [](double value, Dimension dimension) {
    return Symbol{Symbol::Kind::kConstant, {value, dimension}, 0, {}, false};
  };
  static const std::map<std::string, Symbol, std::less<>> kSymbols = {
      {"t", {Symbol::Kind::kVariable, {}, 0, dimensions::kTime, false}},
      {"crank.omega", {Symbol::Kind::kVariable, {}, 1, dimensions::kAngularVelocity, false}},
      {"slider.x", {Symbol::Kind::kVariable, {}, 2, dimensions::kLength, false}},
      {"l1", parameter(0.153, dimensions::kLength)},
      {"mass", parameter(2, dimensions::kMass)},
      {"h", parameter(0.5, dimensions::kLength)},  // also the hour
      {"friction", parameter(0.1, dimensions::kNone)},
      {"nothing", {Symbol::Kind::kConstant, {0, {}}, 0, {}, true}},
  };
  return kSymbols;
}

SymbolScope scope() {
  return {[](std::string_view name) -> std::optional<Symbol> {
            const auto found = symbols().find(name);
            return found == symbols().end() ? std::nullopt : std::optional<Symbol>(found->second);
          },
          [] {
            std::vector<std::string> names;
            for (const auto& [name, symbol] : symbols()) names.push_back(name);
            return names;
          }};
}

Expression parse(std::string_view text) {
  return Expression::parse(text, scope());
}
double value(std::string_view text) {
  return parse(text).constant_value();
}

struct Mistake {
  std::size_t offset = 0;
  std::string message, hint;
};

Mistake mistake(std::string_view text) {
  try {
    parse(text);
  } catch (const ExpressionError& error) {
    return {error.offset(), error.what(), error.hint()};
  }
  ADD_FAILURE() << "accepted: " << text;
  return {};
}

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

TEST(ExpressionMistakes, AnUnknownNameGivesItsPlaceAndTheLikelyOne) {
  const Mistake error = mistake("2*frition");
  EXPECT_EQ(error.offset, 2);
  EXPECT_EQ(error.message, "unknown name `frition`");
  EXPECT_EQ(error.hint, "did you mean `friction`?");
  EXPECT_THAT(mistake("crank.omga").hint, HasSubstr("crank.omega"));
}

TEST(ExpressionMistakes, AStarBetweenUnitsIsExplained) {
  const Mistake error = mistake("2 kg*m^2");
  EXPECT_EQ(error.offset, 5);
  EXPECT_EQ(error.message, "unknown name `m`");
  EXPECT_THAT(error.hint, HasSubstr("write `kg m^2`"));
  EXPECT_THAT(mistake("2 N/rad * m").hint, HasSubstr("write `m` in front of `N/rad`"));
  EXPECT_THAT(mistake("l1*mm").hint, HasSubstr("write `1 mm`"));
  EXPECT_THAT(mistake("5 N/(m)").hint, HasSubstr("write `1 m`"));
}

TEST(ExpressionMistakes, AUnitThatIsAlsoANameIsAmbiguousBehindASlash) {
  const Mistake error = mistake("5 km/h");
  EXPECT_EQ(error.offset, 5);
  EXPECT_THAT(error.message, HasSubstr("ambiguous"));
  EXPECT_THAT(error.hint, HasSubstr("`(5 km)/h`"));
  EXPECT_THAT(error.hint, HasSubstr("`5 km h^-1`"));
  EXPECT_THAT(mistake("1/h").message, HasSubstr("ambiguous"));
  EXPECT_THAT(mistake("1 J/K/h").hint, HasSubstr("`h^-1` before the first `/`"));
  EXPECT_EQ(parse("(5 km)/h").dimension(), dimensions::kNone);
  EXPECT_EQ(parse("5 km h^-1").dimension(), dimensions::kVelocity);
}

TEST(ExpressionMistakes, MultiplicationNeedsAStar) {
  EXPECT_EQ(mistake("2 l1").hint, "what follows a number is a unit; to multiply, write `*` before `l1`");
  EXPECT_THAT(mistake("2 pi").hint, HasSubstr("write `*` before `pi`"));
  EXPECT_THAT(mistake("2 sin(1)").hint, HasSubstr("write `*` before `sin`"));
  EXPECT_THAT(mistake("2 N/m sin(1)").hint, HasSubstr("write `*` before `sin`"));
  EXPECT_THAT(mistake("2(3)").hint, HasSubstr("write `*`"));
  EXPECT_THAT(mistake("l1 l1").hint, HasSubstr("write `*`"));
  EXPECT_THAT(mistake("l1(2)").hint, HasSubstr("write `l1*(...)`"));
  EXPECT_THAT(mistake("2**3").hint, HasSubstr("`^`"));
}

TEST(ExpressionMistakes, SyntaxErrorsPointAtTheOffendingText) {
  const std::pair<const char*, std::size_t> cases[] = {
      {"", 0},          {"  ", 0},         {"1 +", 3},    {"(1", 0},    {"1)", 1},    {")", 0},
      {"()", 1},        {"*1", 0},         {"1,5", 1},    {"sin", 0},   {"sin()", 0}, {"sin(1", 0},
      {"sin(1, 2)", 0}, {"atan2(1)", 0},   {"foo(1)", 0}, {"1 $ 2", 2}, {"1 = 1", 2}, {"1.5.2", 3},
      {"0x10", 1},      {"1e", 1},         {"inf", 0},    {"nan", 0},   {"1 2", 2},   {"l1 \u00b7 l1", 3},
      {"5 N/", 4},      {"5 N \u00b7", 6},
  };
  for (const auto& [text, offset] : cases)
    EXPECT_EQ(mistake(text).offset, offset) << text << ": " << mistake(text).message;
  EXPECT_THAT(mistake("1,5").hint, HasSubstr("point"));
  EXPECT_THAT(mistake("sinn(1)").hint, HasSubstr("did you mean `sin`"));
  EXPECT_THAT(mistake("pow(2, 3)").hint, HasSubstr("a^b"));
  EXPECT_THAT(mistake("ln(2)").hint, HasSubstr("log"));
}

TEST(ExpressionMistakes, TimeIsRefusedWhereTheScopeHasNone) {
  try {
    parse_quantity("2*t");
    FAIL();
  } catch (const ExpressionError& error) {
    EXPECT_THAT(error.hint(), HasSubstr("time"));
  }
}

TEST(ExpressionMistakes, ConstantsThatAreNotFiniteAreRefused) {
  for (const char* text : {"1/0", "0/0", "1e999", "1e-999", "log(-1)", "log(0)", "sqrt(-1)", "asin(2)", "1e308*10",
                           "10^400", "1e300 km^9", "mod(1, 0)", "(-8)^0.5", "exp(1000)", "t*(1/0)", "0^-1"}) {
    EXPECT_NE(mistake(text).message, "") << text;
  }
  EXPECT_EQ(mistake("2 + 1/0").message, "`1/0` has no finite value");
  EXPECT_EQ(mistake("2 + 1/0").offset, 4);
}

TEST(ExpressionMistakes, WeirdBytesAreQuotedHarmlessly) {
  EXPECT_THAT(mistake("1 \x1b[31m").message, HasSubstr("`\\x1b`"));
  EXPECT_THAT(mistake("1 \xff").message, HasSubstr("`\\xff`"));
  EXPECT_THAT(mistake("1 \x80").message, HasSubstr("`\\x80`"));
  EXPECT_THAT(mistake("1\u00a0m").message, HasSubstr("`\\u00a0`"));
  EXPECT_THAT(mistake("1 \u2212 2").message, HasSubstr("`\u2212`"));
  EXPECT_THAT(mistake(std::string_view("1\0m", 3)).message, HasSubstr("`\\x00`"));
}

TEST(ExpressionLimits, LongAndDeepTextsAreErrors) {
  std::string sum = "1";
  while (sum.size() < 1'000'000) sum += "+1";
  EXPECT_LT(mistake(sum).message.size(), 200u);
  EXPECT_NE(mistake(std::string(1'000'000, '9')).message, "");
  for (const char c : {'(', '-', '+'}) {
    EXPECT_NE(mistake(std::string(100'000, c) + "1").message, "") << c;
    EXPECT_THAT(mistake(std::string(5'000, c) + "1").message, HasSubstr("nesting")) << c;
  }
  std::string powers = "1", calls = "1";
  for (int i = 0; i < 1000; ++i) powers += "^1";
  for (int i = 0; i < 1000; ++i) calls.insert(0, "abs(");
  EXPECT_THAT(mistake(powers).message, HasSubstr("intermediate values"));
  EXPECT_THAT(mistake(calls).message, HasSubstr("nesting"));
}

TEST(ExpressionLimits, TheStackHoldsExactlyKMaxStackOperands) {
  const auto right_nested = [](int operands) {
    std::string text = "t";
    for (int i = 1; i < operands; ++i) text = "t+(" + text + ")";
    return text;
  };
  const double variables[] = {1};
  EXPECT_EQ(parse(right_nested(Expression::kMaxStack)).evaluate(variables), Expression::kMaxStack);
  EXPECT_THAT(mistake(right_nested(Expression::kMaxStack + 1)).message, HasSubstr("intermediate values"));
}

TEST(ExpressionLimits, ALongSumIsNoDeepOne) {
  std::string text = "t";
  for (int i = 1; i < 4000; ++i) text += "+t";
  const double variables[] = {1};
  EXPECT_EQ(parse(text).evaluate(variables), 4000);
}

// Random token soup either compiles or is an ExpressionError that points into the text; nothing else may happen.
TEST(ExpressionLimits, RandomTextNeverDoesAnythingElse) {
  const std::vector<std::string> pieces = {"1",    "0", "2.5",    "e3",  " m",     " kg",        "/s", "^",
                                           "(",    ")", "+",      "-",   "*",      "/",          ",",  "sin(",
                                           "max(", "t", "l1",     " ",   "\u00b7", "\u00b5",     "pi", "\xc2",
                                           ".",    "h", "^(3/2)", "^-2", "sqrt(",  "crank.omega"};
  std::mt19937 random(12345);
  int accepted = 0;
  const double variables[] = {0.5, 1, 2};
  for (int round = 0; round < 50'000; ++round) {
    std::string text;
    for (auto n = random() % 12; n > 0; --n) text += pieces[random() % pieces.size()];
    try {
      const Expression expression = parse(text);
      expression.evaluate(variables);
      expression.evaluate_jet(variables);
      ++accepted;
    } catch (const ExpressionError& error) {
      ASSERT_LE(error.offset(), text.size()) << text;
      ASSERT_STRNE(error.what(), "") << text;
    }
  }
  EXPECT_GT(accepted, 500);
}

TEST(ExpressionLimits, RandomBytesNeverDoAnythingElse) {
  std::mt19937 random(54321);
  for (int round = 0; round < 50'000; ++round) {
    std::string text;
    for (auto n = random() % 20; n > 0; --n) text += static_cast<char>(random() % 256);
    try {
      parse(text);
    } catch (const ExpressionError& error) {
      ASSERT_LE(error.offset(), text.size());
    }
  }
}

}  // namespace
}  // namespace freeplay::test::expression_test
