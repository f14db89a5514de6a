#include "freeplay/io/reader/outline_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace freeplay::io {

namespace {

double cross_z(const Vec3& a, const Vec3& b) {
  return a.x() * b.y() - a.y() * b.x();
}

bool edges_cross(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto side = [](const Vec3& from, const Vec3& to, const Vec3& point) {
    return cross_z(to - from, point - from);
  };
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

// Corners that are closer than this part of the polygon's size count as the same, or as being on a line.
constexpr double kPolygonTolerance = 1e-12;

double distance_to_segment(const Vec3& point, const Vec3& from, const Vec3& to) {
  const Vec3 along = to - from;
  const double t = std::clamp((point - from).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (point - from - t * along).norm();
}

// The corners lie on a line, up to `tolerance_m`: then every one is near the line from the first to the farthest.
bool are_on_a_line(const std::vector<Vec3>& vertices, const Vec3& farthest, double tolerance_m) {
  const Vec3 direction = (farthest - vertices[0]).normalized();
  return std::all_of(vertices.begin(), vertices.end(), [&](const Vec3& vertex) {
    return std::abs(cross_z(direction, vertex - vertices[0])) <= tolerance_m;
  });
}

}  // namespace

std::string outline_problem(std::string_view shape, std::string_view corner, const std::vector<Vec3>& vertices,
                            bool may_be_clockwise) {
  const std::size_t n = vertices.size();
  if (n < 3) return fmt::format("a {} needs at least 3 {}s, but has {}", shape, corner, n);
  const Vec3 farthest = *std::max_element(vertices.begin(), vertices.end(), [&](const Vec3& a, const Vec3& b) {
    return (a - vertices[0]).squaredNorm() < (b - vertices[0]).squaredNorm();
  });
  const double tolerance_m = kPolygonTolerance * (farthest - vertices[0]).norm();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if ((vertices[i] - vertices[j]).norm() <= tolerance_m)
        return fmt::format("the {}s {} and {} are the same", corner, i + 1, j + 1);
    }
  }
  if (are_on_a_line(vertices, farthest, tolerance_m)) {
    return fmt::format("the {}s lie on a line, so that there is no area", corner);
  }
  double twice_area = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t i_next = (i + 1) % n;
    twice_area += cross_z(vertices[i] - vertices[0], vertices[i_next] - vertices[0]);
    for (std::size_t j = 0; j < n; ++j) {
      if (j > i && edges_cross(vertices[i], vertices[i_next], vertices[j], vertices[(j + 1) % n]))
        return fmt::format("the edges that start at the {}s {} and {} cross", corner, i + 1, j + 1);
      if (j != i && j != i_next && distance_to_segment(vertices[j], vertices[i], vertices[i_next]) <= tolerance_m)
        return fmt::format("the {0} {1} lies on the edge that starts at the {0} {2}", corner, j + 1, i + 1);
    }
  }
  return twice_area < 0 && !may_be_clockwise ? fmt::format("the {}s are listed clockwise", corner) : "";
}

}  // namespace freeplay::io
