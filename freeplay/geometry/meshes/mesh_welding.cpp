#include "freeplay/geometry/meshes/mesh_welding.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace freeplay::geometry {

// Along a direction that no drawing has, points that differ in space rarely fall together, so that sorting by it leaves
// few to compare; sorting by x would put all points of a face at right angles to x beside each other.
WeldedPoints weld(std::span<const Vec3> points, double tolerance) {
  const Vec3 direction = Vec3(0.5773, 0.6129, 0.5392).normalized();
  std::vector<double> place(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) place[i] = direction.dot(points[i]);
  std::vector<std::int32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t i, std::int32_t j) {
    const double x = place[static_cast<std::size_t>(i)], y = place[static_cast<std::size_t>(j)];
    return x != y ? x < y : i < j;
  });
  WeldedPoints welded;
  welded.vertex_of.resize(points.size());
  std::vector<double> place_of_vertex;
  std::size_t first = 0;  // vertices before it are too far behind
  for (const std::int32_t i : order) {
    const auto k = static_cast<std::size_t>(i);
    while (first < place_of_vertex.size() && place_of_vertex[first] < place[k] - 2 * tolerance) ++first;
    std::size_t vertex = first;
    while (vertex < welded.vertices.size() && !((welded.vertices[vertex] - points[k]).norm() <= tolerance)) ++vertex;
    if (vertex == welded.vertices.size()) {
      welded.vertices.push_back(points[k]);
      place_of_vertex.push_back(place[k]);
    }
    welded.vertex_of[k] = static_cast<std::int32_t>(vertex);
  }
  return welded;
}

}  // namespace freeplay::geometry
