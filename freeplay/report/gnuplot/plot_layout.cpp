#include "freeplay/report/gnuplot/plot_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "freeplay/report/gnuplot/plot_text.h"
#include "freeplay/report/plot/plot_error.h"

namespace freeplay::report {

namespace {

constexpr double kMargin = 10, kRightMargin = 18;
constexpr double kLabelRoom = 32, kTicRoom = 58;  // left of a drawing area: the axis label, the numbers
constexpr double kBelow = 2 * kLineHeight + 8;    // below it: numbers and label
constexpr double kBetween = 14;                   // below it, if the next panel has them
constexpr double kBarHeight = 21;                 // of a row of bars
constexpr double kSmallestArea = 25;
constexpr int kSquaresPerRow = 2;

struct Row {
  std::vector<std::size_t> panels;
  std::size_t slots = 0;  // places for panels, of which some may be empty
  double above = 0, area = 0, below = 0;
};

double width_in_pixels(const std::string& text) {
  return kFontSize * text_width(text);
}

// What the legend names, in the order of the curves; nothing if a single curve has no name.
std::vector<LegendEntry> legend_entries(const PlotPanel& panel) {
  std::vector<LegendEntry> entries;
  if (!panel.rows.empty()) {
    std::set<int> modes;
    for (const PlotBar& bar : panel.bars) modes.insert(bar.mode);
    for (const int mode : modes)
      entries.push_back({static_cast<std::size_t>(mode), panel.mode_names.at(static_cast<std::size_t>(mode - 1))});
    return entries;
  }
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    if (!panel.curves[i].is_frame) entries.push_back({i, panel.curves[i].name});
  }
  if (entries.size() == 1 && entries.front().text.empty()) entries.clear();
  return entries;
}

bool same_legend(const PlotPanel& a, const PlotPanel& b) {
  const auto one = legend_entries(a), other = legend_entries(b);
  return a.rows.empty() && b.rows.empty() &&
         std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [&](const LegendEntry& x, const LegendEntry& y) {
                      const PlotCurve &u = a.curves[x.item], &v = b.curves[y.item];
                      return u.name == v.name && u.look == v.look && u.mark == v.mark;
                    });
}

// Lines of entries that fit into `width`, each ending at its right end. Returns the number of lines.
int set_legend(std::vector<LegendEntry>& entries, double width) {
  constexpr double kBetweenEntries = 16;
  int lines = 0;
  for (std::size_t first = 0; first < entries.size(); ++lines) {
    double x = 0;
    std::size_t end = first;
    for (; end < entries.size(); ++end) {
      const double entry = kSampleWidth + kSampleGap + width_in_pixels(entries[end].text);
      if (end > first && x + entry > width) break;
      entries[end].x = x;
      entries[end].y = kLineHeight * (lines + 0.5);
      x += entry + kBetweenEntries;
    }
    const double shift = std::max(0.0, width - (x - kBetweenEntries));
    for (; first < end; ++first) entries[first].x += shift;
  }
  return lines;
}

bool same_x(const PlotPanel& a, const PlotPanel& b) {
  return a.shape == PlotPanel::Shape::kWide && b.shape == PlotPanel::Shape::kWide && a.x.name == b.x.name &&
         a.x.log == b.x.log && a.x_range && b.x_range && a.x_range->low == b.x_range->low &&
         a.x_range->high == b.x_range->high;
}

std::vector<Row> rows_of(const PlotFigure& figure) {
  std::vector<Row> rows;
  const auto is_square = [&](std::size_t i) { return figure.panels[i].shape == PlotPanel::Shape::kSquare; };
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const std::size_t most =
        static_cast<std::size_t>(is_square(i) ? std::max(figure.columns, kSquaresPerRow) : figure.columns);
    const bool fits = !rows.empty() && rows.back().panels.size() < most &&
                      (figure.columns > 1 || is_square(rows.back().panels.back()) == is_square(i));
    if (fits)
      rows.back().panels.push_back(i);
    else
      rows.push_back({{i}});
  }
  // Squares of one figure have one size, also those that are left over.
  std::size_t most_squares = 1;
  for (const Row& row : rows) {
    if (is_square(row.panels.front())) most_squares = std::max(most_squares, row.panels.size());
  }
  for (Row& row : rows) {
    const bool fills_up = figure.columns == 1 && is_square(row.panels.front());
    row.slots = fills_up ? most_squares : row.panels.size();
  }
  return rows;
}

// Room left of the drawing areas, the same for all so that their time axes stand below each other.
double left_room(const PlotFigure& figure) {
  double room = kLabelRoom + kTicRoom;
  for (const PlotPanel& panel : figure.panels) {
    for (const std::string& name : panel.rows) room = std::max(room, kMargin + width_in_pixels(name));
  }
  return room;
}

double default_width(const PlotFigure& figure) {
  constexpr double kOneSquare = 500, kPage = 800, kSheet = 900;
  if (figure.columns > 1) return kSheet;
  return figure.panels.size() == 1 && figure.panels.front().shape == PlotPanel::Shape::kSquare ? kOneSquare : kPage;
}

