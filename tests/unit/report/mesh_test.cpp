// Meshes of shapes: their measures are those of the shapes, and solids are closed with their faces outward.
#include "freeplay/report/draw/mesh.h"

#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "freeplay/report/draw/triangulation.h"

namespace freeplay::test::mesh {
namespace {

using std::numbers::pi;
using Json = nlohmann::ordered_json;

Mesh mesh_of(const char* text, const SceneExtent& extent = {}) {
  return mesh_of_shape(Json::parse(text), extent);
}

std::vector<std::vector<std::int64_t>> cells(const Mesh& mesh) {
  std::vector<std::vector<std::int64_t>> all;
  std::int64_t first = 0;
  for (const std::int64_t end : mesh.ends) {
    all.emplace_back(mesh.connectivity.begin() + first, mesh.connectivity.begin() + end);
    first = end;
  }
  return all;
}

// By the divergence theorem over the faces, each cut into triangles from its first corner. Every edge must be run
// through once in either direction: the surface is closed, and all faces look to the same side.
double volume(const Mesh& mesh) {
  double six_volumes = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, int> edges;
  for (const std::vector<std::int64_t>& face : cells(mesh)) {
    const auto corner = [&](std::size_t i) { return mesh.points.at(static_cast<std::size_t>(face[i])); };
    for (std::size_t i = 1; i + 1 < face.size(); ++i) six_volumes += corner(0).dot(corner(i).cross(corner(i + 1)));
    for (std::size_t i = 0; i < face.size(); ++i) ++edges[{face[i], face[(i + 1) % face.size()]}];
  }
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(edges.contains({edge.second, edge.first}));
  }
  return six_volumes / 6;
}

double area(const Mesh& mesh) {
  double sum = 0;
  const std::vector<std::vector<std::int64_t>> all = cells(mesh);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (mesh.types[i] != CellType::kTriangle) continue;
    const auto corner = [&](std::size_t k) { return mesh.points.at(static_cast<std::size_t>(all[i][k])); };
    sum += 0.5 * (corner(1) - corner(0)).cross(corner(2) - corner(0)).z();
  }
  return sum;
}

TEST(MeshOfShape, SolidsAreClosedAndHaveTheirVolume) {
  EXPECT_NEAR(volume(mesh_of(R"({"type": "box", "at": [5, 6, 7], "size": [1, 2, 3], "rotation": [0.6, 0, 0.8, 0]})")),
              6, 1e-12);
  // Inscribed polyhedra are a few per cent smaller.
  EXPECT_NEAR(volume(mesh_of(R"({"type": "sphere", "at": [1, 0, 0], "radius": 2})")), 4 * pi / 3 * 8, 0.04 * 33.5);
  EXPECT_NEAR(volume(mesh_of(R"({"type": "cylinder", "at": [0, 1, 0], "axis": [0, 1, 0], "radius": 1, "length": 3})")),
              12 * 3 * std::sin(2 * pi / 24), 1e-9);  // a prism with 24 sides
  EXPECT_NEAR(volume(mesh_of(R"({"type": "capsule", "at": [0, 0, 0], "axis": [0, 0, -1], "radius": 1, "length": 2})")),
              2 * pi + 4 * pi / 3, 0.3);
  EXPECT_NEAR(
      volume(mesh_of(R"({"type": "ellipsoid", "at": [0, 0, 0], "semi_axes": [1, 2, 3], "rotation": [1, 0, 0, 0]})")),
      8 * pi, 0.04 * 25);
}

TEST(MeshOfShape, AreasOfThePlaneAreFilled) {
  EXPECT_NEAR(area(mesh_of(R"({"type": "circle", "at": [1, 2, 0], "radius": 2})")), 4 * pi, 0.03);
  EXPECT_NEAR(
      area(mesh_of(R"({"type": "ellipse", "at": [1, 2, 0], "semi_axis_x": 2, "semi_axis_y": 0.5, "angle": 0.3})")), pi,
      0.01);
  EXPECT_NEAR(area(mesh_of(R"({"type": "polygon", "vertices": [[0, 0], [4, 0], [4, 3], [3, 1], [1, 1], [0, 3]]})")), 6,
              1e-12);  // 4 x 1 and two triangles of 1 x 2
  const Mesh circle = mesh_of(R"({"type": "circle", "at": [1, 2, 0], "radius": 2})");
  EXPECT_EQ(circle.types.front(), CellType::kPolyLine) << "and have an outline";
  EXPECT_EQ(circle.ends.front(), static_cast<std::int64_t>(circle.points.size()) + 1) << "which is closed";
}

