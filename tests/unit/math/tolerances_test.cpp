// Fits of ISO 286 against its tables, and distributions against their definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "freeplay/math/quantities/distribution.h"
#include "freeplay/math/quantities/iso_fits.h"

namespace freeplay::test::tolerances_test {
namespace {

struct TableEntry {
  const char* code;
  double diameter_mm, lower_um, upper_um;
};

// ISO 286-2, limit deviations of holes and shafts as they are printed there.
constexpr TableEntry kTables[] = {
    {"H7", 25, 0, 21},       {"g6", 25, -20, -7},     {"K7", 25, -15, 6},         {"M7", 25, -21, 0},
    {"N7", 25, -28, -7},     {"P7", 25, -35, -14},    {"P8", 25, -55, -22},       {"k6", 25, 2, 15},
    {"n6", 25, 15, 28},      {"p6", 25, 22, 35},      {"js6", 25, -6.5, 6.5},     {"f7", 25, -41, -20},
    {"e8", 25, -73, -40},    {"d9", 25, -117, -65},   {"c11", 25, -240, -110},    {"H11", 25, 0, 130},
    {"F8", 25, 20, 53},      {"G7", 25, 7, 28},       {"D10", 25, 65, 149},       {"h6", 25, -13, 0},
    {"H8", 50, 0, 39},       {"f7", 50, -50, -25},    {"N9", 50, -62, 0},         {"p6", 100, 37, 59},
    {"f7", 100, -71, -36},   {"M6", 100, -28, -6},    {"M6", 300, -41, -9},       {"K7", 3, -10, 0},
    {"N7", 3, -14, -4},      {"P9", 3, -31, -6},      {"H6", 500, 0, 40},         {"c11", 45, -290, -130},
    {"b11", 45, -340, -180}, {"a11", 45, -480, -320}, {"C11", 30.0001, 120, 280}, {"k8", 25, 0, 33},
    {"k5", 100, 3, 18}};

TEST(IsoFits, LimitsAreThoseOfTheTables) {
  for (const TableEntry& entry : kTables) {
    const math::ToleranceZone zone = math::tolerance_zone(entry.code, entry.diameter_mm * 1e-3);
    EXPECT_NEAR(zone.lower_m * 1e6, entry.lower_um, 1e-9) << entry.code << " " << entry.diameter_mm;
    EXPECT_NEAR(zone.upper_m * 1e6, entry.upper_um, 1e-9) << entry.code << " " << entry.diameter_mm;
  }
}

TEST(IsoFits, ARangeEndsWithItsLargestDiameter) {
  EXPECT_NEAR(math::tolerance_zone("H7", 18e-3).upper_m, 18e-6, 1e-15);
  EXPECT_NEAR(math::tolerance_zone("H7", 18.001e-3).upper_m, 21e-6, 1e-15);
}

TEST(IsoFits, ClearanceIsBetweenHoleAndShaft) {
  const math::Fit fit = math::iso_fit("H7/g6", 25e-3);
  EXPECT_NEAR(fit.least_m(), 7e-6, 1e-15);
  EXPECT_NEAR(fit.most_m(), 41e-6, 1e-15);
  EXPECT_NEAR(fit.mean_m(), 24e-6, 1e-15);
  EXPECT_LT(math::iso_fit("H7/p6", 25e-3).most_m(), 0) << "an interference";
}

TEST(IsoFits, WhatIsNoFitIsRefusedInWords) {
  for (const char* text :
       {"H7", "g6/H7", "H7/", "/g6", "H0/g6", "H19/g6", "Hh7/g6", "Q7/h6", "H7/z6", "H7.5/g6", "", "7/6"})
    EXPECT_THROW(math::iso_fit(text, 25e-3), std::invalid_argument) << text;
  for (const double diameter : {0.0, -1.0, 0.6, std::nan("")})
    EXPECT_THROW(math::iso_fit("H7/g6", diameter), std::invalid_argument) << diameter;
  EXPECT_THROW(math::tolerance_zone("K9", 25e-3), std::invalid_argument);
}

TEST(Distributions, QuantilesAreThoseOfTheirDefinition) {
  const math::Distribution normal = math::Distribution::normal(2, 3);
  // 97.72 % are below mean + 2 deviations: erfc(-2/sqrt(2))/2.
  for (const double x : {-7.0, -3.0, -1.0, -0.3, 0.0, 0.5, 2.0, 5.0}) {
    const double p = 0.5 * std::erfc(-x / std::sqrt(2.0));
    EXPECT_NEAR(normal.quantile(p), 2 + 3 * x, x > 4 ? 1e-9 : 1e-12) << x;  // 1 - p loses digits far above
  }
  const math::Distribution even = math::Distribution::uniform(1, 3);
  EXPECT_DOUBLE_EQ(even.quantile(0.25), 1.5);
  EXPECT_DOUBLE_EQ(even.mean(), 2);
  const math::Distribution triangle = math::Distribution::triangular(0, 1, 4);
  EXPECT_NEAR(triangle.quantile(0.25), 1, 1e-15);          // a quarter of the area is below the tip
  EXPECT_NEAR(triangle.quantile(1 - 0.25 / 3), 3, 1e-12);  // (4 - 3)^2/(4 * 3) is above
}

// The mean and the deviation that are told are those of the quantiles, by a sum over even shares.
TEST(Distributions, MeanAndDeviationAreThoseOfTheQuantiles) {
  for (const math::Distribution& each : {math::Distribution::normal(-1, 0.5), math::Distribution::uniform(-2, 5),
                                         math::Distribution::triangular(1, 1.5, 4)}) {
    constexpr int kShares = 200000;
    double sum = 0, squares = 0;
    for (int k = 0; k < kShares; ++k) {
      const double x = each.quantile((k + 0.5) / kShares);
      sum += x / kShares;
      squares += x * x / kShares;
    }
    EXPECT_NEAR(sum, each.mean(), 1e-6);
    EXPECT_NEAR(std::sqrt(squares - sum * sum), each.standard_deviation(), 1e-4);
  }
}

}  // namespace
}  // namespace freeplay::test::tolerances_test
