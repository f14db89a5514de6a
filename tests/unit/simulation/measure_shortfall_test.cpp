// What is said of measures that ask for more than a run has.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "freeplay/mechanism/mechanism.h"
#include "freeplay/simulation/measures.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "freeplay/simulation/simulation.h"

namespace freeplay::test::measure_shortfall_test {
namespace {

const std::vector<ChannelInfo> kChannels = {{"ball.x", "m"}, {"ball.omega", "rad/s"}, {"energy.total", "J"}};

// What is said of a measure, without its beginning "the measure 'it' "; of x =
// t^2, omega = -t and 0 J until 4 s.
std::string shortfall(const std::string& text, double* value = nullptr) {
  Measures measures({{"it", text}}, {}, kChannels, {{"floor", "floor"}});
  measures.begin({{"ball.omega", "rad/s"}, {"ball.x", "m"}, {"energy.total", "J"}});
  for (double t = 0; t <= 4; t += 0.5) measures.add_row(t, std::array{-t, t * t, 0.0});
  if (value != nullptr) *value = measures.values()[0].value;
  const std::vector<std::string> all = measures.shortfalls();
  EXPECT_LE(all.size(), 1U);
  if (all.empty()) return {};
  EXPECT_THAT(all[0], testing::StartsWith("the measure 'it' "));
  return all[0].substr(std::string("the measure 'it' ").size());
}

// A window that never opened has made zeros, which are no data.
TEST(Measures, OfAWindowBehindTheEndHaveNoValueAndSayWhy) {
  for (const char* function : {"min", "max", "mean", "rms"}) {
    double value = 0;
    const std::string window = fmt::format("{}(ball.x*step(t - 9 s)*step(10 s - t))", function);
    EXPECT_EQ(shortfall(window, &value),
              "has no value: " + window + " changes with time at 9 s, and the run ends at 4 s");
    EXPECT_TRUE(std::isnan(value)) << function;
  }
  double value = 0;
  shortfall("max(t/1 s*step(t - 9 s) + ball.x/1 m*step(t - 9 s))", &value);
  EXPECT_TRUE(std::isnan(value));
  // Parts of a range: a closed window is in one of them all the time, or in none.
  for (const char* range : {"0 m, 1 m", "1 m, 2 m", "-3 m, -1 m"}) {
    const std::string closed = fmt::format("share(ball.x*step(t - 9 s)*step(10 s - t), {})", range);
    EXPECT_THAT(shortfall(closed, &value), testing::StartsWith("has no value: " + closed)) << range;
    EXPECT_TRUE(std::isnan(value)) << range;
    shortfall(fmt::format("share(ball.x*step(t - 3 s)*step(10 s - t), {})", range), &value);
    EXPECT_FALSE(std::isnan(value)) << "the window has opened";
  }
}

TEST(Measures, OfAWindowThatIsStillOpenKeepTheirValueAndSaySo) {
  double value = 0;
  const std::string open = "max(ball.x*step(t - 3 s)*step(10 s - t))";
  EXPECT_EQ(shortfall(open, &value),
            "looks beyond the end of the run: " + open + " changes with time at 10 s, and the run ends at 4 s");
  EXPECT_EQ(value, 16);
  // Nothing but zeros within an open window is a value, open from the start or
  // not.
  for (const char* zero : {"max(energy.total*step(10 s - t))", "max(energy.total*step(t - 3 s)*step(10 s - t))"}) {
    EXPECT_THAT(shortfall(zero, &value), testing::StartsWith("looks beyond the end")) << zero;
    EXPECT_EQ(value, 0) << zero;
  }
  // Thresholds beside the window: what exceeds them, and what does not, nor has ever been there.
  const std::vector<std::pair<std::string, double>> thresholds = {
      {"max(step(ball.x - 5 m)*step(10 s - t))", 1},
      {"max(max(ball.x - 5 m, 0 m)*step(10 s - t))", 11},
      {"max(step(ball.x - 500 m)*step(10 s - t))", 0},
      {"min(step(-5 rad/s - ball.omega)*step(10 s - t))", 0},
      {"max(step(ball.x - 5 km)*step(-1 rad/s - ball.omega)*step(10 s - t))", 0}};
  for (const auto& [text, expected] : thresholds) {
    EXPECT_THAT(shortfall(text, &value), testing::StartsWith("looks beyond the end")) << text;
    EXPECT_EQ(value, expected) << text;
  }
  EXPECT_THAT(shortfall("mean(max(ball.x - 4 m, 0 m)*step(10 s - t))", &value),
              testing::StartsWith("looks beyond the end"));
  EXPECT_GT(value, 1);
  // Between two windows: the first one was open.
  shortfall(
      "max(energy.total*(step(t - 1 s)*step(2 s - t) + step(t - 9 "
      "s)*step(10 s - t)))",
      &value);
  EXPECT_EQ(value, 0);
}

TEST(Measures, ThatTheRunHasAllOfSayNothing) {
  double value = 0;
  EXPECT_EQ(shortfall("max(ball.x*step(t - 1 s)*step(2 s - t))", &value), "");
  EXPECT_EQ(value, 4);
  EXPECT_EQ(shortfall("max(ball.x*step(4 s - t))", &value),
            "");  // closes with the run
  EXPECT_EQ(value, 16);
  EXPECT_EQ(shortfall("max(ball.x*step(mod(t, 1 s) - 0.5 s))"), "") << "periodic: it asks for no end";
  EXPECT_EQ(shortfall("at(ball.x, 4 s) + mean(ball.x, 3 s) + final(ball.x)"), "");
  EXPECT_EQ(shortfall("count(floor.impact) + sum(floor.impact.energy_lost)/1 J"), "");
  EXPECT_EQ(shortfall("count(floor.impact, 3 s)", &value), "");
  EXPECT_EQ(value, 0);
}

TEST(Measures, WithoutAValueSayWhatWasNotThere) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"at(ball.x, 5 s)", "at(ball.x, 5 s) begins at 5 s, and the run ends at 4 s"},
      {"2*mean(ball.x, 4 s)", "mean(ball.x, 4 s) begins at 4 s, and the run ends at 4 s"},
      {"count(floor.impact, 5 s)", "count(floor.impact, 5 s) begins at 5 s, and the run ends at 4 s"},
      {"sum(impact.energy_lost, 5 s)", "sum(impact.energy_lost, 5 s) begins at 5 s, and the run ends at 4 s"},
      {"at_impact(ball.x, 5)", "for at_impact(ball.x, 5), there were 0 impacts"},
      {"at_crossing(t, ball.omega, 1)", "for at_crossing(t, ball.omega, 1), there were 0 such crossings"},
      {"max(floor.impact.normal_impulse)",
       "for max(floor.impact.normal_impulse), there was no such impact of "
       "'floor'"},
      {"max(impact.normal_impulse)", "for max(impact.normal_impulse), there was no such impact"},
      {"peak_frequency(ball.x, 3 s)",
       "for peak_frequency(ball.x, 3 s), there are too few rows to tell an "
       "oscillation"},
      {"max(ball.x/energy.total)", "for max(ball.x/energy.total), a value of it is not a number"},
      {"final(ball.x)/final(energy.total)", "its expression is not a finite number, as after a division by zero"},
      {"at(ball.x, 5 s) + max(impact.normal_impulse)*1 s/1 kg",
       "at(ball.x, 5 s) begins at 5 s, and the run ends at 4 s; for "
       "max(impact.normal_impulse), there was no such "
       "impact"},
  };
  for (const auto& [text, why] : cases) {
    double value = 0;
    EXPECT_EQ(shortfall(text, &value), "has no value: " + why);
    EXPECT_FALSE(std::isfinite(value)) << text;
  }
}

