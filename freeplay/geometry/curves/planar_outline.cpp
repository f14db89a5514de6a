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

SignedDistanceOf<Recorded> ConvexOutline::distance(const Vector2Of<Recorded>& point) const {
  constexpr double kFarSquared = 1e300;
  using Vector2 = Vector2Of<Recorded>;
  Recorded depth = 0, height = 0, nearest_squared = kFarSquared, is_corner = 0;
  Vector2 inside = Vector2::UnitX(), outside = Vector2::UnitX(), corner = Vector2::Zero();
  for (const Edge& edge : edges_) {
    const Vector2 arm = point - edge.start;
    const Recorded s = edge.normal.dot(arm), t = edge.along.dot(arm);
    const bool is_first = &edge == &edges_.front();
    const Recorded is_less_deep = is_first ? Recorded(1) : s - depth;
    depth = where_positive(is_less_deep, s, depth);
    inside = chosen_by(is_less_deep, edge.normal.cast<Recorded>(), inside);
    const Recorded behind = t - edge.length;
    const Vector2 end = chosen_by(behind, edge.end.cast<Recorded>(), edge.start.cast<Recorded>());
    const Recorded is_beyond = Tape::binary(ExpressionOp::kMax, -t, behind);
    const Recorded squared = where_positive(is_beyond, (point - end).squaredNorm(), s * s);
    const Recorded is_nearer = where_positive(s, nearest_squared - squared, 0);
    nearest_squared = where_positive(is_nearer, squared, nearest_squared);
    height = where_positive(is_nearer, s, height);
    outside = chosen_by(is_nearer, edge.normal.cast<Recorded>(), outside);
    corner = chosen_by(is_nearer, end, corner);
    is_corner = where_positive(is_nearer, is_beyond, is_corner);
  }
  const auto over_edge = [&](const Recorded& gap, const Vector2& normal) {
    return SignedDistanceOf<Recorded>{gap, point - gap * normal, normal, 0};
  };
  const Recorded length = sqrt(nearest_squared), divisor = where_positive(length, length, 1);
  const Vector2 from_corner = (point - corner) / divisor;
  const SignedDistanceOf<Recorded> over_corner = {length, corner, chosen_by(length, from_corner, outside), 0};
  // The edge of least depth is, of a point outside, the one that it is highest over.
  return chosen_by(depth, chosen_by(is_corner, over_corner, over_edge(height, outside)), over_edge(depth, inside));
}

ConvexOutline::RecordedEdge ConvexOutline::facing_edge(std::span<const Vector2Of<Recorded>> corners) const {
  Recorded largest = 0;
  RecordedEdge facing;
  for (const Edge& edge : edges_) {
    const auto over = [&](const Vector2Of<Recorded>& v) { return Recorded(edge.normal.dot(v - edge.start)); };
    Recorded lowest = over(corners.front());
    for (const Vector2Of<Recorded>& v : corners.subspan(1)) lowest = Tape::binary(ExpressionOp::kMin, lowest, over(v));
    const Recorded is_facing = &edge == &edges_.front() ? Recorded(1) : lowest - largest;
    largest = where_positive(is_facing, lowest, largest);
    facing.start = chosen_by(is_facing, edge.start.cast<Recorded>(), facing.start);
    facing.normal = chosen_by(is_facing, edge.normal.cast<Recorded>(), facing.normal);
  }
  return facing;
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
