// How the curves of a panel are told apart.
#pragma once

#include "freeplay/report/plot/plot_figure.h"

namespace freeplay::report {

// Each look from 0 to 48 has a pair of colour and dash of its own. Colours as "#0072B2", dashes as gnuplot writes them.
const char* colour_of(const PlotCurve& curve);
const char* dash_of(const PlotCurve& curve);
// Shapes of points, numbers of gnuplot; with the colours 56 pairs.
int point_type(const PlotCurve& curve);

}  // namespace freeplay::report
