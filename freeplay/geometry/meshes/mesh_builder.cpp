#include "freeplay/geometry/meshes/mesh_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "freeplay/geometry/meshes/mesh_facets.h"
#include "freeplay/geometry/meshes/mesh_mass.h"
#include "freeplay/geometry/meshes/mesh_welding.h"

namespace freeplay::geometry {

namespace {

using Corners = std::array<std::int32_t, 3>;

std::size_t index(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

// A list for each of `count` entries from pairs (entry, value), sorted and each once.
ListOfLists lists_of(std::size_t count, std::vector<std::pair<std::int32_t, std::int32_t>> pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  ListOfLists lists;
  lists.starts.assign(count + 1, 0);
  for (const auto& [entry, value] : pairs) {
    ++lists.starts[index(entry) + 1];
    lists.values.push_back(value);
  }
  for (std::size_t i = 0; i < count; ++i) lists.starts[i + 1] += lists.starts[i];
  return lists;
}

std::string place_text(const Vec3& x) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g}) mm", 1e3 * x.x(), 1e3 * x.y(), 1e3 * x.z());
}

// One direction of one side of a triangle.
struct HalfEdge {
  std::int32_t low, high;  // vertices
  std::int32_t triangle, side;
  bool forward;  // runs from low to high

  auto ends() const { return std::pair(low, high); }
};

}  // namespace

class MeshBuilder {
 public:
  MeshResult build(const TriangleSoup& soup) {
    if (!take(soup) || !connect()) return std::move(result_);
    freeze_order();
    const double flat = std::max(4 * soup.relative_precision * mesh().size_m_, mesh().rounding_m_);
    find_facets(flat, mesh().vertices_, mesh().triangles_, mesh().edges_, mesh().facets_);
    find_ridges(mesh().vertices_, mesh().triangles_, mesh().edges_);
    list_neighbours(flat);
    if (!check_orientation()) return std::move(result_);
    measure_depth();
    return std::move(result_);
  }

 private:
  TriangleMesh& mesh() { return result_.mesh; }

  bool refuse(std::string message, std::string hint) {
    result_.problem = {"file", std::move(message), std::move(hint)};
    return false;
  }

  bool take(const TriangleSoup& soup) {
    if (soup.triangles.empty()) return refuse("the mesh has no triangles", "export the part as a solid body");
    if (soup.triangles.size() > kMostTriangles)
      return refuse(fmt::format("the mesh has {} triangles, more than {}", soup.triangles.size(), kMostTriangles),
                    "export it with a coarser tolerance, or reduce it in a mesh program");
    MeshBox box;
    for (const Vec3& x : soup.points_m) {
      if (!x.allFinite()) return refuse("a coordinate of the mesh is not a finite number", "export the part again");
      box.add(x);
    }
    for (const Corners& corners : soup.triangles) {
      for (const std::int32_t i : corners) {
        if (i < 0 || index(i) >= soup.points_m.size())
          return refuse(fmt::format("a triangle names point {}, but there are {}", i + 1, soup.points_m.size()),
                        "export the part again: the file is damaged");
      }
    }
    mesh().size_m_ = (box.high - box.low).norm();
    if (!(mesh().size_m_ > 0) || !std::isfinite(mesh().size_m_))
      return refuse("all points of the mesh fall together, or it is larger than a number can say",
                    "look at the unit of lengths of the file");
    // Places far from the origin of the body's axes are rounded more coarsely.
    mesh().rounding_m_ = 64 * std::numeric_limits<double>::epsilon() *
                         std::max(mesh().size_m_, box.low.cwiseAbs().cwiseMax(box.high.cwiseAbs()).norm());
    WeldedPoints welded = weld(soup.points_m, std::max(soup.relative_precision * mesh().size_m_, mesh().rounding_m_));
    mesh().vertices_ = std::move(welded.vertices);
    for (const Corners& corners : soup.triangles) {
      MeshTriangle t;
      for (std::size_t k = 0; k < 3; ++k) t.vertices[k] = welded.vertex_of[index(corners[k])];
      if (t.vertices[0] == t.vertices[1] || t.vertices[1] == t.vertices[2] || t.vertices[2] == t.vertices[0])
        ++result_.dropped_triangles;
      else
        mesh().triangles_.push_back(t);
    }
    if (mesh().triangles_.empty())
      return refuse("no triangle of the mesh has an area", "look at the unit of lengths and export the part again");
    return true;
  }

