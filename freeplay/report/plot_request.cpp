#include "freeplay/report/plot_request.h"

#include <algorithm>

#include "freeplay/report/plot_error.h"
#include "freeplay/report/plot_panels.h"
#include "freeplay/report/plot_sheet.h"
#include "freeplay/report/plot_text.h"

namespace freeplay {

bool PlotRequest::asks_for_nothing() const {
  return channels.empty() && phases.empty() && orbits.empty() && gaps.empty() && !modes && !impacts && !energy &&
         !steps;
}

PlotFigure make_figure(const PlotRequest& request, const std::vector<PlotRun>& runs) {
  const PlotPanels panels(request, runs);
  PlotFigure figure;
  const auto add = [&](std::vector<PlotPanel> more) {
    std::move(more.begin(), more.end(), std::back_inserter(figure.panels));
  };
  if (request.sheet || request.asks_for_nothing()) {
    figure = make_sheet(panels);
  } else {
    add(panels.histories(request.channels));
    for (const std::string& element : request.gaps) add({panels.gaps(element)});
    if (request.modes) add({panels.modes(*request.modes)});
    if (request.impacts) add({panels.impacts(*request.impacts)});
    if (request.energy) add(panels.energy());
    if (request.steps) add(panels.steps());
    for (const auto& [x, y] : request.phases) add({panels.phase(x, y)});
    for (const std::string& joint : request.orbits) add(panels.orbit(joint));
  }
  const auto name = [](const PlotRun& run) { return attribute(run.result, "name"); };
  const bool one_model =
      std::all_of(runs.begin(), runs.end(), [&](const PlotRun& run) { return name(run) == name(runs.front()); });
  figure.title = request.title.value_or(one_model ? name(runs.front()) : "");
  return figure;
}

}  // namespace freeplay
