// Mass, centre of mass and inertia of closed shapes of one density (`inertia: from-shape`).
#pragma once

#include <optional>

#include "freeplay/geometry/shapes/shape_spec.h"

namespace freeplay::geometry {

struct SpatialMass {
  double mass_kg = 0;
  Vec3 centre_m = Vec3::Zero();       // in the axes of the shape
  Mat3 inertia_kg_m2 = Mat3::Zero();  // about the centre of mass, in the axes of the shape
};

SpatialMass mass_properties(const SphereShape& shape, double density_kg_m3);
SpatialMass mass_properties(const BoxShape& shape, double density_kg_m3);
SpatialMass mass_properties(const CylinderShape& shape, double density_kg_m3);
SpatialMass mass_properties(const CapsuleShape& shape, double density_kg_m3);
SpatialMass mass_properties(const EllipsoidShape& shape, double density_kg_m3);
SpatialMass mass_properties(const TorusShape& shape, double density_kg_m3);
SpatialMass mass_properties(const ConeShape& shape, double density_kg_m3);
SpatialMass mass_properties(const ParaboloidShape& shape, double density_kg_m3);
SpatialMass mass_properties(const RevolutionShape& shape, double density_kg_m3);
SpatialMass mass_properties(const MeshShape& shape, double density_kg_m3);
// Of a surface that is closed in both directions; nothing of a sheet.
std::optional<SpatialMass> mass_properties(const ParametricSurfaceShape& shape, double density_kg_m3);
std::optional<SpatialMass> mass_properties(const SplinePatchShape& shape, double density_kg_m3);

// Of any spatial shape that encloses matter; nothing of the others (a plane, a sheet, planar shapes) and of one that is
// no surface at all (make_surface). Those of planar shapes are in contours/contour_mass.h.
std::optional<SpatialMass> spatial_mass_properties(const ShapeGeometry& geometry, double density_kg_m3);

}  // namespace freeplay::geometry
