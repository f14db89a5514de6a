// The area inside a polygon as triangles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "freeplay/math/types.h"

namespace freeplay::report {

// Cuts off one ear after the other; quadratic in the number of corners. For polygons in the plane z = const. without
// crossing edges, in either sense. Indices into `corners`. Fewer triangles than corners - 2 where edges touch or cross
// so that no ear is left.
std::vector<std::array<std::int64_t, 3>> triangulated(const std::vector<Vec3>& corners);

}  // namespace freeplay::report
