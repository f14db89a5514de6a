// The unit of an axis: engineers' prefixes, so that its numbers are readable.
#pragma once

#include <string>
#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::report {

// A value in SI divided by `size` is what the axis shows.
struct AxisUnit {
  std::string text;  // "mm", "kN m"; empty for a plain number
  double size = 1;
};

// For values of `si_unit` up to `largest` in magnitude.
AxisUnit choose_axis_unit(std::string_view si_unit, double largest);

}  // namespace freeplay::report
