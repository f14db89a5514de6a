// A shape of another size: the small and the large stones of a heap.
#pragma once

#include "freeplay/geometry/shapes/shape_spec.h"

namespace freeplay::geometry {

// All lengths, from the body's origin on, times `factor` > 0. What is given by an expression or a mesh, and what has no
// end, has no such copy: nullopt.
std::optional<ShapeGeometry> scaled_shape(const ShapeGeometry& shape, double factor);

}  // namespace freeplay::geometry
