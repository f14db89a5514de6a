#include "freeplay/report/gnuplot/plot_colours.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

#include "freeplay/report/gnuplot/plot_look.h"

namespace freeplay::report {

namespace {

// Viridis by five of its colours; light to dark for densities.
constexpr std::uint32_t kOrdered[] = {0x440154, 0x3B528B, 0x21918C, 0x5EC962, 0xFDE725};
constexpr std::uint32_t kDensities[] = {0xA6C8E4, 0x4A90C4, 0x0B2545};

std::uint32_t between(std::span<const std::uint32_t> colours, double part) {
  const double place = std::clamp(part, 0.0, 1.0) * static_cast<double>(colours.size() - 1);
  const auto first = std::min(static_cast<std::size_t>(place), colours.size() - 2);
  const double share = place - static_cast<double>(first);
  std::uint32_t colour = 0;
  for (const int shift : {16, 8, 0}) {
    const double a = (colours[first] >> shift) & 0xFFU, b = (colours[first + 1] >> shift) & 0xFFU;
    colour |= static_cast<std::uint32_t>(std::lround(a + share * (b - a))) << shift;
  }
  return colour;
}

}  // namespace

std::uint32_t plot_colour(double part) {
  return between(kOrdered, part);
}

std::uint32_t plot_density_colour(double part) {
  return between(kDensities, part);
}

std::uint32_t plot_look_colour(int look) {
  PlotCurve curve;
  curve.look = look;
  return static_cast<std::uint32_t>(std::strtoul(colour_of(curve) + 1, nullptr, 16));  // behind '#'
}

}  // namespace freeplay::report
