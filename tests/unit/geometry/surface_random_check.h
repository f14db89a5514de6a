// Contacts of random surfaces against brute force: samples, exchange of the partners, paths.
#pragma once

#include <gtest/gtest.h>

#include "surface_cases.h"

namespace freeplay::test {

// The places of a surface in the world: its samples with normals.
struct WorldSamples {
  std::vector<Vec3> x, n;
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
      }
      return;
    }
    for (const SurfacePlace& place : surface.samples(apart)) {
      x.push_back(at.point(place.x));
      n.push_back(at.R * place.n);
    }
  }
};

// Random poses of random surfaces of every pair of kinds but two planes.
template <class Check>
void for_every_pair(int times, std::uint64_t seed, Check check) {
  RandomSurfaces random(seed);
  const SurfacePool pool(random, 5);
  for (std::size_t i = 0; i < surface_kinds().size(); ++i) {
    for (std::size_t k = i; k < surface_kinds().size(); ++k) {
      if (i + k == 0) continue;
      const std::string &kind_a = surface_kinds()[k], &kind_b = surface_kinds()[i];
      for (int n = 0; n < times; ++n) {
        const SpatialSurface &a = pool.any(kind_a, random), &b = pool.any(kind_b, random);
        const SpatialMotion move_a = random.motion(1.2), move_b = random.motion(1.2);
        check(a, b, move_a, move_b, kind_a + " " + kind_b + " " + std::to_string(n));
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
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
  std::vector<double> distance(on_a.x.size(), kInfinity);
  double least = kInfinity;
  for (std::size_t i = 0; i < on_a.x.size(); ++i) {
    std::size_t nearest = 0;
    for (std::size_t k = 0; k < on_b.x.size(); ++k) {
      const double d = (on_a.x[i] - on_b.x[k]).squaredNorm();
      if (d < distance[i]) distance[i] = d, nearest = k;
    }
    distance[i] = std::sqrt(distance[i]);
    least = std::min(least, distance[i]);
    if ((on_a.x[i] - on_b.x[nearest]).dot(on_b.n[nearest]) < 0) return;  // they overlap
  }
  if (least > 0.8 || least < 0.05) return;  // far apart, or too near for samples
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
    // The distance to the samples of B is too large by up to (half a diagonal)^2/(2 d), more where B is convex.
    if (!is_least || !(rise > apart_m * apart_m / distance[i]) || rise == kInfinity) continue;
    double nearest = kInfinity;
    for (const SurfaceContact& contact : found) {
      if (contact.gap <= distance[i] + 1e-12) nearest = std::min(nearest, (contact.point_a - on_a.x[i]).norm());
    }
    ASSERT_LT(nearest, around) << name << " sample at " << on_a.x[i].transpose() << " distance " << distance[i];
    ++minima;
  }
}

// Along a path the least gap changes no faster than the bodies move.
inline void check_path(const SpatialSurface& a, const SpatialSurface& b, const SpatialMotion& move_a,
                       const SpatialMotion& move_b, const std::string& name, int steps) {
  constexpr double kReach = 0.4;
  const double dt = 1.0 / steps;
  double last = kReach;
  for (int i = 0; i <= steps; ++i) {
    const Frame at_a = move_a.at(i * dt), at_b = move_b.at(i * dt);
    const double gap = least_gap(contacts_of(a, at_a, b, at_b, kReach), kReach);
    if (gap < -0.03) return;  // a path into the other body ends
    // Points within reach of both bodies are no further than this from the origins that they turn about.
    const double arm = 3.5;
    const double fastest = move_a.v.norm() + move_b.v.norm() + arm * (move_a.omega.norm() + move_b.omega.norm());
    if (i > 0) {
      ASSERT_LE(std::abs(gap - last), fastest * dt) << name << " step " << i << " from " << last << " to " << gap;
    }
    last = gap;
  }
}

}  // namespace freeplay::test
