#include "freeplay/math/quantities/dimension.h"

#include <gtest/gtest.h>

#include <limits>

#include "freeplay/math/expressions/expression.h"

namespace freeplay::test {
namespace {

TEST(Dimension, ProductAndQuotientAddAndSubtractExponents) {
  EXPECT_EQ(dimensions::kMass * dimensions::kAcceleration, dimensions::kForce);
  EXPECT_EQ(dimensions::kForce / dimensions::kLength, dimensions::kStiffness);
  EXPECT_TRUE((dimensions::kLength / dimensions::kLength).is_dimensionless());
}

TEST(Dimension, HoldsHalvesThirdsAndQuartersExactly) {
  for (const double denominator : {2.0, 3.0, 4.0, 6.0, 12.0}) {
    const std::optional<Dimension> root = dimensions::kForce.power(1 / denominator);
    ASSERT_TRUE(root.has_value());
    EXPECT_EQ(root->power(denominator), dimensions::kForce);
  }
}

TEST(Dimension, RefusesExponentsThatAreNoTwelfths) {
  EXPECT_EQ(dimensions::kLength.power(0.3), std::nullopt);
  EXPECT_EQ(dimensions::kLength.power(0.3333), std::nullopt);
  EXPECT_EQ(dimensions::kLength.power(std::numeric_limits<double>::quiet_NaN()), std::nullopt);
}

TEST(Dimension, RefusesExponentsOutOfRange) {
  EXPECT_TRUE(dimensions::kLength.power(Dimension::kMaxExponent).has_value());
  EXPECT_EQ(dimensions::kLength.power(Dimension::kMaxExponent + 1), std::nullopt);
  EXPECT_EQ(dimensions::kLength.power(std::numeric_limits<double>::infinity()), std::nullopt);
  EXPECT_EQ(dimensions::kLength.power(1e300), std::nullopt);
}

TEST(Dimension, AnyPowerOfAPlainNumberIsAPlainNumber) {
  EXPECT_EQ(dimensions::kNone.power(0.3), dimensions::kNone);
}

TEST(Dimension, ProductOfLimitsIsOutsideTheLimitsWithoutOverflow) {
  const Dimension largest(Dimension::kMaxExponent, 0, 0);
  EXPECT_TRUE(largest.within_limits());
  EXPECT_FALSE((largest * largest).within_limits());
  EXPECT_EQ(largest * largest / largest, largest);
}

TEST(Dimension, SiUnitPrefersForcesAndTorques) {
  EXPECT_EQ(dimensions::kNone.si_unit(), "1");
  EXPECT_EQ(dimensions::kAngularVelocity.si_unit(), "1/s");
  EXPECT_EQ(dimensions::kAcceleration.si_unit(), "m/s^2");
  EXPECT_EQ(dimensions::kForce.si_unit(), "N");
  EXPECT_EQ(dimensions::kTorque.si_unit(), "N m");
  EXPECT_EQ(dimensions::kPower.si_unit(), "W");
  EXPECT_EQ(dimensions::kPressure.si_unit(), "Pa");
  EXPECT_EQ(dimensions::kInertia.si_unit(), "kg m^2");
  EXPECT_EQ(dimensions::kImpulse.si_unit(), "N s");
  EXPECT_EQ(dimensions::kStiffness.si_unit(), "N/m");
  EXPECT_EQ(dimensions::kDamping.si_unit(), "N s/m");
  EXPECT_EQ(dimensions::kTorsionalDamping.si_unit(), "N m s");
  EXPECT_EQ((dimensions::kLength / dimensions::kForce).si_unit(), "m/N");
  EXPECT_EQ(Dimension(-3, 1, 0).si_unit(), "kg/m^3");
}

TEST(Dimension, SiUnitWritesFractionsShort) {
  EXPECT_EQ((dimensions::kForce / *dimensions::kLength.power(1.5)).si_unit(), "N/m^1.5");
  EXPECT_EQ(dimensions::kLength.power(0.5)->si_unit(), "m^0.5");
  EXPECT_EQ(dimensions::kLength.power(1.0 / 3)->si_unit(), "m^(1/3)");
  EXPECT_EQ(dimensions::kLength.power(-7.0 / 12)->si_unit(), "1/m^(7/12)");
}

TEST(Dimension, SiUnitIsReadBackAsTheSameDimension) {
  // Every combination of small exponents, in twelfths that need a sign, a decimal and a rational.
  const double exponents[] = {-3, -1.5, -1.0 / 3, 0, 1, 2.25};
  for (const double m : exponents) {
    for (const double kg : exponents) {
      for (const double s : exponents) {
        const Dimension dimension = *dimensions::kLength.power(m) * *dimensions::kMass.power(kg) *
                                    *dimensions::kTime.power(s) / Dimension(0, 0, 0, 1);
        const std::string text = dimension.si_unit();
        const std::optional<Quantity> unit = find_unit(text);
        ASSERT_TRUE(unit.has_value()) << text;
        EXPECT_EQ(unit->dimension, dimension) << text;
        EXPECT_EQ(unit->value, 1) << text;
      }
    }
  }
}

TEST(Dimension, DescribesCommonDimensionsInWordsAndOthersByUnit) {
  EXPECT_EQ(dimensions::kLength.describe(), "a length");
  EXPECT_EQ(dimensions::kMass.describe(), "a mass");
  EXPECT_EQ(dimensions::kAngularVelocity.describe(), "an angular velocity or frequency");
  EXPECT_EQ(Dimension(5, 0, 0).describe(), "a quantity in m^5");
}

}  // namespace
}  // namespace freeplay::test
