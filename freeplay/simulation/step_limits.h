// Where steps must end: at multiples of `step`, at the instants of sampled controllers, and, under error control, where
// functions of time jump or have kinks.
#pragma once

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
  StepLimits(const System& system, bool stops_at_breaks)
      : system_(system), stops_at_breaks_(stops_at_breaks), has_breaks_(stops_at_breaks) {}

  // Where a step from t on ends at the latest; `grid_s` is the next multiple of `step`, or the end of the run.
  StepLimit next(double t, double grid_s);
  // Another run begins, perhaps at an earlier time.
  void forget() { has_breaks_ = stops_at_breaks_; }

 private:
  const System& system_;
  bool stops_at_breaks_;
  bool has_breaks_;  // there may be one yet
};

}  // namespace freeplay::simulation
