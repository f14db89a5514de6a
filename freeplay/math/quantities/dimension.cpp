#include "freeplay/math/quantities/dimension.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string_view>

namespace freeplay::math {

namespace {

// A power given as a double (1/3, 1.5) must hit a twelfth to this accuracy; 0.3333 is refused as a typing slip.
constexpr double kTwelfthTolerance = 1e-9;

struct DescribedDimension {
  Dimension dimension;
  std::string_view words;
};

constexpr DescribedDimension kDescriptions[] = {
    {dimensions::kNone, "a plain number or an angle"},
    {dimensions::kLength, "a length"},
    {dimensions::kMass, "a mass"},
    {dimensions::kTime, "a time"},
    {Dimension(0, 0, 0, 1), "a temperature"},
    {Dimension(2, 0, 0), "an area"},
    {Dimension(3, 0, 0), "a volume"},
    {Dimension(-3, 1, 0), "a density"},
    {dimensions::kVelocity, "a velocity"},
    {dimensions::kAngularVelocity, "an angular velocity or frequency"},
    {dimensions::kAcceleration, "an acceleration"},
    {dimensions::kAngularAcceleration, "an angular acceleration"},
    {dimensions::kForce, "a force"},
    {dimensions::kTorque, "a torque or energy"},
    {dimensions::kPower, "a power"},
    {dimensions::kInertia, "a moment of inertia"},
    {dimensions::kImpulse, "an impulse"},
    {dimensions::kStiffness, "a stiffness"},
    {dimensions::kDamping, "a damping coefficient"},
    {dimensions::kTorsionalDamping, "a torsional damping coefficient"},
    {dimensions::kPressure, "a pressure"},
};

// "", "^2", "^1.5", "^(1/3)": quarters are short decimals, the other twelfths are not.
std::string exponent_text(int twelfths) {
  if (twelfths == Dimension::kTwelfths) return "";
  if (twelfths % 3 == 0) return fmt::format("^{}", twelfths / double{Dimension::kTwelfths});
  const int divisor = std::gcd(twelfths, Dimension::kTwelfths);
  return fmt::format("^({}/{})", twelfths / divisor, Dimension::kTwelfths / divisor);
}

}  // namespace

bool Dimension::within_limits() const {
  for (const int twelfths : twelfths_) {
    if (std::abs(twelfths) > kTwelfths * kMaxExponent) return false;
  }
  return true;
}

Dimension operator*(const Dimension& a, const Dimension& b) {
  Dimension product;
  for (std::size_t i = 0; i < product.twelfths_.size(); ++i) {
    product.twelfths_[i] = static_cast<std::int16_t>(a.twelfths_[i] + b.twelfths_[i]);
  }
  return product;
}

Dimension operator/(const Dimension& a, const Dimension& b) {
  Dimension quotient;
  for (std::size_t i = 0; i < quotient.twelfths_.size(); ++i) {
    quotient.twelfths_[i] = static_cast<std::int16_t>(a.twelfths_[i] - b.twelfths_[i]);
  }
  return quotient;
}

std::optional<Dimension> Dimension::power(double exponent) const {
  Dimension result;
  for (std::size_t i = 0; i < twelfths_.size(); ++i) {
    if (twelfths_[i] == 0) continue;
    const double exact = twelfths_[i] * exponent;
    // Written so that a NaN is refused as well.
    if (!(std::abs(exact) <= double{kTwelfths * kMaxExponent})) return std::nullopt;
    const double rounded = std::round(exact);
    if (std::abs(exact - rounded) > kTwelfthTolerance) return std::nullopt;
    result.twelfths_[i] = static_cast<std::int16_t>(rounded);
  }
  return result;
}

std::string Dimension::si_unit() const {
  if (*this == dimensions::kPower) return "W";
  if (*this == dimensions::kPressure) return "Pa";

  int metre = twelfths_[0], kilogram = twelfths_[1], second = twelfths_[2];
  int newton = 0;
  // With at least as many seconds below as kilograms above it is a matter of forces (N s/m rather than kg/s);
  // with fewer it is one of inertia (kg m^2). The same holds upside down (m/N).
  const bool about_force = kilogram * second < 0 && std::abs(second) >= std::abs(kilogram);
  if (about_force) {
    newton = kilogram;
    metre -= kilogram;
    second += 2 * kilogram;
    kilogram = 0;
  }

  const struct {
    const char* name;
    int twelfths;
  } factors[] = {{"N", newton}, {"kg", kilogram}, {"m", metre}, {"s", second}, {"K", twelfths_[3]}};
  std::string above, below;
  for (const auto& factor : factors) {
    if (factor.twelfths > 0) {
      if (!above.empty()) above += ' ';
      above += factor.name + exponent_text(factor.twelfths);
    } else if (factor.twelfths < 0) {
      below += '/' + (factor.name + exponent_text(-factor.twelfths));
    }
  }
  return (above.empty() ? "1" : above) + below;
}

std::string Dimension::describe() const {
  for (const DescribedDimension& entry : kDescriptions) {
    if (entry.dimension == *this) return std::string(entry.words);
  }
  return "a quantity in " + si_unit();
}

}  // namespace freeplay::math
