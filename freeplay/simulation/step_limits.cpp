#include "freeplay/simulation/step_limits.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::simulation {

// Whatever chooses the steps, they end at the instants of sampled controllers: a step of the grid in which there is one
// is divided there. Error control, which sees nothing between its stages, ends its steps at breaks of functions of time
// as well: just before them, so that no stage sees what comes behind, and the next step begins behind.
StepLimit StepLimits::next(double t, double grid_s) {
  constexpr double kSame = 1e-6;  // of the shorter of two steps: rounding of their multiples
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  const double sample_s = system_.next_sample(t);
  const double same_s = kSame * std::min(grid_s - t, sample_s - t);
  StepLimit limit{grid_s, grid_s, sample_s <= grid_s + same_s, grid_s <= sample_s + same_s};
  // Where the two are one but for rounding, the clock of the samples is the one that must know the instant again.
  if (limit.is_sample) limit.t = limit.lands_on = sample_s;
  if (!has_breaks_) return limit;
  // Looked for anew in each step: from where one began, rounding may place it otherwise, and a run that goes on from a
  // checkpoint is to find the same.
  const double break_s = system_.next_break(t);
  has_breaks_ = std::isfinite(break_s);
  const double rounding_s = 8 * kEpsilon * std::abs(limit.t);
  if (break_s > limit.t + rounding_s) return limit;
  if (break_s < limit.t - rounding_s) limit = {break_s, break_s, false, false};
  limit.lands_on = std::max(limit.t, break_s);
  limit.t = std::min(limit.t, break_s) * (1 - 2 * kEpsilon);
  if (limit.t <= t) limit.t = limit.lands_on;  // no step fits in between
  return limit;
}

}  // namespace freeplay::simulation
