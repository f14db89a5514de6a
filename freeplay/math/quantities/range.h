// The interval that a number must lie in.
#pragma once

#include <limits>
#include <string>

#include "freeplay/core/layers.h"

namespace freeplay::math {

struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool without_min = false, without_max = false;  // the end itself is excluded
  bool is_whole = false;                          // whole numbers only

  bool contains(double value) const;  // a NaN lies in none
  std::string describe() const;       // "greater than 0", "from 0 to 1"; empty if every number is allowed
};

namespace ranges {
inline constexpr Range kPositive{.min = 0, .without_min = true};
inline constexpr Range kNotNegative{.min = 0};
inline constexpr Range kZeroToOne{.min = 0, .max = 1};
inline constexpr Range kInsideZeroOne{.min = 0, .max = 1, .without_min = true, .without_max = true};
inline constexpr Range kAboveZeroToOne{.min = 0, .max = 1, .without_min = true};
}  // namespace ranges

}  // namespace freeplay::math
