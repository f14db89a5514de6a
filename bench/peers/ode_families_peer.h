// ODE as a peer of the families of bench/batch.cpp beside the slider-crank (ode_peer.h). Needs no header of ODE.
#pragma once

namespace freeplay::bench {

struct OdeFamilyRun {
  double cpu_s = 0;  // of the steps alone
  double end = 0;    // what the scene is compared by
};

// bench/four_bar_plays.yaml with its own clearance; a contact made by hand in each joint with play. The end: crank
// speed.
OdeFamilyRun run_ode_four_bar(double step_s, int steps);
// examples/cam_follower.yaml at 20 rad/s; the contact on the cam made by hand. The end: height of the follower.
OdeFamilyRun run_ode_cam_follower(double step_s, int steps);

}  // namespace freeplay::bench
