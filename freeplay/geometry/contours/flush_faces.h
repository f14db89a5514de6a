// Edges that lie on each other: a corner over an edge that is the end of a whole face over it.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/geometry/contours/planar_contour.h"

namespace freeplay::geometry {

// Faces within this angle lie on each other, as for corners that lean (contour_gap.cpp).
inline constexpr double kFlush_rad = 0.1;

// How far to go along an edge, in the direction of its travel, to stand below the middle of the face that ends in the
// corner `corner` of the contour `other`: twice the depth, if edge and face are as long as that. 0 if the element is no
// edge, the other one no corner, or no face of it lies along the edge. `foot_m`: where the corner is on the edge;
// `turn`: by how much the other contour is turned against that of the edge.
//
// Travel has the matter to the left, so two faces on each other run against each other: the one that follows the corner
// leads back to the start of the edge, the one before it comes from the edge's end.
inline double way_along_face(const ContourElement& edge, double foot_m, const PlanarContour& other, int corner,
                             double turn, double depth_m) {
  const auto elements = other.elements();
  const ContourElement& tip = elements[static_cast<std::size_t>(corner)];
  if (edge.kind != ElementKind::kEdge || tip.kind != ElementKind::kRound || tip.radius_m != 0) return 0;
  const double opposed = edge.normal_from + std::numbers::pi - turn;
  const std::size_t count = elements.size(), at = static_cast<std::size_t>(corner);
  const ContourElement &next = elements[(at + 1) % count], &last = elements[(at + count - 1) % count];
  const auto lies_along = [&](const ContourElement& face) {
    return face.kind == ElementKind::kEdge &&
           std::abs(std::remainder(face.normal_from - opposed, 2 * std::numbers::pi)) <= kFlush_rad;
  };
  if (lies_along(next)) return -std::min({2 * depth_m, std::max(foot_m, 0.0) / 2, next.length_m / 2});
  if (lies_along(last)) return std::min({2 * depth_m, std::max(edge.length_m - foot_m, 0.0) / 2, last.length_m / 2});
  return 0;
}

}  // namespace freeplay::geometry
