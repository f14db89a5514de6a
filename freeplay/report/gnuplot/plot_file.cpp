#include "freeplay/report/gnuplot/plot_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "freeplay/report/atomic_file.h"
#include "freeplay/report/plot/plot_error.h"

namespace freeplay::report {

namespace fs = std::filesystem;

PictureFormat picture_format(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".svg") return PictureFormat::kSvg;
  if (ending == ".png") return PictureFormat::kPng;
  if (ending == ".pdf") return PictureFormat::kPdf;
  throw PlotError(fmt::format("the name of a picture ends with .svg, .png or .pdf, but this is '{}'", path.string()),
                  ending.empty() ? fmt::format("write {}.svg", path.string()) : "");
}

namespace {

// Cairo writes the date of today into a PDF. Figures that are kept under version control must not differ by that.
void forget_date(std::string& pdf) {
  constexpr std::string_view kKey = "/CreationDate (D:";
  const std::size_t key = pdf.find(kKey);
  if (key == std::string::npos) return;
  for (std::size_t i = 0, at = key + kKey.size(); i < 14 && at + i < pdf.size(); ++i) pdf[at + i] = "19700101000000"[i];
}

// A white sheet on a dark page blinds: where the reader prefers dark pages, light and dark change places and hues stay.
constexpr std::string_view kTurned = "#gnuplot_canvas { filter: invert(0.92) hue-rotate(180deg); }";
// Not so where colours stand for numbers: turned around, a map would be read backwards. There paper, text and lines
// change, in the colours of plot_script.cpp as gnuplot writes them (the paper is the first rectangle).
constexpr std::string_view kMap =
    "#gnuplot_canvas > rect { fill: #141414 } [fill='rgb(34,34,34)'] { fill: #dcdcdc } "
    "[fill='rgb(85,85,85)'] { fill: #b0b0b0 } [stroke='rgb(102, 102, 102)'] { stroke: #a0a0a0 } "
    "[stroke='rgb(226, 226, 226)'] { stroke: #333333 }";

void fit_dark_pages(const PlotFigure& figure, std::string& svg) {
  constexpr std::string_view kCanvas = "<g id=\"gnuplot_canvas\">";
  const std::size_t canvas = svg.find(kCanvas);
  if (canvas == std::string::npos) return;
  const bool is_map = std::any_of(figure.panels.begin(), figure.panels.end(),
                                  [](const PlotPanel& panel) { return panel.colour_key.has_value(); });
  svg.insert(canvas,
             fmt::format("<style>@media (prefers-color-scheme: dark) {{ {} }}</style>\n\n", is_map ? kMap : kTurned));
}

}  // namespace

GnuplotOutput draw_plot(const PlotFigure& figure, const PictureOptions& options) {
  GnuplotOutput drawn = run_gnuplot(plot_script(figure, options));
  if (options.format == PictureFormat::kPdf) forget_date(drawn.picture);
  if (options.format == PictureFormat::kSvg) fit_dark_pages(figure, drawn.picture);
  return drawn;
}

std::string write_plot(const PlotFigure& figure, const PictureOptions& options, const fs::path& path) {
  const GnuplotOutput drawn = draw_plot(figure, options);
  write_file_atomically(path, drawn.picture);
  return drawn.warnings;
}

}  // namespace freeplay::report
