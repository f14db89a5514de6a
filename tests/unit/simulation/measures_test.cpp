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

const std::vector<MeasuredContact> kContacts = {{"guide", "guide_1"}, {"guide", "guide_2"}, {"floor", "floor"}};

std::string mistake(const std::string& text) {
  try {
    Measures({{"it", text}}, kConstants, kChannels, kContacts);
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics()[0].path, "measure.it");
    return error.diagnostics()[0].message;
  }
  return "none";
}

// Of a vector there are only components among the channels.
TEST(Measures, TakeTheSizeOfAVectorByItsName) {
  const std::vector<ChannelInfo> channels = {{"pin.force_x", "N"},  {"pin.force_y", "N"},  {"ball.force_x", "N"},
                                             {"ball.force_y", "N"}, {"ball.force_z", "N"}, {"ball.x", "m"}};
  Measures measures({{"plane", "max(pin.force) + 1 N"}, {"space", "final(ball.force)"}, {"part", "min(ball.force_z)"}},
                    {}, channels);
  measures.begin(channels);
  measures.add_row(0, std::array{3.0, -4.0, 0.0, 0.0, 0.0, 1.0});
  measures.add_row(1, std::array{0.0, 1.0, 2.0, -3.0, 6.0, 1.0});
  EXPECT_DOUBLE_EQ(measures.values()[0].value, 6);
  EXPECT_EQ(measures.values()[0].unit, "N");
  EXPECT_DOUBLE_EQ(measures.values()[1].value, 7);
  EXPECT_EQ(measures.values()[2].value, 0);
}

TEST(Measures, RefuseWhatIsNotOneNumber) {
  EXPECT_THAT(mistake("ball.x"), HasSubstr("'ball.x' changes in time"));
  EXPECT_THAT(mistake("final(ball.x)/t"), HasSubstr("'t' changes in time"));
  EXPECT_THAT(mistake("final(ball.z)"), HasSubstr("ball.z"));
  EXPECT_THAT(mistake("at(ball.x)"), HasSubstr("1 arguments"));
  EXPECT_THAT(mistake("at(ball.x, 3 m)"), HasSubstr("not a time"));
  EXPECT_THAT(mistake("at(ball.x, t)"), HasSubstr("'t' changes in time"));
  EXPECT_THAT(mistake("final(ball.x) + final(ball.omega)"), HasSubstr("`final(ball.x) + final(ball.omega)`"));
  for (const char* name : {"measured.number_9", "measured.number_x", "measured.number_0 + final(ball.x)"})
    EXPECT_THAT(mistake(name), HasSubstr("unknown name")) << "a name of the inside";
  EXPECT_EQ(mistake("final(ball.x"), "the bracket of 'final' does not close");
  EXPECT_EQ(mistake("final(ball.x)"), "none");
}

TEST(Measures, BeginExtremesAtATime) {
  EXPECT_EQ(measured("max_after(ball.omega, 1.2 s)").value, -1.5);
  EXPECT_EQ(measured("min_after(ball.x, 3 s)").value, 9);
  EXPECT_TRUE(std::isnan(measured("max_after(ball.x, 5 s)").value));
}

// omega = -t is a straight line between all rows: rms^2 = (b^3 - a^3)/(3 (b - a)).
TEST(Measures, TakeTheRootOfTheMeanSquare) {
  EXPECT_DOUBLE_EQ(measured("rms(ball.omega)").value, std::sqrt(16.0 / 3));
  EXPECT_DOUBLE_EQ(measured("rms(ball.omega, 1 s)").value, std::sqrt((64.0 - 1) / 9));
  EXPECT_DOUBLE_EQ(measured("rms(ball.omega, 1.25 s)").value, std::sqrt((64 - 1.953125) / (3 * 2.75)));
  EXPECT_EQ(measured("rms(ball.omega)").unit, "1/s");
}

