#include "freeplay/report/plot_request.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "freeplay/report/plot_error.h"
#include "freeplay/report/plot_panels.h"
#include "freeplay/report/plot_sheet.h"
#include "freeplay/report/plot_text.h"

namespace freeplay {

bool PlotRequest::asks_for_nothing() const {
  return channels.empty() && phases.empty() && orbits.empty() && gaps.empty() && !modes && !impacts && !energy &&
         !steps;
}

namespace {

// What was asked for, of these runs together.
std::vector<PlotPanel> asked_panels(const PlotRequest& request, const std::vector<PlotRun>& runs) {
  const PlotPanels panels(request, runs);
  std::vector<PlotPanel> all;
  const auto add = [&](std::vector<PlotPanel> more) { std::move(more.begin(), more.end(), std::back_inserter(all)); };
  add(panels.histories(request.channels));
  for (const std::string& element : request.gaps) add({panels.gaps(element)});
  if (request.modes) add({panels.modes(*request.modes)});
  if (request.impacts) add({panels.impacts(*request.impacts)});
  if (request.energy) add(panels.energy());
  if (request.steps) add(panels.steps());
  for (const auto& [x, y] : request.phases) add({panels.phase(x, y)});
  for (const std::string& joint : request.orbits) add(panels.orbit(joint));
  return all;
}

// The same axes for panels that show the same of different runs, so that they can be compared.
void share_ranges(std::vector<PlotPanel>& panels, std::size_t per_run) {
  for (std::size_t kind = 0; kind < per_run; ++kind) {
    const auto share = [&](std::optional<ValueRange> PlotPanel::*member, double PlotPoint::*coordinate) {
      ValueRange range{INFINITY, -INFINITY};
      for (std::size_t i = kind; i < panels.size(); i += per_run) {
        if (panels[i].*member || !panels[i].rows.empty()) return;
        for (const PlotCurve& curve : panels[i].curves) {
          for (const PlotPoint& point : curve.points) {
            if (!is_gap(point) && !curve.is_frame)
              range = {std::min(range.low, point.*coordinate), std::max(range.high, point.*coordinate)};
          }
        }
      }
      const double margin = 0.05 * (range.high - range.low);
      if (!(margin > 0)) return;
      for (std::size_t i = kind; i < panels.size(); i += per_run)
        panels[i].*member = ValueRange{range.low - margin, range.high + margin};
    };
    if (!panels[kind].x.log) share(&PlotPanel::x_range, &PlotPoint::x);
    if (!panels[kind].y.log) share(&PlotPanel::y_range, &PlotPoint::y);
  }
}

// For each run what was asked for, below its label.
std::vector<PlotPanel> panels_by_run(const PlotRequest& request, std::vector<PlotRun>& runs) {
  std::vector<PlotPanel> all;
  for (PlotRun& run : runs) {
    std::vector<PlotRun> one;
    one.push_back(std::move(run));
    const std::string label = std::exchange(one.front().label, "");
    std::vector<PlotPanel> panels = asked_panels(request, one);
    for (PlotPanel& panel : panels) panel.title = shortened(plain_text(label), 60);
    std::move(panels.begin(), panels.end(), std::back_inserter(all));
    run = std::move(one.front());
  }
  share_ranges(all, all.size() / runs.size());
  return all;
}

}  // namespace

PlotFigure make_figure(const PlotRequest& request, std::vector<PlotRun> runs) {
  PlotFigure figure;
  if (request.sheet || request.asks_for_nothing())
    figure = make_sheet(PlotPanels(request, runs));
  else if (request.panels == PlotRequest::Panels::kPerRun && runs.size() > 1)
    figure.panels = panels_by_run(request, runs);
  else
    figure.panels = asked_panels(request, runs);
  const auto name = [](const PlotRun& run) { return attribute(run.result, "name"); };
  const bool one_model =
      std::all_of(runs.begin(), runs.end(), [&](const PlotRun& run) { return name(run) == name(runs.front()); });
  figure.title = request.title.value_or(one_model ? name(runs.front()) : "");
  return figure;
}

}  // namespace freeplay
