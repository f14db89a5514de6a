// The unit table against udunits2, and the unit grammar behind a number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <udunits2.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "freeplay/math/expressions/expression.h"
#include "support/places.h"

namespace freeplay::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class UdunitsOracle {
 public:
  UdunitsOracle() {
    ut_set_error_message_handler(ut_ignore);
    system_.reset(ut_read_xml(nullptr));
  }
  bool available() const { return system_ != nullptr; }

  // The value of one `unit` in `si_unit`, or nullopt if udunits does not know one of them or they do not convert.
  std::optional<double> convert(const std::string& unit, const std::string& si_unit) const {
    const Unit from(ut_parse(system_.get(), unit.c_str(), UT_UTF8), ut_free);
    const Unit to(ut_parse(system_.get(), si_unit.c_str(), UT_UTF8), ut_free);
    if (!from || !to || ut_are_convertible(from.get(), to.get()) == 0) return std::nullopt;
    const std::unique_ptr<cv_converter, void (*)(cv_converter*)> converter(ut_get_converter(from.get(), to.get()),
                                                                           cv_free);
    return cv_convert_double(converter.get(), 1.0);
  }

 private:
  using Unit = std::unique_ptr<ut_unit, void (*)(ut_unit*)>;
  std::unique_ptr<ut_system, void (*)(ut_system*)> system_{nullptr, ut_free_system};
};

// udunits spells a few units differently.
std::string udunits_name(const std::string& name) {
  static const std::map<std::string, std::string> kOther = {{"deg", "degree"}};
  const auto found = kOther.find(name);
  return found == kOther.end() ? name : found->second;
}

TEST(Units, EveryUnitAndPrefixAgreesWithUdunits) {
  const UdunitsOracle oracle;
  ASSERT_TRUE(oracle.available());
  const std::vector<std::string> prefixes = {"", "f", "p", "n", "u", "\u00b5", "\u03bc", "m", "c", "d", "k", "M", "G"};
  int compared = 0;
  for (const std::string& name : unit_names()) {
    for (const std::string& prefix : prefixes) {
      const std::optional<Quantity> unit = find_unit(prefix + name);
      if (!unit) continue;  // not every unit takes every prefix
      // A prefixed form that is a unit of its own (min) must mean the same to udunits as to us.
      const std::string spelling = prefix.empty() ? udunits_name(name) : prefix + name;
      const std::optional<double> expected = oracle.convert(spelling, unit->dimension.si_unit());
      ASSERT_TRUE(expected.has_value()) << spelling << " in " << unit->dimension.si_unit();
      EXPECT_NEAR(unit->value / *expected, 1, 1e-15) << spelling;
      ++compared;
    }
  }
  EXPECT_GT(compared, 90);
}

TEST(Units, ProductsOfUnitsAgreeWithUdunits) {
  const UdunitsOracle oracle;
  ASSERT_TRUE(oracle.available());
  for (const char* text : {"kg m^2", "N m/rad", "m/s^2", "kN/mm^2", "g cm^2", "N s/m", "lbf in", "km/h", "W/m/K",
                           "m s^-2", "kg\u00b7m^2", "deg/min", "lb/ft^3", "mN mm", "J kg^-1 K^-1"}) {
    const std::optional<Quantity> unit = find_unit(text);
    ASSERT_TRUE(unit.has_value()) << text;
    std::string spelling = text;
    if (const std::size_t deg = spelling.find("deg"); deg != std::string::npos) spelling.replace(deg, 3, "degree");
    const std::optional<double> expected = oracle.convert(spelling, unit->dimension.si_unit());
    ASSERT_TRUE(expected.has_value()) << spelling;
    EXPECT_NEAR(unit->value / *expected, 1, 1e-15) << text;
  }
}

TEST(Units, TheUnitsThatModelsNeedAreThere) {
  for (const char* name : {"m",  "mm",  "um",  "cm",  "km",   "g",   "mg", "kg", "s",   "ms", "us",   "min", "h",
                           "Hz", "kHz", "rpm", "rad", "mrad", "deg", "N",  "mN", "kN",  "J",  "mJ",   "W",   "kW",
                           "Pa", "MPa", "GPa", "bar", "mbar", "K",   "in", "ft", "lbf", "lb", "tonne"}) {
    EXPECT_TRUE(find_unit(name).has_value()) << name;
  }
}

TEST(Units, TOfTimeLitreAndMeaninglessPrefixesAreNoUnits) {
  // `Ms` would be a megasecond, `min` must not be a milli-inch, `kmin` nothing.
  for (const char* name : {"t", "L", "Ms", "ks", "Mm", "kmin", "mrpm", "kdeg", "mft", "mkg", "daN", "u", "", "%"}) {
    EXPECT_FALSE(find_unit(name).has_value()) << name;
  }
  EXPECT_EQ(find_unit("min")->dimension, dimensions::kTime);
}

TEST(Units, AUnitByItselfIsNoExpression) {
  for (const char* text :
       {"2 m", "1 m", "m*s", "m+m", "m^", "m^x", "/s", "m/", "m//s", "m^(1/0)", "m)", "(m)", "m/2"}) {
    EXPECT_FALSE(find_unit(text).has_value()) << text;
  }
  EXPECT_TRUE(find_unit("1/s").has_value());
  EXPECT_TRUE(find_unit("1").has_value());
}

