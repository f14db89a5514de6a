// ODE, the Open Dynamics Engine (https://www.ode.org), as a peer of bench/slider_crank.cpp and bench/compliant.cpp.
// Needs no header of ODE.
#pragma once

#include <cstdint>

namespace freeplay::bench {

// Four ways to build the mechanism, from the obvious one to the leanest. All give the same numbers.
enum class OdeModel : std::uint8_t {
  kBoxAsFound,  // hinges of 5 rows each, a box between two planes, contacts where ODE's dCollide finds them
  kBoxInGuide,  // the same, the contacts moved into the plane of motion
  kHinges,      // the same hinges, the contacts of the four corners made by hand
  kBalls        // ball joints of 3 rows each: nothing but symmetry keeps the motion plane
};

struct OdeRun {
  double seconds = 0, cpu_s = 0;  // of the steps alone
  double crank_speed_rad_s = 0;
  double max_penetration_m = 0;  // of a slider's corner, at the start of a step
};

// The slider-crank of examples/slider_crank.yaml by ODE's exact solver, `steps` steps from the start.
OdeRun run_ode_slider_crank(OdeModel model, double step_s, int steps);

}  // namespace freeplay::bench
