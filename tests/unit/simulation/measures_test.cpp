// Numbers of a whole run, by expressions of its channels.
#include "freeplay/simulation/measures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "freeplay/core/error.h"

namespace freeplay::test::measures_test {
namespace {

using testing::HasSubstr;

const std::vector<ChannelInfo> kChannels = {{"ball.x", "m"}, {"ball.omega", "rad/s"}, {"energy.total", "J"}};
const std::vector<NamedQuantity> kConstants = {{"start", {1, dimensions::kTime}}, {"mass", {2, dimensions::kMass}}};

// x = t^2, omega = -t and 7 J at t = 0, 0.5, ... 4, in another order than the channels are asked for.
MeasuredValue measured(const std::string& text, double end_s = 4) {
  Measures measures({{"it", text}}, kConstants, kChannels);
  measures.begin({{"energy.total", "J"}, {"ball.omega", "rad/s"}, {"ball.x", "m"}});
  for (double t = 0; t <= end_s; t += 0.5) measures.add_row(t, std::array{7.0, -t, t * t});
  const std::vector<MeasuredValue> values = measures.values();
  EXPECT_EQ(values.size(), 1U);
  EXPECT_EQ(values[0].name, "it");
  return values[0];
}

TEST(Measures, TellFirstAndLastValuesAndExtremes) {
  EXPECT_EQ(measured("initial(ball.x)").value, 0);
  EXPECT_EQ(measured("final(ball.x)").value, 16);
  EXPECT_EQ(measured("min(ball.omega)").value, -4);
  EXPECT_EQ(measured("max(abs(ball.omega))").value, 4);
  EXPECT_EQ(measured("max(ball.x - 3 m/s*t)").value, 4);
}

TEST(Measures, InterpolateBetweenRows) {
  EXPECT_EQ(measured("at(ball.x, 2 s)").value, 4);
  EXPECT_DOUBLE_EQ(measured("at(ball.x, 2.25 s)").value, (4 + 6.25) / 2);
  EXPECT_EQ(measured("at(ball.x, 0 s)").value, 0);
  EXPECT_TRUE(std::isnan(measured("at(ball.x, 5 s)").value));
}

TEST(Measures, TakeMeansOverTimeByTrapezoids) {
  EXPECT_DOUBLE_EQ(measured("mean(ball.omega)").value, -2);
  EXPECT_DOUBLE_EQ(measured("mean(ball.omega, 3 s)").value, -3.5);
  EXPECT_DOUBLE_EQ(measured("mean(ball.omega, 3.25 s)").value, -3.625);
  EXPECT_TRUE(std::isnan(measured("mean(ball.omega, 4 s)").value));
}

TEST(Measures, AreExpressionsOfSuchNumbersAndParameters) {
  const MeasuredValue rate = measured("(final(ball.x) - at(ball.x, start))/(4 s - start)");
  EXPECT_DOUBLE_EQ(rate.value, 5);
  EXPECT_EQ(rate.unit, "m/s");
  EXPECT_EQ(measured("max(final(ball.x), 20 m)").value, 20);  // with two arguments
  EXPECT_EQ(measured("sqrt(2*final(energy.total)/mass)").unit, "m/s");
  EXPECT_EQ(measured("1e3*final(ball.omega)*1s").unit, "1");
}

TEST(Measures, StartAnewWithEveryRun) {
  Measures measures({{"top", "max(ball.x)"}}, {}, kChannels);
  for (const double x : {3.0, 2.0}) {
    measures.begin({{"ball.x", "m"}});
    measures.add_row(0, std::array{x});
    EXPECT_EQ(measures.values()[0].value, x);
  }
}

// All kinds of functions, in one run and in two with the memory of the first between them, wherever that ends.
TEST(Measures, GoOnWhereAnEarlierRunLeftOff) {
  const std::vector<MeasureSpec> specs = {{"first", "initial(ball.x)"},      {"last", "final(ball.x)"},
                                          {"there", "at(ball.x, 2.25 s)"},   {"low", "min(ball.omega)"},
                                          {"high", "max(ball.x - 3 m/s*t)"}, {"mean", "mean(ball.omega)"},
                                          {"later", "mean(ball.x, 1.75 s)"}};
  const std::vector<ChannelInfo> columns = {{"ball.omega", "rad/s"}, {"ball.x", "m"}};
  const auto add = [](Measures& measures, int from, int to) {
    for (int i = from; i < to; ++i) {
      const double t = 0.5 * i;
      measures.add_row(t, std::array{-t, t * t});
    }
  };
  Measures whole(specs, kConstants, kChannels);
  whole.begin(columns);
  add(whole, 0, 9);
  for (const int cut : {0, 1, 4, 5, 9}) {
    Measures before(specs, kConstants, kChannels), after(specs, kConstants, kChannels);
    before.begin(columns);
    add(before, 0, cut);
    ASSERT_TRUE(after.fits(before.memory()));
    after.begin(columns);
    after.go_on(before.memory());
    add(after, cut, 9);
    for (std::size_t i = 0; i < specs.size(); ++i)
      EXPECT_EQ(after.values()[i].value, whole.values()[i].value) << specs[i].name << ", cut at row " << cut;
  }
}

TEST(Measures, DoNotGoOnFromOthers) {
  const Measures own({{"it", "at(ball.x, start)"}}, kConstants, kChannels);
  EXPECT_TRUE(own.fits(own.memory()));
  EXPECT_FALSE(own.fits({}));
  EXPECT_FALSE(own.fits(Measures({{"it", "at(ball.x, 2 s)"}}, kConstants, kChannels).memory()));
  EXPECT_FALSE(own.fits(Measures({{"that", "at(ball.x, start)"}}, kConstants, kChannels).memory()));
  std::vector<NamedQuantity> others = kConstants;
  for (NamedQuantity& constant : others) constant.value.value *= 2;
  EXPECT_FALSE(own.fits(Measures({{"it", "at(ball.x, start)"}}, others, kChannels).memory())) << "another time";
}

std::string mistake(const std::string& text) {
  try {
    Measures({{"it", text}}, kConstants, kChannels);
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics()[0].path, "measure.it");
    return error.diagnostics()[0].message;
  }
  return "none";
}

TEST(Measures, RefuseWhatIsNotOneNumber) {
  EXPECT_THAT(mistake("ball.x"), HasSubstr("'ball.x' changes in time"));
  EXPECT_THAT(mistake("final(ball.x)/t"), HasSubstr("'t' changes in time"));
  EXPECT_THAT(mistake("final(ball.z)"), HasSubstr("ball.z"));
  EXPECT_THAT(mistake("at(ball.x)"), HasSubstr("1 arguments"));
  EXPECT_THAT(mistake("at(ball.x, 3 m)"), HasSubstr("not a time"));
  EXPECT_THAT(mistake("at(ball.x, t)"), HasSubstr("'t' changes in time"));
  EXPECT_NE(mistake("final(ball.x) + final(ball.omega)"), "none");  // dimensions
  EXPECT_NE(mistake("final(ball.x"), "none");
  EXPECT_EQ(mistake("final(ball.x)"), "none");
}

}  // namespace
}  // namespace freeplay::test::measures_test
