// How large the parts at a contact are: what a gap is compared with to be called small.
#pragma once

#include "freeplay/geometry/shapes/shape_bound.h"

namespace freeplay::contact {

// The radius of the ball around the smaller of two shapes, of a bore that of the bore. A half-space and a point have no
// size; where neither partner has one it is 1 m.
double smaller_size_m(const Bound& a, const Bound& b);

}  // namespace freeplay::contact
