// All contacts of a curved surface A with a triangle mesh B: every local minimum of the distance that is near
// (docs/theory/meshes.md). The features of the mesh are what the patches of A meet: a facet is a plane, an edge a line,
// a corner a ball of no radius; so the equations, and what makes a solution a minimum, are those of two
// surfaces (surfaces/patch_meeting.h).
#pragma once

#include <cstdint>
#include <span>

#include "freeplay/geometry/meshes/mesh_contact.h"
#include "freeplay/geometry/surfaces/surface_pair.h"

namespace freeplay::geometry {

// A feature of a mesh as the feature_b of a contact's key.
inline std::int32_t mesh_side(MeshFeature kind, std::int32_t number) {
  return (static_cast<std::int32_t>(kind) << 28) | number;
}

// Contacts with gap <= reach_m; the frames are those of the bodies. Writes the first out.size() of them and returns how
// many there are. place_a is on the surface, in its axes. Allocates nothing.
int find_mesh_contacts(const SpatialSurface& a, const TriangleMesh& b, const Frame& at_a, const Frame& at_b,
                       double reach_m, std::span<SurfaceContact> out);

}  // namespace freeplay::geometry
