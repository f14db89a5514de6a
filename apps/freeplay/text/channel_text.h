// Channels, grouped by the element they belong to.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "freeplay/simulation/recording/recorder.h"
#include "terminal/terminal.h"

namespace freeplay::app {

// "crank  x [m], y [m], ..." with one paragraph per element, broken to fit `width` columns.
std::string channel_list(std::span<const ChannelInfo> channels, int width, const Painter& paint);

// Zero instead of values that are rounding noise beside the others of the same unit: sin(pi) of an assembled angle.
std::vector<double> without_noise(std::span<const ChannelInfo> channels, std::span<const double> values);

// One line per element with the values of its channels below their names; elements with the same channels share them.
std::string value_table(std::span<const ChannelInfo> channels, std::span<const double> values, const Painter& paint);

}  // namespace freeplay::app
