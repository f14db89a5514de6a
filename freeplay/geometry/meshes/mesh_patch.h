// Facets that lie on each other, or nearly so: the corners of the region that they share. Part of the implementation of
// mesh_contact.h.
#pragma once

#include <array>

#include "freeplay/geometry/meshes/mesh_search.h"

namespace freeplay::geometry::mesh {

// The corners of one region. Up to kAll of them are kept; of more, the outermost in kDirections directions, and always
// the lowest: height is linear over a region, so that what lies between its outermost points is never lower than these.
class PatchPoints {
 public:
  explicit PatchPoints(const Vec3& normal);

  void add(const MeshContact& contact);
  void move_to(ContactList& list) const;

 private:
  void compare_with_outermost(const MeshContact& contact);

  static constexpr std::size_t kAll = 24, kDirections = 16;

  Vec3 u_, v_;
  std::array<MeshContact, kAll> all_;
  std::array<MeshContact, kDirections + 1> outermost_;  // the last one is the lowest
  std::array<double, kDirections> farthest_;
  std::size_t count_ = 0;
};

// Which facets face each other where something is nearest.
class PatchList {
 public:
  // False if the list is full.
  bool add(std::int32_t facet_a, std::int32_t facet_b);
  std::span<const std::array<std::int32_t, 2>> all() const { return std::span(pairs_).first(count_); }

 private:
  std::array<std::array<std::int32_t, 2>, 64> pairs_;
  std::size_t count_ = 0;
};

void find_patch_contacts(const TriangleMesh& a, std::int32_t facet_a, const TriangleMesh& b, std::int32_t facet_b,
                         const RelativePlace& place, double reach, ContactList& list);

// Two edges that cross, their normal and gap; exists: at more than `least_sine` and between the ends of both.
struct EdgeCrossing {
  bool exists = false;
  double gap = 0;
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero(), normal = Vec3::UnitZ();
};

EdgeCrossing cross_edges(const TriangleMesh& a, const MeshEdge& edge_a, const TriangleMesh& b, const MeshEdge& edge_b,
                         const RelativePlace& place, double least_sine);

// Whether two edges that have crossed by `depth` came in past other faces.
bool crossed_another_way(const TriangleMesh& a, const MeshEdge& edge_a, const TriangleMesh& b, const MeshEdge& edge_b,
                         const RelativePlace& place, const EdgeCrossing& crossing);

// How far two meshes may be in each other: that of the smaller one, so that a small part near a large one is looked for
// in a small neighbourhood only.
inline double pair_depth(const TriangleMesh& a, const TriangleMesh& b) {
  return std::min(a.largest_depth_m(), b.largest_depth_m());
}

// How far two edges may have crossed.
double edge_depth(const TriangleMesh& a, const MeshEdge& edge_a, const TriangleMesh& b, const MeshEdge& edge_b);

}  // namespace freeplay::geometry::mesh
