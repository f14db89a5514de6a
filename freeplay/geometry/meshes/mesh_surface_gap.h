// A curved surface and a mesh as a gap function: as mesh_gap.h, with contacts that are told apart by the feature of the
// mesh and by where they are on the surface.
#pragma once

#include "freeplay/geometry/meshes/mesh_gap.h"
#include "freeplay/geometry/surfaces/spatial_surface.h"

namespace freeplay::geometry {

// The surface is A, the mesh B. `points` = 0: kMeshPoints. The surface is one of patches or an ellipsoid.
std::unique_ptr<const SpatialGap> make_mesh_gap(SpatialSurface a, MeshPtr b, int points = 0);

}  // namespace freeplay::geometry
