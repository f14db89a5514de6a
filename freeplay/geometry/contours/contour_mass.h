// Mass, centre of mass and inertia of planar shapes: integrals over the region inside of a contour as integrals along
// it (Green's theorem).
#pragma once

#include <optional>

#include "freeplay/geometry/contours/planar_contour.h"
#include "freeplay/geometry/shapes/shape_spec.h"

namespace freeplay::geometry {

struct PlanarMass {
  double mass_kg = 0;
  Vec2 centre_m = Vec2::Zero();  // in the axes of the shape
  double inertia_kg_m2 = 0;      // about the centre of mass
};

// density_kg_m2: per area. Nothing of a half-plane and of a contour that encloses no area, such as a point or a hole.
std::optional<PlanarMass> mass_properties(const PlanarContour& contour, double density_kg_m2);
// Of any planar shape that encloses matter; nothing of the others: points, lines, holes, and the fronts of walls, whose
// depth says nothing about a body.
std::optional<PlanarMass> planar_mass_properties(const ShapeGeometry& geometry, double density_kg_m2);

// Integrals over what the contour sweeps when it turns once about its y axis; it lies where x >= 0.
struct RevolvedMoments {
  double volume = 0;
  double height_m = 0;  // of the centre of volume
  // Of the squared distances from the axis, and along it from the centre of volume.
  double squared_radii = 0, squared_heights = 0;
};
RevolvedMoments revolved_moments(const PlanarContour& contour);

}  // namespace freeplay::geometry
