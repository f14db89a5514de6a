// Impacts of the slider-crank face by face, found by a run and expected by the event-driven solution of another
// program.
#pragma once

#include <vector>

#include "physics/model_run.h"

namespace freeplay::test {

struct FaceImpact {
  double time = 0, approach = 0;  // s, m/s
  int face = 0;                   // +1 upper, -1 lower
};

// Those that approach faster than `slowest`, before the time `last`.
std::vector<FaceImpact> expected_impacts(double restitution, double slowest, double last);
// Both corners of a face strike in the same step; the table of impacts has a line for each.
std::vector<FaceImpact> found_impacts(const ModelRun& run, double slowest, double last);

}  // namespace freeplay::test