// A point of a contact that comes and goes has an infinite gap while it has none: a value, and printed as such.
TEST(Measures, ThatAreInfiniteAreNotSaidToHaveNoValue) {
  double value = 0;
  const std::string infinite = "max(1 m/step(ball.x - 20 m))";
  EXPECT_EQ(shortfall(infinite, &value),
            "is infinite: for " + infinite + ", a value of it is infinite, such as the gap of a point without contact");
  EXPECT_TRUE(std::isinf(value));
}

TEST(Measures, OfARunThatEndsTooEarlyAreWarningsOfTheRun) {
  MechanismSpec spec;
  spec.gravity_m_s2 = {0, -9.81, 0};
  BodySpec ball;
  ball.name = "ball";
  ball.mass_kg = 1;
  ball.inertia_kg_m2(2, 2) = 1;
  spec.bodies = {ball};
  const auto system = Mechanism::build(spec);
  SimulationOptions options;
  options.integrator = "moreau-midpoint";
  options.duration_s = 0.01;
  options.step_s = 1e-3;
  RecordOptions record;
  record.channels = {"ball.y"};
  Simulation simulation(*system, options, record);
  simulation.measure(
      Measures({{"late", "max(ball.y*step(t - 9 s))"}, {"there", "final(ball.y)"}}, {}, {{"ball.y", "m"}}));
  MemorySink sink;
  const RunSummary summary = simulation.run(sink, {});
  ASSERT_EQ(summary.warnings.size(), 1U);
  EXPECT_EQ(summary.warnings[0],
            "the measure 'late' has no value: max(ball.y*step(t - 9 s)) changes with time at 9 s, and the run ends at "
            "0.01 s");
  ASSERT_EQ(summary.measures.size(), 2U);
  EXPECT_TRUE(std::isnan(summary.measures[0].value));
  EXPECT_NEAR(summary.measures[1].value, -0.5 * 9.81 * 1e-4, 1e-6);
}

}  // namespace
}  // namespace freeplay::test::measure_shortfall_test
