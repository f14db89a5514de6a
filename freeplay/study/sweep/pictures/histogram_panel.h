// Histograms of a study: measures that came from one `histogram(x, low, high, n)`, drawn as one picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/io/sweep/sweep_table.h"
#include "freeplay/report/plot/plot_figure.h"

namespace freeplay::study {

struct StudyHistogram {
  std::string name, of;             // of: the expression that is counted
  std::size_t first = 0, bins = 0;  // places of its measures
  // Limits; without units and from 0 to 1 where they depend on parameters.
  double low = 0, high = 1;
  std::string unit = "1";
};

// In the order of their measures.
std::vector<StudyHistogram> histograms_of(const SweepTable& table);

// Shares of the time by colour, over the parameter x and the value; where other parameters vary as well, their mean.
PlotPanel histogram_panel(const SweepTable& table, std::size_t x, const StudyHistogram& histogram);

}  // namespace freeplay::study
