// Bodies by their support function: an ellipsoid or a ball. Part of the implementation of surface_pair.h.
//
// s(n) = sqrt(n^T Q n) + r is how far the body reaches in the direction n from its centre; the boundary point with
// outward normal n is grad s, and the second derivatives of s in the tangent plane are the radii of curvature.
#pragma once

#include "freeplay/geometry/surfaces/patches/surface_patch.h"

namespace freeplay::geometry {

struct ConvexBody {
  Vec3 centre = Vec3::Zero();
  Mat3 Q = Mat3::Zero();      // R diag(a^2, b^2, c^2) R^T
  double radius_m = 0;        // of a ball, for which Q = 0
  double least_radius_m = 0;  // of curvature, anywhere: a_min^2 / a_max
  bool is_ball = true;

  static ConvexBody ball(const Vec3& centre, double radius_m);
  static ConvexBody ellipsoid(const Vec3& centre, const Vec3& semi_axes_m, const Mat3& rotation);

  struct Support {
    double reach_m = 0;
    Vec3 x = Vec3::Zero();  // from the centre
    Mat2 radii = Mat2::Zero();
  };
  // e1, e2: orthonormal and perpendicular to n.
  Support support(const Vec3& n, const Vec3& e1, const Vec3& e2) const;
  double reach_m(const Vec3& n) const;
  Vec3 point(const Vec3& n) const;  // of the boundary, with outward normal n
  Bend bend(const Vec3& n) const;
  ConvexBody seen_from(const Mat3& R, const Vec3& origin) const;  // in axes where x is at R x + origin
};

// The common normal of two convex bodies: the n that maximises h(n) = n . (c_A - c_B) - s_A(n) - s_B(n), which is the
// gap at the maximum. Newton's method on the sphere with a line search; `start` is any direction, zero for none.
//
// Why it finds the gap. h is concave and of degree 1, so on the sphere it has one maximum with h > 0 at most, and from
// the line of centres ascent leads to it. If h < 0, let d = -h: both bodies made smaller by parallel surfaces, together
// by d, are convex as long as d is not above the sum of their least radii of curvature. They touch at the same n, so
// that n is the only one. Deeper overlaps may have several maxima: then many starts are tried and the least depth is
// taken. Returns the gap.
double convex_gap(const ConvexBody& a, const ConvexBody& b, const Vec3& start, Vec3& n);

}  // namespace freeplay::geometry
