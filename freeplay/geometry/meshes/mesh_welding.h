// Points that are the same but for rounding become one vertex. Part of the implementation of mesh_builder.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "freeplay/math/types.h"

namespace freeplay::geometry {

struct WeldedPoints {
  std::vector<Vec3> vertices;
  std::vector<std::int32_t> vertex_of;  // for every point
};

// Points within `tolerance` of a vertex that came before them become that vertex. O(n log n).
WeldedPoints weld(std::span<const Vec3> points, double tolerance);

}  // namespace freeplay::geometry
