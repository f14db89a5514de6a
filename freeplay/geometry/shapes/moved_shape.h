// A planar shape at another place of its body: copies of a tooth, a slot or a roller.
#pragma once

#include "freeplay/geometry/shapes/shape_spec.h"

namespace freeplay::geometry {

// Turned by `angle` (rad) about `about_m`, then shifted. Cams and parametric curves, whose form is an expression, and
// spatial shapes cannot be moved: nullopt.
std::optional<ShapeGeometry> moved_shape(const ShapeGeometry& shape, double angle, const Vec3& about_m,
                                         const Vec3& shift_m);

}  // namespace freeplay::geometry
