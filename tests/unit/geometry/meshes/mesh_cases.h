// Meshes of known solids for tests, and distances of triangles by other means than those of the library.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

#include "freeplay/geometry/meshes/mesh_builder.h"
#include "freeplay/geometry/meshes/mesh_contact.h"

namespace freeplay::test {

inline TriangleMesh built(const TriangleSoup& soup) {
  MeshResult result = build_mesh(soup);
  EXPECT_TRUE(result.problem.empty()) << result.problem.message;
  return std::move(result.mesh);
}

// A surface of revolution about z from points (radius, z), which run upwards with matter on the side of the axis if it
// closes there; closed: the last joins the first, counter-clockwise in (radius, z).
inline TriangleSoup revolved(const std::vector<std::pair<double, double>>& profile, int sides, bool closed) {
  TriangleSoup soup;
  soup.relative_precision = 1e-12;
  std::vector<std::vector<std::int32_t>> rings;
  for (const auto& [r, z] : profile) {
    std::vector<std::int32_t> ring;
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * std::numbers::pi * k / sides;
      if (r > 0 || k == 0) soup.points_m.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
      ring.push_back(static_cast<std::int32_t>(soup.points_m.size()) - 1);
    }
    rings.push_back(ring);
  }
  const std::size_t count = rings.size();
  for (std::size_t i = 0; i + (closed ? 0 : 1) < count; ++i) {
    const auto &low = rings[i], &high = rings[(i + 1) % count];
    for (int k = 0; k < sides; ++k) {
      const auto here = static_cast<std::size_t>(k), next = static_cast<std::size_t>((k + 1) % sides);
      if (low[here] != low[next]) soup.triangles.push_back({low[here], low[next], high[next]});
      if (high[here] != high[next]) soup.triangles.push_back({low[here], high[next], high[here]});
    }
  }
  return soup;
}

inline TriangleSoup ball_soup(double radius, int bands, int sides) {
  std::vector<std::pair<double, double>> profile;
  for (int i = 0; i <= bands; ++i) {
    const double angle = std::numbers::pi * i / bands;
    const bool pole = i == 0 || i == bands;
    profile.emplace_back(pole ? 0 : radius * std::sin(angle), -radius * std::cos(angle));
  }
  return revolved(profile, sides, false);
}

inline TriangleSoup torus_soup(double large, double small, int bands, int sides) {
  std::vector<std::pair<double, double>> profile;
  for (int i = 0; i < bands; ++i) {
    const double angle = 2 * std::numbers::pi * i / bands;
    profile.emplace_back(large + small * std::cos(angle), small * std::sin(angle));
  }
  return revolved(profile, sides, true);
}

// A prism with `sides` sides about z, its corners on the circle; from z = -height/2 to height/2.
inline TriangleSoup peg_soup(double radius, double height, int sides) {
  return revolved({{0, -height / 2}, {radius, -height / 2}, {radius, height / 2}, {0, height / 2}}, sides, false);
}

// A round plate with a round hole.
inline TriangleSoup ring_soup(double inner, double outer, double height, int sides) {
  return revolved({{inner, -height / 2}, {outer, -height / 2}, {outer, height / 2}, {inner, height / 2}}, sides, true);
}

inline TriangleSoup box_soup(const Vec3& size) {
  const TriangleMesh box = mesh_of(BoxShape{Vec3::Zero(), size, Eigen::Quaterniond::Identity()});
  TriangleSoup soup;
  soup.relative_precision = 0;
  soup.points_m.assign(box.vertices().begin(), box.vertices().end());
  for (const MeshTriangle& t : box.triangles()) soup.triangles.push_back(t.vertices);
  return soup;
}

// Every triangle as four: many seams, the same solid.
inline TriangleSoup refined(const TriangleSoup& soup, int times) {
  TriangleSoup fine;
  fine.relative_precision = soup.relative_precision > 0 ? soup.relative_precision : 1e-12;
  for (const auto& t : soup.triangles) {
    const Vec3 a = soup.points_m[static_cast<std::size_t>(t[0])], b = soup.points_m[static_cast<std::size_t>(t[1])],
               c = soup.points_m[static_cast<std::size_t>(t[2])];
    const Vec3 ab = (a + b) / 2, bc = (b + c) / 2, ca = (c + a) / 2;
    for (const auto& [x, y, z] :
         {std::tuple(a, ab, ca), std::tuple(ab, b, bc), std::tuple(ca, bc, c), std::tuple(ab, bc, ca)}) {
      const auto first = static_cast<std::int32_t>(fine.points_m.size());
      fine.points_m.insert(fine.points_m.end(), {x, y, z});
      fine.triangles.push_back({first, first + 1, first + 2});
    }
  }
  return times > 1 ? refined(fine, times - 1) : fine;
}

// An L: two boxes as one solid, with a reflex edge along y at x = z = 0 and walls of thickness 1.
inline TriangleSoup angle_soup() {
  const std::vector<std::pair<double, double>> outline{{-1, -1}, {3, -1}, {3, 0}, {0, 0}, {0, 3}, {-1, 3}};  // (x, z)
  TriangleSoup soup;
  soup.relative_precision = 0;
  for (const double y : {-2.0, 2.0}) {
    for (const auto& [x, z] : outline) soup.points_m.emplace_back(x, y, z);
  }
  for (const auto& [i, j, k] : {std::tuple(0, 1, 2), std::tuple(0, 2, 3), std::tuple(0, 3, 4), std::tuple(0, 4, 5)}) {
    soup.triangles.push_back({i, j, k});
    soup.triangles.push_back({i + 6, k + 6, j + 6});
  }
  for (int i = 0; i < 6; ++i) {
    const int j = (i + 1) % 6;
    soup.triangles.push_back({i, i + 6, j});
    soup.triangles.push_back({j, i + 6, j + 6});
  }
  return soup;
}

inline std::vector<MeshContact> contacts_of(const auto& a, const auto& b, const Frame& at_a, const Frame& at_b,
                                            double reach, std::size_t most = 256) {
  std::vector<MeshContact> out(most);
  const MeshContacts found = find_mesh_contacts(a, b, at_a, at_b, reach, out);
  EXPECT_TRUE(found.complete);
  out.resize(static_cast<std::size_t>(found.count));
  return out;
}

inline double least_gap(const std::vector<MeshContact>& contacts) {
  double least = kInfinity;
  for (const MeshContact& c : contacts) least = std::min(least, c.gap);
  return least;
}

inline double point_triangle_distance(const Vec3& x, const std::array<Vec3, 3>& t) {
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
  bool inside = true;
  double least = kInfinity;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 a = t[k], along = t[(k + 1) % 3] - a;
    inside = inside && n.cross(along).dot(x - a) >= 0;
    const double s = std::clamp(along.dot(x - a) / along.squaredNorm(), 0.0, 1.0);
    least = std::min(least, (x - a - s * along).norm());
  }
  return inside ? std::abs(n.dot(x - t[0])) : least;
}

}  // namespace freeplay::test
