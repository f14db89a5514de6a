// A figure in gnuplot's language.
#pragma once

#include <string>

#include "freeplay/report/plot/plot_figure.h"

namespace freeplay::report {

struct PictureOptions {
  PictureFormat format = PictureFormat::kSvg;
  PlotStyle style = PlotStyle::kPrint;
  PlotSize size;
};

// The picture goes to gnuplot's standard output. The same figure always gives the same text.
std::string plot_script(const PlotFigure& figure, const PictureOptions& options);

}  // namespace freeplay::report
