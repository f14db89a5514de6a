// A study as a figure: each measure over a parameter.
#pragma once

#include <string>
#include <vector>

#include "freeplay/io/sweep/sweep_table.h"
#include "freeplay/report/plot/plot_figure.h"

namespace freeplay::study {

struct SweepFigureRequest {
  std::vector<std::string> measures;  // none: all
  std::string against;                // the parameter of the x axis; empty: the one with most values
  bool log_x = false, log_y = false;
  std::string title;  // empty: the model's name
};

// A panel per measure. Other parameters than that of the x axis make curves, one per combination of their values; where
// there are too many to be told apart, or samples, runs are points. Throws PlotError for names that the study does not
// have, and for a parameter that is a word on the x axis.
PlotFigure make_sweep_figure(const SweepTable& table, const SweepFigureRequest& request);

}  // namespace freeplay::study
