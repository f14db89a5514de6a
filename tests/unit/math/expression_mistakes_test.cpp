// What is wrong with an expression, where, and what would be right; and texts that are too long, too deep or random.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <random>
#include <string>

#include "unit/math/expression_test_support.h"

namespace freeplay::test::expression_test {
namespace {

using ::testing::HasSubstr;

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
