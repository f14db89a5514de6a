// Periodic motions by shooting, and their stability. The state after one period is a function P of the state before it,
// evaluated by the integrator itself, impacts included; a periodic motion is a fixed point of P, found by Newton's
// method, and the eigenvalues of its derivative are the Floquet multipliers. Unstable motions are found as well as
// stable ones. The derivative comes from central differences: both neighbours pass their impacts at their own instants,
// so that it has the saltation of impacts in it.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/model/model.h"
#include "freeplay/study/study_run.h"

namespace freeplay::study {

struct OrbitOptions {
  double period_s = 0;
  bool is_period_free = false;   // nothing drives the model: the period is looked for, too, from period_s on
  double settle_s = 0;           // how long the model runs before Newton's method takes over,
  std::optional<State> start{};  // from here; otherwise from its initial state
  double tolerance = 1e-9;       // on what a period changes, relative to positions and velocities
  double difference = 1e-5;      // of the differences, relative likewise
  int most_iterations = 30;
};

struct PeriodicOrbit {
  bool is_found = false;
  std::string message;  // why not
  double period_s = 0;
  State start;             // at t = 0
  std::vector<int> turns;  // per coordinate: whole turns, of 2 pi each, in a period
  double residual = 0;     // relative
  int iterations = 0;
  std::int64_t impacts = 0;  // in a period
  // By size, the largest first. Directions that loops, drivers and lasting contacts do not allow have 0; a motion that
  // nothing drives has 1 along itself.
  std::vector<std::complex<double>> multipliers;
  double largest_multiplier() const;  // of those that tell of stability: without the 1 of a free period
  bool is_period_free = false;
};

// Throws ModelError where the integrator does not find the instants of impacts (check_lyapunov), or the period is none.
PeriodicOrbit find_orbit(const ModelSpec& spec, const Model& model, const OrbitOptions& options,
                         const StudyHooks& hooks = {});

}  // namespace freeplay::study