  // Edges, each with its two triangles.
  bool connect() {
    std::vector<HalfEdge> halves;
    halves.reserve(3 * mesh().triangles_.size());
    for (std::size_t i = 0; i < mesh().triangles_.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t from = mesh().triangles_[i].vertices[k], to = mesh().triangles_[i].vertices[(k + 1) % 3];
        halves.push_back({std::min(from, to), std::max(from, to), static_cast<std::int32_t>(i),
                          static_cast<std::int32_t>(k), from < to});
      }
    }
    std::sort(halves.begin(), halves.end(), [](const HalfEdge& a, const HalfEdge& b) {
      return std::tuple(a.low, a.high, a.triangle) < std::tuple(b.low, b.high, b.triangle);
    });
    int open = 0, crowded = 0, turned = 0;
    const HalfEdge* example = nullptr;
    for (std::size_t i = 0; i < halves.size();) {
      std::size_t end = i + 1;
      while (end < halves.size() && halves[end].ends() == halves[i].ends()) ++end;
      const HalfEdge &one = halves[i], &two = halves[std::min(i + 1, end - 1)];
      int* fault = end - i == 1 ? &open : end - i > 2 ? &crowded : one.forward == two.forward ? &turned : nullptr;
      if (fault != nullptr) {
        ++*fault;
        if (example == nullptr) example = &one;
      } else {
        const HalfEdge &left = one.forward ? one : two, &right = one.forward ? two : one;
        MeshEdge e;
        e.start = left.low;
        e.end = left.high;
        e.left = left.triangle;
        e.right = right.triangle;
        const Vec3 along = mesh().vertex(e.end) - mesh().vertex(e.start);
        e.length_m = along.norm();
        e.along = along / e.length_m;
        for (const HalfEdge* half : {&left, &right})
          mesh().triangles_[index(half->triangle)].edges[index(half->side)] =
              static_cast<std::int32_t>(mesh().edges_.size());
        mesh().edges_.push_back(e);
      }
      i = end;
    }
    if (example == nullptr) return true;
    const std::string where = place_text((mesh().vertex(example->low) + mesh().vertex(example->high)) / 2);
    if (open > 0)
      return refuse(fmt::format("the mesh has holes: {} edges have a triangle on one side only, one of them near {}",
                                open, where),
                    "close the surface in a mesh program, or export the part as a solid body");
    if (crowded > 0)
      return refuse(
          fmt::format("{} edges of the mesh have more than two triangles, one of them near {}", crowded, where),
          "parts that touch along an edge must be separate meshes; export them one by one");
    return refuse(
        fmt::format("the triangles at {} edges of the mesh are turned against each other, one of them near {}", turned,
                    where),
        "make the normals consistent in a mesh program");
  }

  // Sorts the triangles by the tree, and gives vertices and edges to one of their triangles each.
  void freeze_order() {
    std::vector<MeshBox> boxes(mesh().triangles_.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      for (const std::int32_t v : mesh().triangles_[i].vertices) boxes[i].add(mesh().vertex(v));
    }
    std::vector<std::int32_t> order, place(boxes.size());
    mesh().tree_.build(boxes, order);
    std::vector<MeshTriangle> sorted(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted[i] = mesh().triangles_[index(order[i])];
      place[index(order[i])] = static_cast<std::int32_t>(i);
    }
    mesh().triangles_ = std::move(sorted);
    for (MeshEdge& e : mesh().edges_) {
      e.left = place[index(e.left)];
      e.right = place[index(e.right)];
    }
    std::vector<bool> vertex_taken(mesh().vertices_.size()), edge_taken(mesh().edges_.size());
    for (MeshTriangle& t : mesh().triangles_) {
      for (std::size_t k = 0; k < 3; ++k) {
        t.owns_vertex[k] = !vertex_taken[index(t.vertices[k])];
        t.owns_edge[k] = !edge_taken[index(t.edges[k])];
        vertex_taken[index(t.vertices[k])] = true;
        edge_taken[index(t.edges[k])] = true;
      }
    }
  }

  void list_neighbours(double flat) {
    const std::size_t vertex_count = mesh().vertices_.size(), facet_count = mesh().facets_.size();
    std::vector<std::pair<std::int32_t, std::int32_t>> edges, facets, borders, corners;
    for (std::size_t i = 0; i < mesh().edges_.size(); ++i) {
      const MeshEdge& e = mesh().edges_[i];
      const auto number = static_cast<std::int32_t>(i);
      edges.emplace_back(e.start, number);
      edges.emplace_back(e.end, number);
      if (e.kind == EdgeKind::kFlat) continue;
      borders.emplace_back(mesh().left_facet(e), number);
      borders.emplace_back(mesh().right_facet(e), number);
      if (e.kind != EdgeKind::kReflex) continue;
      mesh().facets_[index(mesh().left_facet(e))].has_groove = true;
      mesh().facets_[index(mesh().right_facet(e))].has_groove = true;
    }
    for (const MeshTriangle& t : mesh().triangles_) {
      for (const std::int32_t v : t.vertices) facets.emplace_back(v, t.facet);
    }
    mesh().vertex_edges_ = lists_of(vertex_count, std::move(edges));
    mesh().vertex_facets_ = lists_of(vertex_count, std::move(facets));
    mesh().facet_borders_ = lists_of(facet_count, std::move(borders));
    mesh().corner_.assign(vertex_count, 0);
    for (std::size_t v = 0; v < vertex_count; ++v) {
      const auto number = static_cast<std::int32_t>(v);
      if (!is_corner(number, flat)) continue;
      mesh().corner_[v] = 1;
      for (const std::int32_t f : mesh().facets_at(number)) corners.emplace_back(f, number);
    }
    mesh().facet_corners_ = lists_of(facet_count, std::move(corners));
  }

  bool is_corner(std::int32_t vertex, double flat) const {
    std::int32_t bent[2] = {-1, -1};
    int count = 0, convex = 0;
    for (const std::int32_t i : result_.mesh.edges_at(vertex)) {
      const MeshEdge& e = result_.mesh.edge(i);
      if (e.kind == EdgeKind::kFlat) continue;
      if (count < 2) bent[count] = i;
      ++count;
      convex += e.kind == EdgeKind::kConvex ? 1 : 0;
    }
    if (convex == 0) return false;
    return count != 2 || !goes_straight(result_.mesh.vertices(), vertex, result_.mesh.edge(bent[0]),
                                        result_.mesh.edge(bent[1]), flat);
  }

  bool check_orientation() {
    const double volume = mesh_volume(mesh());
    const double size = mesh().size_m_;
    if (volume < 0)
      return refuse(fmt::format("the normals of the mesh point inwards: its volume is {:.6g} mm^3", 1e9 * volume),
                    "turn the normals over in a mesh program");
    if (!(volume > 1e-12 * size * size * size))
      return refuse("the mesh encloses no volume", "export the part as a solid body, not as a surface");
    return true;
  }

  void measure_depth() {
    for (MeshFacet& f : mesh().facets_) f.depth_m = kInfinity;
    for (const MeshTriangle& t : mesh().triangles_) {
      MeshFacet& f = mesh().facets_[index(t.facet)];
      const Vec3 middle =
          (mesh().vertex(t.vertices[0]) + mesh().vertex(t.vertices[1]) + mesh().vertex(t.vertices[2])) / 3;
      const double below = 1e-9 * mesh().size_m_;
      const double thickness = mesh().ray_length(middle - below * f.normal, -f.normal) + below;
      f.depth_m = std::min(f.depth_m, thickness / 2);
    }
    for (MeshFacet& f : mesh().facets_) {
      f.depth_m = std::min(f.depth_m, kLargestDepth * mesh().size_m_);
      mesh().depth_m_ = std::max(mesh().depth_m_, f.depth_m);
    }
  }

  MeshResult result_;
};

MeshResult build_mesh(const TriangleSoup& soup) {
  return MeshBuilder().build(soup);
}

TriangleMesh mesh_of(const BoxShape& box) {
  TriangleSoup soup;
  soup.relative_precision = 0;
  const Mat3 axes = box.rotation.toRotationMatrix();
  for (unsigned i = 0; i < 8; ++i) {
    const Vec3 local((i & 1u) != 0 ? 0.5 : -0.5, (i & 2u) != 0 ? 0.5 : -0.5, (i & 4u) != 0 ? 0.5 : -0.5);
    soup.points_m.emplace_back(box.at_m + axes * local.cwiseProduct(box.size_m));
  }
  constexpr std::int32_t kFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& face : kFaces) {
    soup.triangles.push_back({face[0], face[1], face[2]});
    soup.triangles.push_back({face[0], face[2], face[3]});
  }
  MeshResult result = build_mesh(soup);
  FREEPLAY_ASSERT(result.problem.empty());
  return std::move(result.mesh);
}

}  // namespace freeplay::geometry
