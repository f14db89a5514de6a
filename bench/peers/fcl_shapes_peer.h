// FCL, the Flexible Collision Library (https://github.com/flexible-collision-library/fcl), as a peer of
// bench/shapes.cpp. Needs no header of FCL.
#pragma once

#include "bench/shape_pair.h"

namespace freeplay::bench {

// Apart: fcl::distance by libccd's GJK, to 1e-10 m if it can. Overlapping: fcl::collide by FCL's own GJK and EPA, since
// an assertion of the other one ends the program in some of these poses; of boxes it is a special algorithm.
std::unique_ptr<ShapePeer> make_fcl_shapes(const SolidPair& pair);

}  // namespace freeplay::bench
