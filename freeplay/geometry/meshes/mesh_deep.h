// Places so deep in the matter of a mesh that no surface is near them. Part of the implementation of mesh_gap.h and
// mesh_surface_gap.h.
#pragma once

#include "freeplay/geometry/meshes/triangle_mesh.h"
#include "freeplay/math/frame.h"

namespace freeplay::geometry {

// A place in the matter of a mesh, deeper than contacts are looked for, and the way out of it away from the middle.
struct DeepPlace {
  bool exists = false;
  Vec3 x = Vec3::Zero(), out = Vec3::UnitZ();  // world
  double depth_m = 0;
};

// x: world.
inline DeepPlace deep_place(const TriangleMesh& mesh, const Frame& at, const Vec3& x) {
  const Vec3 local = at.R.transpose() * (x - at.p);
  if (!mesh.contains(local)) return {};
  const MeshBox& box = mesh.tree().nodes().front().box;
  const Vec3 from_middle = local - (box.low + box.high) / 2;
  const double length = from_middle.norm();
  const Vec3 out = length > mesh.rounding_m() ? Vec3(from_middle / length) : Vec3(Vec3::UnitZ());
  const double depth = mesh.ray_length(local, out);
  return {depth < kInfinity, x, at.R * out, depth};
}

}  // namespace freeplay::geometry
