#include "freeplay/math/quantities/range.h"

#include <fmt/format.h>

#include <cmath>

namespace freeplay::math {

bool Range::contains(double value) const {
  const bool above = without_min ? value > min : value >= min;
  const bool below = without_max ? value < max : value <= max;
  return above && below && (!is_whole || value == std::floor(value));
}

std::string Range::describe() const {
  if (is_whole) {
    Range any = *this;
    any.is_whole = false;
    return fmt::format("a whole number {}", any.describe());
  }
  const bool has_min = min > -std::numeric_limits<double>::infinity();
  const bool has_max = max < std::numeric_limits<double>::infinity();
  if (min == max) return fmt::format("exactly {}", min);
  if (has_min && has_max) {
    if (without_min && without_max) return fmt::format("between {} and {}, both excluded", min, max);
    if (without_min) return fmt::format("greater than {} and at most {}", min, max);
    return fmt::format("from {} to {}{}", min, max, without_max ? ", excluded" : "");
  }
  if (has_min) return fmt::format("{} {}", without_min ? "greater than" : "at least", min);
  if (has_max) return fmt::format("{} {}", without_max ? "less than" : "at most", max);
  return "";
}

}  // namespace freeplay::math
