// All local minima of the distance of two surfaces: every place where they touch, or could touch next.
//
// At a minimum the outward normals oppose each other and the line between the points is along them (Pfeiffer 1999, eq
// 40): four equations for two parameters on each surface. Where one side is a plane or a ball they become two, and two
// bodies with support functions (ellipsoids and balls) have an iteration of their own with a proof (convex_body.h).
//
// A gap is signed: a minimum that is penetrated goes on smoothly below zero, with the same key, down to the sum of the
// inner radii of the two bodies there (docs/theory/surfaces.md).
#pragma once

#include <cstdint>
#include <span>

#include "freeplay/geometry/pairs/spatial_gap.h"
#include "freeplay/geometry/surfaces/spatial_surface.h"

namespace freeplay::geometry {

// Stable while a contact slides over a smooth stretch of each surface.
struct SurfaceKey {
  std::int32_t feature_a = 0, feature_b = 0;
  std::int32_t which = 0;  // of several contacts between the same two stretches
  friend bool operator==(const SurfaceKey&, const SurfaceKey&) = default;
};

// On a plane, and for two convex bodies, only the point is set.
struct PatchPlace {
  std::int32_t patch = -1;
  double u = 0, v = 0;
  Vec3 x = Vec3::Zero();  // body axes
};

struct SurfaceContact {
  double gap = 0;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  // world; material points of the two bodies
  Vec3 normal = Vec3::UnitZ();                          // unit, from B to A
  Bend bend_a, bend_b;                                  // world; positive where convex, infinite across edges
  SurfaceKey key;
  PatchPlace place_a, place_b;
  bool is_centred = false;  // balls about one centre: the normal is a placeholder

  Vec3 tangent() const { return tangent_to(normal); }
};

// Frozen and without workspace; the surfaces must outlive it. Allocates nothing.
class SurfacePair {
 public:
  SurfacePair(const SpatialSurface& a, const SpatialSurface& b) : a_(&a), b_(&b) {}

  // Every local minimum with gap <= reach_m. Writes the first out.size() of them and returns how many there are (if
  // they do not fit, those at joints of patches may be counted twice); their order depends on the surfaces alone.
  // Numbers of equal features (`which`) are given in that order. Where contacts fill a line, such as the circle around
  // a ball on the axis of a torus, it is represented by some of its points; an area by its rim.
  int find(const Frame& a, const Frame& b, double reach_m, std::span<SurfaceContact> out) const;

  // The same minimum after a small motion: Newton's method from `start`; where it leaves the patches, the nearest
  // minimum between the same features. False if there is none.
  bool refine(const Frame& a, const Frame& b, const SurfaceContact& start, SurfaceContact& contact) const;

 private:
  const SpatialSurface* a_;
  const SpatialSurface* b_;
};

// Gives the contacts of `now` the numbers (`which`) of those of `before` that they come from: of the same features, the
// nearest on both bodies first. New contacts get the smallest free number.
void keep_numbers(std::span<const SurfaceContact> before, std::span<SurfaceContact> now);

}  // namespace freeplay::geometry
