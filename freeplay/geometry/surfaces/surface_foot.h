// Where a foot of a surface stands over a plane (SurfaceFoot). Part of the implementation of surface_search.h and of
// meshes/mesh_surface.h.
#pragma once

#include <cmath>

#include "freeplay/geometry/pairs/spatial_gap.h"
#include "freeplay/geometry/surfaces/patches/surface_patch.h"

namespace freeplay::geometry {

struct SurfaceFootPlace {
  bool is_lowest = false;  // whether the part nearly lies on the plane
  Vec3 x = Vec3::Zero();
  Bend bend;
  int dimension = 0;  // 1: of a rim
};

// `down` is against the normal of the plane, in the axes of the surface.
inline SurfaceFootPlace place_of_foot(const SurfaceFoot& foot, const Vec3& down, double size_m) {
  constexpr double kLean_rad = 0.1;   // of a flat part over a plane: more than a body turns in a step
  constexpr double kNoRadius = 1e-8;  // of the size
  const double along = down.dot(foot.axis);
  const Vec3 across = down - along * foot.axis;
  const double size = across.norm();
  const Vec3 out = size > 0 ? Vec3(across / size) : tangent_to(foot.axis);
  // The angle between down and the normal of the part, both in the plane of the axis and down.
  if (std::abs(std::atan2(foot.radial * along - foot.axial * size, foot.radial * size + foot.axial * along)) >
      kLean_rad)
    return {};
  // A rim bends in its own plane only: by the share of down in that plane.
  const bool is_rim = foot.radius_m > kNoRadius * size_m;
  return {true, foot.centre + foot.radius_m * out,
          is_rim ? Bend{size / foot.radius_m, kInfinity, foot.axis.cross(out)}
                 : Bend{kInfinity, kInfinity, tangent_to(down)},
          is_rim ? 1 : 0};
}

}  // namespace freeplay::geometry
