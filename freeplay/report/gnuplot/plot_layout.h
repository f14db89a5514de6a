// Where the panels of a figure stand, and what stands around them. In pixels from the upper left corner.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "freeplay/report/plot/plot_figure.h"

namespace freeplay::report {

struct LegendEntry {
  std::size_t item = 0;  // index of a curve of the panel, or the mode of bars
  std::string text;
  double x = 0, y = 0;  // left end and middle of its sample; the text stands behind it
};

struct PanelPlace {
  double left = 0, right = 0, top = 0, bottom = 0;  // of the drawing area
  double title_y = 0;                               // middle of the title
  std::vector<LegendEntry> legend;
  bool has_x_labels = true;  // false: those of the panel below serve both
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

struct PlotLayout {
  double width = 0, height = 0;
  double title_y = 0;
  std::vector<std::pair<std::string, double>> subtitle;  // lines and their middles
  std::vector<PanelPlace> places;                        // one per panel
};

// Sizes of texts, in pixels.
inline constexpr double kFontSize = 14, kTitleFontSize = 16, kSmallFontSize = 12, kLineHeight = 19;
inline constexpr double kSampleWidth = 26, kSampleGap = 6;

// Throws PlotError if the figure would be too small to show anything.
PlotLayout lay_out(const PlotFigure& figure, PlotSize size);

}  // namespace freeplay::report
