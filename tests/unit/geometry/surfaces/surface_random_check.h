// Contacts of random surfaces against brute force: samples, exchange of the partners, paths.
#pragma once

#include <gtest/gtest.h>

#include "surface_cases.h"

namespace freeplay::test {

// The largest curvature at a place, of a convex surface positive; along an edge that of the edge, of a tip 0: all of
// what is there is a sample.
inline double bend_at(const SurfacePlace& place) {
  const double u = place.x_u.norm(), v = place.x_v.norm();
  if (!(u > 0)) return 0;
  if (!(place.x_u.cross(place.x_v).norm() > 1e-12 * u * v)) return std::max(place.x_u.dot(place.n_u) / (u * u), 0.0);
  return std::max(bend_of(place, 2).curvature_2, 0.0);
}

// The places of a surface in the world: its samples with normals.
struct WorldSamples {
  std::vector<Vec3> x, n;
  std::vector<double> bend;
  double spacing;  // of neighbours

  WorldSamples(const SpatialSurface& surface, const Frame& at, double apart) : spacing(apart) {
    if (surface.kind() == SpatialSurface::Kind::kBall) {
      const ConvexBody& ball = surface.convex();
      const int count = 1 + static_cast<int>(4 * kPi * ball.radius_m * ball.radius_m / (apart * apart));
      for (int i = 0; i < count; ++i) {  // Fibonacci's spiral
        const double z = 1 - (2.0 * i + 1) / count, angle = kPi * (1 + std::sqrt(5.0)) * i, r = std::sqrt(1 - z * z);
        const Vec3 d(r * std::cos(angle), r * std::sin(angle), z);
        x.push_back(at.point(ball.centre + ball.radius_m * d));
        n.push_back(at.R * d);
        bend.push_back(1 / ball.radius_m);
      }
      return;
    }
    for (const SurfacePlace& place : surface.samples(apart)) {
      x.push_back(at.point(place.x));
      n.push_back(at.R * place.n);
      bend.push_back(bend_at(place));
    }
  }
};

using KindPairs = std::vector<std::pair<std::string, std::string>>;

// Every pair of kinds but two planes.
inline KindPairs surface_kind_pairs() {
  KindPairs pairs;
  for (std::size_t i = 0; i < surface_kinds().size(); ++i) {
    for (std::size_t k = std::max<std::size_t>(i, 1); k < surface_kinds().size(); ++k)
      pairs.emplace_back(surface_kinds()[k], surface_kinds()[i]);
  }
  return pairs;
}

// Curved surfaces and the solids with which they have no closed form.
inline KindPairs surface_solid_pairs() {
  KindPairs pairs;
  for (const std::string& kind : surface_kinds()) {
    if (kind == "plane" || kind == "sphere") continue;
    for (const std::string& solid : solid_kinds()) pairs.emplace_back(kind, solid);
  }
  return pairs;
}

// Random poses of random surfaces of some pairs of kinds.
template <class Check>
void for_pairs(const KindPairs& pairs, int times, std::uint64_t seed, Check check) {
  RandomSurfaces random(seed);
  const SurfacePool pool(random, 5, pairs == surface_solid_pairs());
  for (const auto& [kind_a, kind_b] : pairs) {
    for (int n = 0; n < times; ++n) {
      const SpatialSurface &a = pool.any(kind_a, random), &b = pool.any(kind_b, random);
      const SpatialMotion move_a = random.motion(1.2), move_b = random.motion(1.2);
      check(a, b, move_a, move_b, kind_a + " " + kind_b + " " + std::to_string(n));
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

template <class Check>
void for_every_pair(int times, std::uint64_t seed, Check check) {
  for_pairs(surface_kind_pairs(), times, seed, check);
}

// The contact with partners exchanged is the same contact.
inline void check_exchange(const SpatialSurface& a, const Frame& at_a, const SpatialSurface& b, const Frame& at_b,
                           double reach, const std::string& name) {
  const auto there = contacts_of(a, at_a, b, at_b, reach), back = contacts_of(b, at_b, a, at_a, reach);
  ASSERT_EQ(there.size(), back.size()) << name;
  for (const SurfaceContact& one : there) {
    double nearest = kInfinity;
    for (const SurfaceContact& two : back) {
      // Where the distance is flat, points are less sure than gaps.
      if ((one.normal + two.normal).norm() < 1e-6 && (one.point_a - two.point_b).norm() < 1e-6)
        nearest = std::min(nearest, std::abs(one.gap - two.gap));
    }
    ASSERT_LE(nearest, 1e-12) << name << " gap " << one.gap;
  }
}

// What a contact is: points on the bodies, g n between them, n the outward normal of B.
inline void check_equations(const SurfaceContact& c, const std::string& name) {
  ASSERT_LT((c.point_a - c.point_b - c.gap * c.normal).norm(), 1e-12) << name;
  ASSERT_NEAR(c.normal.norm(), 1, 1e-13) << name;
  ASSERT_NEAR(c.bend_a.direction_1.dot(c.normal), 0, 1e-11) << name;
  ASSERT_NEAR(c.bend_b.direction_1.dot(c.normal), 0, 1e-11) << name;
}

// Bodies that are apart, by samples: the least gap is the distance, and wherever the distance from A to B has a clear
// minimum over the samples of A, there is a contact.
inline void check_minima(const SpatialSurface& a, const Frame& at_a, const SpatialSurface& b, const Frame& at_b,
                         const std::string& name, double apart_m, int& distances, int& minima) {
  const WorldSamples on_a(a, at_a, apart_m), on_b(b, at_b, apart_m);
  std::vector<double> distance(on_a.x.size(), kInfinity), too_large(on_a.x.size(), 0);
  double least = kInfinity;
  for (std::size_t i = 0; i < on_a.x.size(); ++i) {
    std::size_t nearest = 0;
    for (std::size_t k = 0; k < on_b.x.size(); ++k) {
      const double d = (on_a.x[i] - on_b.x[k]).squaredNorm();
      if (d < distance[i]) distance[i] = d, nearest = k;
    }
    distance[i] = std::sqrt(distance[i]);
    // The nearest point of B is up to half a diagonal of its samples away from them.
    too_large[i] = apart_m * apart_m * (1 / distance[i] + on_b.bend[nearest]) / 2;
    least = std::min(least, distance[i]);
    if ((on_a.x[i] - on_b.x[nearest]).dot(on_b.n[nearest]) < 0) return;  // they overlap
  }
  if (least > 0.8 || least < 0.05) return;  // far apart, or too near for samples
  // Nothing of A is in B: then B is in A as a whole, or not at all.
  double to_a = kInfinity, height = 0;
  for (std::size_t i = 0; i < on_a.x.size(); ++i) {
    const Vec3 from = on_b.x.front() - on_a.x[i];
    if (from.squaredNorm() < to_a) to_a = from.squaredNorm(), height = on_a.n[i].dot(from);
  }
  if (height < 0) return;
  constexpr double kReach = 0.9;
  const auto found = contacts_of(a, at_a, b, at_b, kReach);
  // By the triangle inequality samples are no nearer than the bodies, and further by their spacing at most.
  const double spacing = on_a.spacing + on_b.spacing;
  ASSERT_LE(least_gap(found, 10), least + 1e-12) << name;
  ASSERT_GE(least_gap(found, 10), least - spacing) << name;
  ++distances;
  const double around = 6 * on_a.spacing;
  for (std::size_t i = 0; i < on_a.x.size(); ++i) {
    if (distance[i] > kReach - 2 * spacing) continue;
    double rise = kInfinity;  // to a ring around the sample
    bool is_least = true;
    for (std::size_t k = 0; k < on_a.x.size() && is_least; ++k) {
      const double apart = (on_a.x[k] - on_a.x[i]).norm();
      if (apart > around) continue;
      is_least = k == i || distance[k] >= distance[i];
      if (apart > around / 2) rise = std::min(rise, distance[k] - distance[i]);
    }
    if (!is_least || !(rise > 2 * too_large[i]) || rise == kInfinity) continue;
    double nearest = kInfinity;
    for (const SurfaceContact& contact : found) {
      if (contact.gap <= distance[i] + 1e-12) nearest = std::min(nearest, (contact.point_a - on_a.x[i]).norm());
    }
    ASSERT_LT(nearest, around) << name << " sample at " << on_a.x[i].transpose() << " distance " << distance[i];
    ++minima;
  }
}

// Contacts of bodies of about the size 1 are followed to this depth. Beside a sharp edge a face holds only a small
// ball, so that a rim which has gone in there may be lost when it is deeper (docs/theory/surfaces.md, below zero).
constexpr double kPathReach = 0.4, kPathDepth = 0.02;

// The least gap at some times of a motion of two bodies.
class GapPath {
 public:
  GapPath(const SpatialSurface& a, const SpatialSurface& b, const SpatialMotion& move_a, const SpatialMotion& move_b)
      : a_(a), b_(b), move_a_(move_a), move_b_(move_b) {}

  double gap(double s) const {
    return least_gap(contacts_of(a_, move_a_.at(s), b_, move_b_.at(s), kPathReach), kPathReach);
  }
  // No point within reach of both bodies is farther than this from the origins that they turn about.
  double fastest() const {
    constexpr double kArm = 3.5;
    return move_a_.v.norm() + move_b_.v.norm() + kArm * (move_a_.omega.norm() + move_b_.omega.norm());
  }
  // Whether the gap changes no faster than the bodies move until one is in the other by kPathDepth; there the path
  // ends. A step in which the bodies may move by more than that depth is looked at in small ones before it is said to
  // jump.
  bool is_steady(double from, double to, int steps, int finer, std::string& what) const {
    const double dt = (to - from) / steps;
    double last = gap(from);
    for (int i = 1; i <= steps; ++i) {
      const double s = from + i * dt, now = gap(s);
      if (std::abs(now - last) > fastest() * dt) {
        if (finer == 0) {
          // Out of an overlap that was deeper than contacts are told of.
          if (now < -kPathDepth && are_in_each_other(s - dt)) return true;
          what = "at " + std::to_string(s) + " from " + std::to_string(last) + " to " + std::to_string(now);
          return false;
        }
        if (!is_steady(s - dt, s, 64, finer - 1, what)) return false;
      }
      if (now < -kPathDepth) return true;
      last = now;
    }
    return true;
  }

 private:
  // By samples: whether one of a body lies behind the nearest one of the other.
  bool are_in_each_other(double s) const {
    const WorldSamples on_a(a_, move_a_.at(s), 0.04), on_b(b_, move_b_.at(s), 0.04);
    const auto is_in = [](const WorldSamples& one, const WorldSamples& other) {
      for (const Vec3& x : one.x) {
        double least = kInfinity, height = 0;
        for (std::size_t k = 0; k < other.x.size(); ++k) {
          const Vec3 from = x - other.x[k];
          if (from.squaredNorm() < least) least = from.squaredNorm(), height = other.n[k].dot(from);
        }
        if (height < -kPathDepth / 2) return true;
      }
      return false;
    };
    return is_in(on_a, on_b) || is_in(on_b, on_a);
  }

  const SpatialSurface &a_, &b_;
  const SpatialMotion &move_a_, &move_b_;
};

// Along a path the least gap changes no faster than the bodies move.
inline void check_path(const SpatialSurface& a, const SpatialSurface& b, const SpatialMotion& move_a,
                       const SpatialMotion& move_b, const std::string& name, int steps) {
  std::string what;
  ASSERT_TRUE(GapPath(a, b, move_a, move_b).is_steady(0, 1, steps, 1, what)) << name << " " << what;
}

}  // namespace freeplay::test
