// Two tips that cut each other off, as the points of two stars that meet: a convex corner of one body lies in the other
// body, next to a convex corner of that, or both tips are through the other body and cross like an X.
//
// No circle fits between the flanks of a sharp tip, so the rule by circles (contour_pair.cpp) can leave such an overlap
// without any contact. Within reach of their flanks both bodies are wedges, which are convex: their contact is the
// shallowest of those of one tip over a flank of the other one (docs/theory/contours.md).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "freeplay/geometry/contours/planar_contour.h"
#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::geometry {

inline bool is_tip(const PlanarContour& contour, int i) {
  const ContourElement& e = contour.elements()[static_cast<std::size_t>(i)];
  return e.kind == ElementKind::kRound && e.radius_m == 0 && e.touches && contour.elements().size() > 2;
}

// Within so far of a tip the contour consists of its two flanks alone.
inline double reach_of_flanks(const PlanarContour& contour, int tip) {
  const auto elements = contour.elements();
  const std::size_t count = elements.size(), at = static_cast<std::size_t>(tip);
  return std::min(elements[(at + 1) % count].length_m, elements[(at + count - 1) % count].length_m) / 2;
}

// The outward normals of a tip: all directions from the first one to the second, less than half a turn.
using TipNormals = std::array<Vec2, 2>;

inline TipNormals normals_of_tip(const PlanarContour& contour, int tip) {
  const ContourElement& e = contour.elements()[static_cast<std::size_t>(tip)];
  return {Vec2(std::cos(e.normal_from), std::sin(e.normal_from)), Vec2(std::cos(e.normal_to), std::sin(e.normal_to))};
}

// Of two wedges, the tip of the first one at `apart` from that of the second one: they overlap if no direction n that
// is a normal of the second one, and -n of the first one, has n . apart >= 0. The largest is that of `apart` itself or
// of an end of these directions.
inline bool do_wedges_overlap(const TipNormals& first, const TipNormals& second, const Vec2& apart) {
  const auto are_common = [&](const Vec2& n) {
    return cross(second[0], n) >= 0 && cross(n, second[1]) >= 0 && cross(n, first[0]) >= 0 && cross(first[1], n) >= 0;
  };
  if (are_common(apart)) return false;
  bool has_common = false;
  for (const Vec2& n : {second[0], second[1], Vec2(-first[0]), Vec2(-first[1])}) {
    if (!are_common(n)) continue;
    if (n.dot(apart) >= 0) return false;
    has_common = true;
  }
  return has_common;
}

// How far the corner `tip` of one contour is from the corner at an end of the element `flank` of the other one, if they
// have crossed; otherwise 0. `to_other` and `from_other` map points from the axes of the first contour to those of the
// other one and back.
template <class ToOther, class FromOther>
double way_past_tip(const PlanarContour& one, int tip, const PlanarContour& other, int flank, const ToOther& to_other,
                    const FromOther& from_other) {
  if (!is_tip(one, tip)) return 0;
  const Vec2 x = one.elements()[static_cast<std::size_t>(tip)].centre, at = to_other(x);
  TipNormals normals = normals_of_tip(one, tip);
  for (Vec2& n : normals) n = to_other(x + n) - at;
  const int count = static_cast<int>(other.elements().size());
  for (const int beside : {(flank + 1) % count, (flank + count - 1) % count}) {
    if (!is_tip(other, beside)) continue;
    const Vec2 facing = other.elements()[static_cast<std::size_t>(beside)].centre;
    const double apart = (facing - at).norm();
    if (apart > std::min(reach_of_flanks(one, tip), reach_of_flanks(other, beside))) continue;
    if (other.contains(at) || one.contains(from_other(facing)) ||
        do_wedges_overlap(normals, normals_of_tip(other, beside), at - facing))
      return apart;
  }
  return 0;
}

}  // namespace freeplay::geometry
