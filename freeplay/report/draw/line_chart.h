// A chart of curves as one SVG element for a page: it has classes instead of colours, so that the page's style makes it
// light or dark (line_chart_style()). Needs no other program and no script.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::report {

struct ChartCurve {
  std::string label;
  int style = 0;             // colour and dashes: classes c0 to c7, then again from the start
  std::vector<double> x, y;  // values that are not finite make a hole
};

struct ChartMark {
  double x = 0;
  int style = 0;
  std::string label;
};

struct LineChart {
  std::string title, x_label, x_unit,
      y_unit;                   // SI units; the axes have powers of 1000 where numbers are small or large
  bool is_logarithmic = false;  // of y; values that are not positive make a hole
  std::vector<ChartCurve> curves;
  std::vector<ChartMark> marks;        // vertical lines
  std::optional<double> shaded_from;   // x from which on the background is shaded
  std::optional<double> x_min, x_max;  // otherwise those of the curves
};

// `<svg class="chart" ...>`; curves are thinned to what the pixels can show, without losing an extreme.
std::string line_chart_svg(const LineChart& chart);

// The rules of these classes, for the page's <style>.
std::string line_chart_style();

// Round numbers between `least` and `most`, about `count` of them.
std::vector<double> axis_ticks(double least, double most, int count);

inline constexpr int kChartStyles = 8;

}  // namespace freeplay::report
