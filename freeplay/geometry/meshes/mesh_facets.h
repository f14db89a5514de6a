// Which triangles lie in one plane, which edges in one line. Part of the implementation of mesh_builder.h.
#pragma once

#include <span>
#include <vector>

#include "freeplay/geometry/meshes/triangle_mesh.h"

namespace freeplay::geometry {

// Writes facet of the triangles; kind, out_left and out_right of the edges; the facets with their planes. Points up to
// `flat_m` beside a plane count as lying in it.
void find_facets(double flat_m, std::span<const Vec3> vertices, std::span<MeshTriangle> triangles,
                 std::span<MeshEdge> edges, std::vector<MeshFacet>& facets);

// Two edges at a vertex that are one straight line.
bool goes_straight(std::span<const Vec3> vertices, std::int32_t vertex, const MeshEdge& one, const MeshEdge& other,
                   double flat_m);

// Writes ridge of the edges.
void find_ridges(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles, std::span<MeshEdge> edges);

}  // namespace freeplay::geometry
