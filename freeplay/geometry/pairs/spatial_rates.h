// First and second order of a contact in space: gap rate, sliding velocity, how the contact points travel over both
// surfaces, how the common normal turns, and the bias terms of the second derivatives. Exact with curvatures and gap;
// the counterpart of planar_rates.h.
//
// With n from B to A, outward normals n_B = n and n_A = -n, and the surfaces as dx = E p, dn = C p for a tangential
// vector p, where C/E is the operator of curvature (C = S, E = 1 on a face; an edge and a tip have zeros in E instead
// of infinite entries in S):
//   omega_A x n_A + C_A p_A = -(omega_B x n_B + C_B p_B)                     antiparallel normals,
//   (v_A - v_B)_T + E_A p_A - E_B p_B = g n'                                 x_A - x_B = g n,
// with n' = omega_B x n_B + C_B p_B: the corrected form of Pfeiffer 1999, eq (50), in tangential vectors instead of
// parameters.
#pragma once

#include "freeplay/math/types.h"

namespace freeplay::geometry {

struct SpatialContactPoint;

// Motion of what carries a shape, as a rigid one: of the place that stands at `origin`.
struct SpatialBodyMotion {
  Vec3 origin = Vec3::Zero(), velocity = Vec3::Zero(), omega = Vec3::Zero();
  Vec3 acceleration = Vec3::Zero(), alpha = Vec3::Zero();

  // Of the material point at x.
  Vec3 velocity_at(const Vec3& x) const { return velocity + omega.cross(x - origin); }
  Vec3 acceleration_at(const Vec3& x) const {
    const Vec3 arm = x - origin;
    return acceleration + alpha.cross(arm) + omega.cross(omega.cross(arm));
  }
};

struct SpatialRates {
  double gap_rate = 0;              // gamma_N = g'
  Vec2 sliding = Vec2::Zero();      // gamma_T = (t, n x t) . (v_A - v_B) of the material points, t that of the contact
  Vec3 velocity = Vec3::Zero();     // v_A - v_B of the material points
  Vec3 travel_a = Vec3::Zero();     // velocity of the contact point over A, relative to A; 0 on a tip
  Vec3 travel_b = Vec3::Zero();     // over B, relative to B
  Vec3 normal_rate = Vec3::Zero();  // n'
  Vec3 velocity_bias = Vec3::Zero();    // (v_A - v_B)' with the accelerations of the motions given
  double normal_bias = 0;               // gamma_N' likewise: w-bar_N of (43), its dots put right, where they vanish
  Vec2 tangential_bias = Vec2::Zero();  // gamma_T' likewise, with tangents that turn with n and not about it
  // False: the contact point is not determined to first order, in one direction or in both. There the solution of least
  // travel is taken, which is finite and the same for exchanged partners; it is exact for faces that stay parallel.
  bool is_regular = true;
};

// By the bends that the contact point has.
SpatialRates spatial_rates(const SpatialContactPoint& contact, const SpatialBodyMotion& a, const SpatialBodyMotion& b);

}  // namespace freeplay::geometry
