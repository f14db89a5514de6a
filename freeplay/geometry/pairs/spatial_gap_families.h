// The gap functions that exist, one overload per pair in its own order; spatial_gap.cpp adds the other order. The
// solids are in common axes; `points` has the number of entries that kPointCount says, and every one of them is set.
// Part of the implementation of spatial_gap.h.
#pragma once

#include <span>

#include "freeplay/geometry/shapes/spatial_ellipsoid.h"
#include "freeplay/geometry/shapes/spatial_solids.h"

namespace freeplay::geometry::solid {

using Contacts = std::span<SpatialContactPoint>;

template <class A, class B>
inline constexpr int kPointCount = 0;

// ---- spatial_gap_sphere.cpp ----
// The nearest point.
template <class B>
inline constexpr int kPointCount<Ball, B> = 1;
void find_contacts(const Ball& a, const HalfSpace& b, Contacts points);
void find_contacts(const Ball& a, const Ball& b, Contacts points);
void find_contacts(const Ball& a, const Box& b, Contacts points);
void find_contacts(const Ball& a, const Cylinder& b, Contacts points);
void find_contacts(const Ball& a, const Capsule& b, Contacts points);

// ---- spatial_gap_ellipsoid.cpp ----
// The only point: both are convex. Of a deep overlap the one that is the least deep.
template <class B>
inline constexpr int kPointCount<Ellipsoid, B> = 1;
void find_contacts(const Ball& a, const Ellipsoid& b, Contacts points);
void find_contacts(const Ellipsoid& a, const HalfSpace& b, Contacts points);
void find_contacts(const Ellipsoid& a, const Ellipsoid& b, Contacts points);

// ---- spatial_gap_plane.cpp ----
// One per corner, the box's x fastest, z slowest, from the negative to the positive.
template <>
inline constexpr int kPointCount<Box, HalfSpace> = 8;
void find_contacts(const Box& a, const HalfSpace& b, Contacts points);
// The two ends: against the axis, along it.
template <>
inline constexpr int kPointCount<Capsule, HalfSpace> = 2;
void find_contacts(const Capsule& a, const HalfSpace& b, Contacts points);
// For each end (against the axis, along it) its lowest point and then three points of its rim that are fixed in the
// body, a third of a turn apart. The fixed ones are unused while the axis is more than 30 degrees from the normal.
template <>
inline constexpr int kPointCount<Cylinder, HalfSpace> = 8;
void find_contacts(const Cylinder& a, const HalfSpace& b, Contacts points);

// ---- spatial_gap_capsule.cpp ----
// The two ends of A against B, the two ends of B against A, and where the axes pass each other between their ends.
template <>
inline constexpr int kPointCount<Capsule, Capsule> = 5;
void find_contacts(const Capsule& a, const Capsule& b, Contacts points);

// The two ends of A against B, where the axes pass each other, and for each end of B (against its axis, along it) where
// the axis of A comes over the end and where it leaves it.
template <>
inline constexpr int kPointCount<Capsule, Cylinder> = 7;
void find_contacts(const Capsule& a, const Cylinder& b, Contacts points);

// ---- spatial_gap_capsule_box.cpp ----
// The two ends of A against B, the eight corners of B (x fastest) against the axis of A where it passes beside them,
// where that axis comes over the face of B that it faces and where it leaves it, and the nearest edge if it is none of
// these.
template <>
inline constexpr int kPointCount<Capsule, Box> = 13;
void find_contacts(const Capsule& a, const Box& b, Contacts points);

// ---- spatial_gap_box.cpp ----
// Of the two faces that face each other: four corners of A's over B's, four corners of B's over A's, per edge of A's
// where it comes over B's face and where it leaves it; at last the nearest features if they are none of these.
template <>
inline constexpr int kPointCount<Box, Box> = 17;
void find_contacts(const Box& a, const Box& b, Contacts points);

// ---- spatial_gap_cylinder_box.cpp ----
// For each end of A (against the axis, along it) its lowest point and its three fixed points over the face of B that A
// faces; the eight corners of B (x fastest) against A; where A's lowest line comes over that face and where it leaves
// it; per edge of the face where it comes under the end that stands on it and where it leaves it, or if A lies where
// the rims of its two ends pass it; at last the nearest features if they are none of these.
template <>
inline constexpr int kPointCount<Cylinder, Box> = 27;
void find_contacts(const Cylinder& a, const Box& b, Contacts points);

// ---- spatial_gap_cylinder.cpp ----
// The lowest point and the three fixed points of A's end over the end of B that looks towards A, the same of B over A;
// where the sides cross; for each end of A (against the axis, along it) its rim on B's side, the same of B on A's side;
// where the rims of the ends that look towards each other cross, two of them; at last the nearest features if they are
// none of these.
template <>
inline constexpr int kPointCount<Cylinder, Cylinder> = 16;
void find_contacts(const Cylinder& a, const Cylinder& b, Contacts points);

}  // namespace freeplay::geometry::solid
