// The `simulate:` and `record:` blocks as plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace freeplay {

struct SimulationOptions {
  std::string integrator = "dopri5";
  std::string solver = "auto";   // of the contact problem; nonsmooth integrators only
  std::optional<double> step_s;  // fixed step, or for smooth integrators a grid of forced step ends
  double duration_s = 0;
  double relative_tolerance = 1e-9;  // `tolerance` sets both
  double absolute_tolerance = 1e-9;
  std::optional<double> min_step_s, max_step_s;
  std::string velocity_forces = "start";  // start | midpoint | implicit     (moreau-midpoint)
  std::string activation = "gap";         // gap | anticipated               (moreau-midpoint)
  std::optional<double> projection_m;     // threshold of the gap projection; off unless given
};

struct RecordOptions {
  std::vector<std::string> channels;  // empty: all
  int every = 1;                      // every n-th row
};

}  // namespace freeplay
