// From a figure to a file.
#pragma once

#include <filesystem>
#include <string>

#include "freeplay/report/gnuplot/gnuplot.h"
#include "freeplay/report/gnuplot/plot_script.h"

namespace freeplay::report {

// By the ending of the name: .svg, .png, .pdf. Throws PlotError for another one.
PictureFormat picture_format(const std::filesystem::path& path);

// The picture as it is to be kept: without a date, and so that an SVG fits dark pages. Throws IoError.
GnuplotOutput draw_plot(const PlotFigure& figure, const PictureOptions& options);

// Draws `figure` with gnuplot; the file changes only when the picture is whole. Returns what gnuplot warned of. Throws
// IoError.
std::string write_plot(const PlotFigure& figure, const PictureOptions& options, const std::filesystem::path& path);

}  // namespace freeplay::report
