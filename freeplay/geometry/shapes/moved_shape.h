// A shape at another place of its body: copies of a tooth, a slot or a roller.
#pragma once

#include <optional>
#include <vector>

#include "freeplay/geometry/shapes/shape_spec.h"

namespace freeplay::geometry {

// Turned by `angle` (rad) about the axis through `about_m` (unit length; of planar shapes z), then shifted. nullopt: a
// mesh that its new place degenerates by rounding, or expressions that need too many intermediate values.
std::optional<ShapeGeometry> moved_shape(const ShapeGeometry& shape, double angle, const Vec3& about_m,
                                         const Vec3& shift_m, const Vec3& axis = Vec3::UnitZ());

// What a surface in space does along itself, a vector in the axes of its body, where the surface is turned like this.
// nullopt: it would need too many intermediate values.
std::optional<std::vector<Expression>> turned_velocity(std::vector<Expression> velocity, double angle,
                                                       const Vec3& axis);

}  // namespace freeplay::geometry
