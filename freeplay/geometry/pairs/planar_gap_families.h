// The exact gap functions of simple shapes, one overload per pair in its own order; planar_gap.cpp adds the other
// order. A point is a circle of radius 0. Part of the implementation of planar_gap.h.
#pragma once

#include "freeplay/geometry/pairs/planar_gap.h"

namespace freeplay::geometry {

using PlanarGapPtr = std::unique_ptr<const PlanarGap>;

// planar_gap_circle.cpp: one contact point each.
PlanarGapPtr make_gap(const CircleShape& a, const LineShape& b);
PlanarGapPtr make_gap(const CircleShape& a, const CircleShape& b);
PlanarGapPtr make_gap(const CircleShape& a, const PolygonShape& b);  // b convex
PlanarGapPtr make_gap(const CircleShape& a, const SplineShape& b);   // b closed and convex
PlanarGapPtr make_gap(const CircleShape& a, const CamShape& b);

// planar_gap_cam.cpp: one contact point each.
PlanarGapPtr make_cam_lift_gap(const CircleShape& a, const CamShape& b);  // b with a lift law
PlanarGapPtr make_gap(const SplineShape& a, const LineShape& b);          // a closed and convex
PlanarGapPtr make_gap(const CamShape& a, const LineShape& b);             // a convex

// planar_gap_polygon.cpp: one contact point per corner.
PlanarGapPtr make_gap(const PolygonShape& a, const LineShape& b);
PlanarGapPtr make_gap(const PolygonShape& a, const PolygonShape& b);  // both convex; corners of a first, then of b

}  // namespace freeplay::geometry
