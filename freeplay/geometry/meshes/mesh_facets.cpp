#include "freeplay/geometry/meshes/mesh_facets.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace freeplay::geometry {

namespace {

std::size_t index(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

// Twice the area times the normal.
Vec3 area_vector(std::span<const Vec3> vertices, const MeshTriangle& t) {
  const Vec3& origin = vertices[index(t.vertices[0])];
  return (vertices[index(t.vertices[1])] - origin).cross(vertices[index(t.vertices[2])] - origin);
}

// Grows facets from the largest triangles, which have the most certain planes. A triangle joins if all its corners lie
// in the plane of the first one: of a cylinder with many sides no chain of small turns is a facet. A sliver has no
// plane of its own and joins whichever neighbour comes first.
class FacetFinder {
 public:
  FacetFinder(double flat, std::span<const Vec3> vertices, std::span<MeshTriangle> triangles, std::span<MeshEdge> edges)
      : flat_(flat), vertices_(vertices), triangles_(triangles), edges_(edges), areas_(triangles.size()) {
    for (std::size_t i = 0; i < triangles.size(); ++i) areas_[i] = area_vector(vertices, triangles[i]);
  }

  void find(std::vector<MeshFacet>& facets) {
    std::vector<std::int32_t> order(triangles_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t i, std::int32_t j) {
      const double x = areas_[index(i)].squaredNorm(), y = areas_[index(j)].squaredNorm();
      return x != y ? x > y : i < j;
    });
    for (MeshTriangle& t : triangles_) t.facet = -1;
    for (const std::int32_t seed : order) {
      if (triangles_[index(seed)].facet < 0) facets.push_back(grow(seed, static_cast<std::int32_t>(facets.size())));
    }
  }

 private:
  MeshFacet grow(std::int32_t seed, std::int32_t facet) {
    const Vec3 area = areas_[index(seed)];
    const double size = area.norm();
    const Vec3 normal = size > 0 ? Vec3(area / size) : Vec3(Vec3::UnitZ());
    const Vec3& origin = vertices_[index(triangles_[index(seed)].vertices[0])];
    const auto lies_in_plane = [&](std::int32_t i) {
      if (areas_[index(i)].dot(normal) < 0) return false;  // folded back
      return std::all_of(triangles_[index(i)].vertices.begin(), triangles_[index(i)].vertices.end(),
                         [&](std::int32_t v) { return std::abs(normal.dot(vertices_[index(v)] - origin)) <= flat_; });
    };
    Vec3 sum = Vec3::Zero();
    members_.assign(1, seed);
    triangles_[index(seed)].facet = facet;
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const std::int32_t i = members_[k];
      sum += areas_[index(i)];
      for (const std::int32_t e : triangles_[index(i)].edges) {
        const std::int32_t other = edges_[index(e)].left == i ? edges_[index(e)].right : edges_[index(e)].left;
        if (triangles_[index(other)].facet >= 0 || !lies_in_plane(other)) continue;
        triangles_[index(other)].facet = facet;
        members_.push_back(other);
      }
    }
    MeshFacet result;
    const double length = sum.norm();
    result.normal = members_.size() > 1 && length > 0 ? Vec3(sum / length) : normal;
    double weight = 0, offset = 0;
    for (const std::int32_t i : members_) {
      const double w = areas_[index(i)].norm();
      for (const std::int32_t v : triangles_[index(i)].vertices)
        offset += w * result.normal.dot(vertices_[index(v)] - origin);
      weight += 3 * w;
    }
    result.offset_m = result.normal.dot(origin) + (weight > 0 ? offset / weight : 0);
    return result;
  }

  double flat_;
  std::span<const Vec3> vertices_;
  std::span<MeshTriangle> triangles_;
  std::span<MeshEdge> edges_;
  std::vector<Vec3> areas_;
  std::vector<std::int32_t> members_;
};

// In the plane with this normal, to the right of a direction.
Vec3 beside(const Vec3& along, const Vec3& normal) {
  return along.cross(normal).normalized();
}

}  // namespace

void find_facets(double flat_m, std::span<const Vec3> vertices, std::span<MeshTriangle> triangles,
                 std::span<MeshEdge> edges, std::vector<MeshFacet>& facets) {
  FacetFinder(flat_m, vertices, triangles, edges).find(facets);
  for (MeshEdge& e : edges) {
    const std::int32_t left = triangles[index(e.left)].facet, right = triangles[index(e.right)].facet;
    const Vec3 &n_left = facets[index(left)].normal, &n_right = facets[index(right)].normal;
    e.out_left = beside(e.along, n_left);
    e.out_right = -beside(e.along, n_right);
    if (left == right)
      e.kind = EdgeKind::kFlat;
    else  // over a convex edge the plane of the one side falls away behind the other
      e.kind = e.out_left.dot(n_right) > 0 ? EdgeKind::kConvex : EdgeKind::kReflex;
  }
}

bool goes_straight(std::span<const Vec3> vertices, std::int32_t vertex, const MeshEdge& one, const MeshEdge& other,
                   double flat_m) {
  const auto far_end = [&](const MeshEdge& e) { return vertices[index(e.start == vertex ? e.end : e.start)]; };
  const Vec3 from = far_end(one), to = far_end(other), at = vertices[index(vertex)];
  const Vec3 chord = to - from;
  const double length = chord.norm();
  if (!((at - from).dot(to - at) > 0) || !(length > 0)) return false;
  return chord.cross(at - from).norm() <= flat_m * length;
}

void find_ridges(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles, std::span<MeshEdge> edges) {
  // Convex edges between the same two facets lie in one line, that in which the planes cut each other, and different
  // stretches of it, around a notch, never meet the same edge at once: the two facets are the name of the ridge.
  std::vector<std::int32_t> order;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i].ridge = static_cast<std::int32_t>(i);
    if (edges[i].kind == EdgeKind::kConvex) order.push_back(static_cast<std::int32_t>(i));
  }
  const auto facets_of = [&](std::int32_t i) {
    const std::int32_t left = triangles[index(edges[index(i)].left)].facet;
    const std::int32_t right = triangles[index(edges[index(i)].right)].facet;
    return std::pair(std::min(left, right), std::max(left, right));
  };
  std::sort(order.begin(), order.end(),
            [&](std::int32_t i, std::int32_t j) { return std::pair(facets_of(i), i) < std::pair(facets_of(j), j); });
  // Nearly parallel facets of a file in single precision may meet along a crooked line: then every edge is its own
  // ridge.
  for (std::size_t k = 1; k < order.size(); ++k) {
    const MeshEdge& before = edges[index(order[k - 1])];
    MeshEdge& e = edges[index(order[k])];
    if (facets_of(order[k]) != facets_of(order[k - 1])) continue;
    const Vec3 between = vertices[index(e.start)] - vertices[index(before.start)];
    const double slack = 1e-6 * (before.length_m + e.length_m + between.norm());
    if (before.along.cross(e.along).norm() <= 1e-6 && before.along.cross(between).norm() <= slack)
      e.ridge = before.ridge;
  }
}

}  // namespace freeplay::geometry
