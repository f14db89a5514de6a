// Sensitivities and distributions of samples, by functions whose answers are known in closed form.
#include "freeplay/study/sweep/statistics/sensitivity.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>

#include "freeplay/io/sweep/sweep_file.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/study/sweep/pictures/statistics_figure.h"
#include "freeplay/study/sweep/statistics/sweep_statistics.h"
#include "freeplay/study/sweep/sweep.h"

namespace freeplay::test::sensitivity_test {
namespace {

namespace fs = std::filesystem;
using std::numbers::pi;
using Function = std::function<double(const std::vector<double>&)>;

// The table of a study whose runs are calls of a function.
SweepTable table_over(const std::vector<SweepAxis>& axes, const std::string& sample, std::uint64_t seed,
                      const Function& function) {
  const SweepPoints points(axes, parse_sweep_sampling(sample, seed));
  SweepTable table;
  nlohmann::json study = {{"sample", sample}, {"seed", seed}, {"over", nlohmann::json::array()}};
  for (const SweepAxis& axis : axes) {
    table.header.parameters.push_back({axis.name, "1", {}});
    if (!axis.distribution) study["over"].push_back(axis.name + "=0:1");
  }
  table.header.measures = {{"y", "1", {}}};
  table.header.attributes["study"] = study.dump();
  table.header.runs = points.size();
  for (std::int64_t i = 0; i < points.size(); ++i) {
    SweepRow row;
    row.index = i;
    row.values = points.values(i);
    row.values.push_back(function(row.values));
    table.rows.push_back(std::move(row));
  }
  return table;
}

SweepTable table_of(const std::vector<std::string>& ranges, const std::string& sample, std::uint64_t seed,
                    const Function& function) {
  std::vector<SweepAxis> axes;
  for (const std::string& range : ranges) axes.push_back(parse_sweep_axis(range));
  return table_over(axes, sample, seed, function);
}

const std::vector<std::string> kIshigamiRanges = {"x1=-pi:pi", "x2=-pi:pi", "x3=-pi:pi"};
double ishigami(const std::vector<double>& x) {
  const double s = std::sin(x[1]);
  return std::sin(x[0]) + 7 * s * s + 0.1 * std::pow(x[2], 4) * std::sin(x[0]);
}

// With a = 7, b = 0.1 (Saltelli and others 2008): V1 = (1 + b pi^4/5)^2/2, V2 = a^2/8, V13 = b^2 pi^8 (1/18 - 1/50).
struct IshigamiVariances {
  double v1 = std::pow(1 + 0.1 * std::pow(pi, 4) / 5, 2) / 2, v2 = 49.0 / 8;
  double v13 = 0.01 * std::pow(pi, 8) * (1.0 / 18 - 1.0 / 50);
  double sum() const { return v1 + v2 + v13; }
};

TEST(Sensitivity, SobolBlocksHaveTwoSamplesAndEachParameterOfTheSecondInTheFirst) {
  std::vector<SweepAxis> axes;
  for (const char* text : {"a=0:1", "b=0:1", "c=0:1"}) axes.push_back(parse_sweep_axis(text));
  const SweepPoints points(axes, parse_sweep_sampling("sobol:20", 3));
  ASSERT_EQ(points.size(), 20 * 5);
  for (std::int64_t block = 0; block < 20; ++block) {
    const std::vector<double> a = points.values(5 * block), b = points.values(5 * block + 1);
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<double> expected = a;
      expected[k] = b[k];
      EXPECT_EQ(points.values(5 * block + 2 + static_cast<std::int64_t>(k)), expected);
      EXPECT_NE(a[k], b[k]);
    }
  }
}

TEST(Sensitivity, IndicesOfTheIshigamiFunctionAreThoseOfItsClosedForm) {
  const IshigamiVariances exact;
  const double first[] = {exact.v1 / exact.sum(), exact.v2 / exact.sum(), 0};
  const double total[] = {(exact.v1 + exact.v13) / exact.sum(), first[1], exact.v13 / exact.sum()};
  const Sensitivities found = *sensitivities_of(table_of(kIshigamiRanges, "sobol:16384", 1, ishigami));
  const MeasureSensitivity& y = found.measures.at(0);
  EXPECT_EQ(y.blocks, 16384);
  EXPECT_NEAR(y.mean, 3.5, 0.02);  // a/2; a Latin hypercube has the additive part of it almost exactly
  EXPECT_NEAR(y.variance, exact.sum(), 0.02 * exact.sum());
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(y.sobol[k].first.value, first[k], 0.02) << k;
    EXPECT_NEAR(y.sobol[k].total.value, total[k], 0.02) << k;
    EXPECT_LT(y.sobol[k].first.high - y.sobol[k].first.low, 0.05);
  }
}