double preferred_area(const PlotFigure& figure, const Row& row, double cell_width, std::size_t row_count) {
  double height = 0;
  for (const std::size_t i : row.panels) {
    const PlotPanel& panel = figure.panels[i];
    if (!panel.rows.empty())
      height = std::max(height, kBarHeight * static_cast<double>(panel.rows.size()) + 8);
    else if (figure.columns > 1)
      height = std::max(height, 170.0);
    else if (panel.shape == PlotPanel::Shape::kSquare)
      height = std::max(height, std::min(cell_width, 440.0));
    else
      height = std::max(height, row_count == 1 ? 300.0 : row_count == 2 ? 210.0 : 150.0);
  }
  return height;
}

// Title and subtitle. Returns where the panels begin.
double place_head(const PlotFigure& figure, PlotLayout& layout) {
  double y = kMargin;
  if (!figure.title.empty()) {
    layout.title_y = y + kLineHeight / 2;
    y += kLineHeight + 4;
  }
  if (!figure.subtitle.empty()) {
    // Where Helvetica is missing a wider font takes its place, DejaVu Sans for one.
    constexpr double kWiderFont = 1.12;
    const double em = (layout.width - 2 * kMargin) / (kWiderFont * kSmallFontSize);
    for (std::string& text : wrapped(figure.subtitle, "; ", em)) {
      layout.subtitle.emplace_back(std::move(text), y + kLineHeight / 2);
      y += kLineHeight - 3;
    }
    y += 4;
  }
  return y + 2;
}

// Whether the panels of a row have the x axes of those below them, which then show the numbers for both.
bool shares_x_with(const PlotFigure& figure, const Row& row, const Row& below) {
  if (row.panels.size() != below.panels.size()) return false;
  for (std::size_t k = 0; k < row.panels.size(); ++k) {
    if (!same_x(figure.panels[row.panels[k]], figure.panels[below.panels[k]])) return false;
  }
  return true;
}

// Title and legend of a panel, measured from its upper left corner. Returns the height that they need.
double place_title_and_legend(const PlotFigure& figure, std::size_t i, double width, PanelPlace& place) {
  const PlotPanel& panel = figure.panels[i];
  const double title = panel.title.empty() ? 0 : width_in_pixels(panel.title) + 20;
  // Panels with the curves of the same runs share the legend of the first.
  if (i == 0 || !same_legend(panel, figure.panels[i - 1])) place.legend = legend_entries(panel);
  const int lines = set_legend(place.legend, width);
  const bool beside = lines == 1 && title < place.legend.front().x;
  const double title_room = panel.title.empty() || beside ? 0 : kLineHeight;
  place.title_y = kLineHeight / 2;
  for (LegendEntry& entry : place.legend) entry.y += title_room;
  return std::max(title_room + lines * kLineHeight, panel.title.empty() ? 4 : kLineHeight) + 3;
}

// How high the rows want to be, with what stands above their panels.
void measure_rows(const PlotFigure& figure, double left, std::vector<Row>& rows, PlotLayout& layout) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Row& row = rows[r];
    const double width = layout.width / static_cast<double>(row.slots) - left - kRightMargin;
    row.below = r + 1 < rows.size() && shares_x_with(figure, row, rows[r + 1]) ? kBetween : kBelow;
    for (const std::size_t i : row.panels) {
      row.above = std::max(row.above, place_title_and_legend(figure, i, width, layout.places[i]));
      layout.places[i].has_x_labels = row.below == kBelow;
    }
    row.area = preferred_area(figure, row, width, rows.size());
  }
}

// Moves the panels of a row to where they belong, from y on.
void place_row(const Row& row, double left, double y, double area, PlotLayout& layout) {
  const double cell = layout.width / static_cast<double>(row.slots);
  for (std::size_t k = 0; k < row.panels.size(); ++k) {
    PanelPlace& place = layout.places[row.panels[k]];
    place.left = cell * static_cast<double>(k) + left;
    place.right = cell * static_cast<double>(k + 1) - kRightMargin;
    place.top = y + row.above;
    place.bottom = place.top + area;
    place.title_y += y;
    for (LegendEntry& entry : place.legend) entry.x += place.left, entry.y += y;
  }
}

}  // namespace

PlotLayout lay_out(const PlotFigure& figure, PlotSize size) {
  PlotLayout layout;
  layout.width = size.width > 0 ? size.width : default_width(figure);
  layout.places.resize(figure.panels.size());
  std::vector<Row> rows = rows_of(figure);
  const double left = left_room(figure), head = place_head(figure, layout);
  measure_rows(figure, left, rows, layout);

  double fixed = head + kMargin, areas = 0;
  for (const Row& row : rows) fixed += row.above + row.below, areas += row.area;
  // A height that was asked for is met by the drawing areas; what stands around them has the size of its letters.
  const double stretch = size.height > 0 ? (size.height - fixed) / areas : 1;
  double y = head;
  for (const Row& row : rows) {
    const double area = row.area * stretch;
    place_row(row, left, y, area, layout);
    y += row.above + area + row.below;
    if (area < kSmallestArea || layout.places[row.panels.front()].width() < kSmallestArea) {
      throw PlotError(
          "the figure is too small for what it shall show",
          fmt::format("{} by {} pixels would do", std::lround(default_width(figure)), std::lround(fixed + areas)));
    }
  }
  layout.height = size.height > 0 ? size.height : std::ceil(y + kMargin);
  return layout;
}

}  // namespace freeplay::report
