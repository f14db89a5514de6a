#include "freeplay/study/sweep/pictures/sweep_panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "freeplay/report/gnuplot/plot_colours.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/study/dynamics/attractors.h"

namespace freeplay::study {

namespace {

constexpr std::size_t kManyPoints = 3000;  // more hide one another
constexpr int kDensityRows = 160;
constexpr int kShades = 5;
constexpr int kMostBasinColours = 7;

std::size_t section_column(const SweepTable& table, const std::string& name) {
  const std::vector<SweepColumn>& columns = table.header.section;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].name == name) return c;
  }
  throw PlotError(fmt::format("the section has no point '{}'", name), "see freeplay info");
}

PlotAxis axis_of(const SweepColumn& column) {
  return {column.name, column.unit, {}, false};
}

// The edges of cells around values: halfway to the neighbours.
struct Strip {
  double low = 0, high = 0;
};
std::map<double, Strip> strips_of(const std::set<double>& values) {
  std::map<double, Strip> strips;
  for (auto at = values.begin(); at != values.end(); ++at) {
    const bool is_first = at == values.begin(), is_last = std::next(at) == values.end();
    const double before = is_first ? 0 : (*at - *std::prev(at)) / 2, after = is_last ? 0 : (*std::next(at) - *at) / 2;
    const double alone = values.size() == 1 ? std::max(std::abs(*at), 1e-300) / 2 : 0;
    strips[*at] = {*at - (is_first ? after + alone : before), *at + (is_last ? before + alone : after)};
  }
  return strips;
}

std::set<double> values_of(const SweepTable& table, std::size_t parameter) {
  std::set<double> values;
  for (const SweepRow& row : table.rows) values.insert(row.values[parameter]);
  return values;
}

void set_ranges(const std::map<double, Strip>& x, const std::map<double, Strip>& y, PlotPanel& panel) {
  panel.x_range = ValueRange{x.begin()->second.low, x.rbegin()->second.high};
  panel.y_range = ValueRange{y.begin()->second.low, y.rbegin()->second.high};
}

// A cell for every run, on a grid of two parameters that are numbers.
struct Grid {
  std::size_t y = 0;
  std::map<double, Strip> columns, rows;
};
std::optional<Grid> grid_of(const SweepTable& table, std::size_t x) {
  Grid grid;
  std::size_t varied = 0;
  for (std::size_t k = 0; k < table.header.parameters.size(); ++k) {
    if (k == x || values_of(table, k).size() < 2) continue;
    ++varied;
    grid.y = k;
  }
  if (varied != 1 || !table.header.parameters[grid.y].words.empty()) return std::nullopt;
  const std::set<double> columns = values_of(table, x), rows = values_of(table, grid.y);
  // Samples have as many values as there are runs.
  if (columns.size() * rows.size() > 2 * static_cast<std::size_t>(std::max<std::int64_t>(1, table.header.runs)))
    return std::nullopt;
  grid.columns = strips_of(columns);
  grid.rows = strips_of(rows);
  return grid;
}

PlotPanel panel_of(const SweepTable& table, const Grid& grid, std::size_t x) {
  PlotPanel panel;
  panel.x = axis_of(table.header.parameters[x]);
  panel.y = axis_of(table.header.parameters[grid.y]);
  set_ranges(grid.columns, grid.rows, panel);
  return panel;
}

PlotCell cell_of(const SweepRow& row, const Grid& grid, std::size_t x, std::uint32_t colour) {
  const Strip &column = grid.columns.at(row.values[x]), &line = grid.rows.at(row.values[grid.y]);
  return {column.low, column.high, line.low, line.high, colour};
}

// Neighbours of one colour, one above the other, are one cell: pictures stay small, and no seams show.
void add_cell(const PlotCell& cell, PlotPanel& panel) {
  PlotCell* const last = panel.cells.empty() ? nullptr : &panel.cells.back();
  const bool continues = last != nullptr && last->left == cell.left && last->colour == cell.colour &&
                         std::abs(cell.low - last->high) < 1e-6 * (cell.high - cell.low);
  if (continues)
    last->high = cell.high;
  else
    panel.cells.push_back(cell);
}

void draw_density(const std::vector<PlotPoint>& points, const std::set<double>& values, PlotPanel& panel) {
  double low = points.front().y, high = low;
  for (const PlotPoint& point : points) {
    low = std::min(low, point.y);
    high = std::max(high, point.y);
  }
  const double height = (high > low ? high - low : 1) / kDensityRows;
  std::map<std::pair<double, int>, int> counts;
  int most = 1;
  for (const PlotPoint& point : points) {
    const int row = std::min(static_cast<int>((point.y - low) / height), kDensityRows - 1);
    most = std::max(most, ++counts[{point.x, row}]);
  }
  const std::map<double, Strip> strips = strips_of(values);
  for (const auto& [place, count] : counts) {
    const Strip& strip = strips.at(place.first);
    const double from = low + place.second * height;
    const double level = std::ceil(kShades * std::log(count) / std::log(most + 1.0)) / kShades;
    const std::uint32_t colour = plot_density_colour(level);
    add_cell({strip.low, strip.high, from, from + height, colour}, panel);
  }
  panel.x_range = ValueRange{strips.begin()->second.low, strips.rbegin()->second.high};
  const double margin = 0.04 * (high - low);
  panel.y_range = ValueRange{low - margin, high + margin};
}

}  // namespace

