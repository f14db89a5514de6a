// Signed distances of points to single outlines: what the gap functions of pairs are made of. Constant data is computed
// once, when an outline is made. Part of the implementation of planar_gap.h.
//
// All of it works with differences between the two bodies before anything is rotated, so that a gap is as accurate far
// from the origin as near to it. Nothing here has a tolerance: a feature is chosen by an exact comparison, and where
// two features meet both give the same gap up to rounding.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "freeplay/geometry/pairs/planar_gap.h"

namespace freeplay::geometry {

inline double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

inline Vec2 in_plane(const Vec3& v) {
  return v.head<2>();
}

// A world direction in the axes of a body.
inline Vec2 local_direction(const PlanarPlacement& body, const Vec2& v) {
  return {body.cos * v.x() + body.sin * v.y(), body.cos * v.y() - body.sin * v.x()};
}

// A point of body a, given by its world direction from a's origin, in the axes and from the origin of body b.
inline Vec2 seen_from(const PlanarPlacement& b, const PlanarPlacement& a, const Vec2& arm) {
  return local_direction(b, Vec2(a.x - b.x + arm.x(), a.y - b.y + arm.y()));
}

inline void set_contact(PlanarContactPoint& contact, double gap, const Vec2& point_a, const Vec2& point_b,
                        const Vec2& normal) {
  contact.gap = gap;
  contact.point_a = point_a;
  contact.point_b = point_b;
  contact.normal = normal;
  contact.tangent = tangent_of(normal);
}

// The signed distance of a point to an outline, in the axes of the outline's body.
struct SignedDistance {
  double gap = 0;
  Vec2 foot = Vec2::Zero();     // nearest point of the outline
  Vec2 normal = Vec2::UnitX();  // unit, outward: how the point has to move for the gap to grow fastest
};

// A full circle with its matter inside.
class CircleOutline {
 public:
  explicit CircleOutline(const CircleShape& shape) : centre_(in_plane(shape.at_m)), radius_(shape.radius_m) {}

  SignedDistance distance(const Vec2& point) const {
    const Vec2 e = point - centre_;
    const double length = e.norm();
    // At the centre every direction is nearest; the body's x axis is a placeholder.
    const Vec2 n = length > 0 ? Vec2(e / length) : Vec2(Vec2::UnitX());
    return {length - radius_, centre_ + radius_ * n, n};
  }

 private:
  Vec2 centre_;
  double radius_;
};

// Part of a circle. Its matter lies behind it in the sector of its angles: towards the centre, or away from it if the
// arc is hollow. Beyond that sector only its two ends can be touched, sharp corners that no point can penetrate. A
// point that leaves the sector at depth D < 0 therefore goes from D to -D at once: an open arc has no other side. A
// circle of radius r sees that jump only where its centre is behind the arc, deeper than r.
class ArcOutline {
 public:
  explicit ArcOutline(const ArcShape& shape);

  SignedDistance distance(const Vec2& point) const;
  // Whether a direction from the centre lies between the ends, they included.
  bool in_range(const Vec2& e) const {
    // Two products instead of an angle: exact to rounding at both ends, where a cosine would lose half of the digits.
    if (wide_) return !(cross(to_, e) > 0 && cross(e, from_) > 0);
    return cross(from_, e) >= 0 && cross(e, to_) >= 0;
  }
  const Vec2& centre() const { return centre_; }
  double radius() const { return radius_; }
  bool hollow() const { return hollow_; }
  // Offsets of the two ends from the centre.
  Vec2 from_end() const { return radius_ * from_; }
  Vec2 to_end() const { return radius_ * to_; }

 private:
  Vec2 centre_;
  double radius_;
  bool hollow_;
  bool wide_;                // more than half a turn
  Vec2 from_, to_, middle_;  // unit directions from the centre
};

// A convex polygon; corners on a straight side are allowed.
class ConvexOutline {
 public:
  explicit ConvexOutline(const PolygonShape& shape);

  // Outside the nearest edge or corner, inside the edge of least depth: both exact for a convex polygon.
  SignedDistance distance(const Vec2& point) const;
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
  // The height of a point over the line of an edge.
  SignedDistance height(int edge, const Vec2& point) const {
    const Edge& e = edges_[static_cast<std::size_t>(edge)];
    const double gap = e.normal.dot(point - e.start);
    return {gap, point - gap * e.normal, e.normal};
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
struct HalfPlaneSeen {
  Vec2 normal;    // world
  Vec2 normal_a;  // in the axes of body a
  double offset;

  HalfPlaneSeen(const Vec2& at, const Vec2& local_normal, const PlanarPlacement& a, const PlanarPlacement& b)
      : normal(b.direction(local_normal)),
        normal_a(local_direction(a, normal)),
        offset(normal.x() * (a.x - b.x) + normal.y() * (a.y - b.y) - local_normal.dot(at)) {}
  double gap(const Vec2& v) const { return offset + normal_a.dot(v); }
};

}  // namespace freeplay::geometry