// -t lies below -q for the first 4 - q seconds of 4.
TEST(Measures, TakePercentilesOfTheTime) {
  EXPECT_DOUBLE_EQ(measured("percentile(ball.omega, 50)").value, -2);
  EXPECT_DOUBLE_EQ(measured("percentile(ball.omega, 25)").value, -3);
  EXPECT_DOUBLE_EQ(measured("percentile(-ball.omega, 90)").value, 3.6);
  EXPECT_DOUBLE_EQ(measured("percentile(ball.omega, 50, 2 s)").value, -3);
  EXPECT_EQ(measured("percentile(ball.omega, 0)").value, -4);
  EXPECT_EQ(measured("percentile(ball.omega, 100)").value, 0);
  EXPECT_EQ(measured("percentile(energy.total, 33)").value, 7);
}

// omega = -t is a straight line from 0 to -4: as long in one part of the range as in any other of the same size.
TEST(Measures, TellTheShareOfTheTimeWithinLimits) {
  EXPECT_DOUBLE_EQ(measured("share(ball.omega, -1 rad/s, 0)").value, 0.25);
  EXPECT_DOUBLE_EQ(measured("share(ball.omega, -1.3 rad/s, -0.7 rad/s)").value, 0.6 / 4);
  EXPECT_DOUBLE_EQ(measured("share(ball.omega, -1 rad/s, 0, 0.5 s)").value, 0.5 / 3.5);
  EXPECT_EQ(measured("share(ball.omega, 0, 1 rad/s)").value, 0);
  EXPECT_EQ(measured("share(ball.omega, 0, 1 rad/s)").unit, "1");
  // Between its rows x = t^2 is a straight line, too: from 2.25 to 4 m within half a second, of which 3 to 4 m are
  // 1/1.75.
  EXPECT_DOUBLE_EQ(measured("share(ball.x, 3 m, 4 m)").value, 0.5 / 1.75 / 4);
  // What stands still belongs to one part: 7 J is the lower limit of the second.
  EXPECT_EQ(measured("bin(energy.total, 5 J, 9 J, 2, 1)").value, 0);
  EXPECT_EQ(measured("bin(energy.total, 5 J, 9 J, 2, 2)").value, 1);
}

// A histogram is as many measures as it has parts; all together they are the whole time.
TEST(Measures, OfAHistogramAddUp) {
  Measures measures({{"h", "histogram(ball.x, 0, 16.5 m, 7)"}}, kConstants, kChannels);
  measures.begin({{"ball.x", "m"}});
  for (double t = 0; t <= 4; t += 0.5) measures.add_row(t, std::array{t * t});
  const std::vector<MeasuredValue> values = measures.values();
  ASSERT_EQ(values.size(), 7U);
  EXPECT_EQ(values[0].name, "h_1");
  EXPECT_EQ(values[6].name, "h_7");
  double sum = 0;
  for (const MeasuredValue& value : values) sum += value.value;
  EXPECT_NEAR(sum, 1, 1e-15);
  EXPECT_GT(values[0].value, values[6].value);  // it is fastest at the end
}

TEST(Measures, RefuseLimitsThatAreNone) {
  EXPECT_THROW(measured("share(ball.x, 2 m, 1 m)"), ModelError);
  EXPECT_THROW(measured("share(ball.x, 1 s, 2 s)"), ModelError);
  EXPECT_THROW(measured("bin(ball.x, 1 m, 2 m, 3, 4)"), ModelError);
  EXPECT_THROW(measured("2*histogram(ball.x, 1 m, 2 m, 3)"), ModelError);
  EXPECT_THROW(measured("histogram(ball.x, 1 m, 2 m, 0)"), ModelError);
}

TEST(Measures, WeighRowsByTheirTime) {
  Measures measures({{"it", "percentile(ball.x, 50)"}}, {}, kChannels);
  measures.begin({{"ball.x", "m"}});
  // Many rows in the first tenth of a second, where x is 1; then x is 5 for ten seconds.
  for (int i = 0; i < 1000; ++i) measures.add_row(1e-4 * i, std::array{1.0});
  for (int i = 1; i <= 10; ++i) measures.add_row(i, std::array{5.0});
  EXPECT_EQ(measures.values()[0].value, 5);
}