TEST(MeshOfShape, ASplineGoesThroughItsPointsAndBulgesBetweenThem) {
  const double filled =
      area(mesh_of(R"({"type": "spline", "points": [[1, 0], [0, 1], [-1, 0], [0, -1]], "closed": true})"));
  EXPECT_GT(filled, 2.5) << "more than the square";
  EXPECT_LT(filled, 3.3) << "about the circle";
}

TEST(MeshOfShape, WhatHasNoEndIsShownAroundTheScene) {
  const Mesh line = mesh_of(R"({"type": "line", "at": [0, -1, 0], "normal": [0, 1, 0]})", {Vec3(10, 5, 0), 4});
  ASSERT_EQ(line.points.size(), 2u);
  EXPECT_EQ(line.points[0], Vec3(8, -1, 0));
  EXPECT_EQ(line.points[1], Vec3(12, -1, 0));
  const Mesh plane = mesh_of(R"({"type": "plane", "at": [0, 0, 2], "normal": [0, 0, 1]})", {Vec3(10, 5, 0), 4});
  ASSERT_EQ(plane.points.size(), 4u);
  for (const Vec3& corner : plane.points) {
    EXPECT_EQ(corner.z(), 2);
    EXPECT_EQ(std::abs(corner.x() - 10), 2);
  }
}

TEST(MeshOfShape, PointsArcsAndUnknownShapes) {
  EXPECT_EQ(mesh_of(R"({"type": "point", "at": [1, 2, 0]})").types, std::vector{CellType::kVertex});
  const Mesh arc = mesh_of(R"({"type": "arc", "at": [0, 0, 0], "radius": 1, "from": 0, "to": 1.5707963267948966})");
  EXPECT_NEAR((arc.points.back() - Vec3(0, 1, 0)).norm(), 0, 1e-12);
  EXPECT_TRUE(mesh_of(R"({"type": "torus"})").points.empty());
  EXPECT_THROW(mesh_of(R"({"type": "circle", "at": [1, 2]})"), Json::exception);
}

TEST(Triangulation, FillsAStarInEitherSense) {
  std::vector<Vec3> star;
  double expected = 0;
  for (int i = 0; i < 40; ++i) {
    const double r = i % 2 == 0 ? 1 : 0.2, angle = 2 * pi * i / 40;
    star.emplace_back(r * std::cos(angle), r * std::sin(angle), 0);
    expected += 0.5 * 0.2 * std::sin(2 * pi / 40);
  }
  for (int sense = 0; sense < 2; ++sense) {
    const auto triangles = triangulated(star);
    EXPECT_EQ(triangles.size(), star.size() - 2);
    double sum = 0;
    for (const auto& [a, b, c] : triangles) {
      const auto at = [&](std::int64_t i) { return star.at(static_cast<std::size_t>(i)); };
      const double part = 0.5 * (at(b) - at(a)).cross(at(c) - at(a)).z();
      EXPECT_GT(part, 0);
      sum += part;
    }
    EXPECT_NEAR(sum, expected, 1e-12);
    std::reverse(star.begin(), star.end());
  }
}

TEST(Triangulation, EndsOnOutlinesThatHaveNoArea) {
  EXPECT_TRUE(triangulated({}).empty());
  EXPECT_TRUE(triangulated({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)}).empty());
  const std::vector<Vec3> crossing = {Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  EXPECT_LE(triangulated(crossing).size(), 2u);
}

TEST(MeshOfShape, TrianglesOfAMeshAreDrawnAsTheyAreAndWrongOnesLeftOut) {
  const Mesh mesh = mesh_of(
      R"({"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]],
          "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3], [0, 1, 4], [-1, 0, 1]]})");
  EXPECT_EQ(cells(mesh).size(), 4u);
  EXPECT_NEAR(volume(mesh), 1, 1e-15);
}

}  // namespace
}  // namespace freeplay::test::mesh
