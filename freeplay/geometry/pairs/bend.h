// How a surface bends at a point: what the second order of a contact needs of it beside the normal.
#pragma once

#include <limits>
#include <utility>

#include "freeplay/math/types.h"

namespace freeplay::geometry {

// Principal curvatures, positive where the surface is convex, and the direction of the first one. Infinite across an
// edge, and in all directions at a tip.
struct Bend {
  double curvature_1 = 0, curvature_2 = 0;  // the first one is the smaller
  Vec3 direction_1 = Vec3::UnitX();         // unit, tangential; any vector where the curvatures are the same

  // Where the curvatures are the same the direction stays as it is.
  void assign(const Bend& other) {
    curvature_1 = other.curvature_1;
    curvature_2 = other.curvature_2;
    if (curvature_1 != curvature_2) direction_1 = other.direction_1;
  }

  static Bend flat() { return {}; }
  static Bend tip() { return {kSharp, kSharp, Vec3::UnitX()}; }
  static Bend edge(const Vec3& along) { return {0, kSharp, along}; }
  // Radius 0: a tip.
  static Bend ball(double radius_m) {
    const double curvature = curvature_of(radius_m);
    return {curvature, curvature, Vec3::UnitX()};
  }
  static Bend cylinder(double radius_m, const Vec3& axis) { return {0, curvature_of(radius_m), axis}; }
  // An edge along a circle; `outward`: the share of the outward normal that points away from the circle's centre.
  static Bend rim(double radius_m, double outward, const Vec3& along) { return {outward / radius_m, kSharp, along}; }

  static double curvature_of(double radius_m) { return radius_m > 0 ? 1 / radius_m : kSharp; }
  static constexpr double kSharp = std::numeric_limits<double>::infinity();
};

// Most bends have no direction.
inline void swap(Bend& one, Bend& other) {
  std::swap(one.curvature_1, other.curvature_1);
  std::swap(one.curvature_2, other.curvature_2);
  if (one.curvature_1 != one.curvature_2 || other.curvature_1 != other.curvature_2)
    one.direction_1.swap(other.direction_1);
}

inline Bend turned(const Bend& bend, const Mat3& R) {
  return {bend.curvature_1, bend.curvature_2, R * bend.direction_1};
}

}  // namespace freeplay::geometry
