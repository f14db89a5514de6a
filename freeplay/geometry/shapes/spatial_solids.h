// The spatial shapes as the gap functions see them: in the axes of their body when a pair is made, in world axes with
// the origin at body B when it is evaluated. Differences between the bodies are taken first, so that a gap is as
// accurate far from the world's origin as near to it. Part of the implementation of spatial_gap.h.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::geometry::solid {

struct Ball {
  Vec3 centre;
  double radius;
};

struct HalfSpace {
  Vec3 at, normal;  // matter lies on the side that the normal points away from
};

struct Box {
  Vec3 centre;
  Mat3 axes;  // columns: directions of the edges
  Vec3 half;  // half the lengths of the edges
};

// What cylinders and capsules share.
struct Rod {
  Vec3 centre, axis;
  double half_length, radius;

  Vec3 end(int i) const { return centre + (i == 0 ? -half_length : half_length) * axis; }
};

struct Cylinder : Rod {
  Vec3 mark;  // unit, perpendicular to the axis: turns with the body, where the fixed points of the rims are counted
};

struct Capsule : Rod {};

// ---- in the axes of the body ----

inline Ball of(const SphereShape& s) {
  return {s.at_m, s.radius_m};
}
inline HalfSpace of(const PlaneShape& s) {
  return {s.at_m, s.normal};
}
inline Box of(const BoxShape& s) {
  return {s.at_m, s.rotation.toRotationMatrix(), s.size_m / 2};
}
inline Cylinder of(const CylinderShape& s) {
  return {{s.at_m, s.axis, s.length_m / 2, s.radius_m}, tangent_to(s.axis)};
}
inline Capsule of(const CapsuleShape& s) {
  return {{s.at_m, s.axis, s.length_m / 2, s.radius_m}};
}

// ---- where the body is ----

inline Ball placed(const Ball& s, const Frame& body) {
  return {body.point(s.centre), s.radius};
}
inline HalfSpace placed(const HalfSpace& s, const Frame& body) {
  return {body.point(s.at), body.R * s.normal};
}
inline Box placed(const Box& s, const Frame& body) {
  return {body.point(s.centre), body.R * s.axes, s.half};
}
inline Rod placed_rod(const Rod& s, const Frame& body) {
  return {body.point(s.centre), body.R * s.axis, s.half_length, s.radius};
}
inline Cylinder placed(const Cylinder& s, const Frame& body) {
  return {placed_rod(s, body), body.R * s.mark};
}
inline Capsule placed(const Capsule& s, const Frame& body) {
  return {placed_rod(s, body)};
}

// ---- contact points ----

constexpr double kNoGap = std::numeric_limits<double>::infinity();

// How the two surfaces bend at a contact.
struct Bends {
  Bend a, b;
};

inline Bend side_of(const Rod& rod) {
  return Bend::cylinder(rod.radius, rod.axis);
}

// Field by field: put together first and copied then, a point would be written twice.
inline void set_contact(SpatialContactPoint& contact, double gap, const Vec3& point_a, const Vec3& point_b,
                        const Vec3& normal, const Bends& bends) {
  contact.gap = gap;
  contact.point_a = point_a;
  contact.point_b = point_b;
  contact.normal = normal;
  contact.tangent = tangent_to(normal);
  contact.bend_a.assign(bends.a);
  contact.bend_b.assign(bends.b);
  contact.normal_is = SpatialContactPoint::Normal::kDefined;
}

// A contact point that the pair does not need where it is.
inline void set_unused(SpatialContactPoint& contact) {
  contact.gap = kNoGap;
  contact.point_a = contact.point_b = Vec3::Zero();
  contact.normal = Vec3::UnitZ();
  contact.tangent = Vec3::UnitX();
  contact.bend_a.assign(Bend::flat());
  contact.bend_b.assign(Bend::flat());
  contact.normal_is = SpatialContactPoint::Normal::kDefined;
}

// What rounding may amount to in positions of solids of this size.
inline double rounding_of(double size) {
  return 64 * std::numeric_limits<double>::epsilon() * size;
}

inline bool has_gap_up_to(std::span<const SpatialContactPoint> points, double gap) {
  return std::any_of(points.begin(), points.end(), [&](const SpatialContactPoint& c) { return c.gap <= gap; });
}

// The same contact as the other body sees it.
inline void swap_sides(SpatialContactPoint& contact) {
  contact.point_a.swap(contact.point_b);
  contact.normal = -contact.normal;
  contact.tangent = -contact.tangent;
  swap(contact.bend_a, contact.bend_b);
}

}  // namespace freeplay::geometry::solid
