// A ball on a table that is shaken: the exact map of its impacts has a motion with one impact in each period T,
//
//   A w cos(phi) = g T (1 - e)/(2 (1 + e)),       phi: the phase of the impact,
//
// whose derivative has the determinant e^2 and the trace 1 + e^2 - (1 + e)^2 shaking sin(phi) (two lines of calculus
// from Y(t) + v tau - g tau^2/2 = Y(t + tau) and v' = -e (v - g tau) + (1 + e) Y'; shaking = A w^2/g). The period
// doubles where the trace is -(1 + e^2).
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>
#include <numbers>

#include "freeplay/study/dynamics/orbit.h"
#include "freeplay/study/sweep/sweep.h"
#include "physics/model_run.h"
#include "support/places.h"

namespace freeplay::test::shaken_table_test {
namespace {

using std::numbers::pi;

constexpr double kRestitution = 0.5, kPeriod_s = 0.1;

double impact_phase(double shaking) {
  return std::acos(pi * (1 - kRestitution) / (1 + kRestitution) / shaking);
}

std::complex<double> largest_multiplier_of_map(double shaking) {
  const double e = kRestitution, determinant = e * e;
  const double trace = 1 + e * e - (1 + e) * (1 + e) * shaking * std::sin(impact_phase(shaking));
  const std::complex<double> root = std::sqrt(std::complex<double>(trace * trace / 4 - determinant));
  const std::complex<double> a = trace / 2 + root, b = trace / 2 - root;
  return std::abs(a) > std::abs(b) ? a : b;
}

double doubling() {
  const double e = kRestitution;
  return std::hypot(pi * (1 - e) / (1 + e), 2 * (1 + e * e) / ((1 + e) * (1 + e)));
}

SweepTable study_of(const std::string& shaking, int skip) {
  SweepPlan plan;
  plan.model = std::filesystem::path(examples_dir()) / "shaken_table.yaml";
  plan.over = {"shaking=" + shaking};
  plan.overrides = {"duration=1000 s", "simulate.tolerance=1e-10"};
  plan.section.at = "bounce.impact";
  plan.section.points = {"phase=omega*t - 2*pi*floor(frequency*t)", "speed=-impact.normal_velocity_before"};
  plan.section.skip = skip;
  plan.section.turns = 8;
  const SweepRunner runner(plan);
  SweepTable table;
  table.header = runner.header();
  for (std::int64_t i = 0; i < runner.chains().size(); ++i) table.rows.push_back(*runner.run(i, {}, nullptr));
  return table;
}

TEST(ShakenTable, StrikesWithTheSpeedAndInThePhaseOfTheExactMap) {
  for (const SweepRow& row : study_of("1.15,1.3,1.45", 400).rows) {
    ASSERT_EQ(row.crossings.size(), 24U);
    for (std::size_t k = 0; k < 24; k += 3) {
      EXPECT_NEAR(row.crossings[k + 1], impact_phase(row.values[0]), 1e-7) << row.values[0];
      // Relative to the table: g T/(1 + e).
      EXPECT_NEAR(row.crossings[k + 2], 9.81 * kPeriod_s / (1 + kRestitution), 1e-7);
      if (k > 0) {
        EXPECT_NEAR(row.crossings[k] - row.crossings[k - 3], kPeriod_s, 1e-8);
      }
    }
  }
}

TEST(ShakenTable, DoublesItsPeriodWhereTheExactMapDoes) {
  EXPECT_NEAR(doubling(), 1.5268, 1e-4);
  const SweepTable table =
      study_of(fmt::format("{:.12g},{:.12g},{:.12g}", 0.99 * doubling(), 1.002 * doubling(), 1.008 * doubling()), 1500);
  const auto split = [&](std::size_t row) {  // of two impacts that follow one another
    const std::vector<double>& points = table.rows[row].crossings;
    return std::abs(points.at(23) - points.at(20));
  };
  for (const SweepRow& row : table.rows) {
    EXPECT_NEAR(row.crossings.at(22), row.crossings.at(16), 1e-5) << "two impacts later all is as it was";
  }
  EXPECT_LT(split(0), 1e-5);
  EXPECT_GT(split(1), 1e-3);
  EXPECT_NEAR(split(2) / split(1), 2, 0.1) << "it grows as the square root of the distance from the doubling";
}

TEST(ShakenTable, HasTheMultipliersOfTheExactMap) {
  for (const double shaking : {1.2, 1.3, 1.5, 1.6}) {  // the last one is unstable
    const ModelFile file =
        load_example("shaken_table", {fmt::format("shaking={}", shaking), "simulate.tolerance=1e-11"});
    OrbitOptions options;
    options.period_s = kPeriod_s;
    const PeriodicOrbit orbit = find_orbit(file, build_model(file), options);
    ASSERT_TRUE(orbit.is_found) << shaking << orbit.message;
    EXPECT_EQ(orbit.impacts, 1);
    const std::complex<double> expected = largest_multiplier_of_map(shaking);
    EXPECT_NEAR(orbit.largest_multiplier(), std::abs(expected), 1e-4) << shaking;
    EXPECT_NEAR(orbit.multipliers[0].real(), expected.real(), 1e-4);
    EXPECT_NEAR(std::abs(orbit.multipliers[0].imag()), std::abs(expected.imag()), 1e-4);
    EXPECT_NEAR(std::abs(orbit.multipliers[0] * orbit.multipliers[1]), kRestitution * kRestitution, 1e-4);
    for (std::size_t i = 2; i < orbit.multipliers.size(); ++i)
      EXPECT_LT(std::abs(orbit.multipliers[i]), 1e-6) << "what the shaker prescribes";
    EXPECT_EQ(orbit.largest_multiplier() < 1, shaking < doubling());
  }
}

TEST(ShakenTable, HasTheMotionOfTwoPeriodsBeyondTheDoubling) {
  const ModelFile file = load_example("shaken_table", {"shaking=1.6", "duration=100 s", "simulate.tolerance=1e-11"});
  OrbitOptions options;
  options.period_s = 2 * kPeriod_s;
  options.settle_s = 100;
  const PeriodicOrbit orbit = find_orbit(file, build_model(file), options);
  ASSERT_TRUE(orbit.is_found) << orbit.message;
  EXPECT_EQ(orbit.impacts, 2);
  EXPECT_LT(orbit.largest_multiplier(), 1);
  EXPECT_NEAR(std::abs(orbit.multipliers[0] * orbit.multipliers[1]), std::pow(kRestitution, 4), 1e-4);
}

}  // namespace
}  // namespace freeplay::test::shaken_table_test