// Of 60 independent studies 57 bounds should contain the exact value; 50 or fewer has a probability below 1e-3.
TEST(Sensitivity, BoundsOfTheBootstrapContainTheExactIndices) {
  const IshigamiVariances exact;
  int inside_first = 0, inside_total = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const SobolIndices x1 =
        sensitivities_of(table_of(kIshigamiRanges, "sobol:400", seed, ishigami))->measures[0].sobol[0];
    const double first = exact.v1 / exact.sum(), total = (exact.v1 + exact.v13) / exact.sum();
    inside_first += x1.first.low <= first && first <= x1.first.high ? 1 : 0;
    inside_total += x1.total.low <= total && total <= x1.total.high ? 1 : 0;
  }
  EXPECT_GE(inside_first, 51);
  EXPECT_GE(inside_total, 51);
}

// Y = 3 a - 2 b over ranges of lengths 2 and 5: its changes over the ranges are 6 and -10 everywhere.
TEST(Sensitivity, MorrisEffectsOfALinearFunctionAreItsSlopesEverywhere) {
  const Function linear = [](const std::vector<double>& x) { return 3 * x[0] - 2 * x[1]; };
  const SweepTable table = table_of({"a=1:3", "b=-5:0", "idle=0:1"}, "morris:10", 4, linear);
  ASSERT_EQ(table.rows.size(), 40U);
  const MeasureSensitivity y = sensitivities_of(table)->measures.at(0);
  const double slopes[] = {6, -10, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(y.morris[k].mean, slopes[k], 1e-12);
    EXPECT_NEAR(y.morris[k].mean_size.value, std::abs(slopes[k]), 1e-12);
    EXPECT_NEAR(y.morris[k].deviation, 0, 1e-12);
  }
}

// ln(x) over a logarithmic range is linear; of a normal distribution the levels are its 1/8, 3/8, 5/8, 7/8 quantiles,
// and both jumps of half of the probability have the same length, (0.31864 + 1.15035) sigma.
TEST(Sensitivity, MorrisStepsFollowLogarithmicRangesAndDistributions) {
  SweepAxis scattered;
  scattered.name = "n";
  scattered.distribution = Distribution::normal(10, 2);
  const std::vector<SweepAxis> axes = {parse_sweep_axis("k=1:100:log"), scattered};
  const Function function = [](const std::vector<double>& x) { return std::log(x[0]) + x[1]; };
  const MeasureSensitivity y = sensitivities_of(table_over(axes, "morris:8", 0, function))->measures.at(0);
  EXPECT_NEAR(y.morris[0].mean, std::log(100), 1e-9);
  EXPECT_NEAR(y.morris[1].mean, 2 * 2 * (0.318639 + 1.150349), 1e-5);
  EXPECT_NEAR(y.morris[1].deviation, 0, 1e-9);
}

// Y = a b over unit squares: the effect of a is b, which takes the four levels equally often.
TEST(Sensitivity, MorrisDeviationsTellOfInteractions) {
  const Function product = [](const std::vector<double>& x) { return x[0] * x[1]; };
  const MeasureSensitivity y =
      sensitivities_of(table_of({"a=0:1", "b=0:1"}, "morris:4000", 0, product))->measures.at(0);
  EXPECT_NEAR(y.morris[0].mean, 0.5, 0.02);
  EXPECT_NEAR(y.morris[0].deviation, std::sqrt(5.0) / 6, 0.01);  // of {0, 1/3, 2/3, 1}
}

TEST(Sensitivity, BlocksWithAFailedRunAreLeftOutAndCounted) {
  SweepTable table = table_of(kIshigamiRanges, "sobol:100", 0, ishigami);
  const SweepTable whole = table;
  table.rows[7].values.back() = NAN;          // of the second block
  table.rows.erase(table.rows.begin() + 20);  // of the fifth: not run yet
  table.rows.erase(table.rows.end() - 1);     // of the last
  const MeasureSensitivity y = sensitivities_of(table)->measures.at(0);
  EXPECT_EQ(y.blocks, 97);
  EXPECT_EQ(y.left_out, 1);
  EXPECT_NEAR(y.sobol[0].total.value, sensitivities_of(whole)->measures[0].sobol[0].total.value, 0.1);
  EXPECT_FALSE(sensitivities_of(table_of({"a=0:1"}, "lhs:10", 0, [](const auto&) { return 1.0; })).has_value());
}

