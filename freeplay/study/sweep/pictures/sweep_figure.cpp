#include "freeplay/study/sweep/pictures/sweep_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "freeplay/core/error.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/study/dynamics/attractors.h"
#include "freeplay/study/sweep/pictures/histogram_panel.h"
#include "freeplay/study/sweep/pictures/sweep_panels.h"

namespace freeplay::study {

namespace {

std::size_t place_of(const std::vector<SweepColumn>& columns, const std::string& name, const char* what) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return i;
    known.push_back(columns[i].name);
  }
  throw PlotError(fmt::format("the study has no {} '{}'", what, name), did_you_mean(name, known));
}

// The parameter with most values that are numbers.
std::size_t widest_parameter(const SweepTable& table) {
  std::size_t best = 0, most = 0;
  for (std::size_t k = 0; k < table.header.parameters.size(); ++k) {
    if (!table.header.parameters[k].words.empty()) continue;
    std::set<double> values;
    for (const SweepRow& row : table.rows) values.insert(row.values[k]);
    if (values.size() <= most) continue;
    most = values.size();
    best = k;
  }
  return best;
}

std::string curve_name(const SweepTable& table, const std::vector<double>& others, std::size_t x) {
  std::string name;
  for (std::size_t k = 0, i = 0; k < table.header.parameters.size(); ++k) {
    if (k == x) continue;
    const SweepColumn& column = table.header.parameters[k];
    const double value = others[i++];
    const std::string text = column.words.empty()
                                 ? fmt::format("{:.4g}{}", value, column.unit == "1" ? "" : " " + column.unit)
                                 : column.words.at(static_cast<std::size_t>(value));
    name += fmt::format("{}{} = {}", name.empty() ? "" : ", ", column.name, text);
  }
  return name;
}

std::vector<PlotCurve> curves_of(const SweepTable& table, std::size_t x, std::size_t measure) {
  const std::size_t parameters = table.header.parameters.size();
  std::map<std::vector<double>, PlotCurve> by_others;
  for (const SweepRow& row : table.rows) {
    std::vector<double> others;
    for (std::size_t k = 0; k < parameters; ++k) {
      if (k != x) others.push_back(row.values[k]);
    }
    by_others[others].points.push_back({row.values[x], row.values[parameters + measure]});
  }
  std::vector<PlotCurve> curves;
  if (by_others.size() > kMostCurvesOfStudy) {
    PlotCurve all;
    all.mark = Mark::kPoint;
    for (const auto& [others, curve] : by_others) {
      all.points.insert(all.points.end(), curve.points.begin(), curve.points.end());
    }
    curves.push_back(std::move(all));
    return curves;
  }
  for (auto& [others, curve] : by_others) {
    curve.name = curve_name(table, others, x);
    curve.look = static_cast<int>(curves.size());
    std::stable_sort(curve.points.begin(), curve.points.end(),
                     [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
    curves.push_back(std::move(curve));
  }
  return curves;
}

// All measures, those of a histogram as one.
std::vector<std::string> with_histograms(const SweepTable& table, std::vector<std::string> names) {
  const std::vector<StudyHistogram> histograms = histograms_of(table);
  const std::vector<SweepColumn>& measures = table.header.measures;
  for (std::size_t m = 0; m < measures.size(); ++m) {
    const auto begins = [&](const StudyHistogram& histogram) { return histogram.first == m; };
    const auto found = std::find_if(histograms.begin(), histograms.end(), begins);
    names.push_back(found == histograms.end() ? measures[m].name : found->name);
    if (found != histograms.end()) m += found->bins - 1;
  }
  return names;
}

PlotPanel map_or_curves(const SweepTable& table, std::size_t x, const std::string& name) {
  const SweepHeader& header = table.header;
  for (const StudyHistogram& histogram : histograms_of(table)) {
    if (histogram.name == name) return histogram_panel(table, x, histogram);
  }
  if (name == kAttractorName && !header.section.empty()) return basin_panel(table, x);
  const std::size_t m = place_of(header.measures, name, "measure");
  if (std::optional<PlotPanel> map = heat_map_panel(table, x, m)) return *map;
  PlotPanel panel;
  panel.x = {header.parameters[x].name, header.parameters[x].unit, {}, false};
  panel.y = {name, header.measures[m].unit, {}, false};
  panel.curves = curves_of(table, x, m);
  return panel;
}

}  // namespace

PlotFigure make_sweep_figure(const SweepTable& table, const SweepFigureRequest& request) {
  const SweepHeader& header = table.header;
  PlotFigure figure;
  const auto model = header.attributes.find("name");
  figure.title = !request.title.empty() ? request.title : model == header.attributes.end() ? "" : model->second;
  figure.subtitle = fmt::format("{} of {} runs", table.rows.size(), header.runs);
  const std::vector<SweepColumn>& section = header.section;
  const auto is_point = [&](const std::string& name) {
    return std::any_of(section.begin(), section.end(), [&](const SweepColumn& column) { return column.name == name; });
  };
  std::vector<std::string> names = request.measures;
  if (names.empty()) {
    for (std::size_t i = 1; i < section.size(); ++i) names.push_back(section[i].name);
    names = with_histograms(table, std::move(names));
  }
  const std::vector<SweepColumn>& parameters = header.parameters;
  const bool is_against_parameter =
      request.against.empty() || std::any_of(parameters.begin(), parameters.end(),
                                             [&](const SweepColumn& column) { return column.name == request.against; });
  if (!is_against_parameter && is_point(request.against)) {  // the section itself
    for (const std::string& name : names) {
      if (name != request.against && is_point(name))
        figure.panels.push_back(section_panel(table, request.against, name));
    }
    return figure;
  }
  const std::size_t x =
      request.against.empty() ? widest_parameter(table) : place_of(header.parameters, request.against, "parameter");
  if (header.parameters.empty() || !header.parameters[x].words.empty())
    throw PlotError("no parameter of the study is a number, so there is no x axis", "see its CSV instead");
  for (const std::string& name : names) {
    PlotPanel panel = is_point(name) ? diagram_panel(table, x, name) : map_or_curves(table, x, name);
    panel.x.log = request.log_x;
    panel.y.log = panel.y.log || (request.log_y && panel.cells.empty());
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace freeplay::study
