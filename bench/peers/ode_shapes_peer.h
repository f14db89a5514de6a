// ODE, the Open Dynamics Engine (https://www.ode.org), as a peer of bench/shapes.cpp. Needs no header of ODE.
#pragma once

#include "bench/shape_pair.h"

namespace freeplay::bench {

// dCollide of two boxes: contacts where they overlap, nothing where they are apart. nullptr for ellipsoids, which ODE
// does not have.
std::unique_ptr<ShapePeer> make_ode_shapes(const SolidPair& pair);

}  // namespace freeplay::bench
