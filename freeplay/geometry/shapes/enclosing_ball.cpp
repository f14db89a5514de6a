#include "freeplay/geometry/shapes/enclosing_ball.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::geometry {

namespace {

constexpr double kRounding = 1e-13;  // of the radius
constexpr int kMaxRounds = 1000;     // a handful is usual: every round finds a larger circle

struct Circle {
  Vec2 centre;
  double radius = 0;
  std::vector<Vec2> through;  // at most three

  bool holds(const Vec2& p) const { return (p - centre).norm() <= radius * (1 + kRounding); }
};

Circle circle_through(const Vec2& a, const Vec2& b) {
  const Vec2 centre = (a + b) / 2;
  return {centre, (a - centre).norm(), {a, b}};
}

std::optional<Circle> circle_through(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 u = b - a, v = c - a;
  const double twice = 2 * cross(u, v);
  if (twice == 0) return std::nullopt;  // in line: two of them hold the third
  const double uu = u.squaredNorm(), vv = v.squaredNorm();
  const Vec2 arm((v.y() * uu - u.y() * vv) / twice, (u.x() * vv - v.x() * uu) / twice);
  return Circle{a + arm, arm.norm(), {a, b, c}};
}

// The smallest circle around `support` that has `p` on it.
std::optional<Circle> smallest_circle(const std::vector<Vec2>& support, const Vec2& p) {
  std::optional<Circle> best;
  const auto look_at = [&](const std::optional<Circle>& circle) {
    if (!circle || (best && best->radius <= circle->radius)) return;
    if (std::all_of(support.begin(), support.end(), [&](const Vec2& q) { return circle->holds(q); })) best = circle;
  };
  for (std::size_t i = 0; i < support.size(); ++i) {
    look_at(circle_through(p, support[i]));
    for (std::size_t j = 0; j < i; ++j) look_at(circle_through(p, support[i], support[j]));
  }
  return best;
}

}  // namespace

// The smallest circle is held by two or three of the points. As long as a point is outside of the circle that some of
// them hold, the smallest circle around these and the farthest one is larger, and still not larger than the one sought.
BoundingSphere enclosing_ball(std::span<const Vec2> points) {
  Circle circle{points[0], 0, {points[0]}};
  const auto distance = [&](const Vec2& p) { return (p - circle.centre).norm(); };
  const auto farthest = [&] {
    return *std::max_element(points.begin(), points.end(),
                             [&](const Vec2& p, const Vec2& q) { return distance(p) < distance(q); });
  };
  for (int round = 0; round < kMaxRounds && !circle.holds(farthest()); ++round) {
    std::optional<Circle> larger = smallest_circle(circle.through, farthest());
    if (!larger) break;  // rounding decides between circles that are as large
    circle = std::move(*larger);
  }
  return {Vec3(circle.centre.x(), circle.centre.y(), 0), distance(farthest())};
}

}  // namespace freeplay::geometry
