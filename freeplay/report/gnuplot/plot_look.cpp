#include "freeplay/report/gnuplot/plot_look.h"

#include <algorithm>
#include <cmath>

namespace freeplay::report {

namespace {

// Okabe and Ito's colours, told apart by everyone; with a dash each for paper without colours.
constexpr const char* kColours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#444444"};
constexpr const char* kDashes[] = {"1", "(9,4)", "(3,3)", "(12,4,3,4)", "(16,5)", "(6,3)", "(9,3,2,3,2,3)"};
constexpr std::size_t kCount = std::size(kColours);
static_assert(std::size(kDashes) == kCount);

// Curves that go up and down all the time are drawn solid: dashes of such a curve are a grey cloud.
bool is_rough(const PlotCurve& curve) {
  double way = 0, low = INFINITY, high = -INFINITY;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    if (is_gap(curve.points[i])) continue;
    low = std::min(low, curve.points[i].y);
    high = std::max(high, curve.points[i].y);
    if (i > 0 && !is_gap(curve.points[i - 1])) way += std::abs(curve.points[i].y - curve.points[i - 1].y);
  }
  constexpr double kManyRanges = 40;
  return way > kManyRanges * (high - low);
}

}  // namespace

const char* colour_of(const PlotCurve& curve) {
  return kColours[static_cast<std::size_t>(curve.look) % kCount];
}

const char* dash_of(const PlotCurve& curve) {
  if (is_rough(curve)) return "1";
  // When the colours begin anew, each has another dash; 3 and the number of dashes have no divisor in common.
  const std::size_t look = static_cast<std::size_t>(curve.look), round = look / kCount;
  return kDashes[(look + 3 * round) % kCount];
}

// Circle, square, triangle, diamond, full and hollow.
int point_type(const PlotCurve& curve) {
  constexpr int kTypes[] = {7, 5, 9, 13, 6, 4, 8, 12};
  return kTypes[static_cast<std::size_t>(curve.look) % std::size(kTypes)];
}

}  // namespace freeplay::report
