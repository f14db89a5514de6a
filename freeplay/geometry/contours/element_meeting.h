// Where two elements of contours meet with opposite normals. Part of the implementation of contour_pair.h.
#pragma once

#include <span>

#include "freeplay/geometry/contours/planar_contour.h"
#include "freeplay/geometry/pairs/planar_gap.h"

namespace freeplay::geometry {

// Body A in the axes and from the origin of body B: differences are taken before anything is turned.
struct RelativePlacement {
  double cos = 1, sin = 0, turn = 0;
  Vec2 origin = Vec2::Zero();

  RelativePlacement(const PlanarPlacement& a, const PlanarPlacement& b);
  Vec2 point(const Vec2& v) const { return origin + direction(v); }
  Vec2 direction(const Vec2& v) const { return {cos * v.x() - sin * v.y(), sin * v.x() + cos * v.y()}; }
};

// One minimum, in the axes of body B.
struct Meeting {
  Vec2 x_a, x_b, normal;  // normal: outward of B
  double gap = 0;
  double parameter_a = 0, parameter_b = 0;
  double curvature_a = 0, curvature_b = 0;
  bool is_centred = false;
};

constexpr int kMostMeetings = 4;  // of one pair of elements

// Minima between two elements, whatever their gap. `size_m`: of both bodies, for rounding.
int meet_elements(const ContourElement& a, const ContourElement& b, const RelativePlacement& view, double size_m,
                  std::span<Meeting, kMostMeetings> out);

// A corner over an edge whose normal is outside of the corner's cone by no more than `lean` (rad): not a minimum of the
// distance, but one end of the overlap of two edges that are nearly parallel.
bool meet_leaning(const ContourElement& a, const ContourElement& b, const RelativePlacement& view, double size_m,
                  double lean, Meeting& out);

// From a start that is known to be near: Newton's method for two curves, without a bracket. False if it does not
// converge, or leaves the elements where it is bounded to them.
bool meet_curves_near(const ContourElement& a, const ContourElement& b, const RelativePlacement& view, double s_a,
                      double s_b, bool is_bounded, Meeting& out);

}  // namespace freeplay::geometry
