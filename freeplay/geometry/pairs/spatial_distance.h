// Signed distances of points to single solids, and where two straight segments pass each other: what the gap functions
// of spatial pairs are made of. Part of the implementation of spatial_gap.h.
//
// Nothing here has a tolerance: a feature is chosen by an exact comparison, and where two features meet both give the
// same distance up to rounding.
#pragma once

#include <algorithm>
#include <cmath>

#include "freeplay/geometry/shapes/spatial_solids.h"

namespace freeplay::geometry::solid {

struct SignedDistance {
  double gap = 0;
  Vec3 foot = Vec3::Zero();      // nearest point of the surface
  Vec3 normal = Vec3::UnitZ();   // unit, outward
  Vec3 tangent = Vec3::UnitX();  // unit, perpendicular to the normal; the axis where the normal is any about it
  Bend bend;                     // of the surface at the foot
  SpatialContactPoint::Normal normal_is = SpatialContactPoint::Normal::kDefined;
};

SignedDistance distance(const Ball& ball, const Vec3& point);
SignedDistance distance(const HalfSpace& space, const Vec3& point);
// Outside the nearest point, inside the nearest face.
SignedDistance distance(const Box& box, const Vec3& point);
// Outside the side, an end or a rim; inside the nearer of the side and the nearer end.
SignedDistance distance(const Cylinder& cylinder, const Vec3& point);
SignedDistance distance(const Capsule& capsule, const Vec3& point);

// A point in the axes of a cylinder.
struct RadialPlace {
  double height, radius;
  Vec3 out;  // unit, exactly across the axis also where the radius is only rounding; the mark on the axis itself
};

RadialPlace seen_from(const Cylinder& cylinder, const Vec3& point);

// A ball as A against anything as B.
inline void set_ball_contact(SpatialContactPoint& contact, const Vec3& centre, double radius, const SignedDistance& s) {
  contact.gap = s.gap - radius;
  contact.point_a = centre - radius * s.normal;
  contact.point_b = s.foot;
  contact.normal = s.normal;
  contact.tangent = s.tangent;
  contact.bend_a.assign(Bend::ball(radius));
  contact.bend_b.assign(s.bend);
  contact.normal_is = s.normal_is;
}

// Features that pass each other with a negative gap overlap only if each point is in the other solid, up to what the
// normal leans; otherwise one is far behind the other, beyond the other side of the solid.
template <class A, class B>
bool overlap_there(const Vec3& on_a, const Vec3& on_b, double gap, const A& a, const B& b, double rounding) {
  const double slack = 0.2 * std::abs(gap) + rounding;
  return distance(b, on_a).gap <= slack && distance(a, on_b).gap <= slack;
}

// A straight segment: its middle, its direction and half its length.
struct Segment {
  Vec3 middle, along;
  double half;

  Vec3 at(double s) const { return middle + s * along; }
  // Parameter of the point nearest to p.
  double nearest(const Vec3& p) const { return std::min(half, std::max(-half, along.dot(p - middle))); }
};

inline Segment axis_of(const Rod& rod) {
  return {rod.centre, rod.axis, rod.half_length};
}

// Where two lines pass each other, if they do so between the ends of both segments.
struct Crossing {
  bool exists = false;
  double sine = 0;           // of the angle between the lines
  Vec3 on_a = Vec3::Zero();  // nearest points
  Vec3 on_b = Vec3::Zero();
  Vec3 across = Vec3::UnitZ();  // unit, perpendicular to both lines; of either sign
};

Crossing crossing(const Segment& a, const Segment& b);

}  // namespace freeplay::geometry::solid
