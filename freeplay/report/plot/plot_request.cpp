#include "freeplay/report/plot/plot_request.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <tuple>
#include <utility>

#include "freeplay/report/gnuplot/plot_text.h"
#include "freeplay/report/panels/plot_panels.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/report/plot/plot_sheet.h"

namespace freeplay::report {

bool PlotRequest::asks_for_nothing() const {
  return channels.empty() && phases.empty() && densities.empty() && sections.empty() && spectra.empty() &&
         orbits.empty() && gaps.empty() && wear.empty() && bearings.empty() && bends.empty() && snapshots.empty() &&
         !modes && !impacts && !blows && !forces && !energy && !steps;
}

namespace {

using PanelMaker = std::function<std::vector<PlotPanel>(const PlotPanels&)>;

void add_planes(const PlotRequest& request, std::vector<PanelMaker>& makers) {
  for (const auto& pair : request.densities)
    makers.emplace_back([&](const PlotPanels& panels) { return std::vector{panels.density(pair.first, pair.second)}; });
  for (const auto& pair : request.sections)
    makers.emplace_back([&](const PlotPanels& panels) { return std::vector{panels.section(pair.first, pair.second)}; });
  for (const std::string& joint : request.bearings)
    makers.emplace_back([&](const PlotPanels& panels) { return panels.bearing(joint); });
}

// What was asked for, one by one.
std::vector<PanelMaker> asked_for(const PlotRequest& request) {
  std::vector<PanelMaker> makers;
  makers.emplace_back([&](const PlotPanels& panels) { return panels.histories(request.channels); });
  for (const std::string& element : request.gaps)
    makers.emplace_back([&](const PlotPanels& panels) { return std::vector{panels.gaps(element)}; });
  if (request.modes)
    makers.emplace_back([&](const PlotPanels& panels) { return std::vector{panels.modes(*request.modes)}; });
  if (request.forces)
    makers.emplace_back([&](const PlotPanels& panels) { return std::vector{panels.forces(*request.forces)}; });
  if (request.blows) makers.emplace_back([&](const PlotPanels& panels) { return panels.blows(*request.blows); });
  if (request.impacts) makers.emplace_back([&](const PlotPanels& panels) { return panels.impacts(*request.impacts); });
  if (request.energy) makers.emplace_back([](const PlotPanels& panels) { return panels.energy(); });
  if (request.steps) makers.emplace_back([](const PlotPanels& panels) { return panels.steps(); });
  for (const std::string& quantity : request.spectra)
    makers.emplace_back([&](const PlotPanels& panels) { return std::vector{panels.spectrum(quantity)}; });
  add_planes(request, makers);
  for (const auto& pair : request.phases)
    makers.emplace_back([&](const PlotPanels& panels) { return std::vector{panels.phase(pair.first, pair.second)}; });
  for (const std::string& body : request.bends)
    makers.emplace_back([&](const PlotPanels& panels) { return panels.bend(body); });
  for (const std::string& body : request.snapshots)
    makers.emplace_back([&](const PlotPanels& panels) { return panels.snapshots(body); });
  for (const std::string& joint : request.orbits)
    makers.emplace_back([&](const PlotPanels& panels) { return panels.orbit(joint); });
  for (const std::string& element : request.wear)
    makers.emplace_back([&](const PlotPanels& panels) { return panels.wear(element); });
  return makers;
}

void append_panels(std::vector<PlotPanel>& all, std::vector<PlotPanel> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

// What was asked for, of these runs together.
std::vector<PlotPanel> asked_panels(const PlotRequest& request, const std::vector<PlotRun>& runs) {
  const PlotPanels panels(request, runs);
  std::vector<PlotPanel> all;
  for (const PanelMaker& make : asked_for(request)) append_panels(all, make(panels));
  return all;
}

bool show_the_same(const PlotPanel& a, const PlotPanel& b) {
  const auto key = [](const PlotPanel& panel) {
    return std::tie(panel.shape, panel.x.name, panel.x.si_unit, panel.y.name, panel.y.si_unit);
  };
  return key(a) == key(b) && a.rows.empty() == b.rows.empty();
}

// The same axes for panels that show the same of different runs, so that they can be compared.
void share_ranges(std::vector<PlotPanel>& all) {
  std::vector<bool> is_done(all.size(), false);
  for (std::size_t first = 0; first < all.size(); ++first) {
    if (is_done[first] || !all[first].rows.empty()) continue;
    std::vector<PlotPanel*> alike;
    for (std::size_t i = first; i < all.size(); ++i) {
      if (!show_the_same(all[first], all[i])) continue;
      alike.push_back(&all[i]);
      is_done[i] = true;
    }
    const auto share = [&](std::optional<ValueRange> PlotPanel::*member, double PlotPoint::*coordinate) {
      ValueRange range{INFINITY, -INFINITY};
      for (const PlotPanel* panel : alike) {
        if (panel->*member) return;
        for (const PlotCurve& curve : panel->curves) {
          for (const PlotPoint& point : curve.points) {
            if (!is_gap(point) && !curve.is_frame)
              range = {std::min(range.low, point.*coordinate), std::max(range.high, point.*coordinate)};
          }
        }
      }
      const double margin = 0.05 * (range.high - range.low);
      if (!(margin > 0)) return;
      for (PlotPanel* panel : alike) panel->*member = ValueRange{range.low - margin, range.high + margin};
    };
    if (!all[first].x.log) share(&PlotPanel::x_range, &PlotPoint::x);
    if (!all[first].y.log) share(&PlotPanel::y_range, &PlotPoint::y);
  }
}

// For each run what was asked for and what it has of that, below its label.
std::vector<PlotPanel> panels_by_run(const PlotRequest& request, std::vector<PlotRun>& runs) {
  std::vector<PlotPanel> all;
  const std::vector<PanelMaker> makers = asked_for(request);
  std::vector<std::exception_ptr> errors(makers.size());
  std::vector<bool> is_in_some(makers.size(), false);
  for (PlotRun& run : runs) {
    std::vector<PlotRun> one;
    one.push_back(std::move(run));
    const std::string label = std::exchange(one.front().label, "");
    const PlotPanels panels(request, one);
    std::vector<PlotPanel> of_run;
    for (std::size_t i = 0; i < makers.size(); ++i) {
      try {
        append_panels(of_run, makers[i](panels));
        is_in_some[i] = true;
      } catch (const NotInRun&) {
        errors[i] = std::current_exception();
      }
    }
    for (PlotPanel& panel : of_run) panel.title = shortened(plain_text(label), 60);
    append_panels(all, std::move(of_run));
    run = std::move(one.front());
  }
  for (std::size_t i = 0; i < makers.size(); ++i) {
    if (!is_in_some[i]) std::rethrow_exception(errors[i]);
  }
  share_ranges(all);
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

}  // namespace freeplay::report