// 3 sin(2 pi 7.3 t) on a drift, at uneven times.
TEST(Measures, FindTheStrongestOscillation) {
  Measures measures({{"f", "peak_frequency(ball.x)"}, {"a", "peak_amplitude(ball.x, 1 s)"}}, {}, kChannels);
  measures.begin({{"ball.x", "m"}});
  for (int i = 0; i <= 20000; ++i) {
    const double t = 5e-4 * i + 1e-4 * std::sin(i);
    const double x = 3 * std::sin(2 * M_PI * 7.3 * t) + 0.2 * std::sin(2 * M_PI * 31 * t) + 40 + 0.1 * t;
    measures.add_row(t, std::array{x});
  }
  const std::vector<MeasuredValue> values = measures.values();
  EXPECT_NEAR(values[0].value, 7.3, 1e-4);
  EXPECT_EQ(values[0].unit, "1/s");
  EXPECT_NEAR(values[1].value, 3, 3e-3);
  EXPECT_EQ(values[1].unit, "m");
  EXPECT_TRUE(std::isnan(measured("peak_frequency(ball.x, 3 s)").value)) << "three rows";
  EXPECT_EQ(measured("peak_amplitude(energy.total)").value, 0) << "a constant";
}

// Impacts on the guide at 1, 2, 3 s with 1, 4, 9 N s, on the floor at 2.2 s with 100 N s; x = t^2 at rows of 0.5 s.
double measured_with_impacts(const std::string& text) {
  Measures measures({{"it", text}}, kConstants, kChannels, kContacts);
  measures.begin({{"ball.omega", "rad/s"}, {"ball.x", "m"}, {"energy.total", "J"}});
  for (double t = 0; t <= 4; t += 0.5) {
    for (int k = 1; k <= 3; ++k) {
      ImpactRecord impact;
      impact.time_s = k;
      impact.contact = k % 2;
      impact.normal_impulse = k * k;
      impact.energy_lost_J = 0.5;
      if (t == k) measures.add_impact(impact);
    }
    if (t == 2.5) {
      ImpactRecord impact;
      impact.time_s = 2.2;
      impact.contact = 2;
      impact.normal_impulse = 100;
      measures.add_impact(impact);
    }
    measures.add_row(t, std::array{-t, t * t, 7.0});
  }
  return measures.values()[0].value;
}

TEST(Measures, TellOfImpacts) {
  EXPECT_EQ(measured_with_impacts("count(impact)"), 4);
  EXPECT_EQ(measured_with_impacts("count(impact, 1.5 s)"), 3);
  EXPECT_EQ(measured_with_impacts("count(guide.impact)"), 3);
  EXPECT_EQ(measured_with_impacts("count(guide_2.impact)"), 2);
  EXPECT_EQ(measured_with_impacts("count(floor.impact)/count(guide.impact)"), 1.0 / 3);
  EXPECT_EQ(measured_with_impacts("max(guide.impact.normal_impulse)"), 9);
  EXPECT_EQ(measured_with_impacts("max(impact.normal_impulse)"), 100);
  EXPECT_EQ(measured_with_impacts("min_after(guide.impact.normal_impulse, 1.5 s)"), 4);
  EXPECT_DOUBLE_EQ(measured_with_impacts("mean(guide.impact.normal_impulse)"), 14.0 / 3);
  EXPECT_DOUBLE_EQ(measured_with_impacts("rms(guide.impact.normal_impulse)"), std::sqrt(98.0 / 3));
  EXPECT_EQ(measured_with_impacts("percentile(guide.impact.normal_impulse, 50)"), 4);
  EXPECT_EQ(measured_with_impacts("initial(impact.normal_impulse)/final(impact.normal_impulse)"), 1.0 / 9);
  EXPECT_EQ(measured_with_impacts("initial(t + 0*floor.impact.energy_lost/1 W)"), 2.2);
  EXPECT_EQ(measured_with_impacts("sum(impact.energy_lost)"), 1.5);
  EXPECT_EQ(measured_with_impacts("at_impact(ball.x, 1)"), 1);
  EXPECT_EQ(measured_with_impacts("at_impact(ball.x, 4)"), 9);
  EXPECT_TRUE(std::isnan(measured_with_impacts("at_impact(ball.x, 5)")));
}

