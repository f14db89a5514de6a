// Signed distances of points to single outlines: what the gap functions of pairs are made of. Constant data is computed
// once, when an outline is made. Part of the implementation of planar_gap.h.
//
// All of it works with differences between the two bodies before anything is rotated, so that a gap is as accurate far
// from the origin as near to it. Nothing here has a tolerance: a feature is chosen by an exact comparison, and where
// two features meet both give the same gap up to rounding.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "freeplay/geometry/pairs/planar_gap.h"

namespace freeplay::geometry {

inline double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

inline Vec2 in_plane(const Vec3& v) {
  return v.head<2>();
}

template <class S>
using Vector2Of = Eigen::Matrix<S, 2, 1>;

// A world direction in the axes of a body.
template <class S>
Vector2Of<S> local_direction(const PlacementOf<S>& body, const std::type_identity_t<Vector2Of<S>>& v) {
  return {body.cos * v.x() + body.sin * v.y(), body.cos * v.y() - body.sin * v.x()};
}

// A point of body a, given by its world direction from a's origin, in the axes and from the origin of body b.
template <class S>
Vector2Of<S> seen_from(const PlacementOf<S>& b, const PlacementOf<S>& a,
                       const std::type_identity_t<Vector2Of<S>>& arm) {
  return local_direction(b, Vector2Of<S>(a.x - b.x + arm.x(), a.y - b.y + arm.y()));
}

// e / length; where the length is 0 every direction is as good, and the x axis is a placeholder.
template <class S>
Vector2Of<S> direction_or_x(const Vector2Of<S>& e, const S& length) {
  const S divisor = where_positive(length, length, S(1));
  return {where_positive(length, e.x() / divisor, S(1)), where_positive(length, e.y() / divisor, S(0))};
}

inline constexpr double kCorner = std::numeric_limits<double>::infinity();  // as a curvature

// Of a circle; a point is one of radius 0.
inline double curvature_of_circle(double radius) {
  return radius > 0 ? 1 / radius : kCorner;
}

// The curvatures of the outlines at the two points.
struct Curvatures {
  double a, b;
};

template <class S>
void set_contact(ContactPointOf<S>& contact, const std::type_identity_t<S>& gap,
                 const std::type_identity_t<Vector2Of<S>>& point_a, const std::type_identity_t<Vector2Of<S>>& point_b,
                 const std::type_identity_t<Vector2Of<S>>& normal, const Curvatures& curvatures) {
  contact.gap = gap;
  contact.point_a = point_a;
  contact.point_b = point_b;
  contact.normal = normal;
  contact.tangent = tangent_of(normal);
  contact.curvature_a = curvatures.a;
  contact.curvature_b = curvatures.b;
}

// As where_positive(), of several numbers at once.
inline Vector2Of<Recorded> chosen_by(const Recorded& x, const Vector2Of<Recorded>& positive,
                                     const Vector2Of<Recorded>& otherwise) {
  return {where_positive(x, positive.x(), otherwise.x()), where_positive(x, positive.y(), otherwise.y())};
}

// The signed distance of a point to an outline, in the axes of the outline's body.
template <class S>
struct SignedDistanceOf {
  S gap = 0;
  Vector2Of<S> foot = Vector2Of<S>::Zero();     // nearest point of the outline
  Vector2Of<S> normal = Vector2Of<S>::UnitX();  // unit, outward: how the point has to move for the gap to grow fastest
  double curvature = 0;                         // of the outline at the foot
};
using SignedDistance = SignedDistanceOf<double>;

// A full circle with its matter inside.
class CircleOutline {
 public:
  explicit CircleOutline(const CircleShape& shape) : centre_(in_plane(shape.at_m)), radius_(shape.radius_m) {}

  template <class S>
  SignedDistanceOf<S> distance(const Vector2Of<S>& point) const {
    const Vector2Of<S> e = point - centre_;
    const S length = e.norm();
    const Vector2Of<S> n = direction_or_x(e, length);  // at the centre every direction is nearest
    return {length - radius_, centre_ + radius_ * n, n, curvature_of_circle(radius_)};
  }

 private:
  Vec2 centre_;
  double radius_;
};

inline SignedDistanceOf<Recorded> chosen_by(const Recorded& x, const SignedDistanceOf<Recorded>& positive,
                                            const SignedDistanceOf<Recorded>& otherwise) {
  return {where_positive(x, positive.gap, otherwise.gap), chosen_by(x, positive.foot, otherwise.foot),
          chosen_by(x, positive.normal, otherwise.normal), 0};
}

// A convex polygon; corners on a straight side are allowed.
class ConvexOutline {
 public:
  explicit ConvexOutline(const PolygonShape& shape);

  // Outside the nearest edge or corner, inside the edge of least depth: both exact for a convex polygon.
  SignedDistance distance(const Vec2& point) const;
  // The same without a branch: all edges are looked at, and one is chosen.
  SignedDistanceOf<Recorded> distance(const Vector2Of<Recorded>& point) const;
  // The edge that a convex body with `count` corners is farthest in front of, or least behind: the one that it faces.
  template <class Corner>
  int facing_edge(int count, Corner corner) const {
    int facing = 0;
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      double lowest = std::numeric_limits<double>::infinity();
      for (int i = 0; i < count; ++i) lowest = std::min(lowest, edges_[e].normal.dot(corner(i) - edges_[e].start));
      if (lowest > largest) {
        largest = lowest;
        facing = static_cast<int>(e);
      }
    }
    return facing;
  }
  // The edge that a convex body with these corners faces, without a branch.
  struct RecordedEdge {
    Vector2Of<Recorded> start, normal;
    SignedDistanceOf<Recorded> height(const Vector2Of<Recorded>& point) const {
      const Recorded gap = normal.dot(point - start);
      return {gap, point - gap * normal, normal, 0};
    }
  };
  RecordedEdge facing_edge(std::span<const Vector2Of<Recorded>> corners) const;
  // The height of a point over the line of an edge.
  SignedDistance height(int edge, const Vec2& point) const {
    const Edge& e = edges_[static_cast<std::size_t>(edge)];
    const double gap = e.normal.dot(point - e.start);
    return {gap, point - gap * e.normal, e.normal, 0};
  }
  int corner_count() const { return static_cast<int>(edges_.size()); }
  const Vec2& corner(int i) const { return edges_[static_cast<std::size_t>(i)].start; }

 private:
  struct Edge {
    Vec2 start, end;
    Vec2 along, normal;  // unit; the normal points out
    double length;
  };
  std::vector<Edge> edges_;
};

// The first corner (from 0) where a counter-clockwise polygon is not convex, or -1. A corner that is straight up to the
// rounding of its coordinates counts as straight: decimal numbers rarely give an exact zero.
int reflex_corner(const PolygonShape& shape);

// The half-plane of a line on body b as body a sees it: the gap of a point v of body a is offset + normal_a . v.
template <class S>
struct HalfPlaneSeen {
  Vector2Of<S> normal;    // world
  Vector2Of<S> normal_a;  // in the axes of body a
  S offset;

  HalfPlaneSeen(const Vec2& at, const Vec2& local_normal, const PlacementOf<S>& a, const PlacementOf<S>& b)
      : normal(b.direction(local_normal)),
        normal_a(local_direction(a, normal)),
        offset(normal.x() * (a.x - b.x) + normal.y() * (a.y - b.y) - local_normal.dot(at)) {}
  S gap(const Vec2& v) const { return offset + normal_a.dot(v); }
};

}  // namespace freeplay::geometry
