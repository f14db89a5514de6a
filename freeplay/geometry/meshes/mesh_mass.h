// Volume, centre of mass and inertia of a closed mesh: exact integrals over the polyhedron.
#pragma once

#include "freeplay/geometry/meshes/triangle_mesh.h"
#include "freeplay/geometry/shapes/mass_properties.h"

namespace freeplay::geometry {

struct TriangleSoup;

double mesh_volume(const TriangleMesh& mesh);
// Of triangles that have not been checked yet: means something if they are closed.
Vec3 centre_of_volume(const TriangleSoup& soup);
SpatialMass mass_properties(const TriangleMesh& mesh, double density_kg_m3);

}  // namespace freeplay::geometry
