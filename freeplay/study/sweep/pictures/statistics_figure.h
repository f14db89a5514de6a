// A sample of runs as a figure: bars of sensitivities, and histograms of measures.
#pragma once

#include <optional>

#include "freeplay/study/sweep/pictures/sweep_figure.h"

namespace freeplay::study {

// Of sobol:N and morris:N one panel of bars per measure, of other samples one histogram per measure with its
// percentiles. nullopt of grids, and where the request names an x axis. Throws PlotError for measures that the study
// does not have.
std::optional<PlotFigure> make_statistics_figure(const SweepTable& table, const SweepFigureRequest& request);

}  // namespace freeplay::study
