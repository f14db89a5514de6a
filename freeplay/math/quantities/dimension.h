// Physical dimensions as exponents of metre, kilogram, second and kelvin. Angles are dimensionless (rad = 1).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "freeplay/core/layers.h"

namespace freeplay::math {

// Exponents are rational: Hertz' stiffness is in N/m^1.5. They are held in twelfths, so halves, thirds and quarters
// are exact.
class Dimension {
 public:
  static constexpr int kTwelfths = 12;
  // Beyond any physics, and low enough that the product of two dimensions within limits cannot overflow.
  static constexpr int kMaxExponent = 100;

  constexpr Dimension() = default;
  constexpr Dimension(int metre, int kilogram, int second, int kelvin = 0)
      : twelfths_{static_cast<std::int16_t>(kTwelfths * metre), static_cast<std::int16_t>(kTwelfths * kilogram),
                  static_cast<std::int16_t>(kTwelfths * second), static_cast<std::int16_t>(kTwelfths * kelvin)} {}

  constexpr bool operator==(const Dimension&) const = default;
  constexpr bool is_dimensionless() const { return *this == Dimension(); }
  // Every exponent is at most kMaxExponent in magnitude. Whoever multiplies dimensions of foreign input checks it.
  bool within_limits() const;
  friend Dimension operator*(const Dimension& a, const Dimension& b);
  friend Dimension operator/(const Dimension& a, const Dimension& b);
  // nullopt when the result is not a whole number of twelfths (m^0.3) or out of range.
  std::optional<Dimension> power(double exponent) const;

  // SI unit text: "m/s^2", "kg m^2", "N", "N m", "N/m^1.5", "1" when dimensionless. Prefers N, N m, J is written N m.
  // find_unit() (expression.h) reads it back.
  std::string si_unit() const;
  // A word for a common dimension ("a length", "a mass", "an angular velocity or frequency"), else "a quantity in
  // <unit>".
  std::string describe() const;

 private:
  std::array<std::int16_t, 4> twelfths_{};
};

namespace dimensions {
inline constexpr Dimension kNone{};
inline constexpr Dimension kAngle{};
inline constexpr Dimension kLength{1, 0, 0};
inline constexpr Dimension kMass{0, 1, 0};
inline constexpr Dimension kTime{0, 0, 1};
inline constexpr Dimension kVelocity{1, 0, -1};
inline constexpr Dimension kAngularVelocity{0, 0, -1};
inline constexpr Dimension kAcceleration{1, 0, -2};
inline constexpr Dimension kAngularAcceleration{0, 0, -2};
inline constexpr Dimension kForce{1, 1, -2};
inline constexpr Dimension kTorque{2, 1, -2};
inline constexpr Dimension kEnergy{2, 1, -2};
inline constexpr Dimension kPower{2, 1, -3};
inline constexpr Dimension kInertia{2, 1, 0};
inline constexpr Dimension kDensity{-3, 1, 0};
inline constexpr Dimension kImpulse{1, 1, -1};
inline constexpr Dimension kStiffness{0, 1, -2};
inline constexpr Dimension kDamping{0, 1, -1};
inline constexpr Dimension kTorsionalStiffness{2, 1, -2};
inline constexpr Dimension kTorsionalDamping{2, 1, -1};
inline constexpr Dimension kPressure{-1, 1, -2};
}  // namespace dimensions

}  // namespace freeplay::math
