// ODE, the Open Dynamics Engine (https://www.ode.org), as a peer of bench/slider_crank.cpp. Needs no header of ODE.
#pragma once

#include <cstdint>

namespace freeplay::bench {

enum class OdeJoints : std::uint8_t {
  kHinges,  // 5 rows each: the mechanism as it is built
  kBalls    // 3 rows each: nothing but symmetry keeps the motion plane; the same numbers, faster
};

struct OdeRun {
  double seconds = 0;  // of the steps alone
  double crank_speed_rad_s = 0;
  double max_penetration_m = 0;  // of a slider's corner, at the start of a step
};

// The slider-crank of examples/slider_crank.yaml by ODE's exact solver, `steps` steps from the start.
OdeRun run_ode_slider_crank(OdeJoints joints, double step_s, int steps);

}  // namespace freeplay::bench
