// Colours that stand for numbers.
#pragma once

#include <cstdint>

#include "freeplay/core/layers.h"

namespace freeplay::report {

// From dark blue over green to yellow, 0xRRGGBB, for `part` from 0 to 1: the order is seen without colours, too.
std::uint32_t plot_colour(double part);
// From a light blue to a dark one: how many points lie in a cell.
std::uint32_t plot_density_colour(double part);
// The colour of the curve with this look, for cells that are told apart and have no order.
std::uint32_t plot_look_colour(int look);

}  // namespace freeplay::report
