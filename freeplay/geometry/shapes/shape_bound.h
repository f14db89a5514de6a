// Bounds of shapes: from the bounds of two shapes follows a number that none of the gaps of the pair is below, for a
// few operations instead of an evaluation of the gap function. They decide which pairs are looked at, never what the
// gap of a pair is. A bound holds for the gap *function* of a shape, not only for its set of points: where a gap is not
// a distance (the lift of a cam), or matter does not end (half-spaces, bores), the bound says what is true of the gap.
#pragma once

#include <cstdint>

#include "freeplay/geometry/pairs/planar_gap.h"
#include "freeplay/geometry/shapes/shape_spec.h"
#include "freeplay/math/frame.h"

namespace freeplay::geometry {

// In body axes; of planar shapes z = 0. What the gap of a point p to the shape is at least, where that is positive:
//   kBall        |p - centre| - radius: the shape and its matter lie in the ball
//   kHalfSpace   normal . (p - at)
//   kBore        the larger of radius - |p - centre| and normal . (p - at); normal = 0: the first
//   kEverywhere  nothing is known
struct Bound {
  enum class Kind : std::uint8_t { kBall, kHalfSpace, kBore, kEverywhere } kind = Kind::kEverywhere;
  BoundingSphere ball{};
  Vec3 at_m = Vec3::Zero(), normal = Vec3::Zero();
  double rounding_m = 0;  // what rounding may have moved a placed bound and the points of the gap function by
};

// The smallest ball around a bounded shape; of a closed spline around its control points. Lines and planes are
// half-spaces, hollow arcs bores. Nothing is known of a cam that is given by an expression, whose largest value could
// only be sampled; of a spline that is not closed; and of one that is not seen to wind once counter-clockwise around
// the centre of its ball, so that it may be a hole or have loops that are turned inside out.
Bound bound_of(const ShapeGeometry& geometry);
// Of the shape at every angle that it may have turned by about a point of its body (ShapeTurn).
Bound turned_about(const Bound& bound, const Vec3& about_m);
// Of the shape as it sits on its body, with its turn if it has one.
Bound bound_of(const ShapeSpec& shape);

// The bound in world axes.
Bound placed(const Bound& bound, const PlanarPlacement& body);
Bound placed(const Bound& bound, const Frame& body);

// Of two placed bounds. Positive: every gap of the pair is at least that. Otherwise minus infinity: the pair may touch
// or overlap, and only its gap function can tell.
double gap_bound(const Bound& a, const Bound& b);

}  // namespace freeplay::geometry
