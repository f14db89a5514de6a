// Circles about the origin that frame a polar picture or an orbit.
#pragma once

#include <cmath>
#include <numbers>

#include "freeplay/report/plot/plot_figure.h"

namespace freeplay::report {

inline PlotCurve frame_ring(double radius) {
  constexpr int kSides = 180;
  PlotCurve curve;
  curve.is_frame = true;
  for (int i = 0; i <= kSides; ++i) {
    const double angle = 2 * std::numbers::pi * i / kSides;
    curve.points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return curve;
}

}  // namespace freeplay::report
