#include "freeplay/report/draw/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/report/markup_text.h"

namespace freeplay::report {

namespace {

constexpr double kWidth = 600, kHeight = 240;                       // of the whole, in units of the view box
constexpr double kLeft = 64, kRight = 12, kTop = 30, kBottom = 40;  // of the frame
constexpr int kColumns = 524;                                       // pixels between

struct Axis {
  double least = 0, most = 1;
  double from = 0, to = 1;  // where they stand in the picture
  int exponent = 0;         // labels are in units of 10^exponent
  bool is_logarithmic = false;

  double place(double value) const {
    const double v = is_logarithmic ? std::log10(value) : value;
    return from + (v - least) / (most - least) * (to - from);
  }
};

int engineering_exponent(double largest) {
  if (!(largest > 0)) return 0;
  const int power = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
  if (power >= -1 && power < 4) return 0;
  return static_cast<int>(std::floor(power / 3.0)) * 3;
}

std::string superscript(int number) {
  static const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) text += digits[c - '0'];
  return text;
}

std::string axis_unit(const std::string& unit, int exponent) {
  std::string known = unit == "1" ? "" : unit;
  if (exponent == 0) return known;
  return "10" + superscript(exponent) + (known.empty() ? "" : " " + known);
}

Axis x_axis(const LineChart& chart) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const ChartCurve& curve : chart.curves) {
    for (const double x : curve.x) {
      least = std::min(least, x);
      most = std::max(most, x);
    }
  }
  Axis axis{chart.x_min.value_or(least), chart.x_max.value_or(most), kLeft, kWidth - kRight, 0, false};
  if (!(axis.most > axis.least)) axis.most = axis.least + 1;
  if (!std::isfinite(axis.most - axis.least)) axis = {0, 1, kLeft, kWidth - kRight, 0, false};
  axis.exponent = engineering_exponent(std::max(std::abs(axis.least), std::abs(axis.most)));
  return axis;
}

bool is_shown(const LineChart& chart, const Axis& x, double at, double value) {
  return std::isfinite(value) && at >= x.least && at <= x.most && (!chart.is_logarithmic || value > 0);
}

Axis y_axis(const LineChart& chart, const Axis& x) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const ChartCurve& curve : chart.curves) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!is_shown(chart, x, curve.x[i], curve.y[i])) continue;
      const double value = chart.is_logarithmic ? std::log10(curve.y[i]) : curve.y[i];
      least = std::min(least, value);
      most = std::max(most, value);
    }
  }
  if (!(most >= least)) least = 0, most = 1;
  if (chart.is_logarithmic) {
    least = std::floor(least);
    most = std::max(std::ceil(most), least + 1);
    return {least, most, kHeight - kBottom, kTop, 0, true};
  }
  double margin = 0.05 * (most - least);
  // A value that wavers by rounding is a constant.
  const double rounding = 1e-9 * std::max(std::abs(least), std::abs(most));
  if (most - least <= rounding) margin = std::max(0.1 * std::max(std::abs(least), std::abs(most)), 1e-300);
  Axis axis{least - margin, most + margin, kHeight - kBottom, kTop, 0, false};
  if (!(axis.most > axis.least)) axis.most = axis.least + 1;
  axis.exponent = engineering_exponent(std::max(std::abs(axis.least), std::abs(axis.most)));
  return axis;
}

std::string tick_text(double value, int exponent) {
  const double scaled = value / std::pow(10.0, exponent);
  return fmt::format("{:.5g}", std::abs(scaled) < 1e-12 ? 0.0 : scaled);
}

void add_axes(const LineChart& chart, const Axis& x, const Axis& y, std::string& svg) {
  for (const double value : axis_ticks(x.least, x.most, 7)) {
    const double at = x.place(value);
    svg +=
        fmt::format(R"(<line class="grid" x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}"/>)", at, kTop, kHeight - kBottom);
    svg += fmt::format(R"(<text class="tick" x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", at,
                       kHeight - kBottom + 14, tick_text(value, x.exponent));
  }
  std::vector<double> ticks = axis_ticks(y.least, y.most, 5);
  if (y.is_logarithmic) {
    ticks.clear();
    const double stride = std::max(1.0, std::ceil((y.most - y.least) / 6));
    const int strides = static_cast<int>(std::floor((y.most + 0.5 - y.least) / stride));
    for (int i = 0; i <= strides; ++i) ticks.push_back(std::pow(10.0, y.least + i * stride));
  }
  for (const double value : ticks) {
    const double at = y.place(value);
    svg +=
        fmt::format(R"(<line class="grid" x1="{1}" x2="{2}" y1="{0:.1f}" y2="{0:.1f}"/>)", at, kLeft, kWidth - kRight);
    const std::string text = y.is_logarithmic ? "10" + superscript(static_cast<int>(std::lround(std::log10(value))))
                                              : tick_text(value, y.exponent);
    svg +=
        fmt::format(R"(<text class="tick" x="{}" y="{:.1f}" text-anchor="end">{}</text>)", kLeft - 6, at + 3.5, text);
  }
  svg += fmt::format(R"(<rect class="frame" x="{}" y="{}" width="{}" height="{}"/>)", kLeft, kTop,
                     kWidth - kLeft - kRight, kHeight - kTop - kBottom);
  const std::string y_unit = axis_unit(chart.y_unit, y.exponent), x_unit = axis_unit(chart.x_unit, x.exponent);
  svg += fmt::format(R"(<text class="title" x="{}" y="18">{}{}</text>)", kLeft, markup_text(chart.title),
                     y_unit.empty() ? "" : fmt::format(R"(<tspan class="unit"> [{}]</tspan>)", markup_text(y_unit)));
  svg += fmt::format(R"(<text class="tick" x="{}" y="{}" text-anchor="middle">{}{}</text>)",
                     (kLeft + kWidth - kRight) / 2, kHeight - 8, markup_text(chart.x_label),
                     x_unit.empty() ? "" : fmt::format(" [{}]", markup_text(x_unit)));
}

