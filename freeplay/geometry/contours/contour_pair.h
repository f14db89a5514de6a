// All local minima of the distance of two contours: every place where they touch, or could touch next.
//
// At a minimum the outward normals oppose each other. With theta the angle of the normal of A, the height
//   h(theta) = n . (x_A(theta) - x_B(theta + pi)),   n = n_B = -n_A,
// satisfies h'' + h = -(rho_A + rho_B) with the signed radii of curvature, and stationary values of h are the gaps. So
// a pair of elements is a problem in one variable, and the differential equation bounds h and h' between any two
// places: roots are isolated by proof, not by sampling (element_meeting.h, docs/theory/contours.md).
//
// A gap is signed: a minimum that is penetrated goes on smoothly below zero, with the same key, down to the sum of the
// inner radii of the two bodies there. A minimum ends where 1/rho_A + 1/rho_B + g/(rho_A rho_B) = 0: there it meets a
// maximum, and the distance falls on towards another minimum, which is found beside it.
#pragma once

#include <cstdint>
#include <span>

#include "freeplay/geometry/contours/planar_contour.h"
#include "freeplay/geometry/pairs/planar_gap.h"

namespace freeplay::geometry {

// Stable while a contact slides along a smooth stretch of each contour.
struct FeatureKey {
  std::int32_t feature_a = 0, feature_b = 0;
  std::int32_t which = 0;  // of several contacts between the same two stretches
  friend bool operator==(const FeatureKey&, const FeatureKey&) = default;
};

struct ContourPlace {
  std::int32_t element = 0;
  double parameter = 0;    // curve: s; edge: m from its start; round: angle of the normal in body axes
  double travelled_m = 0;  // along the contour, from its first element; on a curve by linear interpolation in s
};

struct ContourContact {
  double gap = 0;
  Vec2 point_a = Vec2::Zero(), point_b = Vec2::Zero();  // world; material points of the two bodies
  Vec2 normal = Vec2::UnitY();                          // unit, from B to A
  double curvature_a = 0, curvature_b = 0;              // signed; infinite at a corner
  FeatureKey key;
  ContourPlace place_a, place_b;
  bool is_centred = false;  // round parts about one centre: the normal is a placeholder

  Vec2 tangent() const { return tangent_of(normal); }
  // Arcs about one centre are so far from touching each other that any direction is as good.
  PlanarContactPoint point() const {
    return {gap, point_a, point_b, normal, tangent(), curvature_a, curvature_b, false};
  }
};

// Frozen and without workspace; the contours must outlive it. Allocates nothing.
class ContourPair {
 public:
  ContourPair(const PlanarContour& a, const PlanarContour& b) : a_(&a), b_(&b) {}

  // Every local minimum with gap <= reach_m. Writes the first out.size() of them and returns how many there are (if
  // they do not fit, those at joints of elements may be counted twice); their order depends on the contours alone.
  // Numbers of equal features (`which`) are given along contour A.
  //
  // `lean_rad` > 0: corners over an edge count as well where the normal of the edge is outside of their cone by no more
  // than that. So an edge that lies on another one has two contacts, at both ends of the overlap, however it is turned
  // by rounding, and the second corner of a box that tips is known before it lands.
  int find(const PlanarPlacement& a, const PlanarPlacement& b, double reach_m, std::span<ContourContact> out,
           double lean_rad = 0) const;

  // The same minimum after a small motion: the one between the same features that is nearest to `start` along both
  // contours, among the elements around it. False if there is none.
  bool refine(const PlanarPlacement& a, const PlanarPlacement& b, const ContourContact& start,
              ContourContact& contact) const;

 private:
  const PlanarContour* a_;
  const PlanarContour* b_;
};

// Gives the contacts of `now` the numbers (`which`) of those of `before` that they come from: of the same features, the
// nearest along both contours first. New contacts get the smallest free number. Both lists are results of find() of one
// pair; the answer depends on nothing else, so it may be part of a state.
void keep_numbers(const PlanarContour& a, const PlanarContour& b, std::span<const ContourContact> before,
                  std::span<ContourContact> now);

}  // namespace freeplay::geometry
