// Copies of a body and its shapes, and how much memory a model of them takes.
#pragma once

#include <span>

#include "freeplay/geometry/shapes/shape_spec.h"
#include "freeplay/model/body_fill.h"

namespace freeplay::model {

// How far the shapes reach from the body's origin; infinite if one of them has no end.
double reach_of_shapes_m(std::span<const ShapeSpec> shapes);

// `place` moves the body from where its `initial` values have it; its mass grows with the size as a body of the same
// density does, in the plane one of the same thickness.
BodySpec copy_of(const BodySpec& body, const BodyPlace& place, Space space, std::string name);
// Empty if the shape has no copy of another size (geometry/shapes/scaled_shape.h).
std::optional<ShapeSpec> copy_of(const ShapeSpec& shape, double size, std::string body);

// Empty, or why so many bodies are too many for this computer, or for the limit of this process (ulimit -v).
PlacingProblem problem_of_memory(std::size_t bodies);

}  // namespace freeplay::model
