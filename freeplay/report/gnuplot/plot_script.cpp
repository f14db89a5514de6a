#include "freeplay/report/gnuplot/plot_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/report/gnuplot/plot_colours.h"
#include "freeplay/report/gnuplot/plot_layout.h"
#include "freeplay/report/gnuplot/plot_look.h"
#include "freeplay/report/gnuplot/plot_text.h"
#include "freeplay/report/plot/plot_points.h"
#include "freeplay/report/plot/plot_scale.h"

namespace freeplay::report {

namespace {

constexpr const char *kInk = "#222222", *kAxisColour = "#666666", *kGridColour = "#E2E2E2";
constexpr const char *kSubtitleColour = "#555555", *kWallColour = "#BBBBBB";
constexpr const char* kModeColours[] = {"#E69F00", "#0072B2"};  // slip, stick
constexpr double kModeHalfHeights[] = {0.22, 0.40};             // they differ on paper too
constexpr double kLineWidth = 1.5, kPointSize = 0.45, kDotSize = 0.3;
constexpr std::size_t kManyStems = 300;  // heads as large as of a few would hide them

std::string axis_text(const PlotAxis& axis, const AxisUnit& unit) {
  if (unit.text.empty()) return axis.name;
  return axis.name.empty() ? "in " + unit.text : axis.name + " in " + unit.text;
}

class ScriptWriter {
 public:
  ScriptWriter(const PlotFigure& figure, const PictureOptions& options)
      : figure_(figure), options_(options), layout_(lay_out(figure, options.size)) {}

  std::string text() {
    write_terminal();
    write_style();
    line("set multiplot");
    for (std::size_t i = 0; i < figure_.panels.size(); ++i) write_panel(i);
    line("unset multiplot");
    line("unset output");
    return std::move(text_);
  }

 private:
  double stroke() const { return options_.style == PlotStyle::kScreen ? 1.6 : 1; }
  double screen_x(double x) const { return x / layout_.width; }
  double screen_y(double y) const { return 1 - y / layout_.height; }
  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }
  std::string new_block() { return fmt::format("$data{}", ++blocks_); }

  void write_terminal();
  void write_style();
  void write_label(const std::string& text, double x, double y, const char* where, double font,
                   const char* colour = kInk);
  void write_panel(std::size_t index);
  void write_titles();
  void write_axes(const PlotPanel& panel, const PanelPlace& place, const PanelScale& scale);
  void write_y_label(const PlotPanel& panel, const PanelPlace& place, const PanelScale& scale);
  void write_legend(const PlotPanel& panel, const PanelPlace& place);
  std::string curve_item(const PlotPanel& panel, const PlotCurve& curve, const PanelPlace& place,
                         const PanelScale& scale);
  std::vector<std::string> bar_items(const PlotPanel& panel, const PanelPlace& place, const PanelScale& scale);
  std::string cells_item(const PlotPanel& panel, const PanelScale& scale);
  void write_colour_key(const PlotColourKey& key, const PanelPlace& place);

