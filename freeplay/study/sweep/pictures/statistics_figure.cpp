#include "freeplay/study/sweep/pictures/statistics_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "freeplay/core/error.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/study/sweep/statistics/sensitivity.h"
#include "freeplay/study/sweep/statistics/sweep_statistics.h"

namespace freeplay::study {

namespace {

constexpr PlotPoint kGapInCurve{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
constexpr int kThinBar = 1, kThickBar = 2;  // PlotBar::mode
constexpr int kDarkLook = 41;               // the first dark one that is solid (plot_look.h)

bool is_wanted(const SweepFigureRequest& request, const std::string& measure) {
  return request.measures.empty() ||
         std::find(request.measures.begin(), request.measures.end(), measure) != request.measures.end();
}

void check_measures(const SweepTable& table, const SweepFigureRequest& request) {
  std::vector<std::string> known;
  for (const SweepColumn& measure : table.header.measures) known.push_back(measure.name);
  for (const std::string& name : request.measures) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw PlotError(fmt::format("the study has no measure '{}'", name), did_you_mean(name, known));
  }
}

// Over the bar of a row, from the lower to the upper bound.
void add_bounds(const Estimate& estimate, std::size_t row, std::size_t rows, double above, PlotCurve& bounds) {
  const double y = static_cast<double>(rows - row) + above;
  bounds.points.insert(bounds.points.end(), {{estimate.low, y}, {estimate.high, y}, kGapInCurve});
}

PlotPanel panel_of_bars(const Sensitivities& all, const MeasureSensitivity& found) {
  const bool is_sobol = !found.sobol.empty();
  PlotPanel panel;
  panel.title = found.measure;
  panel.x = is_sobol ? PlotAxis{"share of the variance", "1", {}, false}
                     : PlotAxis{fmt::format("change of {} over the range", found.measure), found.unit, {}, false};
  panel.rows = all.parameters;
  panel.mode_names = is_sobol ? std::vector<std::string>{"with interactions (total)", "alone (first order)"}
                              : std::vector<std::string>{"deviation (sigma)", "mean size (mu*)"};
  PlotCurve bounds;
  bounds.look = kDarkLook;
  double longest = 0;
  for (std::size_t k = 0; k < all.parameters.size(); ++k) {
    const Estimate& thick = is_sobol ? found.sobol[k].first : found.morris[k].mean_size;
    const double thin = is_sobol ? found.sobol[k].total.value : found.morris[k].deviation;
    const int row = static_cast<int>(k);
    panel.bars.push_back({0, std::max(0.0, thin), row, kThinBar});
    panel.bars.push_back({0, std::max(0.0, thick.value), row, kThickBar});
    add_bounds(thick, k, all.parameters.size(), is_sobol ? -0.1 : 0, bounds);
    if (is_sobol) add_bounds(found.sobol[k].total, k, all.parameters.size(), 0.1, bounds);
    longest = std::max({longest, thin, thick.high, is_sobol ? found.sobol[k].total.high : 0});
  }
  panel.curves.push_back(std::move(bounds));
  panel.x_range = ValueRange{0, longest > 0 ? 1.02 * longest : 1};
  return panel;
}

PlotPanel histogram_panel(const MeasureDistribution& found) {
  PlotPanel panel;
  panel.x = {found.measure, found.unit, {}, false};
  panel.y = {"share of the runs", "1", {}, false};
  const double width = (found.largest - found.least) / static_cast<double>(found.histogram.size());
  PlotCurve steps;
  double highest = 0;
  steps.points.push_back({found.least, 0});
  for (std::size_t i = 0; i < found.histogram.size(); ++i) {
    const double share = static_cast<double>(found.histogram[i]) / static_cast<double>(found.runs);
    steps.points.push_back({found.least + static_cast<double>(i) * width, share});
    steps.points.push_back({found.least + static_cast<double>(i + 1) * width, share});
    highest = std::max(highest, share);
  }
  steps.points.push_back({found.largest, 0});
  steps.name = "runs";
  panel.curves.push_back(std::move(steps));
  const auto add_line = [&](const char* name, std::initializer_list<double> places, int look) {
    PlotCurve line;
    line.name = name;
    line.look = look;
    for (const double x : places) line.points.insert(line.points.end(), {{x, 0}, {x, 1.05 * highest}, kGapInCurve});
    panel.curves.push_back(std::move(line));
  };
  add_line("median", {found.median}, 1);
  add_line("5 % and 95 %", {found.p5, found.p95}, 2);
  return panel;
}

// Points of a section have no distribution over the runs.
bool asks_for_points(const SweepTable& table, const SweepFigureRequest& request) {
  if (table.header.section.empty()) return false;
  const auto is_measure = [&](const std::string& name) {
    return std::any_of(table.header.measures.begin(), table.header.measures.end(),
                       [&](const SweepColumn& column) { return column.name == name; });
  };
  return request.measures.empty() ? table.header.measures.empty()
                                  : !std::all_of(request.measures.begin(), request.measures.end(), is_measure);
}

}  // namespace

std::optional<PlotFigure> make_statistics_figure(const SweepTable& table, const SweepFigureRequest& request) {
  if (!request.against.empty() || sampling_of(table).kind.empty()) return std::nullopt;
  if (asks_for_points(table, request)) return std::nullopt;
  check_measures(table, request);
  PlotFigure figure;
  const auto model = table.header.attributes.find("name");
  figure.title = !request.title.empty() ? request.title : model == table.header.attributes.end() ? "" : model->second;
  figure.subtitle = fmt::format("{} of {} runs", table.rows.size(), table.header.runs);
  if (const std::optional<Sensitivities> sensitivities = sensitivities_of(table)) {
    figure.subtitle += "; lines: 95 % by bootstrap";
    for (const MeasureSensitivity& found : sensitivities->measures) {
      if (is_wanted(request, found.measure)) figure.panels.push_back(panel_of_bars(*sensitivities, found));
    }
  } else {
    for (const MeasureDistribution& found : distributions_of(table)) {
      if (is_wanted(request, found.measure)) figure.panels.push_back(histogram_panel(found));
    }
  }
  if (figure.panels.empty())
    throw PlotError("too few runs have measures", "see `message` in the file of the study, and --csv");
  return figure;
}

}  // namespace freeplay::study
