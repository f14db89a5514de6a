// First and second order of a contact that was found on surfaces (pairs/spatial_rates.h), with tangents that depend on
// the normal alone, t_1 = tangent_to(n): these turn about it, too.
#pragma once

#include "freeplay/geometry/pairs/spatial_rates.h"
#include "freeplay/geometry/surfaces/surface_pair.h"

namespace freeplay::geometry {

struct SurfaceRates : SpatialRates {                                     // tangential_bias: with t_1 and n x t_1
  Vec3 tangent_rate = Vec3::Zero(), second_tangent_rate = Vec3::Zero();  // of t_1 = tangent_to(n) and of n x t_1
};

// The second derivative of the gap is n . (a_A - a_B) + normal_bias, with a the accelerations that those of the bodies
// give the two points (a_O + alpha x r); tangentially likewise.
SurfaceRates surface_rates(const SurfaceContact& contact, const SpatialBodyMotion& a, const SpatialBodyMotion& b);

// The rate of tangent_to(n) for a rate of n.
Vec3 tangent_to_rate(const Vec3& n, const Vec3& r);

}  // namespace freeplay::geometry
