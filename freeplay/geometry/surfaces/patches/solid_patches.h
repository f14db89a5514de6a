// Patches of a cuboid: faces, edges and corners. Part of the implementation of shape_surface.h.
#pragma once

#include <memory>
#include <vector>

#include "freeplay/geometry/surfaces/patches/surface_patch.h"

namespace freeplay::geometry {

std::vector<std::shared_ptr<const SurfacePatch>> patches_of_box(const Vec3& centre, const Vec3& size_m,
                                                                const Mat3& rotation);

}  // namespace freeplay::geometry
