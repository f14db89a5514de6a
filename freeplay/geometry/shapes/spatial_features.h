// Features of two convex solids that may touch, compared by how well they separate the solids. Part of the
// implementation of spatial_gap.h.
#pragma once

#include "freeplay/geometry/pairs/spatial_distance.h"

namespace freeplay::geometry::solid {

// How far a solid reaches from its centre into a direction of unit length.
inline double reach(const Box& box, const Vec3& n) {
  return box.half.dot((box.axes.transpose() * n).cwiseAbs());
}
inline double reach(const Cylinder& cylinder, const Vec3& n) {
  return cylinder.half_length * std::abs(cylinder.axis.dot(n)) + cylinder.radius * cylinder.axis.cross(n).norm();
}

// The least of all directions.
inline double least_reach(const Box& box) {
  return box.half.minCoeff();
}
inline double least_reach(const Cylinder& cylinder) {
  return std::min(cylinder.half_length, cylinder.radius);
}

// How far A is in front of B along a direction from B to A.
template <class A, class B>
double separation_along(const A& a, const B& b, const Vec3& n) {
  return n.dot(a.centre - b.centre) - reach(a, n) - reach(b, n);
}

// Negative gaps through faces that are not the way in are left out: a corner that has just entered beside an edge is
// near one face and far below the other. `best_gap` is the largest separation along any direction, `best` that
// direction. A normal is a way in if the solids overlap along it by no more than twice what they have to, or if it is
// within 60 degrees of the best: then the features that touch belong to its face, too.
//
// No gap can be deeper than twice the best, and none negative of solids that are apart: points of A and of B that have
// passed each other by the depth -g along n overlap along the best direction by -g n . best, and n . best is 1/2 at
// least. Edges that pass each other beside the solids, and not in them, are found out by that.
template <class A, class B>
void drop_wrong_ways(const A& a, const B& b, double best_gap, const Vec3& best, double rounding,
                     std::span<SpatialContactPoint> points) {
  const double deepest = 2 * std::min(best_gap, 0.0) - rounding;
  for (SpatialContactPoint& contact : points) {
    if (!(contact.gap < 0)) continue;
    const bool is_beside =
        contact.normal.dot(best) < 0.5 && separation_along(a, b, contact.normal) < 2 * best_gap - rounding;
    if (is_beside || contact.gap < deepest) set_unused(contact);
  }
}

// No points of solids that are proved to be apart by `distance` are nearer to each other: lines that are told so pass
// beside the solids.
inline void drop_too_near(double distance, double rounding, std::span<SpatialContactPoint> points) {
  if (!(distance > 0)) return;
  for (SpatialContactPoint& contact : points) {
    if (contact.gap < distance - rounding) set_unused(contact);
  }
}

// Of points at one place, with one normal, the first is left, unless another is clearly deeper (rounding must not
// decide which, since memory hangs on the place in the list): where corners lie on corners each of the two bodies has
// one there, and a second point would carry a share of the load of the first and change nothing else. `near` and the
// angle of the normals are far below what a step resolves.
inline void drop_repeated(double near, std::span<SpatialContactPoint> points) {
  constexpr double kSameNormal = 1e-3;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t k = 0; k < i && points[i].gap < kNoGap; ++k) {
      if (points[k].gap == kNoGap || (points[i].point_a - points[k].point_a).squaredNorm() > near * near ||
          (points[i].normal - points[k].normal).squaredNorm() > kSameNormal * kSameNormal)
        continue;
      set_unused(points[i].gap < points[k].gap - near ? points[k] : points[i]);
    }
  }
}

// Two points and a direction from B to A. If nothing of A lies lower along it than the one point and nothing of B
// higher than the other, the solids are apart by at least the gap, or overlap by no more than it along that direction.
// Apart, the nearest points are such a pair, and the gap of every other is smaller. In an overlap the pair with the
// largest gap needs the shortest way out. So one rule finds what matters on either side of touching: the largest gap of
// all pairs that support the solids.
template <class A, class B>
class SeparatingFeatures {
 public:
  SeparatingFeatures(const A& a, const B& b, double rounding) : a_(a), b_(b), rounding_(rounding) {}

  // bends(n): how the surfaces bend there.
  template <class BendsOf>
  void look_at(const Vec3& on_a, const Vec3& on_b, const Vec3& n, BendsOf bends) {
    const double separation = separation_along(a_, b_, n);
    if (!(separation > best_.gap)) return;
    const double gap = n.dot(on_a - on_b);
    if (separation >= gap - rounding_) set_contact(best_, gap, on_a, on_a - gap * n, n, bends(n));
  }
  // Two lines that pass each other, `across` perpendicular to both and `outward` from B: their common normal is exact
  // where they touch, the difference of the points where they are nearly parallel; which of the points is in front is
  // then not known.
  template <class BendsOf>
  void look_at_lines(const Vec3& on_a, const Vec3& on_b, const Vec3& across, double sine, const Vec3& outward,
                     BendsOf bends) {
    const Vec3 e = on_a - on_b;
    const double length = e.norm();
    if (sine > length)
      look_at(on_a, on_b, (std::copysign(1.0, across.dot(outward)) / across.norm()) * across, bends);
    else if (length > 0)
      for (const double sign : {1.0, -1.0}) look_at(on_a, on_b, (sign / length) * e, bends);
  }
  // Whether a feature can beat the best so far if the normals it has lie between two directions at a right angle, and
  // the centre of the other solid lies by u and v beyond the feature along these. Along a normal between them it is no
  // farther than hypot(u, v), less what that solid reaches.
  bool may_gain(double u, double v, double least_reach) const {
    return std::hypot(std::max(u, 0.0), std::max(v, 0.0)) - least_reach > best_.gap;
  }
  // The gap is minus infinity if there was no pair.
  const SpatialContactPoint& best() const { return best_; }

 private:
  const A& a_;
  const B& b_;
  double rounding_;
  SpatialContactPoint best_{.gap = -kNoGap};
};

}  // namespace freeplay::geometry::solid
