// A study as a figure: measures and points of the section over parameters.
#pragma once

#include <string>
#include <vector>

#include "freeplay/io/sweep/sweep_table.h"
#include "freeplay/report/plot/plot_figure.h"

namespace freeplay::study {

struct SweepFigureRequest {
  std::vector<std::string> measures;  // or points of the section; none: all
  std::string against;                // the x axis; empty: the parameter with most values
  bool log_x = false, log_y = false;
  std::string title;  // empty: the model's name
};

// A panel per measure and per point of the section. Measures: other parameters than that of the x axis make curves, one
// per combination of their values; a grid of two makes a map where these are too many; otherwise runs are points.
// Points of the section are a bifurcation diagram: all of them above the parameter. `against` may name one of them: the
// section itself. The measure "attractor" is the map of basins (attractors.h). Throws PlotError for names that the
// study does not have, and for a parameter that is a word on the x axis.
PlotFigure make_sweep_figure(const SweepTable& table, const SweepFigureRequest& request);

}  // namespace freeplay::study
