// Units and ranges of a panel's axes, from what its curves hold.
#pragma once

#include "freeplay/report/plot/plot_figure.h"

namespace freeplay::report {

struct PanelScale {
  AxisUnit x_unit, y_unit;
  ValueRange x, y;  // in these units
};

// width and height of the drawing area in pixels, for equal axes. Throws PlotError if a logarithmic axis has nothing to
// show.
PanelScale panel_scale(const PlotPanel& panel, double width, double height);

// What a point on the axis may be: finite, and positive where the axis is logarithmic.
bool can_show(const PlotAxis& axis, double value);

}  // namespace freeplay::report
