// A closed surface of triangles around matter, frozen, in body axes (docs/theory/meshes.md).
//
// Triangles that lie in one plane form a facet, straight lines of edges a ridge: what touches is a facet, a ridge or a
// corner, never a seam between triangles. All normals are those of facets. Vertices are welded; every edge has two
// triangles, which run along it in opposite directions; seen from outside a triangle turns counter-clockwise.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "freeplay/geometry/meshes/mesh_tree.h"
#include "freeplay/math/types.h"

namespace freeplay::geometry {

// Reflex edges are those of grooves and inner corners: they touch nothing. Flat ones lie within a facet.
enum class EdgeKind : std::uint8_t { kConvex, kReflex, kFlat };

struct MeshEdge {
  std::int32_t start = 0, end = 0;   // vertices
  std::int32_t left = 0, right = 0;  // triangles: the left one runs from start to end
  EdgeKind kind = EdgeKind::kFlat;
  std::int32_t ridge = 0;      // convex edges of one straight line between two facets share it
  Vec3 along = Vec3::UnitX();  // unit
  Vec3 out_left = Vec3::Zero(), out_right = Vec3::Zero();  // unit, in the plane of that facet, away from that triangle
  double length_m = 0;
};

struct MeshTriangle {
  std::array<std::int32_t, 3> vertices{}, edges{};  // edge i runs from vertex i to vertex i + 1
  std::int32_t facet = 0;
  // Each vertex and each edge belongs to one of its triangles: whoever walks over triangles meets it once.
  std::array<bool, 3> owns_vertex{}, owns_edge{};
};

// Of the size of a mesh. A step that moves a part by more than this has failed anyway.
inline constexpr double kLargestDepth = 0.02;

struct MeshFacet {
  Vec3 normal = Vec3::UnitZ();  // unit, outward
  double offset_m = 0;          // normal . x of its points
  // How deep something may be behind it and still be seen: half of the thinnest matter, at most kLargestDepth of the
  // size of the mesh.
  double depth_m = 0;
  bool has_groove = false;  // a reflex edge at its border

  double height(const Vec3& x) const { return normal.dot(x) - offset_m; }
};

// A list per entry, one after the other: that of entry i is values[starts[i] .. starts[i + 1]).
struct ListOfLists {
  std::vector<std::int32_t> starts{0}, values;

  std::span<const std::int32_t> of(std::int32_t i) const {
    const auto k = static_cast<std::size_t>(i);
    return std::span(values).subspan(static_cast<std::size_t>(starts[k]),
                                     static_cast<std::size_t>(starts[k + 1] - starts[k]));
  }
};

class TriangleMesh {
 public:
  std::span<const Vec3> vertices() const { return vertices_; }
  std::span<const MeshTriangle> triangles() const { return triangles_; }  // in the order of the tree
  std::span<const MeshEdge> edges() const { return edges_; }
  std::span<const MeshFacet> facets() const { return facets_; }
  const MeshTree& tree() const { return tree_; }

  const Vec3& vertex(std::int32_t i) const { return vertices_[static_cast<std::size_t>(i)]; }
  const MeshTriangle& triangle(std::int32_t i) const { return triangles_[static_cast<std::size_t>(i)]; }
  const MeshEdge& edge(std::int32_t i) const { return edges_[static_cast<std::size_t>(i)]; }
  const MeshFacet& facet(std::int32_t i) const { return facets_[static_cast<std::size_t>(i)]; }
  const MeshFacet& facet_of_triangle(std::int32_t i) const { return facet(triangle(i).facet); }
  std::int32_t left_facet(const MeshEdge& e) const { return triangle(e.left).facet; }
  std::int32_t right_facet(const MeshEdge& e) const { return triangle(e.right).facet; }

  // Edges at a vertex; facets at a vertex; corners and edges around a facet, edges that are not flat.
  std::span<const std::int32_t> edges_at(std::int32_t vertex) const { return vertex_edges_.of(vertex); }
  std::span<const std::int32_t> facets_at(std::int32_t vertex) const { return vertex_facets_.of(vertex); }
  std::span<const std::int32_t> corners_of(std::int32_t facet) const { return facet_corners_.of(facet); }
  std::span<const std::int32_t> border_of(std::int32_t facet) const { return facet_borders_.of(facet); }
  // False inside of facets, along ridges, and where all edges are reflex.
  bool can_touch(std::int32_t vertex) const { return corner_[static_cast<std::size_t>(vertex)] != 0; }
  // Unit, from a vertex along an edge that it has.
  Vec3 direction_from(std::int32_t vertex, const MeshEdge& e) const {
    return e.start == vertex ? e.along : Vec3(-e.along);
  }

  double size_m() const { return size_m_; }            // diagonal of the box around it
  double rounding_m() const { return rounding_m_; }    // what rounding may amount to in positions
  double largest_depth_m() const { return depth_m_; }  // of its facets

  // How far a ray from x goes until it meets the surface; infinite if it does not.
  double ray_length(const Vec3& x, const Vec3& direction) const;
  // Whether x lies in the matter, by a ray; not for places on the surface.
  bool contains(const Vec3& x) const;

 private:
  friend class MeshBuilder;

  std::vector<Vec3> vertices_;
  std::vector<MeshTriangle> triangles_;
  std::vector<MeshEdge> edges_;
  std::vector<MeshFacet> facets_;
  ListOfLists vertex_edges_, vertex_facets_, facet_corners_, facet_borders_;
  std::vector<std::uint8_t> corner_;
  MeshTree tree_;
  double size_m_ = 0, rounding_m_ = 0, depth_m_ = 0;
};

}  // namespace freeplay::geometry
