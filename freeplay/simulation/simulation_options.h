// The `simulate:` and `record:` blocks as plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::simulation {

struct SimulationOptions {
  std::string integrator = "dopri5";
  std::string solver = "auto";   // of the contact problem; nonsmooth integrators only
  std::optional<double> step_s;  // fixed step, or for smooth integrators a grid of forced step ends
  double duration_s = 0;
  double relative_tolerance = 1e-9;  // `tolerance` sets both
  double absolute_tolerance = 1e-9;
  std::optional<double> velocity_tolerance;  // absolute, of velocities; otherwise as all others
  std::optional<double> min_step_s, max_step_s;
  std::optional<double> baumgarte_per_s;  // draws loops back at this rate instead of projecting; smooth integrators
  // Contacts with a force law: how their starts are found, and how deep they may be then.
  std::string penetration_control = "roots";  // roots | procedure-1 | procedure-2 | secant | none
  double max_initial_penetration_m = 1e-6;
  std::string velocity_forces = "start";  // start | midpoint | implicit     (moreau-midpoint)
  std::string activation = "gap";         // gap | anticipated               (moreau-midpoint)
  std::optional<double> theta;            // (0, 1], 0.5 unless given        (moreau-jean)
  std::string constraint = "corrected";   // plain | corrected | disc        (nlp-variable-step)
  std::string step_choice = "land";       // objective | land | fixed        (nlp-variable-step)
  std::optional<double> projection_m;     // threshold of the gap projection; off unless given
  std::string r_factor = "spectral";      // spectral | row-sum | diagonal   (solver prox-jacobi)
  double solver_tolerance_m_s = 1e-9;     // on the natural residual of a step
  double impact_threshold_m_s = 1e-3;     // a slower approach is no impact in the table of impacts
  std::optional<double> force_window_s;   // contact forces are means over this time; default: ten steps
};

struct RecordOptions {
  std::vector<std::string> channels;  // empty: all
  int every = 1;                      // every n-th row
  bool motion = false;                // the poses of all bodies too, where `channels` leaves them out
};

}  // namespace freeplay::simulation
