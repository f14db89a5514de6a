// The smallest circle around points of the plane. Part of the implementation of shape_bound.h.
#pragma once

#include <span>

#include "freeplay/geometry/shapes/shape_spec.h"

namespace freeplay::geometry {

// At least one point. All points are in it up to the rounding of a distance; it is the smallest one up to rounding.
BoundingSphere enclosing_ball(std::span<const Vec2> points);

}  // namespace freeplay::geometry