// First, lowest, highest and last point of every column of pixels.
void add_curve(const LineChart& chart, const ChartCurve& curve, const Axis& x, const Axis& y, std::string& svg) {
  std::string path;
  bool is_down = false;
  const auto draw = [&](std::size_t i) {
    path += fmt::format("{}{:.1f} {:.1f}", is_down ? "L" : "M", x.place(curve.x[i]), y.place(curve.y[i]));
    is_down = true;
  };
  std::size_t i = 0;
  while (i < curve.x.size()) {
    if (!is_shown(chart, x, curve.x[i], curve.y[i])) {
      is_down = false;
      ++i;
      continue;
    }
    const auto column = [&](std::size_t k) {
      return static_cast<long>((curve.x[k] - x.least) / (x.most - x.least) * kColumns);
    };
    const long here = column(i);
    const std::size_t first = i;
    std::size_t lowest = i, highest = i;
    for (; i < curve.x.size() && is_shown(chart, x, curve.x[i], curve.y[i]) && column(i) == here; ++i) {
      if (curve.y[i] < curve.y[lowest]) lowest = i;
      if (curve.y[i] > curve.y[highest]) highest = i;
    }
    std::vector<std::size_t> points = {first, lowest, highest, i - 1};
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    for (const std::size_t point : points) draw(point);
  }
  svg += fmt::format(R"(<path class="curve c{}" d="{}"><title>{}</title></path>)", curve.style % kChartStyles, path,
                     markup_text(curve.label));
}

void add_marks(const LineChart& chart, const Axis& x, std::string& svg) {
  if (chart.shaded_from && *chart.shaded_from < x.most) {
    const double from = x.place(std::max(*chart.shaded_from, x.least));
    svg += fmt::format(R"(<rect class="shade" x="{:.1f}" y="{}" width="{:.1f}" height="{}"/>)", from, kTop,
                       kWidth - kRight - from, kHeight - kTop - kBottom);
  }
  for (const ChartMark& mark : chart.marks) {
    if (mark.x < x.least || mark.x > x.most) continue;
    svg +=
        fmt::format(R"(<line class="mark c{0}" x1="{1:.1f}" x2="{1:.1f}" y1="{2}" y2="{3}"><title>{4}</title></line>)",
                    mark.style % kChartStyles, x.place(mark.x), kTop, kHeight - kBottom, markup_text(mark.label));
  }
}

}  // namespace

std::vector<double> axis_ticks(double least, double most, int count) {
  std::vector<double> ticks;
  if (!(most > least) || count < 1) return ticks;
  const double rough = (most - least) / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double stride = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= rough) stride = factor * power;
  }
  const double first = std::ceil(least / stride - 1e-9);
  for (int i = 0; i < 4 * count; ++i) {
    const double value = (first + i) * stride;
    if (value > most + 1e-9 * stride) break;
    ticks.push_back(value);
  }
  return ticks;
}

std::string line_chart_svg(const LineChart& chart) {
  const Axis x = x_axis(chart), y = y_axis(chart, x);
  std::string svg = fmt::format(R"(<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">)", kWidth,
                                kHeight, markup_text(chart.title));
  add_marks(chart, x, svg);
  add_axes(chart, x, y, svg);
  for (const ChartCurve& curve : chart.curves) add_curve(chart, curve, x, y, svg);
  return svg + "</svg>\n";
}

std::string line_chart_style() {
  // Colours that people with any colour vision tell apart; dashes beside them for print.
  return R"(:root { --c0: #1b1b1b; --c1: #d55e00; --c2: #0072b2; --c3: #009e73; --c4: #cc79a7; --c5: #b8860b; --c6: #56b4e9; --c7: #7a5195; }
@media (prefers-color-scheme: dark) { :root { --c0: #f2f2f2; --c1: #ff8a3c; --c2: #58b0ef; --c3: #35d0a0; --c4: #eba3cb; --c5: #e6b93c; --c6: #9ad6ff; --c7: #b99be0; } }
svg.chart { width: 100%; height: auto; display: block; }
.chart .grid { stroke: var(--line); stroke-width: .6; }
.chart .frame { fill: none; stroke: var(--soft); stroke-width: .8; }
.chart .shade { fill: var(--shade); }
.chart text { fill: var(--ink); font: 11px system-ui, sans-serif; }
.chart .tick, .chart .unit { fill: var(--soft); }
.chart .title { font-weight: 600; font-size: 12px; }
.chart .unit { font-weight: 400; }
.curve { fill: none; stroke-width: 1.5; stroke-linejoin: round; }
.mark { stroke-width: 1.2; stroke-dasharray: 2 3; }
.c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); } .c3 { stroke: var(--c3); }
.c4 { stroke: var(--c4); } .c5 { stroke: var(--c5); } .c6 { stroke: var(--c6); } .c7 { stroke: var(--c7); }
.curve.c1 { stroke-dasharray: 7 3; } .curve.c2 { stroke-dasharray: 3 2; } .curve.c3 { stroke-dasharray: 9 3 2 3; }
.curve.c4 { stroke-dasharray: 5 5; } .curve.c5 { stroke-dasharray: 2 4; } .curve.c6 { stroke-dasharray: 12 3; }
.curve.c7 { stroke-dasharray: 6 2 2 2 2 2; }
)";
}

}  // namespace freeplay::report
