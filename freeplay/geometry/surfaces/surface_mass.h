// Mass of what a closed surface of two parameters encloses.
#pragma once

#include "freeplay/geometry/shapes/mass_properties.h"
#include "freeplay/geometry/surfaces/patches/sheet_patches.h"

namespace freeplay::geometry {

// The chart is closed in both directions, with normals that point out of the matter.
SpatialMass mass_inside(const SurfaceChart& chart, double density_kg_m3);

}  // namespace freeplay::geometry
