// The `simulate:` and `record:` blocks as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/integrators/integrator_options.h"

namespace freeplay::simulation {

// What becomes of parts that overlap at the start: they stay as they are, or are moved apart before the first row.
enum class OverlapTreatment : std::uint8_t { kKept, kProjected };

// Each member has a row in option_table.cpp, which says what it means and who uses it.
struct SimulationOptions : RuleOptions {
  std::string integrator = "dopri5";
  double duration_s = 0;
  std::optional<double> step_s, min_step_s, max_step_s;
  std::optional<double> velocity_tolerance;
  std::optional<double> baumgarte_per_s;
  PenetrationControl penetration_control = PenetrationControl::kRoots;
  double max_initial_penetration_m = 1e-6;
  std::optional<double> theta;
  std::optional<double> force_window_s;
  double initial_overlap_m = 0;  // allowed
  OverlapTreatment initial_overlap_is = OverlapTreatment::kKept;
};

struct RecordOptions {
  std::vector<std::string> channels;  // empty: all
  int every = 1;                      // every n-th row
  bool motion = false;                // the poses of all bodies too, where `channels` leaves them out
  int contact_forces = 0;             // of each row the strongest contacts, so many at most, with place and force
};

}  // namespace freeplay::simulation
