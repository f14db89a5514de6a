// Fits of ISO 286: the limits of a hole and of a shaft of one nominal diameter, and what is between them.
//
// Standard tolerances IT1 to IT18 and fundamental deviations up to 500 mm, of the letters a to h, js, k, m, n and p (A
// to H, JS, K, M, N and P of holes). They are tabulated in ISO 286-1 and are numbers without a formula behind them:
// rounded ones. What follows by a rule is computed: deviations of holes are those of shafts with the sign turned, plus
// IT(n) - IT(n-1) for the tight ones (K, M, N up to IT8, P up to IT7).
#pragma once

#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::math {

// Deviations from the nominal diameter.
struct ToleranceZone {
  double lower_m = 0, upper_m = 0;

  double middle_m() const { return 0.5 * (lower_m + upper_m); }
  double width_m() const { return upper_m - lower_m; }
};

// Of "H7", a hole, or "g6", a shaft. Throws std::invalid_argument with what is wrong, in words.
ToleranceZone tolerance_zone(std::string_view text, double diameter_m);

struct Fit {
  ToleranceZone hole, shaft;

  // Of the two diameters; negative: an interference.
  double least_m() const { return hole.lower_m - shaft.upper_m; }
  double most_m() const { return hole.upper_m - shaft.lower_m; }
  double mean_m() const { return hole.middle_m() - shaft.middle_m(); }
};

// Of "H7/g6". Throws as tolerance_zone() does.
Fit iso_fit(std::string_view text, double diameter_m);

}  // namespace freeplay::math
