// Random spatial shapes and placements, and what decides distances without any gap function: the projection of a point
// onto a shape and the reach of a shape into a direction.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "freeplay/geometry/pairs/spatial_gap.h"
#include "unit/geometry/pi.h"

namespace freeplay::test {

inline const Frame kWorld;  // a body at the origin, not turned

inline Frame frame(const Vec3& p, const Vec3& axis = Vec3::UnitZ(), double angle = 0) {
  return {Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(), p};
}

// A body's motion: its position at time s along constant velocities.
struct SpatialMotion {
  Frame start;
  Vec3 v = Vec3::Zero(), omega = Vec3::Zero();

  Frame at(double s) const {
    const double rate = omega.norm();
    const Mat3 turn = rate > 0 ? Eigen::AngleAxisd(s * rate, omega / rate).toRotationMatrix() : Mat3(Mat3::Identity());
    return {turn * start.R, start.p + s * v};
  }
  Vec3 velocity(const Vec3& point) const { return v + omega.cross(point - start.p); }
};

struct SpatialPair {
  std::string a, b;

  std::string name() const { return a + "_" + b; }
};
inline std::ostream& operator<<(std::ostream& out, const SpatialPair& pair) {
  return out << pair.name();
}

// Every pair that has a gap function of its own, in both orders.
inline std::vector<SpatialPair> all_spatial_pairs() {
  std::vector<SpatialPair> pairs;
  const std::vector<std::string> names = {"sphere", "plane", "box", "cylinder", "capsule", "ellipsoid"};
  for (const std::string& a : names) {
    for (const std::string& b : names) {
      const bool is_angular_a = a != "sphere" && a != "plane" && a != "ellipsoid";
      const bool is_angular_b = b != "sphere" && b != "plane" && b != "ellipsoid";
      const bool is_surface_pair = (a == "ellipsoid" && is_angular_b) || (b == "ellipsoid" && is_angular_a);
      if (shape_pair_is_defined(a, b) && !is_surface_pair) pairs.push_back({a, b});
    }
  }
  return pairs;
}

inline std::vector<SpatialContactPoint> evaluate(const SpatialGap& gap, const Frame& a, const Frame& b) {
  std::vector<SpatialContactPoint> points(static_cast<std::size_t>(gap.point_count()));
  gap.evaluate(a, b, points);
  return points;
}

inline std::vector<SpatialContactPoint> evaluate(const ShapeGeometry& a, const Frame& at_a, const ShapeGeometry& b,
                                                 const Frame& at_b) {
  return evaluate(*make_spatial_gap(a, b), at_a, at_b);
}

inline const SpatialContactPoint& nearest_of(const std::vector<SpatialContactPoint>& points) {
  return *std::min_element(points.begin(), points.end(),
                           [](const auto& one, const auto& other) { return one.gap < other.gap; });
}

class RandomSolids {
 public:
  explicit RandomSolids(std::uint64_t seed) : generator_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vector(1);
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
  }
  Mat3 rotation() { return quaternion().toRotationMatrix(); }

  // Of a size near 1, near its body's origin.
  ShapeGeometry shape(const std::string& type) {
    if (type == "sphere") return SphereShape{vector(0.5), uniform(0.1, 1)};
    if (type == "plane") return PlaneShape{vector(0.5), direction()};
    if (type == "box") return BoxShape{vector(0.5), {uniform(0.2, 2), uniform(0.2, 2), uniform(0.2, 2)}, quaternion()};
    if (type == "cylinder") return CylinderShape{vector(0.5), direction(), uniform(0.1, 1), uniform(0.2, 2)};
    if (type == "ellipsoid") {
      const Vec3 at = vector(0.5), semi_axes(uniform(0.2, 1), uniform(0.2, 1), uniform(0.2, 1));
      return EllipsoidShape{at, semi_axes, quaternion()};
    }
    return CapsuleShape{vector(0.5), direction(), uniform(0.1, 0.7), uniform(0.2, 2)};
  }
  // Up to `range` from the origin.
  SpatialMotion motion(double range) { return {{rotation(), vector(range)}, vector(1), vector(1)}; }

 private:
  // One after the other: as arguments of one call, the compiler would choose their order and so the shapes.
  Eigen::Quaterniond quaternion() {
    const Vec3 axis = direction();
    return Eigen::Quaterniond(Eigen::AngleAxisd(uniform(-3, 3), axis));
  }

  std::mt19937_64 generator_;
};

// ---- shapes as convex sets, in body axes ----

