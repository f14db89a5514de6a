#include "freeplay/geometry/curves/planar_outline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "freeplay/core/error.h"

namespace freeplay::geometry {

ConvexOutline::ConvexOutline(const PolygonShape& shape) {
  const std::size_t count = shape.vertices_m.size();
  edges_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 start = in_plane(shape.vertices_m[i]);
    const Vec2 end = in_plane(shape.vertices_m[(i + 1) % count]);
    const double length = (end - start).norm();
    const Vec2 along = (end - start) / length;
    edges_.push_back({start, end, along, tangent_of(along), length});
  }
}

// The nearest point of a convex polygon lies on an edge that has the given point on its outer side. All such edges are
// compared: to take only the edge with the largest separation, as engines for games do, goes wrong where two sides are
// nearly in line and rounding decides which of them is larger.
SignedDistance ConvexOutline::distance(const Vec2& point) const {
  const Edge* inside = nullptr;
  const Edge* outside = nullptr;
  double depth = -kInfinity, height = 0;
  double nearest_squared = kInfinity;
  const Vec2* corner = nullptr;
  for (const Edge& edge : edges_) {
    const Vec2 arm = point - edge.start;
    const double s = edge.normal.dot(arm);
    if (s <= 0) {
      if (s > depth) {
        depth = s;
        inside = &edge;
      }
      continue;
    }
    const double t = edge.along.dot(arm);
    const Vec2* beyond = t < 0 ? &edge.start : t > edge.length ? &edge.end : nullptr;
    const double squared = beyond == nullptr ? s * s : (point - *beyond).squaredNorm();
    if (squared < nearest_squared) {
      nearest_squared = squared;
      height = s;
      outside = &edge;
      corner = beyond;
    }
  }
  if (outside == nullptr) return {depth, point - depth * inside->normal, inside->normal, 0};
  if (corner == nullptr) return {height, point - height * outside->normal, outside->normal, 0};
  const Vec2 arm = point - *corner;
  const double length = arm.norm();
  // Rounding can put the corner itself outside of its edge: then the edge's normal is as good as any.
  return {length, *corner, length > 0 ? Vec2(arm / length) : outside->normal, kCorner};
}

int reflex_corner(const PolygonShape& shape) {
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  const std::size_t count = shape.vertices_m.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 before = in_plane(shape.vertices_m[(i + count - 1) % count]);
    const Vec2 here = in_plane(shape.vertices_m[i]);
    const Vec2 after = in_plane(shape.vertices_m[(i + 1) % count]);
    const Vec2 in = here - before, out = after - here;
    // Every coordinate is off by half a unit in its last place; the product of the two edges inherits that.
    const double size = std::max({before.lpNorm<1>(), here.lpNorm<1>(), after.lpNorm<1>()});
    if (cross(in, out) < -kRounding * size * (in.lpNorm<1>() + out.lpNorm<1>())) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace freeplay::geometry