TEST(Units, ExponentsAreIntegersDecimalsAndRationals) {
  const Dimension hertz_stiffness = dimensions::kForce / *dimensions::kLength.power(1.5);
  EXPECT_EQ(find_unit("N/m^1.5")->dimension, hertz_stiffness);
  EXPECT_EQ(find_unit("N/m^(3/2)")->dimension, hertz_stiffness);
  EXPECT_EQ(find_unit("N m^-1.5")->dimension, hertz_stiffness);
  EXPECT_EQ(find_unit("N m^(-3/2)")->dimension, hertz_stiffness);
  // 1 N/mm^1.5 = 1000^1.5 N/m^1.5
  EXPECT_DOUBLE_EQ(find_unit("N/mm^1.5")->value, std::pow(1000.0, 1.5));
  EXPECT_FALSE(find_unit("m^0.3").has_value());
  EXPECT_FALSE(find_unit("m^101").has_value());
  EXPECT_FALSE(find_unit("m^99 m^99").has_value());
  EXPECT_FALSE(find_unit("fm^99").has_value());  // 1e-1485 is below every double
}

TEST(Units, ADecimalWrittenInMillimetresIsTheSameNumberAsInMetres) {
  // Multiplication with 0.001 would miss some of these by one bit.
  EXPECT_EQ(parse_quantity("1.1 mm").value, 0.0011);
  EXPECT_EQ(parse_quantity("153 mm").value, 0.153);
  EXPECT_EQ(parse_quantity("38 g").value, 0.038);
  EXPECT_EQ(parse_quantity("10 us").value, 1e-5);
  EXPECT_EQ(parse_quantity("3 mm^2").value, 3e-6);
  EXPECT_EQ(parse_quantity("180 deg").value, std::numbers::pi);
}

TEST(Units, ARevolutionPerMinuteIsAnAngularVelocityButAHertzIsNot) {
  EXPECT_DOUBLE_EQ(parse_quantity("60 rpm").value, 2 * std::numbers::pi);
  EXPECT_EQ(parse_quantity("1 Hz").value, 1);
}

TEST(Units, AUnitMayTouchItsNumber) {
  EXPECT_EQ(parse_quantity("0.5mm").value, 0.0005);
  EXPECT_EQ(parse_quantity(".5m").value, 0.5);
  EXPECT_EQ(parse_quantity("1e3m").value, 1000);
  EXPECT_EQ(parse_quantity("2E-3m").value, 0.002);
  EXPECT_EQ(parse_quantity("7.4e-5kg m^2").dimension, dimensions::kInertia);
}

TEST(Units, BothMicroSignsAndBothMiddleDotsAreUnderstood) {
  for (const char* text : {"10 us", "10 \u00b5s", "10 \u03bcs"}) EXPECT_EQ(parse_quantity(text).value, 1e-5) << text;
  for (const char* text : {"2 kg m^2", "2 kg\u00b7m^2", "2 kg \u22c5 m^2"}) {
    EXPECT_EQ(parse_quantity(text).dimension, dimensions::kInertia) << text;
  }
}

std::string hint_of(const std::string& text) {
  try {
    Expression::parse(text, {});
  } catch (const ExpressionError& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "accepted";
}

TEST(Units, AnUnknownUnitNamesTheLikelyOne) {
  EXPECT_THAT(hint_of("5 Nm"), HasSubstr("write `N m`"));
  EXPECT_THAT(hint_of("5 degg"), HasSubstr("did you mean `deg`"));
  EXPECT_THAT(hint_of("5 hz"), HasSubstr("did you mean `Hz`"));
  EXPECT_THAT(hint_of("5 KN"), HasSubstr("did you mean `kN`"));
  EXPECT_THAT(hint_of("5 t"), HasSubstr("did you mean `tonne`"));
  EXPECT_THAT(hint_of("5 sec"), HasSubstr("did you mean `s`"));
  EXPECT_THAT(hint_of("5 rpn"), HasSubstr("did you mean `rpm`"));
  EXPECT_THAT(hint_of("5 zzzzzz"), HasSubstr("unknown unit `zzzzzz`"));
  EXPECT_THAT(hint_of("5 zzzzzz"), Not(HasSubstr("did you mean")));
}

TEST(Units, AFactorBehindADivisorIsRefusedBecauseItIsReadBothWays) {
  EXPECT_THAT(hint_of("5 W/m K"), HasSubstr("ambiguous"));
  EXPECT_THAT(hint_of("5 W/m\u00b7K"), HasSubstr("ambiguous"));
  EXPECT_EQ(hint_of("5 W/m/K"), "accepted");
}

TEST(Units, ASecondExponentOrAVariableExponentIsRefused) {
  EXPECT_THAT(hint_of("2 m^2^3"), HasSubstr("`(2 m^2)^...`"));
  EXPECT_THAT(hint_of("2 m^x"), HasSubstr("not a number"));
  EXPECT_THAT(hint_of("2 m^(1+1)"), HasSubstr("not a number"));
}

TEST(Units, TheReferencePageNamesEveryUnitAndFunction) {
  std::ifstream file(test_dir() + "/../docs/reference/expressions.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(page.empty());
  for (const std::string& name : unit_names()) EXPECT_THAT(page, HasSubstr("`" + name + "`"));
  for (const std::string& name : function_names()) {
    const bool is_named =
        page.find("`" + name + "`") != std::string::npos || page.find("`" + name + "(") != std::string::npos;
    EXPECT_TRUE(is_named) << name;
  }
}

}  // namespace
}  // namespace freeplay::test
