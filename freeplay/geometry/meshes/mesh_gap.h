// Contacts of meshes behind the interface that the engine knows: a fixed number of contact points per pair, of which
// those without a contact have the gap infinity.
//
// A point keeps its contact for as long as the same features touch, and when it goes on to the next face (a ball that
// rolls over edges): which contact it has is told by a number that is part of the state (SpatialGap::follow).
#pragma once

#include <memory>

#include "freeplay/geometry/meshes/mesh_contact.h"
#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::geometry {

inline constexpr int kMeshPoints = 16;      // of a pair, unless its number is chosen
inline constexpr int kMostMeshPoints = 32;  // those with the smallest gaps are taken

// Contacts up to this part of the size of the smaller body are seen before they close.
inline constexpr double kMeshReach = 0.02;

// `points` = 0: kMeshPoints.
std::unique_ptr<const SpatialGap> make_mesh_gap(MeshPtr a, MeshPtr b, int points = 0);
std::unique_ptr<const SpatialGap> make_mesh_gap(const SphereShape& a, MeshPtr b, int points = 0);
std::unique_ptr<const SpatialGap> make_mesh_gap(const CapsuleShape& a, MeshPtr b, int points = 0);
std::unique_ptr<const SpatialGap> make_mesh_gap(const CylinderShape& a, MeshPtr b, int points = 0);
std::unique_ptr<const SpatialGap> make_mesh_gap(const BoxShape& a, MeshPtr b, int points = 0);
std::unique_ptr<const SpatialGap> make_mesh_gap(MeshPtr a, const PlaneShape& b, int points = 0);

}  // namespace freeplay::geometry
