// Angles for bounds that leave room for an error: where a search asks for them at every pair of nodes, the functions of
// the library, exact to the last bit, are most of its time. The error is below kQuickAngleError.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "freeplay/math/types.h"

namespace freeplay::geometry {

inline constexpr double kQuickAngleError = 1e-10;

namespace quick_angles {

inline constexpr double kManyTurns = 1e5;  // beyond, the products below lose digits

inline std::int64_t nearest_integer(double x) {
  return static_cast<std::int64_t>(x + (x < 0 ? -0.5 : 0.5));
}

}  // namespace quick_angles

// std::remainder(angle, 2 pi).
inline double quick_remainder(double angle) {
  constexpr double kTurn = 2 * std::numbers::pi;
  if (!(std::abs(angle) < kTurn * quick_angles::kManyTurns)) return std::remainder(angle, kTurn);
  return angle - kTurn * static_cast<double>(quick_angles::nearest_integer(angle * (1 / kTurn)));
}

// (cos, sin): Taylor's series within an eighth of a turn.
inline Vec2 quick_direction(double angle) {
  constexpr double kQuarter = std::numbers::pi / 2;
  if (!(std::abs(angle) < kQuarter * quick_angles::kManyTurns)) return {std::cos(angle), std::sin(angle)};
  const std::int64_t quarters = quick_angles::nearest_integer(angle * (1 / kQuarter));
  const double x = angle - kQuarter * static_cast<double>(quarters), y = x * x;
  const double sine =
      x * (1 + y * (-1.0 / 6 + y * (1.0 / 120 + y * (-1.0 / 5040 + y * (1.0 / 362880 + y * (-1.0 / 39916800))))));
  const double cosine =
      1 + y * (-1.0 / 2 +
               y * (1.0 / 24 + y * (-1.0 / 720 + y * (1.0 / 40320 + y * (-1.0 / 3628800 + y * (1.0 / 479001600))))));
  switch (quarters & 3) {
    case 0:
      return {cosine, sine};
    case 1:
      return {-sine, cosine};
    case 2:
      return {-cosine, -sine};
    default:
      return {sine, -cosine};
  }
}

}  // namespace freeplay::geometry
