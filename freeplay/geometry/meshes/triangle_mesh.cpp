#include "freeplay/geometry/meshes/triangle_mesh.h"

#include <algorithm>
#include <cmath>

namespace freeplay::geometry {

namespace {

// Whether a line x + s d meets a box at an s in [0, longest]. 1/d is infinite along axes that d does not have.
bool ray_meets(const MeshBox& box, const Vec3& x, const Vec3& inverse, double longest) {
  double from = 0, to = longest;
  for (int k = 0; k < 3; ++k) {
    if (std::isinf(inverse[k])) {
      if (x[k] < box.low[k] || x[k] > box.high[k]) return false;
      continue;
    }
    const double s = (box.low[k] - x[k]) * inverse[k], t = (box.high[k] - x[k]) * inverse[k];
    from = std::max(from, std::min(s, t));
    to = std::min(to, std::max(s, t));
  }
  return from <= to;
}

// Where a ray meets a triangle (Moeller and Trumbore 1997); infinite if it does not. `front`: from outside.
double ray_hit(const Vec3& x, const Vec3& d, const Vec3& a, const Vec3& b, const Vec3& c, double margin) {
  const Vec3 u = b - a, v = c - a, p = d.cross(v);
  const double determinant = u.dot(p);
  if (determinant == 0) return kInfinity;
  const Vec3 from = x - a, q = from.cross(u);
  const double s = from.dot(p) / determinant, t = d.dot(q) / determinant;
  if (s < -margin || t < -margin || s + t > 1 + margin) return kInfinity;
  const double length = v.dot(q) / determinant;
  return length >= 0 ? length : kInfinity;
}

}  // namespace

double TriangleMesh::ray_length(const Vec3& x, const Vec3& direction) const {
  const Vec3 inverse = direction.cwiseInverse();
  double shortest = kInfinity;
  tree_.for_leaves([&](const MeshBox& box) { return ray_meets(box, x, inverse, shortest); },
                   [&](std::int32_t i) {
                     const MeshTriangle& t = triangle(i);
                     // The margin closes the seams between triangles.
                     shortest = std::min(shortest, ray_hit(x, direction, vertex(t.vertices[0]), vertex(t.vertices[1]),
                                                           vertex(t.vertices[2]), 1e-12));
                   });
  return shortest;
}

bool TriangleMesh::contains(const Vec3& x) const {
  // A direction that no drawing has, so that the ray goes through no edge but by bad luck.
  const Vec3 direction = Vec3(0.4327, 0.3719, 0.8213).normalized(), inverse = direction.cwiseInverse();
  int crossings = 0;
  tree_.for_leaves(
      [&](const MeshBox& box) { return ray_meets(box, x, inverse, kInfinity); },
      [&](std::int32_t i) {
        const MeshTriangle& t = triangle(i);
        if (ray_hit(x, direction, vertex(t.vertices[0]), vertex(t.vertices[1]), vertex(t.vertices[2]), 0) < kInfinity)
          ++crossings;
      });
  return crossings % 2 == 1;
}

}  // namespace freeplay::geometry
