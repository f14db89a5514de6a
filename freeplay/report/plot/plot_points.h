// The points of a curve that are worth drawing in a panel of a given size.
#pragma once

#include <vector>

#include "freeplay/report/gnuplot/plot_layout.h"
#include "freeplay/report/plot/plot_scale.h"

namespace freeplay::report {

// In the units of the axes, gaps where an axis cannot show a value. What is left out is less than a tenth of a pixel
// away from what is drawn; of dots and stems, what would lie under others. On a logarithmic axis logarithms count.
std::vector<PlotPoint> drawn_points(const PlotPanel& panel, const PlotCurve& curve, const PanelPlace& place,
                                    const PanelScale& scale);

}  // namespace freeplay::report
