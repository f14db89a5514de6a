// Two tips that cut each other off, as the points of two stars that meet head on: a convex corner of one body lies in
// the other body, next to a convex corner of that.
//
// No circle fits between the flanks of a sharp tip, so the rule by circles (contour_pair.cpp) can leave such an overlap
// without any contact. Within reach of their flanks both bodies are wedges, which are convex: their contact is the
// shallowest of those of one tip over a flank of the other one (docs/theory/contours.md).
#pragma once

#include <algorithm>

#include "freeplay/geometry/contours/planar_contour.h"

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

// How far the corner `tip` of one contour is from the corner at an end of the element `flank` of the other one, if they
// have crossed; otherwise 0. `to_other` and `from_other` map points from the axes of the first contour to those of the
// other one and back.
template <class ToOther, class FromOther>
double way_past_tip(const PlanarContour& one, int tip, const PlanarContour& other, int flank, const ToOther& to_other,
                    const FromOther& from_other) {
  if (!is_tip(one, tip)) return 0;
  const Vec2 x = one.elements()[static_cast<std::size_t>(tip)].centre, at = to_other(x);
  const int count = static_cast<int>(other.elements().size());
  for (const int beside : {(flank + 1) % count, (flank + count - 1) % count}) {
    if (!is_tip(other, beside)) continue;
    const Vec2 facing = other.elements()[static_cast<std::size_t>(beside)].centre;
    const double apart = (facing - at).norm();
    if (apart > std::min(reach_of_flanks(one, tip), reach_of_flanks(other, beside))) continue;
    if (other.contains(at) || one.contains(from_other(facing))) return apart;
  }
  return 0;
}

}  // namespace freeplay::geometry
