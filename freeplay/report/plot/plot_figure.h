// A figure as data: panels with curves in SI units. plot_script.h turns it into gnuplot's language.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/report/plot/plot_units.h"
#include "freeplay/report/rows/channel_envelope.h"

namespace freeplay::report {

enum class Mark : std::uint8_t { kLine, kStem, kPoint };

struct PlotCurve {
  std::string name;  // in the legend
  std::vector<PlotPoint> points;
  Mark mark = Mark::kLine;
  int look = 0;           // which colour and dash
  bool is_frame = false;  // a wall: thick, grey, below the curves, not in the legend, not part of the range
};

struct PlotAxis {
  std::string name, si_unit;
  std::optional<AxisUnit> asked_unit;
  bool log = false;
};

struct ValueRange {
  double low = 0, high = 0;
};

// Horizontal bars: what a contact point did from one time to another.
struct PlotBar {
  double from = 0, to = 0;
  int row = 0, mode = 0;  // mode 1 slip, 2 stick
};

// A shaded cell: how much of the time a motion spends there, from 0 to kDensityShades - 1.
inline constexpr int kDensityShades = 8;
struct PlotCell {
  double x = 0, y = 0;  // its middle
  int shade = 0;
};

struct PlotPanel {
  enum class Shape : std::uint8_t { kWide, kSquare };
  Shape shape = Shape::kWide;
  std::string title;
  PlotAxis x, y;
  std::vector<PlotCurve> curves;
  std::optional<ValueRange> x_range, y_range;  // empty: what the curves need
  bool equal_axes = false;                     // a metre is as long in y as in x
  std::vector<std::string> rows;               // names of rows of bars, from above; then y is no axis
  std::vector<PlotBar> bars;
  std::vector<std::string> mode_names = {"slip", "stick"};
  std::vector<PlotCell> cells;  // below the curves
  double cell_width = 0, cell_height = 0;
};

struct PlotFigure {
  std::string title, subtitle;  // parts of the subtitle are separated by "; "
  std::vector<PlotPanel> panels;
  int columns = 1;  // of wide panels
};

enum class PlotStyle : std::uint8_t { kPrint, kScreen };
enum class PictureFormat : std::uint8_t { kSvg, kPng, kPdf };

struct PlotSize {
  int width = 0, height = 0;  // pixels; height 0: what the panels need
};

}  // namespace freeplay::report
