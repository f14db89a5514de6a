// ODE, the Open Dynamics Engine (https://www.ode.org), as a peer of bench/spatial.cpp. Needs no header of ODE.
#pragma once

#include "bench/pile.h"

namespace freeplay::bench {

// By QuickStep: so many sweeps of projected Gauss-Seidel per step, friction bounded in two directions each for itself.
std::unique_ptr<PilePeer> make_ode_pile(const PileScene& scene, int iterations);

}  // namespace freeplay::bench
