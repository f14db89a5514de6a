// Points in round play: parts about one centre have no direction until they move, and a step may turn the direction
// that they have. Private to contact/points.
#pragma once

#include <type_traits>

#include "freeplay/contact/play/clearance_gaps.h"
#include "freeplay/geometry/pairs/planar_gap.h"
#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::contact {

inline bool is_undefined(const PlanarContactPoint& at) {
  return at.is_centred;
}
inline bool is_undefined(const SpatialContactPoint& at) {
  return at.normal_is != SpatialContactPoint::Normal::kDefined;
}

// From the surface of A to its centre, along the normal; `point`: of the pair.
inline double to_centre(const PlanarGap& gap, int) {
  return gap.to_centre();
}
inline double to_centre(const SpatialGap& gap, int point) {
  return gap.round(point).to_centre;
}

// The gap closes in the direction in which the centre moves; the normal points against it. Where nothing moves, any
// direction is as good. velocity(): of A against B at the contact point.
template <class Point, class Velocity>
void settle_normal(Point& at, double centre_m, Velocity velocity) {
  constexpr bool kIsPlanar = std::is_same_v<Point, PlanarContactPoint>;
  using Vector = std::conditional_t<kIsPlanar, Vec2, Vec3>;
  const Vector centre = at.point_a + centre_m * at.normal;
  at.point_a = at.point_b = centre;
  Vector away = -velocity();
  if constexpr (!kIsPlanar) {
    if (at.normal_is == SpatialContactPoint::Normal::kAboutTangent) away -= at.tangent.dot(away) * at.tangent;
  }
  if (away.norm() > 0) at.normal = away.normalized();
  if constexpr (kIsPlanar)
    at.tangent = tangent_of(at.normal);
  else if (at.normal_is == SpatialContactPoint::Normal::kAny)
    at.tangent = tangent_to(at.normal);
  at.point_a = centre - centre_m * at.normal;
  at.point_b = at.point_a - at.gap * at.normal;
}

// Whether the centre of part A can be anywhere in a disc of the clearance around that of part B.
inline bool is_round_play(const PlanarGap& gap) {
  return dynamic_cast<const RevolutePlay*>(&gap) != nullptr;
}

// A point with its normal turned from that of `base`: components along the normal and the tangent of the latter.
inline PlanarContactPoint turned_about_centre(const PlanarContactPoint& base, double to_centre_m,
                                              const Vec3& components) {
  const Vec2 centre = base.point_a + to_centre_m * base.normal;
  PlanarContactPoint at = base;
  at.normal = components[0] * base.normal + components[1] * base.tangent;
  at.tangent = tangent_of(at.normal);
  at.point_a = centre - to_centre_m * at.normal;
  at.point_b = at.point_a - at.gap * at.normal;
  return at;
}

// The same in space: components along the normal, n x t and t of `base`.
inline SpatialContactPoint turned_about_centre(const SpatialContactPoint& base, const SpatialGap::Round& round,
                                               const Vec3& components) {
  const Vec3 centre = base.point_a + round.to_centre * base.normal;
  SpatialContactPoint at = base;
  at.normal = components[0] * base.normal + components[1] * base.second_tangent() + components[2] * base.tangent;
  if (round.is_ball) at.tangent = tangent_to(at.normal);
  at.point_a = centre - round.to_centre * at.normal;
  at.point_b = at.point_a - at.gap * at.normal;
  return at;
}

}  // namespace freeplay::contact
