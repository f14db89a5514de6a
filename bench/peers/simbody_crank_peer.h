// The slider-crank of examples/slider_crank.yaml with compliant contact in Simbody
// (https://github.com/simbody/simbody), as a peer of bench/compliant.cpp. Needs no header of Simbody, and is C++17.
#pragma once

#include <cstdint>

namespace freeplay::bench {

// Force on a corner of the slider at a depth delta, K = 1e9 N/m^1.5. Both with friction as in the example.
enum class SimbodyContact : std::uint8_t {
  kHuntCrossley,       // K delta^1.5 (1 + 3/2 c delta') with one c for all contacts: the law of Simbody's own contacts
  kLankaraniNikravesh  // K delta^1.5 (1 + a delta'/v0), v0 the speed at which the contact began: the law of the example
};

struct SimbodyRun {
  double cpu_s = 0;  // of the integration alone
  double crank_speed_rad_s = 0;
  int steps = 0, evaluations = 0;
};

// From the start, where the crank has this speed, by Merson's method with Simbody's error control, without recording.
SimbodyRun run_simbody_slider_crank(SimbodyContact contact, double accuracy, double crank_speed_rad_s,
                                    double duration_s);

}  // namespace freeplay::bench
