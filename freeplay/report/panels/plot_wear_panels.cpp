// Wear: depth by direction of a journal and its bore, depth along a guide.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/core/error.h"
#include "freeplay/report/gnuplot/plot_text.h"
#include "freeplay/report/panels/plot_panels.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/report/plot/plot_frames.h"

namespace freeplay::report {

namespace {

// Each sector as an arc at its depth, so that its width can be seen.
std::vector<PlotPoint> polar_depths(const std::vector<WearCell>& cells) {
  constexpr int kPointsPerSector = 4;
  std::vector<PlotPoint> points;
  for (const WearCell& cell : cells) {
    for (int i = 0; i <= kPointsPerSector; ++i) {
      const double angle = cell.from + (cell.to - cell.from) * i / kPointsPerSector;
      points.push_back({cell.depth_m * std::cos(angle), cell.depth_m * std::sin(angle)});
    }
  }
  if (!points.empty()) points.push_back(points.front());
  return points;
}

std::vector<PlotPoint> depths_along(const std::vector<WearCell>& cells) {
  std::vector<PlotPoint> points;
  for (const WearCell& cell : cells) {
    points.push_back({cell.from, cell.depth_m});
    points.push_back({cell.to, cell.depth_m});
  }
  return points;
}

void frame_polar(PlotPanel& panel, double deepest) {
  panel.shape = PlotPanel::Shape::kSquare;
  panel.equal_axes = true;
  if (!(deepest > 0)) return;
  panel.x_range = panel.y_range = ValueRange{-1.12 * deepest, 1.12 * deepest};
  panel.curves.insert(panel.curves.begin(), frame_ring(deepest));
}

}  // namespace

std::vector<PlotPanel> PlotPanels::wear(const std::string& element) const {
  PlotPanel round, track;
  round.x = {plain_text(element) + ", depth along x", "m", {}, false};
  round.y = {plain_text(element) + ", depth along y", "m", {}, false};
  track.x = {plain_text(element) + ", place along the guide", "m", {}, false};
  track.y = {plain_text(element) + ", depth", "m", {}, false};
  std::vector<std::string> worn;
  double deepest = 0;
  for (const PlotRun& run : runs_) {
    if (!run.result.summary()) continue;
    for (const SurfaceWear& surface : run.result.summary()->wear) {
      if (surface.unit.empty()) continue;
      worn.push_back(surface.contact);
      if (surface.contact != element) continue;
      PlotPanel& panel = surface.unit == "rad" ? round : track;
      PlotCurve curve;
      curve.name = plain_text(runs_.size() == 1 ? surface.surface : surface.surface + ", " + run.label);
      curve.points = surface.unit == "rad" ? polar_depths(surface.cells) : depths_along(surface.cells);
      curve.look = static_cast<int>(panel.curves.size());
      panel.curves.push_back(std::move(curve));
      if (surface.unit == "rad") deepest = std::max(deepest, surface.max_depth_m);
    }
  }
  if (round.curves.empty() && track.curves.empty()) {
    throw NotInRun(fmt::format("there are no depths of wear of '{}'", plain_text(element)),
                   worn.empty() ? "planar revolute and prismatic joints with play have some, if their contact has "
                                  "'wear', when the run has ended"
                                : did_you_mean(element, worn));
  }
  std::vector<PlotPanel> panels;
  if (!round.curves.empty()) {
    frame_polar(round, deepest);
    panels.push_back(std::move(round));
  }
  if (!track.curves.empty()) panels.push_back(std::move(track));
  return panels;
}

}  // namespace freeplay::report
