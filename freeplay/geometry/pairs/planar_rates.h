// First and second order of a contact in the plane: gap rate, sliding velocity, how the contact point travels along
// both outlines, and the bias terms of the second derivatives. Exact with curvatures and gap.
//
// With n from B to A, t = n turned by -90 degrees, which is the direction of travel on A and the opposite of that on B
// (Pfeiffer 1999, eqs 16 to 35, whose normals point inwards: n_1 is our n, t_1 our t), l the lengths travelled and
// Omega the rate at which the common normal turns:
//   omega_A + kappa_A l_A' = omega_B + kappa_B l_B' = Omega           antiparallel normals, (26)
//   gamma_T + l_A' + l_B' = -g Omega                                  x_A - x_B = g n, (27)
// These are two linear equations with the determinant kappa_A + kappa_B + g kappa_A kappa_B of (35). Curvatures are
// written as kappa = c/e with c, e <= 1, so that a corner (1/0) needs no case of its own.
#pragma once

#include "freeplay/math/types.h"

namespace freeplay::geometry {

template <class S>
struct ContactPointOf;
using PlanarContactPoint = ContactPointOf<double>;

// Motion of what carries a shape, as a rigid one: of the place that stands at `origin`.
struct PlanarBodyMotion {
  Vec2 origin = Vec2::Zero(), velocity = Vec2::Zero();
  double omega = 0;
  Vec2 acceleration = Vec2::Zero();
  double alpha = 0;

  // Of the material point at x.
  Vec2 velocity_at(const Vec2& x) const {
    return {velocity.x() - omega * (x.y() - origin.y()), velocity.y() + omega * (x.x() - origin.x())};
  }
  Vec2 acceleration_at(const Vec2& x) const {
    const Vec2 arm = x - origin;
    return acceleration + alpha * Vec2(-arm.y(), arm.x()) - omega * omega * arm;
  }
};

struct PlanarRates {
  double gap_rate = 0;     // gamma_N = g'
  double sliding = 0;      // gamma_T = t . (v_A - v_B) of the material points
  double travel_a = 0;     // l_A', along A in its direction of travel; 0 on a corner
  double travel_b = 0;     // l_B'
  double normal_turn = 0;  // Omega
  double normal_bias = 0;  // gamma_N' with the accelerations of the motions given: w-bar_N of (34) where they vanish
  double tangential_bias = 0;  // gamma_T' likewise: w-bar_T
  // False: the contact point is not determined to first order, since two straight or two concentric pieces face each
  // other. Then the solution of least travel is taken, which is finite and the same for exchanged partners; it is exact
  // for straight pieces that stay parallel.
  bool is_regular = true;
};

// By the curvatures that the contact point has.
PlanarRates planar_rates(const PlanarContactPoint& contact, const PlanarBodyMotion& a, const PlanarBodyMotion& b);

}  // namespace freeplay::geometry
