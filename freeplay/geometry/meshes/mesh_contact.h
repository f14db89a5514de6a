// All contacts of a triangle mesh B with another body A: every local minimum of the distance that is near, and the
// corners of the region in which flat faces lie on each other (docs/theory/meshes.md).
//
// Gaps are signed: g > 0 apart, g < 0 penetrating, and go on below zero down to the depth of the facet. n points from
// B to A, and the gap's rate is n . (v_A - v_B) of the material points. Nothing here allocates.
#pragma once

#include <compare>
#include <cstdint>
#include <span>

#include "freeplay/geometry/meshes/triangle_mesh.h"
#include "freeplay/geometry/shapes/spatial_solids.h"
#include "freeplay/math/frame.h"

namespace freeplay::geometry {

enum class MeshFeature : std::int8_t { kVertex, kRidge, kFacet, kOther };

// What touches: the same while a contact slides along a face or an edge.
struct MeshKey {
  MeshFeature kind_a = MeshFeature::kOther, kind_b = MeshFeature::kOther;
  std::int32_t a = 0, b = 0;  // numbers of vertices, ridges, facets; of a solid as its function says
  friend auto operator<=>(const MeshKey&, const MeshKey&) = default;  // NOLINT(modernize-use-nullptr)
};

struct MeshContact {
  double gap = 0;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  // world; material points of the two bodies
  Vec3 normal = Vec3::UnitZ();                          // unit, from B to A
  solid::Bends bends{};                                 // of the surfaces, world
  MeshKey key;
};

// What was found. `count` contacts are written, ordered by their keys: if more were found, those with the smallest
// gaps.
struct MeshContacts {
  int count = 0;
  bool complete = true;
};

// Contacts with gap <= reach_m. The frames are those of the bodies.
MeshContacts find_mesh_contacts(const TriangleMesh& a, const TriangleMesh& b, const Frame& at_a, const Frame& at_b,
                                double reach_m, std::span<MeshContact> out);
// Feature of A: always 0.
MeshContacts find_mesh_contacts(const solid::Ball& a, const TriangleMesh& b, const Frame& at_a, const Frame& at_b,
                                double reach_m, std::span<MeshContact> out);
// Features of A: its ends 0 and 1, its side 2.
MeshContacts find_mesh_contacts(const solid::Capsule& a, const TriangleMesh& b, const Frame& at_a, const Frame& at_b,
                                double reach_m, std::span<MeshContact> out);
// Features of A: 4 end + {0: the lowest point of the rim, 1 to 3: points fixed in it}; 8 + {0: the side, 1: the end or
// the side against a vertex, 2 to 5: where the rim of an end passes an edge, two for each end}.
MeshContacts find_mesh_contacts(const solid::Cylinder& a, const TriangleMesh& b, const Frame& at_a, const Frame& at_b,
                                double reach_m, std::span<MeshContact> out);
// The mesh is A here, the plane B.
MeshContacts find_mesh_contacts(const TriangleMesh& a, const solid::HalfSpace& b, const Frame& at_a, const Frame& at_b,
                                double reach_m, std::span<MeshContact> out);

}  // namespace freeplay::geometry
