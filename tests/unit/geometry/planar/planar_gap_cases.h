// Random shapes and placements, and the outline of a shape as a dense set of points.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "freeplay/geometry/pairs/planar_gap.h"
#include "unit/geometry/pi.h"

namespace freeplay::test {

inline PlanarPlacement placement(double x, double y, double angle) {
  return {std::cos(angle), std::sin(angle), x, y};
}

// A body's motion: its position at time s along constant velocities.
struct Motion {
  double x = 0, y = 0, angle = 0;
  double vx = 0, vy = 0, omega = 0;

  PlanarPlacement at(double s) const { return placement(x + s * vx, y + s * vy, angle + s * omega); }
  Vec2 velocity(const Vec2& point) const { return {vx - omega * (point.y() - y), vy + omega * (point.x() - x)}; }
};

// A pair of types, each with `hollow` where it is an arc.
struct PairCase {
  std::string a, b;
  bool hollow_a = false, hollow_b = false;

  std::string name() const { return (hollow_a ? "hollow_" : "") + a + "_" + (hollow_b ? "hollow_" : "") + b; }
};
inline std::ostream& operator<<(std::ostream& out, const PairCase& pair) {
  return out << pair.name();
}

// Every pair that has an exact gap function of its own, in both orders.
inline std::vector<PairCase> all_pairs() {
  const std::vector<PairCase> forward = {{"point", "line"},   {"point", "circle"},   {"point", "polygon"},
                                         {"circle", "line"},  {"circle", "circle"},  {"circle", "polygon"},
                                         {"polygon", "line"}, {"polygon", "polygon"}};
  std::vector<PairCase> pairs = forward;
  for (const PairCase& pair : forward) {
    if (pair.a != pair.b || pair.hollow_a != pair.hollow_b)
      pairs.push_back({pair.b, pair.a, pair.hollow_b, pair.hollow_a});
  }
  return pairs;
}

inline std::vector<PlanarContactPoint> evaluate(const PlanarGap& gap, const PlanarPlacement& a,
                                                const PlanarPlacement& b) {
  std::vector<PlanarContactPoint> points(static_cast<std::size_t>(gap.point_count()));
  gap.evaluate(a, b, points);
  return points;
}

inline std::vector<PlanarContactPoint> evaluate(const ShapeGeometry& a, const PlanarPlacement& at_a,
                                                const ShapeGeometry& b, const PlanarPlacement& at_b) {
  return evaluate(*make_planar_gap(a, b), at_a, at_b);
}

// The contact of least gap: contours do not promise in which point it is.
inline PlanarContactPoint nearest(const std::vector<PlanarContactPoint>& points) {
  return *std::min_element(points.begin(), points.end(),
                           [](const PlanarContactPoint& a, const PlanarContactPoint& b) { return a.gap < b.gap; });
}

class RandomShapes {
 public:
  explicit RandomShapes(std::uint64_t seed) : generator_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator_); }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), 0}; }

  // Of a size near 1, near its body's origin.
  ShapeGeometry shape(const std::string& type, bool hollow = false) {
    if (type == "point") return PointShape{vector(0.5)};
    if (type == "circle") return CircleShape{vector(0.5), uniform(0.1, 1)};
    if (type == "line") {
      const double angle = uniform(-kPi, kPi);
      return LineShape{vector(0.5), Vec3(std::cos(angle), std::sin(angle), 0)};
    }
    if (type == "arc") {
      const double from = uniform(-kPi, kPi);
      return ArcShape{vector(0.5), uniform(0.3, 1.5), from, from + uniform(0.2, 6), hollow};
    }
    return convex_polygon(integer(3, 8));
  }
  // Corners on an ellipse, with at least 0.6 of an even share of the turn between them.
  PolygonShape convex_polygon(int corners) {
    PolygonShape polygon;
    const Vec3 centre = vector(0.5);
    const double start = uniform(-kPi, kPi), x = uniform(0.3, 1), y = uniform(0.3, 1);
    for (int i = 0; i < corners; ++i) {
      const double angle = start + 2 * kPi * (i + uniform(0, 0.4)) / corners;
      polygon.vertices_m.push_back(centre + Vec3(x * std::cos(angle), y * std::sin(angle), 0));
    }
    return polygon;
  }
  // Up to `range` from the origin.
  Motion motion(double range) {
    return {uniform(-range, range), uniform(-range, range), uniform(-kPi, kPi),
            uniform(-1, 1),         uniform(-1, 1),         uniform(-1, 1)};
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace freeplay::test
