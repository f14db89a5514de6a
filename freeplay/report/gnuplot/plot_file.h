// From a figure to a file.
#pragma once

#include <filesystem>
#include <string>

#include "freeplay/report/gnuplot/plot_script.h"

namespace freeplay::report {

// By the ending of the name: .svg, .png, .pdf. Throws PlotError for another one.
PictureFormat picture_format(const std::filesystem::path& path);

// Draws `figure` with gnuplot; the file changes only when the picture is whole. Returns what gnuplot warned of. Throws
// IoError.
std::string write_plot(const PlotFigure& figure, const PictureOptions& options, const std::filesystem::path& path);

}  // namespace freeplay::report