PlotPanel diagram_panel(const SweepTable& table, std::size_t x, const std::string& name) {
  const std::size_t c = section_column(table, name), width = table.header.section.size();
  const std::size_t last = table.header.parameters.size() - 1;
  const SweepColumn& way_column = table.header.parameters[last];
  const bool has_directions = way_column.name == "direction" && way_column.words.size() == 2;
  PlotPanel panel;
  panel.x = axis_of(table.header.parameters[x]);
  panel.y = axis_of(table.header.section[c]);
  std::map<double, PlotCurve> ways;  // up and down in two colours
  std::size_t count = 0;
  for (const SweepRow& row : table.rows) {
    PlotCurve& curve = ways[has_directions ? row.values[last] : 0];
    for (std::size_t i = c; i < row.crossings.size(); i += width) {
      if (std::isfinite(row.crossings[i])) curve.points.push_back({row.values[x], row.crossings[i]});
    }
  }
  for (const auto& [way, curve] : ways) count += curve.points.size();
  if (count > kManyPoints && ways.size() == 1) {
    draw_density(ways.begin()->second.points, values_of(table, x), panel);
    return panel;
  }
  for (auto& [way, curve] : ways) {
    curve.mark = Mark::kPoint;
    curve.look = static_cast<int>(panel.curves.size());
    if (has_directions) curve.name = table.header.parameters[last].words.at(static_cast<std::size_t>(way));
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

PlotPanel section_panel(const SweepTable& table, const std::string& x, const std::string& y) {
  const std::size_t a = section_column(table, x), b = section_column(table, y), width = table.header.section.size();
  PlotPanel panel;
  panel.shape = PlotPanel::Shape::kSquare;
  panel.x = axis_of(table.header.section[a]);
  panel.y = axis_of(table.header.section[b]);
  PlotCurve curve;
  curve.mark = Mark::kPoint;
  for (const SweepRow& row : table.rows) {
    for (std::size_t i = 0; i < row.crossings.size(); i += width)
      curve.points.push_back({row.crossings[i + a], row.crossings[i + b]});
  }
  panel.curves.push_back(std::move(curve));
  return panel;
}

std::optional<PlotPanel> heat_map_panel(const SweepTable& table, std::size_t x, std::size_t measure) {
  const std::optional<Grid> grid = grid_of(table, x);
  if (!grid || grid->rows.size() <= kMostCurvesOfStudy) return std::nullopt;
  const std::size_t place = table.header.parameters.size() + measure;
  PlotPanel panel = panel_of(table, *grid, x);
  const SweepColumn& column = table.header.measures[measure];
  double low = NAN, high = NAN;
  for (const SweepRow& row : table.rows) {
    if (!std::isfinite(row.values[place])) continue;
    low = std::fmin(low, row.values[place]);
    high = std::fmax(high, row.values[place]);
  }
  panel.title = column.name;
  if (!std::isfinite(low)) return panel;
  panel.colour_key = PlotColourKey{low, high, column.unit};
  for (const SweepRow& row : table.rows) {
    if (std::isfinite(row.values[place])) {
      const double part = high > low ? (row.values[place] - low) / (high - low) : 0.5;
      panel.cells.push_back(cell_of(row, *grid, x, plot_colour(part)));
    }
  }
  return panel;
}

PlotPanel basin_panel(const SweepTable& table, std::size_t x) {
  const std::optional<Grid> grid = grid_of(table, x);
  if (!grid)
    throw PlotError("basins are drawn over a grid of two parameters, and this study is none",
                    "vary two initial values: --over x0=... --over v0=...");
  const Attractors found = find_attractors(table);
  PlotPanel panel = panel_of(table, *grid, x);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const int attractor = found.of_row[i];
    if (attractor < 0) continue;
    add_cell(cell_of(table.rows[i], *grid, x, plot_look_colour(std::min(attractor, kMostBasinColours))), panel);
  }
  for (int k = 0; k < static_cast<int>(found.list.size()) && k <= kMostBasinColours; ++k) {  // the legend
    PlotCurve curve;
    const bool is_rest = k == kMostBasinColours && static_cast<int>(found.list.size()) > kMostBasinColours + 1;
    curve.name = is_rest ? "others" : attractor_text(table, found.list[static_cast<std::size_t>(k)], 1);
    curve.mark = Mark::kPoint;
    curve.look = k;
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

}  // namespace freeplay::study
