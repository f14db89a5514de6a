// Where a function over a box is largest, without derivatives: for worst cases of runs, whose measures jump and have
// kinks.
//
// First the nominal point, all corners (of many parameters: some) and points anywhere in the box; then a compass search
// from the best of them that are far from each other: all neighbours along the axes are tried, the best is gone to, and
// where none is better the steps are halved. The search ends at points whose neighbours are all lower, on smooth
// functions local maxima (Kolda, Lewis and Torczon 2003). No finite search can promise that none is higher elsewhere.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::study {

using BoxPoint = std::vector<double>;  // each coordinate in [0, 1]

// Values of several points at once, so that they may be computed at the same time. Not a number: has none. Fewer values
// than points: the search is to stop.
using BoxFunction = std::function<std::vector<double>(const std::vector<BoxPoint>& points)>;

struct BoxSearchOptions {
  BoxPoint nominal;  // tried first; its size is the number of parameters
  std::int64_t most_points = 1000;
  std::uint64_t seed = 0;   // of the points anywhere in the box
  double precision = 1e-4;  // the last step, in lengths of the box
};

struct BoxOptimum {
  BoxPoint point;  // empty: no point had a value
  double value = 0;
  std::int64_t points = 0;    // that were computed
  bool is_converged = false;  // every search came down to `precision`; otherwise points ran out, or it was stopped
};

// The same points in the same order for the same options and values.
BoxOptimum search_box(const BoxSearchOptions& options, const BoxFunction& function);

}  // namespace freeplay::study
