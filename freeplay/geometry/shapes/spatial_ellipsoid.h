// An ellipsoid as the gap functions see it, in the manner of spatial_solids.h.
#pragma once

#include "freeplay/geometry/shapes/spatial_solids.h"
#include "freeplay/geometry/surfaces/convex_body.h"

namespace freeplay::geometry::solid {

struct Ellipsoid {
  ConvexBody body;
};

inline Ellipsoid of(const EllipsoidShape& s) {
  return {ConvexBody::ellipsoid(s.at_m, s.semi_axes_m, s.rotation.toRotationMatrix())};
}
inline Ellipsoid placed(const Ellipsoid& s, const Frame& body) {
  return {s.body.seen_from(body.R, body.p)};
}

// How an ellipsoid bends takes about as long as a step of the search for its contact: it is asked for when it is
// needed.
inline void bend_ellipsoid(const Ellipsoid& s, const Frame& body, const Vec3& outward, Bend& bend) {
  bend = turned(s.body.bend(body.R.transpose() * outward), body.R);
}
template <class Solid>
void bend_ellipsoid(const Solid&, const Frame&, const Vec3&, Bend&) {}

}  // namespace freeplay::geometry::solid
