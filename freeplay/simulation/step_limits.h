// Where steps must end: at multiples of `step`, at the instants of sampled controllers, and, under error control, where
// functions of time jump or have kinks.
#pragma once

#include <limits>

#include "freeplay/mechanism/system.h"

namespace freeplay::simulation {

struct StepLimit {
  double t = 0;
  double lands_on = 0;  // behind a break, which is passed within rounding; otherwise t
  bool is_sample = false, is_grid = false;
};

class StepLimits {
 public:
  // The system must outlive this.
  StepLimits(const System& system, bool stops_at_breaks) : system_(system), stops_at_breaks_(stops_at_breaks) {}

  // Where a step from t on ends at the latest; `grid_s` is the next multiple of `step`, or the end of the run.
  StepLimit next(double t, double grid_s);
  // Another run begins, perhaps at an earlier time.
  void forget() { next_break_s_ = -std::numeric_limits<double>::infinity(); }

 private:
  const System& system_;
  bool stops_at_breaks_;
  double next_break_s_ = -std::numeric_limits<double>::infinity();  // the first one behind where it was looked for
};

}  // namespace freeplay::simulation