TEST(SweepStatistics, PercentilesOfASampleAreThoseOfItsDistribution) {
  SweepAxis scattered;
  scattered.name = "n";
  scattered.distribution = Distribution::normal(10, 2);
  const SweepTable table = table_over(std::vector{scattered}, "lhs:2000", 0, [](const auto& x) { return x[0]; });
  const MeasureDistribution y = distributions_of(table).at(0);
  EXPECT_NEAR(y.mean, 10, 1e-3);
  EXPECT_NEAR(y.deviation, 2, 0.01);
  EXPECT_NEAR(y.p5, 10 - 2 * 1.644854, 0.02);
  EXPECT_NEAR(y.median, 10, 0.01);
  EXPECT_NEAR(y.p95, 10 + 2 * 1.644854, 0.02);
  EXPECT_EQ(std::accumulate(y.histogram.begin(), y.histogram.end(), std::int64_t{0}), 2000);
  EXPECT_TRUE(distributions_of(table_of({"a=0:1"}, "morris:5", 0, [](const auto&) { return 1.0; })).empty());
}

TEST(SweepStatistics, PercentilesLieBetweenNumbers) {
  const double sorted[] = {1, 2, 4, 8};
  EXPECT_EQ(sorted_percentile(sorted, 0), 1);
  EXPECT_EQ(sorted_percentile(sorted, 0.5), 3);
  EXPECT_EQ(sorted_percentile(sorted, 1), 8);
  const SweepTable constant = table_of({"a=0:1"}, "lhs:7", 0, [](const auto&) { return 5.0; });
  EXPECT_THAT(distributions_of(constant).at(0).histogram, testing::ElementsAre(7));
  EXPECT_EQ(distributions_of(constant).at(0).deviation, 0);
}

TEST(SweepStatistics, FiguresHaveBarsOfSensitivitiesAndHistograms) {
  const SweepTable sobol = table_of(kIshigamiRanges, "sobol:50", 0, ishigami);
  const PlotFigure bars = *make_statistics_figure(sobol, {});
  ASSERT_EQ(bars.panels.size(), 1U);
  EXPECT_THAT(bars.panels[0].rows, testing::ElementsAre("x1", "x2", "x3"));
  EXPECT_EQ(bars.panels[0].bars.size(), 6U);
  const SweepTable lhs = table_of(kIshigamiRanges, "lhs:50", 0, ishigami);
  EXPECT_EQ(make_statistics_figure(lhs, {})->panels.at(0).x.name, "y");
  SweepFigureRequest against;
  against.against = "x1";
  EXPECT_FALSE(make_statistics_figure(lhs, against).has_value()) << "runs as points over x1";
  SweepFigureRequest unknown;
  unknown.measures = {"z"};
  EXPECT_THROW(make_statistics_figure(lhs, unknown), PlotError);
}

// A body that rests; what is measured is the Ishigami function of parameters.
constexpr const char* kIshigamiModel = R"(freeplay: 1
name: The Ishigami function
space: planar
parameters: {x1: 0, x2: 0, x3: 0}
bodies: {point: {mass: 1 kg, inertia: 1 kg m^2}}
simulate: {integrator: dopri5, duration: 1 us}
measure: {y: sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1) + 0*final(point.x)/1m}
)";

TEST(Sensitivity, StandsInTheFileOfAStudy) {
  const fs::path folder = fs::path(testing::TempDir()) / "sensitivity_of_a_study";
  fs::remove_all(folder);
  fs::create_directories(folder);
  SweepPlan plan;
  plan.model = folder / "ishigami.yaml";
  std::ofstream(plan.model) << kIshigamiModel;
  plan.over = kIshigamiRanges;
  plan.sample = "sobol:200";
  SweepOptions options;
  options.out = folder / "out";
  const SweepTable table = run_sweep(plan, options, {}).table;
  const SweepTable direct = table_of(kIshigamiRanges, "sobol:200", 0, ishigami);
  ASSERT_EQ(table.rows.size(), 1000U);
  EXPECT_NEAR(table.rows[17].values[3], direct.rows[17].values[3], 1e-9);
  const nlohmann::json kept =
      nlohmann::json::parse(read_sweep(folder / "out/sweep.h5").header.attributes.at("sensitivity"));
  EXPECT_NEAR(kept["y"]["parameters"]["x1"]["total"]["value"].get<double>(),
              sensitivities_of(direct)->measures[0].sobol[0].total.value, 1e-9);
  EXPECT_EQ(kept["y"]["blocks"], 200);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace freeplay::test::sensitivity_test
