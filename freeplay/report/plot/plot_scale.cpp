#include "freeplay/report/plot/plot_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/math/types.h"
#include "freeplay/report/plot/plot_error.h"

namespace freeplay::report {

namespace {

constexpr double kRounding = 1e-9;  // of a value: labels and gnuplot's own ranges have no more digits

void include(ValueRange& range, double value) {
  range.low = std::min(range.low, value);
  range.high = std::max(range.high, value);
}

ValueRange data_range(const PlotPanel& panel, const PlotAxis& axis, double PlotPoint::*coordinate) {
  ValueRange range{kInfinity, -kInfinity};
  for (const PlotCurve& curve : panel.curves) {
    if (curve.is_frame) continue;
    for (const PlotPoint& point : curve.points) {
      if (!is_gap(point) && can_show(axis, point.*coordinate)) include(range, point.*coordinate);
    }
    if (curve.mark == Mark::kStem && coordinate == &PlotPoint::y && !axis.log) include(range, 0);
  }
  if (coordinate == &PlotPoint::x) {
    for (const PlotBar& bar : panel.bars) include(range, bar.from), include(range, bar.to);
  }
  if (range.low <= range.high) return range;
  if (axis.log) {
    throw PlotError(fmt::format("{} has no positive value that a logarithmic axis could show", axis.name),
                    "leave --log out");
  }
  return {0, 1};  // nothing at all, or nothing finite: an empty panel says that too
}

// Room around the curves, so that they do not run along the border.
ValueRange with_margin(ValueRange range, const PlotAxis& axis) {
  if (axis.log) {
    const double factor = std::max(std::pow(range.high / range.low, 0.04), 1.3);
    const ValueRange wide{range.low / factor, range.high * factor};
    // Numbers stand at powers of ten: an axis with one or none of them could not be read.
    const double first = std::ceil(std::log10(wide.low)), last = std::floor(std::log10(wide.high));
    if (last > first) return wide;
    const double below = std::floor(std::log10(range.low)), above = std::ceil(std::log10(range.high));
    return {std::min(wide.low, std::pow(10.0, below)), std::max(wide.high, std::pow(10.0, std::max(above, below + 1)))};
  }
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  // A constant is a line in the middle; rounding must not look like a signal.
  if (range.high - range.low <= kRounding * size || size == 0) {
    const double half = size == 0 ? 1 : 0.1 * size;
    return {range.low - half, range.high + half};
  }
  const double margin = 0.05 * (range.high - range.low);
  // Where zero is near anyway, the axis starts there: lengths then compare as the eye expects.
  const bool from_zero = range.low >= 0 && range.low < 0.3 * range.high;
  const bool to_zero = range.high <= 0 && range.high > 0.3 * range.low;
  return {from_zero ? 0 : range.low - margin, to_zero ? 0 : range.high + margin};
}

AxisUnit unit_of(const PlotAxis& axis, const ValueRange& range) {
  if (axis.asked_unit) return *axis.asked_unit;
  if (axis.log) return choose_axis_unit(axis.si_unit, 1);  // powers of ten need no prefix
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  AxisUnit unit = choose_axis_unit(axis.si_unit, largest);
  // Below all prefixes: the power of ten stands once, at the unit. At every tick it would run into the axis' name.
  constexpr double kLongNumbers = 1e-4;
  if (unit.size == 1 && largest > 0 && largest < kLongNumbers) {
    const int power = 3 * static_cast<int>(std::floor(std::log10(largest) / 3 + 1e-9));
    unit.size = std::pow(10.0, power);
    unit.text = fmt::format("1e{}{}", power, unit.text.empty() ? "" : " " + unit.text);
  }
  return unit;
}

void widen(ValueRange& range, double length) {
  const double middle = (range.low + range.high) / 2;
  range = {middle - length / 2, middle + length / 2};
}

}  // namespace

bool can_show(const PlotAxis& axis, double value) {
  return std::isfinite(value) && (!axis.log || value > 0);
}

PanelScale panel_scale(const PlotPanel& panel, double width, double height) {
  const ValueRange x_data = panel.x_range.value_or(data_range(panel, panel.x, &PlotPoint::x));
  const ValueRange y_data =
      panel.y_range.value_or(panel.rows.empty() ? data_range(panel, panel.y, &PlotPoint::y) : ValueRange{0, 1});
  PanelScale scale;
  scale.x_unit = unit_of(panel.x, x_data);
  scale.y_unit = unit_of(panel.y, y_data);
  ValueRange x = panel.shape == PlotPanel::Shape::kSquare && !panel.x_range ? with_margin(x_data, panel.x) : x_data;
  if (x.low == x.high) x = with_margin(x, panel.x);
  ValueRange y = panel.y_range ? y_data : with_margin(y_data, panel.y);
  if (panel.equal_axes) {
    scale.y_unit = scale.x_unit = unit_of(panel.x, {std::min(x.low, y.low), std::max(x.high, y.high)});
    const double per_pixel = std::max((x.high - x.low) / width, (y.high - y.low) / height);
    widen(x, per_pixel * width);
    widen(y, per_pixel * height);
  }
  if (!panel.rows.empty()) y = {0.4, static_cast<double>(panel.rows.size()) + 0.6};
  scale.x = {x.low / scale.x_unit.size, x.high / scale.x_unit.size};
  scale.y = panel.rows.empty() ? ValueRange{y.low / scale.y_unit.size, y.high / scale.y_unit.size} : y;
  return scale;
}

}  // namespace freeplay::report