// sin(t) rises through zero at 2 pi k.
TEST(Measures, TellValuesAtCrossings) {
  Measures measures({{"first", "at_crossing(t, ball.x, 1)"},
                     {"third", "at_crossing(ball.omega, ball.x, 3)"},
                     {"none", "at_crossing(t, ball.x, 4)"}},
                    {}, kChannels);
  measures.begin({{"ball.omega", "rad/s"}, {"ball.x", "m"}});
  for (int i = 0; i <= 20000; ++i) measures.add_row(1e-3 * i, std::array{2e-3 * i, std::sin(1e-3 * i)});
  const std::vector<MeasuredValue> values = measures.values();
  EXPECT_NEAR(values[0].value, 2 * M_PI, 1e-9);
  EXPECT_NEAR(values[1].value, 12 * M_PI, 2e-9);
  EXPECT_TRUE(std::isnan(values[2].value));
}

TEST(Measures, WithAllValuesInMemoryGoOnToo) {
  const std::vector<MeasureSpec> specs = {
      {"median", "percentile(ball.x, 50, 1 s)"}, {"tone", "peak_amplitude(ball.x)"}, {"hits", "count(guide.impact)"},
      {"cross", "at_crossing(t, ball.x, 2)"},    {"hit", "at_impact(ball.x, 2)"},    {"level", "rms(ball.x, 0.7 s)"}};
  const auto add = [](Measures& measures, int from, int to) {
    for (int i = from; i < to; ++i) {
      ImpactRecord impact;
      impact.time_s = 0.1 * i;
      if (i % 17 == 3) measures.add_impact(impact);
      measures.add_row(0.1 * i, std::array{std::sin(0.35 * i)});
    }
  };
  Measures whole(specs, {}, kChannels, kContacts);
  whole.begin({{"ball.x", "m"}});
  add(whole, 0, 60);
  for (const int cut : {0, 4, 21, 59}) {
    Measures before(specs, {}, kChannels, kContacts), after(specs, {}, kChannels, kContacts);
    before.begin({{"ball.x", "m"}});
    add(before, 0, cut);
    after.begin({{"ball.x", "m"}});
    ASSERT_TRUE(after.fits(before.memory()));
    after.go_on(before.memory());
    add(after, cut, 60);
    for (std::size_t i = 0; i < specs.size(); ++i)
      EXPECT_EQ(after.values()[i].value, whole.values()[i].value) << specs[i].name << ", cut at row " << cut;
    Measures::Memory damaged = before.memory();
    damaged.numbers[0] = 1e9;
    EXPECT_FALSE(after.fits(damaged));
  }
}

TEST(Measures, RefuseWhatIsNoQuestionAboutImpacts) {
  EXPECT_THAT(mistake("max(giude.impact.normal_impulse)"), HasSubstr("'giude' has no impacts"));
  EXPECT_THAT(mistake("max(impact.normal_impuls)"), HasSubstr("an impact has no 'normal_impuls'"));
  EXPECT_THAT(mistake("count(ball.x)"), HasSubstr("counts impacts"));
  EXPECT_THAT(mistake("sum(ball.x)"), HasSubstr("'sum' adds"));
  EXPECT_THAT(mistake("impact.energy_lost"), HasSubstr("differs from impact to impact"));
  EXPECT_THAT(mistake("max(impact.energy_lost/energy.total)"), HasSubstr("reads channels"));
  EXPECT_THAT(mistake("at(impact.energy_lost, 1 s)"), HasSubstr("function of the rows"));
  EXPECT_THAT(mistake("percentile(ball.x, 101)"), HasSubstr("is 101"));
  EXPECT_THAT(mistake("at_impact(ball.x, 0)"), HasSubstr("is 0"));
  EXPECT_THAT(mistake("max(guide.impact.energy_lost - floor.impact.energy_lost)"), HasSubstr("two elements"));
}

}  // namespace
}  // namespace freeplay::test::measures_test