  const PlotFigure& figure_;
  PictureOptions options_;
  PlotLayout layout_;
  std::string text_;
  int blocks_ = 0, labels_ = 0, objects_ = 0;
};

void ScriptWriter::write_terminal() {
  const double w = layout_.width, h = layout_.height;
  line("set encoding utf8");
  switch (options_.format) {
    case PictureFormat::kSvg:
      line("set terminal svg size {:.0f},{:.0f} dynamic noenhanced font 'Helvetica,{}' linewidth 1 background 'white'",
           w, h, kFontSize);
      break;
    case PictureFormat::kPng:  // twice as many pixels; a point of cairo is 4/3 of ours
      line(
          "set terminal pngcairo size {:.0f},{:.0f} noenhanced font 'Helvetica,{}' fontscale 1.5 linewidth 2 "
          "dashlength 0.6 background 'white'",
          2 * w, 2 * h, kFontSize);
      break;
    case PictureFormat::kPdf: {
      constexpr double kPixelsPerInch = 127;  // 800 pixels are 160 mm, the width of a text on A4
      line(
          "set terminal pdfcairo size {:.4f}in,{:.4f}in noenhanced font 'Helvetica,{}' fontscale {:.4f} "
          "linewidth {:.3f} dashlength 1.4 background 'white'",
          w / kPixelsPerInch, h / kPixelsPerInch, kFontSize, 0.85 * 72 / kPixelsPerInch, 2 * 72 / kPixelsPerInch);
      break;
    }
  }
}

void ScriptWriter::write_style() {
  line("set border 3 lc rgb '{}' lw {:.2f}", kAxisColour, 0.8 * stroke());
  line("set tics nomirror out scale 0.5,0.25 textcolor rgb '{}'", kInk);
  line("set xtics offset 0,0.2");
  line("set grid lc rgb '{}' lw 0.6 lt 1 dt 1", kGridColour);
  line("set style fill solid 1 noborder");
  line("unset key");
}

// The only way by which a text gets into the picture.
void ScriptWriter::write_label(const std::string& text, double x, double y, const char* where, double font,
                               const char* colour) {
  line("set label {} {} at screen {:.5f},{:.5f} {} font 'Helvetica,{}' noenhanced textcolor rgb '{}'", ++labels_,
       gnuplot_quoted(text), screen_x(x), screen_y(y), where, font, colour);
}

void ScriptWriter::write_titles() {
  constexpr double kLeft = 10;
  const auto most = static_cast<std::size_t>(layout_.width / (0.5 * kTitleFontSize));
  if (!figure_.title.empty())
    write_label(shortened(plain_text(figure_.title), most), kLeft, layout_.title_y, "left", kTitleFontSize);
  for (const auto& [text, y] : layout_.subtitle) write_label(text, kLeft, y, "left", kSmallFontSize, kSubtitleColour);
}

void ScriptWriter::write_y_label(const PlotPanel& panel, const PanelPlace& place, const PanelScale& scale) {
  const double middle = (place.top + place.bottom) / 2, x = place.left - 73;
  const double room = std::max(80.0, place.height() + 10);
  const std::string text = axis_text(panel.y, scale.y_unit);
  if (kFontSize * text_width(text) <= room) return write_label(text, x, middle, "center rotate by 90", kFontSize);
  // Two lines, the unit in the second: it is what must not be lost.
  const auto most = static_cast<std::size_t>(room / (0.55 * kSmallFontSize));
  write_label(shortened(panel.y.name, most), x - 6, middle, "center rotate by 90", kSmallFontSize);
  write_label(axis_text({}, scale.y_unit), x + 8, middle, "center rotate by 90", kSmallFontSize);
}

void ScriptWriter::write_axes(const PlotPanel& panel, const PanelPlace& place, const PanelScale& scale) {
  line("set lmargin at screen {:.5f}; set rmargin at screen {:.5f}", screen_x(place.left), screen_x(place.right));
  line("set tmargin at screen {:.5f}; set bmargin at screen {:.5f}", screen_y(place.top), screen_y(place.bottom));
  // In this order: a range that does not fit the scale of the panel before would be warned of.
  line("unset logscale");
  line("set xrange [{:.12g}:{:.12g}]; set yrange [{:.12g}:{:.12g}]", scale.x.low, scale.x.high, scale.y.low,
       scale.y.high);
  if (panel.x.log) line("set logscale x");
  if (panel.y.log) line("set logscale y");
  line("set format x '{}'; set format y '{}'",
       !place.has_x_labels ? ""
       : panel.x.log       ? "%.0e"
                           : "%g",
       panel.y.log ? "%.0e" : "%g");
  if (place.has_x_labels) {
    write_label(axis_text(panel.x, scale.x_unit), (place.left + place.right) / 2, place.bottom + 2 * kLineHeight,
                "center", kFontSize);
  }
  if (panel.rows.empty()) {
    line("set ytics nomirror out scale 0.5,0.25 autofreq textcolor rgb '{}'", kInk);
    return write_y_label(panel, place, scale);
  }
  // Not as names of tics, in which gnuplot would look for formats: "%d".
  line("unset ytics");
  const double per_row = place.height() / (scale.y.high - scale.y.low);
  for (std::size_t i = 0; i < panel.rows.size(); ++i) {
    const double y = place.top + (scale.y.high - static_cast<double>(panel.rows.size() - i)) * per_row;
    write_label(panel.rows[i], place.left - 8, y, "right", kFontSize - 1);
  }
}

// Drawn piece by piece and not by gnuplot's own key, which may grow into the curves.
void ScriptWriter::write_legend(const PlotPanel& panel, const PanelPlace& place) {
  for (const LegendEntry& entry : place.legend) {
    const double end = entry.x + kSampleWidth, middle = entry.x + kSampleWidth / 2;
    write_label(entry.text, end + kSampleGap, entry.y, "left", kFontSize - 1);
    if (!panel.rows.empty()) {
      const std::size_t kind = entry.item - 1;
      const double half = kModeHalfHeights[kind] * 18;
      line("set object {} rectangle from screen {:.5f},{:.5f} to screen {:.5f},{:.5f} fc rgb '{}' fs solid 1 noborder",
           ++objects_, screen_x(entry.x), screen_y(entry.y - half), screen_x(end), screen_y(entry.y + half),
           kModeColours[kind]);
      continue;
    }
    const PlotCurve& curve = panel.curves[entry.item];
    const char* colour = colour_of(curve);
    if (!panel.cells.empty() && curve.points.empty()) {  // a colour of cells
      line("set object {} rectangle from screen {:.5f},{:.5f} to screen {:.5f},{:.5f} fc rgb '{}' fs solid 1 noborder",
           ++objects_, screen_x(entry.x), screen_y(entry.y - 5), screen_x(end), screen_y(entry.y + 5), colour);
    } else if (curve.mark == Mark::kLine) {
      line("set arrow {} from screen {:.5f},{:.5f} to screen {:.5f},{:.5f} nohead lc rgb '{}' lw {:.2f} dt {}",
           ++objects_, screen_x(entry.x), screen_y(entry.y), screen_x(end), screen_y(entry.y), colour,
           kLineWidth * stroke(), dash_of(curve));
    } else {
      line("set label {} '' at screen {:.5f},{:.5f} point pt {} ps {} lc rgb '{}'", ++labels_, screen_x(middle),
           screen_y(entry.y), point_type(curve), kPointSize, colour);
    }
  }
}

std::string ScriptWriter::curve_item(const PlotPanel& panel, const PlotCurve& curve, const PanelPlace& place,
                                     const PanelScale& scale) {
  const std::string block = new_block();
  line("{} << EOD", block);
  bool has_points = false;
  for (const PlotPoint& point : drawn_points(panel, curve, place, scale)) {
    if (is_gap(point)) {
      text_ += '\n';
      continue;
    }
    line("{:.9g} {:.9g}", point.x, point.y);
    has_points = true;
  }
  // A block without a point would be an error: one outside of the axes is not seen.
  if (!has_points) line("{:.9g} {:.9g}", 2 * scale.x.high - scale.x.low + 1, scale.y.high);
  line("EOD");

  const char* colour = colour_of(curve);
  if (curve.is_frame) return fmt::format("{} with lines lc rgb '{}' lw {:.2f} dt 1", block, kWallColour, 3 * stroke());
  switch (curve.mark) {
    case Mark::kStem:
      return fmt::format("{0} with impulses lc rgb '{1}' lw {2:.2f}, {0} with points pt {3} ps {4} lc rgb '{1}' lw 1",
                         block, colour, 0.8 * stroke(), point_type(curve),
                         curve.points.size() < kManyStems ? kPointSize : kDotSize / 2);
    case Mark::kPoint:
      return fmt::format("{} with points pt {} ps {} lc rgb '{}'", block, point_type(curve), kDotSize, colour);
    case Mark::kLine:
      break;
  }
  return fmt::format("{} with lines lc rgb '{}' lw {:.2f} dt {}", block, colour, kLineWidth * stroke(), dash_of(curve));
}

std::vector<std::string> ScriptWriter::bar_items(const PlotPanel& panel, const PanelPlace& place,
                                                 const PanelScale& scale) {
  constexpr double kHighestRow = 24;  // pixels; a single row does not fill its panel
  const double slim = std::min(1.0, kHighestRow * (scale.y.high - scale.y.low) / place.height());
  const std::string open = new_block();
  line("{} << EOD", open);
  for (std::size_t row = 1; row <= panel.rows.size(); ++row)
    line("{:.9g} {}\n{:.9g} {}\n", scale.x.low, row, scale.x.high, row);
  line("EOD");
  std::vector<std::string> items = {fmt::format("{} with lines lc rgb '{}' lw 0.6 dt 1", open, kAxisColour)};
  for (const int mode : {1, 2}) {
    const auto has_mode = [&](const PlotBar& bar) { return bar.mode == mode; };
    if (std::none_of(panel.bars.begin(), panel.bars.end(), has_mode)) continue;
    const auto kind = static_cast<std::size_t>(mode - 1);
    const std::string block = new_block();
    line("{} << EOD", block);
    for (const PlotBar& bar : panel.bars) {
      if (!has_mode(bar)) continue;
      const double y = static_cast<double>(panel.rows.size()) - bar.row, half = slim * kModeHalfHeights[kind];
      const double from = bar.from / scale.x_unit.size, to = bar.to / scale.x_unit.size;
      line("{:.9g} {:.9g} {:.9g} {:.9g} {:.9g} {:.9g}", from, y, from, to, y - half, y + half);
    }
    line("EOD");
    items.push_back(fmt::format("{} using 1:2:3:4:5:6 with boxxyerror fc rgb '{}' lw 0", block, kModeColours[kind]));
  }
  return items;
}

std::string ScriptWriter::cells_item(const PlotPanel& panel, const PanelScale& scale) {
  const double x = scale.x_unit.size, y = scale.y_unit.size;
  const std::string block = new_block();
  line("{} << EOD", block);
  for (const PlotCell& cell : panel.cells) {
    line("{:.7g} {:.7g} {:.7g} {:.7g} {:.7g} {:.7g} {}", cell.left / x, cell.low / y, cell.left / x, cell.right / x,
         cell.low / y, cell.high / y, cell.colour);
  }
  line("EOD");
  return fmt::format("{} using 1:2:3:4:5:6:7 with boxxyerror fs solid 1 noborder lc rgb variable", block);
}

// A band from the least colour to the largest with their numbers, at the right of the title.
void ScriptWriter::write_colour_key(const PlotColourKey& key, const PanelPlace& place) {
  constexpr int kSteps = 32;
  constexpr double kBandWidth = 128, kBandHeight = 10, kGap = 6;
  const AxisUnit unit = choose_axis_unit(key.unit, std::max(std::abs(key.low), std::abs(key.high)));
  const std::string low = fmt::format("{:.3g}", key.low / unit.size);
  const std::string high = fmt::format("{:.3g} {}", key.high / unit.size, unit.text);
  const double end = place.right - (kFontSize - 1) * text_width(high) - kGap, begin = end - kBandWidth;
  for (int i = 0; i < kSteps; ++i) {
    line(
        "set object {} rectangle from screen {:.5f},{:.5f} to screen {:.5f},{:.5f} fc rgb '#{:06X}' fs solid 1 "
        "noborder",
        ++objects_, screen_x(begin + i * kBandWidth / kSteps), screen_y(place.title_y + kBandHeight / 2),
        screen_x(begin + (i + 1) * kBandWidth / kSteps), screen_y(place.title_y - kBandHeight / 2),
        plot_colour((i + 0.5) / kSteps));
  }
  write_label(low, begin - kGap, place.title_y, "right", kFontSize - 1);
  write_label(high, end + kGap, place.title_y, "left", kFontSize - 1);
}

void ScriptWriter::write_panel(std::size_t index) {
  const PlotPanel& panel = figure_.panels[index];
  const PanelPlace& place = layout_.places[index];
  const PanelScale scale = panel_scale(panel, place.width(), place.height());
  labels_ = objects_ = 0;
  line("unset label; unset arrow; unset object");
  if (index == 0) write_titles();
  if (!panel.title.empty()) {
    // A title longer than its panel would run into the next one.
    const double room = place.width() / std::max(1.0, text_width(panel.title));
    write_label(panel.title, place.left, place.title_y, "left", std::clamp(room, 9.0, kFontSize));
  }
  write_axes(panel, place, scale);
  write_legend(panel, place);
  if (panel.colour_key) write_colour_key(*panel.colour_key, place);
  std::vector<std::string> items = panel.rows.empty() ? std::vector<std::string>() : bar_items(panel, place, scale);
  if (!panel.cells.empty()) items.push_back(cells_item(panel, scale));
  for (const PlotCurve& curve : panel.curves) items.push_back(curve_item(panel, curve, place, scale));
  // Empty axes are drawn by a curve out of sight.
  if (items.empty()) items.push_back(curve_item(panel, PlotCurve(), place, scale));
  line("plot {}", fmt::join(items, ", "));
}

}  // namespace

std::string plot_script(const PlotFigure& figure, const PictureOptions& options) {
  return ScriptWriter(figure, options).text();
}

}  // namespace freeplay::report
