// The unit table. Internal to freeplay/math; the public functions on units are in expression.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "freeplay/math/quantities/dimension.h"

namespace freeplay::math {

// One unit in SI: multiplier / divisor. Two numbers, because 1.1 / 1000 is the double nearest to 0.0011 while
// 1.1 * 0.001 is its neighbour: `1.1 mm` and `0.0011 m` should be the same number.
struct UnitScale {
  double multiplier = 1;
  double divisor = 1;
  Dimension dimension;
};

// A single unit name, prefixed or not: "mm", "kg", "rpm". nullopt if unknown.
std::optional<UnitScale> find_unit_name(std::string_view name);

// The cure for an unknown unit name: "did you mean `kN`?", "write `N m`"; "" when nothing is near.
std::string suggest_unit(std::string_view name);

}  // namespace freeplay::math