// The point of the solid that is nearest to p: p itself inside.
inline Vec3 projected(const ShapeGeometry& shape, const Vec3& p) {
  const auto into_ball = [&](const Vec3& centre, double radius) -> Vec3 {
    const Vec3 e = p - centre;
    return e.norm() > radius ? Vec3(centre + e * (radius / e.norm())) : p;
  };
  if (const auto* s = std::get_if<SphereShape>(&shape)) return into_ball(s->at_m, s->radius_m);
  if (const auto* s = std::get_if<PlaneShape>(&shape)) return p - std::max(0.0, s->normal.dot(p - s->at_m)) * s->normal;
  if (const auto* s = std::get_if<BoxShape>(&shape)) {
    const Vec3 local = s->rotation.conjugate() * (p - s->at_m);
    return s->at_m + s->rotation * Vec3(local.cwiseMin(s->size_m / 2).cwiseMax(-s->size_m / 2));
  }
  if (const auto* s = std::get_if<CylinderShape>(&shape)) {
    const double z = s->axis.dot(p - s->at_m);
    const Vec3 radial = p - s->at_m - z * s->axis;
    return s->at_m + std::clamp(z, -s->length_m / 2, s->length_m / 2) * s->axis +
           radial * (radial.norm() > s->radius_m ? s->radius_m / radial.norm() : 1);
  }
  if (const auto* s = std::get_if<EllipsoidShape>(&shape)) {
    // x_i = a_i^2 y_i/(a_i^2 + t) with t >= 0 such that sum (a_i y_i/(a_i^2 + t))^2 = 1: bisection.
    const Vec3 y = s->rotation.conjugate() * (p - s->at_m), squares = s->semi_axes_m.cwiseAbs2();
    const auto excess = [&](double t) {
      const Vec3 inverse = (squares.array() + t).inverse();
      return s->semi_axes_m.cwiseProduct(y).cwiseProduct(inverse).squaredNorm() - 1;
    };
    if (excess(0) <= 0) return p;
    double low = 0, high = y.norm() * s->semi_axes_m.maxCoeff();
    for (int i = 0; i < 200; ++i) (excess((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
    const Vec3 inverse = (squares.array() + low).inverse();
    return s->at_m + s->rotation * Vec3(squares.cwiseProduct(y).cwiseProduct(inverse));
  }
  const auto& s = std::get<CapsuleShape>(shape);
  return into_ball(s.at_m + std::clamp(s.axis.dot(p - s.at_m), -s.length_m / 2, s.length_m / 2) * s.axis, s.radius_m);
}

// The largest n . x over the solid.
inline double reach(const ShapeGeometry& shape, const Vec3& n) {
  if (const auto* s = std::get_if<SphereShape>(&shape)) return n.dot(s->at_m) + s->radius_m;
  if (const auto* s = std::get_if<PlaneShape>(&shape)) {
    const bool along = (n - s->normal).norm() < 1e-9;
    return along ? s->normal.dot(s->at_m) : std::numeric_limits<double>::infinity();
  }
  if (const auto* s = std::get_if<BoxShape>(&shape))
    return n.dot(s->at_m) + (s->rotation.conjugate() * n).cwiseAbs().dot(s->size_m) / 2;
  if (const auto* s = std::get_if<CylinderShape>(&shape))
    return n.dot(s->at_m) + std::abs(n.dot(s->axis)) * s->length_m / 2 + n.cross(s->axis).norm() * s->radius_m;
  if (const auto* s = std::get_if<EllipsoidShape>(&shape))
    return n.dot(s->at_m) + Vec3(s->rotation.conjugate() * n).cwiseProduct(s->semi_axes_m).norm();
  const auto& s = std::get<CapsuleShape>(shape);
  return n.dot(s.at_m) + std::abs(n.dot(s.axis)) * s.length_m / 2 + s.radius_m;
}

// ---- and in the world ----

inline Vec3 projected(const ShapeGeometry& shape, const Frame& at, const Vec3& p) {
  return at.point(projected(shape, Vec3(at.R.transpose() * (p - at.p))));
}

inline double reach(const ShapeGeometry& shape, const Frame& at, const Vec3& n) {
  return n.dot(at.p) + reach(shape, Vec3(at.R.transpose() * n));
}

// How far apart the shapes are along n: no two of their points are nearer to each other.
inline double separation(const ShapeGeometry& a, const Frame& at_a, const ShapeGeometry& b, const Frame& at_b,
                         const Vec3& n) {
  return -reach(a, at_a, -n) - reach(b, at_b, n);
}

// An upper bound of the distance by projecting from one shape to the other and back; it falls to it slowly.
inline double projected_distance(const ShapeGeometry& a, const Frame& at_a, const ShapeGeometry& b, const Frame& at_b,
                                 int rounds) {
  Vec3 p = at_a.p;
  double distance = std::numeric_limits<double>::infinity();
  for (int i = 0; i < rounds && distance > 1e-5; ++i) {
    const Vec3 on_a = projected(a, at_a, p);
    p = projected(b, at_b, on_a);
    distance = (p - on_a).norm();
  }
  return distance;
}

}  // namespace freeplay::test
