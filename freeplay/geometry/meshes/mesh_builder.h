// From triangles as a file has them to a frozen mesh, or what is wrong with them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "freeplay/geometry/meshes/triangle_mesh.h"
#include "freeplay/geometry/shapes/cam_checks.h"
#include "freeplay/geometry/shapes/shape_spec.h"

namespace freeplay::geometry {

// More would take minutes and gigabytes; a part of a mechanism needs a hundredth of it.
inline constexpr std::size_t kMostTriangles = 1'000'000;

// Corners may be repeated, as STL does it.
struct TriangleSoup {
  std::vector<Vec3> points_m;
  std::vector<std::array<std::int32_t, 3>> triangles;  // counter-clockwise seen from outside
  // How far points may be off: files in single precision round their coordinates by 6e-8 of the size.
  double relative_precision = 1e-7;
};

struct MeshResult {
  TriangleMesh mesh;  // only if there is no problem
  ShapeProblem problem;
  int dropped_triangles = 0;  // whose corners fall together
};

MeshResult build_mesh(const TriangleSoup& soup);

// The eight corners and six facets of a box, exactly.
TriangleMesh mesh_of(const BoxShape& box);

}  // namespace freeplay::geometry
