#include "freeplay/report/draw/mesh.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "freeplay/geometry/curves/closed_curve.h"
#include "freeplay/math/rotation.h"
#include "freeplay/report/draw/triangulation.h"

namespace freeplay::report {

namespace {

using Json = nlohmann::ordered_json;
using std::numbers::pi;

constexpr int kCircleCorners = 64;  // of outlines in the plane
constexpr int kRoundCorners = 24;   // around solids
constexpr int kRings = 12;          // from pole to pole
constexpr int kSplinePoints = 360;

Mat3 rotation_of(const Json& list) {
  return rotation_from_quaternion(
      {list.at(0).get<double>(), list.at(1).get<double>(), list.at(2).get<double>(), list.at(3).get<double>()});
}

std::vector<Vec3> points_of(const Json& list) {
  std::vector<Vec3> points;
  for (const Json& point : list) points.push_back(vector_of(point));
  return points;
}

// Points of an ellipse from angle `from` to angle `to`, both included.
std::vector<Vec3> arc_points(const Vec3& centre, const Vec3& a, const Vec3& b, double from, double to, int pieces) {
  std::vector<Vec3> points;
  for (int i = 0; i <= pieces; ++i) {
    const double angle = from + (to - from) * i / pieces;
    points.emplace_back(centre + std::cos(angle) * a + std::sin(angle) * b);
  }
  return points;
}
std::vector<Vec3> ellipse_points(const Vec3& centre, const Vec3& a, const Vec3& b, int corners) {
  std::vector<Vec3> points = arc_points(centre, a, b, 0, 2 * pi, corners);
  points.pop_back();
  return points;
}

// Line and area.
Mesh area(const std::vector<Vec3>& outline) {
  Mesh mesh;
  mesh.add_outline(outline, true);
  for (const auto& [a, b, c] : triangulated(outline)) mesh.add_cell(CellType::kTriangle, {a, b, c});
  return mesh;
}

Mesh line(const Json& shape, const SceneExtent& extent) {
  const Vec3 at = vector_of(shape.at("at")), normal = vector_of(shape.at("normal"));
  const Vec3 along(normal.y(), -normal.x(), 0);
  const Vec3 middle = at + along * along.dot(extent.centre - at);
  Mesh mesh;
  mesh.add_outline({middle - 0.5 * extent.size_m * along, middle + 0.5 * extent.size_m * along}, false);
  return mesh;
}

Mesh plane(const Json& shape, const SceneExtent& extent) {
  const Vec3 at = vector_of(shape.at("at")), normal = vector_of(shape.at("normal"));
  const Vec3 middle = extent.centre - normal * normal.dot(extent.centre - at);
  const Mat3 axes = rotation_between(Vec3::UnitZ(), normal);
  Mesh mesh;
  std::vector<std::int64_t> corners;
  for (const auto& [x, y] : {std::pair{-1, -1}, std::pair{1, -1}, std::pair{1, 1}, std::pair{-1, 1}})
    corners.push_back(mesh.add_point(middle + 0.5 * extent.size_m * (x * axes.col(0) + y * axes.col(1))));
  mesh.add_cell(CellType::kQuad, corners);
  return mesh;
}

// Rings of points one above the other, the first and the last one closed by caps; a ring of one point is a tip.
Mesh lathe(const std::vector<std::vector<Vec3>>& rings) {
  Mesh mesh;
  std::vector<std::vector<std::int64_t>> corners;
  for (const std::vector<Vec3>& ring : rings) {
    corners.emplace_back();
    for (const Vec3& point : ring) corners.back().push_back(mesh.add_point(point));
  }
  for (std::size_t r = 0; r + 1 < corners.size(); ++r) {
    const std::vector<std::int64_t>&low = corners[r], &high = corners[r + 1];
    const std::size_t n = std::max(low.size(), high.size());
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t next = (i + 1) % n;
      if (low.size() == 1)
        mesh.add_cell(CellType::kTriangle, {low[0], high[next], high[i]});
      else if (high.size() == 1)
        mesh.add_cell(CellType::kTriangle, {low[i], low[next], high[0]});
      else
        mesh.add_cell(CellType::kQuad, {low[i], low[next], high[next], high[i]});
    }
  }
  if (corners.front().size() > 1) mesh.add_cell(CellType::kPolygon, {corners.front().rbegin(), corners.front().rend()});
  if (corners.back().size() > 1) mesh.add_cell(CellType::kPolygon, corners.back());
  return mesh;
}

// Spheres, ellipsoids, and with a shift of the two halves capsules. `axes`: the three semi-axes as columns.
Mesh round_solid(const Vec3& centre, const Mat3& axes, const Vec3& half_shift) {
  std::vector<std::vector<Vec3>> rings;
  const auto add_ring = [&](int ring, const Vec3& shift) {
    const double latitude = pi * ring / kRings - pi / 2;
    const Vec3 middle = centre + shift + std::sin(latitude) * axes.col(2);
    if (ring == 0 || ring == kRings)
      rings.push_back({middle});
    else
      rings.push_back(
          ellipse_points(middle, std::cos(latitude) * axes.col(0), std::cos(latitude) * axes.col(1), kRoundCorners));
  };
  for (int ring = 0; ring <= kRings / 2; ++ring) add_ring(ring, -half_shift);
  if (half_shift.norm() > 0) add_ring(kRings / 2, half_shift);
  for (int ring = kRings / 2 + 1; ring <= kRings; ++ring) add_ring(ring, half_shift);
  return lathe(rings);
}

Mesh box(const Json& shape) {
  const Vec3 at = vector_of(shape.at("at")), half = 0.5 * vector_of(shape.at("size"));
  const Mat3 R = rotation_of(shape.at("rotation"));
  Mesh mesh;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner((i & 1) != 0 ? half.x() : -half.x(), (i & 2) != 0 ? half.y() : -half.y(),
                      (i & 4) != 0 ? half.z() : -half.z());
    mesh.add_point(at + R * corner);
  }
  for (const std::vector<std::int64_t>& face : std::vector<std::vector<std::int64_t>>{
           {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    mesh.add_cell(CellType::kQuad, face);
  return mesh;
}

Mesh along_axis(const Json& shape, bool is_capsule) {
  const Vec3 at = vector_of(shape.at("at"));
  const double radius = shape.at("radius").get<double>(), length = shape.at("length").get<double>();
  const Mat3 axes = rotation_between(Vec3::UnitZ(), vector_of(shape.at("axis")).normalized());
  const Vec3 half = 0.5 * length * axes.col(2);
  if (is_capsule) return round_solid(at, radius * axes, half);
  return lathe({ellipse_points(at - half, radius * axes.col(0), radius * axes.col(1), kRoundCorners),
                ellipse_points(at + half, radius * axes.col(0), radius * axes.col(1), kRoundCorners)});
}

// A shape that brings its own triangles.
Mesh triangles(const Json& shape) {
  Mesh mesh;
  mesh.points = points_of(shape.at("vertices"));
  const auto count = static_cast<std::int64_t>(mesh.points.size());
  for (const Json& triangle : shape.at("triangles")) {
    const std::vector<std::int64_t> corners{triangle.at(0).get<std::int64_t>(), triangle.at(1).get<std::int64_t>(),
                                            triangle.at(2).get<std::int64_t>()};
    const bool exist = std::all_of(corners.begin(), corners.end(), [&](std::int64_t i) { return i >= 0 && i < count; });
    if (exist) mesh.add_cell(CellType::kTriangle, corners);
  }
  return mesh;
}

Mesh spline(const Json& shape) {
  std::vector<Vec3> points = points_of(shape.at("points"));
  Mesh mesh;
  if (!shape.at("closed").get<bool>()) {
    mesh.add_outline(points, false);
    return mesh;
  }
  const PeriodicSpline curve(points);
  points.clear();
  for (int i = 0; i < kSplinePoints; ++i) {
    const Vec2 x = curve.at(curve.period() * i / kSplinePoints).x;
    points.emplace_back(x.x(), x.y(), 0);
  }
  return area(points);
}

Mesh ellipse(const Json& shape) {
  const double angle = shape.at("angle").get<double>();
  const Vec3 along(std::cos(angle), std::sin(angle), 0), across(-along.y(), along.x(), 0);
  return area(ellipse_points(vector_of(shape.at("at")), shape.at("semi_axis_x").get<double>() * along,
                             shape.at("semi_axis_y").get<double>() * across, kCircleCorners));
}

Mesh arc(const Json& shape) {
  const double radius = shape.at("radius").get<double>(), from = shape.at("from").get<double>(),
               to = shape.at("to").get<double>();
  const int pieces = std::max(2, static_cast<int>(std::ceil(kCircleCorners * std::abs(to - from) / (2 * pi))));
  Mesh mesh;
  mesh.add_outline(
      arc_points(vector_of(shape.at("at")), radius * Vec3::UnitX(), radius * Vec3::UnitY(), from, to, pieces), false);
  return mesh;
}

}  // namespace

std::int64_t Mesh::add_point(const Vec3& point) {
  points.push_back(point);
  return static_cast<std::int64_t>(points.size()) - 1;
}

void Mesh::add_cell(CellType type, const std::vector<std::int64_t>& corners) {
  connectivity.insert(connectivity.end(), corners.begin(), corners.end());
  ends.push_back(static_cast<std::int64_t>(connectivity.size()));
  types.push_back(type);
}

void Mesh::add_outline(const std::vector<Vec3>& outline, bool is_closed) {
  std::vector<std::int64_t> corners;
  corners.reserve(outline.size() + 1);
  for (const Vec3& point : outline) corners.push_back(add_point(point));
  if (corners.empty()) return;
  if (is_closed) corners.push_back(corners.front());
  add_cell(corners.size() == 1   ? CellType::kVertex
           : corners.size() == 2 ? CellType::kLine
                                 : CellType::kPolyLine,
           corners);
}

Mesh prism(const std::vector<Vec3>& low, const std::vector<Vec3>& high) {
  return lathe({low, high});
}

Vec3 vector_of(const nlohmann::ordered_json& list) {
  return {list.at(0).get<double>(), list.at(1).get<double>(), list.size() > 2 ? list.at(2).get<double>() : 0.0};
}

Mesh mesh_of_shape(const nlohmann::ordered_json& shape, const SceneExtent& extent) {
  const std::string type = shape.at("type").get<std::string>();
  const auto at = [&] { return vector_of(shape.at("at")); };
  const auto radius = [&] { return shape.at("radius").get<double>(); };
  Mesh mesh;
  if (type == "point") mesh.add_outline({at()}, false);
  if (type == "line") mesh = line(shape, extent);
  if (type == "circle")
    mesh = area(ellipse_points(at(), radius() * Vec3::UnitX(), radius() * Vec3::UnitY(), kCircleCorners));
  if (type == "arc") mesh = arc(shape);
  if (type == "polygon") mesh = area(points_of(shape.at("vertices")));
  if (type == "ellipse") mesh = ellipse(shape);
  if (type == "spline") mesh = spline(shape);
  if (shape.contains("outline")) mesh = area(points_of(shape.at("outline")));  // cams and contours
  if (shape.contains("triangles")) mesh = triangles(shape);                    // surfaces and meshes
  if (type == "sphere") mesh = round_solid(at(), radius() * Mat3::Identity(), Vec3::Zero());
  if (type == "plane") mesh = plane(shape, extent);
  if (type == "box") mesh = box(shape);
  if (type == "cylinder") mesh = along_axis(shape, false);
  if (type == "capsule") mesh = along_axis(shape, true);
  if (type == "ellipsoid") {
    const Mat3 axes = rotation_of(shape.at("rotation")) * vector_of(shape.at("semi_axes")).asDiagonal();
    mesh = round_solid(at(), axes, Vec3::Zero());
  }
  return mesh;
}

}  // namespace freeplay::report
