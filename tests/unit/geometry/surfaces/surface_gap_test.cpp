// Surfaces as gap functions: points that follow their contacts, bodies that stand, solids against their own gap
// functions.
#include "freeplay/geometry/surfaces/surface_gap.h"

#include <gtest/gtest.h>

#include "allocation/allocation_counter.h"
#include "support/samples.h"
#include "surface_cases.h"

namespace freeplay::test::surface_gap_test {
namespace {

SpatialSurface surface_of(const ShapeGeometry& shape) {
  SurfaceResult result = make_surface(shape);
  EXPECT_TRUE(result.problem.empty()) << result.problem.message;
  return std::move(result.surface);
}

struct Followed {
  std::vector<SpatialContactPoint> points;
  std::vector<std::uint64_t> features;
};

Followed follow(const SpatialGap& gap, const Frame& a, const Frame& b, const Followed& before) {
  Followed now{before.points, before.features};
  EXPECT_FALSE(gap.follow(a, b, before.features, now.points, now.features));
  return now;
}

Followed nothing(const SpatialGap& gap) {
  const std::size_t count = static_cast<std::size_t>(gap.point_count());
  return {std::vector<SpatialContactPoint>(count), std::vector<std::uint64_t>(count, 0)};
}

// All shapes that a plane can carry on several points, at the height 0.1, turned by much less than a step turns them.
TEST(SurfaceGap, WhatStandsOnAPlaneHasThreeContactsOrMoreHoweverItIsTurnedByALittle) {
  const ParametricSurfaceShape slab{expression_of_uv("1 m*u"),
                                    expression_of_uv("1 m*v"),
                                    expression_of_uv("0.05 m + 0 m*u"),
                                    -1,
                                    1,
                                    -1,
                                    1,
                                    false,
                                    false,
                                    0.1};
  const std::vector<ShapeGeometry> standing = {
      ConeShape{Vec3::Zero(), Vec3::UnitZ(), 0.5, 1},
      ParaboloidShape{{0, 0, 1}, -Vec3::UnitZ(), 0.5, 1},
      TorusShape{{0, 0, 0.2}, Vec3::UnitZ(), 0.7, 0.2},
      slab,
  };
  for (const ShapeGeometry& shape : standing) {
    const SurfaceGap gap(surface_of(shape), surface_of(PlaneShape{}));
    Followed now = nothing(gap);
    for (const double angle : {0.0, 1e-12, 1e-7, 1e-3, 0.05}) {
      for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0.3, 1, 0)}) {
        const Frame at = frame({0, 0, 0.1}, axis, angle);
        now = follow(gap, at, kWorld, now);
        int contacts = 0;
        double lowest = kInfinity;
        Vec3 sum = Vec3::Zero();
        for (const SpatialContactPoint& point : now.points) {
          if (!std::isfinite(point.gap)) continue;
          ++contacts;
          lowest = std::min(lowest, point.gap);
          EXPECT_NEAR(point.gap, point.point_a.z(), 1e-15);
          sum += point.point_a;
        }
        EXPECT_GE(contacts, 3) << shape_type_name(shape) << " turned by " << angle;
        // They are around the middle, not on one side of it.
        EXPECT_LT(sum.head<2>().norm() / contacts, 0.4) << shape_type_name(shape) << " turned by " << angle;
        EXPECT_LE(lowest, 0.1 + 1e-12) << shape_type_name(shape) << " turned by " << angle;
      }
    }
  }
}

TEST(SurfaceGap, AConeLiesOnItsTipAndOnItsRim) {
  const SurfaceGap gap(surface_of(ConeShape{Vec3::Zero(), Vec3::UnitZ(), 0.5, 1.2}), surface_of(PlaneShape{}));
  const double lean = kPi / 2 + std::atan2(0.5, 1.2);
  for (const double more : {0.0, 1e-9, -1e-9, 0.01, -0.01}) {
    const Frame at = frame({0, 0, 0.5}, Vec3::UnitX(), lean + more);
    bool has_tip = false, has_rim = false;
    for (const SpatialContactPoint& point : evaluate(gap, at, kWorld)) {
      if (!std::isfinite(point.gap)) continue;
      const Vec3 local = at.R.transpose() * (point.point_a - at.p);
      has_tip = has_tip || (local - Vec3(0, 0, 1.2)).norm() < 1e-12;
      has_rim = has_rim || std::abs(std::hypot(local.x(), local.y()) - 0.5) + std::abs(local.z()) < 1e-12;
    }
    EXPECT_TRUE(has_tip) << more;
    EXPECT_TRUE(has_rim) << more;
  }
}

// A needle in the hole of a ring turns once around, in small steps: each of its two ends keeps its point.
TEST(SurfaceGap, ContactsStayInTheirPoints) {
  const SurfaceGap gap(surface_of(TorusShape{Vec3::Zero(), Vec3::UnitZ(), 0.7, 0.2}),
                       surface_of(EllipsoidShape{Vec3::Zero(), {0.45, 0.1, 0.1}}));
  Followed now = follow(gap, kWorld, kWorld, nothing(gap));
  const auto end_in = [&](std::size_t i, const Frame& at) {
    return Vec3(at.R.transpose() * (now.points[i].point_b - at.p)).x() > 0 ? 1 : -1;
  };
  std::vector<std::size_t> used;
  std::vector<int> ends;
  for (std::size_t i = 0; i < now.points.size(); ++i) {
    if (now.features[i] == 0) continue;
    used.push_back(i);
    ends.push_back(end_in(i, kWorld));
  }
  ASSERT_EQ(used.size(), 2u);
  EXPECT_NE(ends[0], ends[1]);
  for (int k = 1; k <= 360; ++k) {
    const Frame at = frame({0.01 * std::sin(0.1 * k), 0, 0}, Vec3::UnitZ(), kPi / 180 * k);
    now = follow(gap, kWorld, at, now);
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_NE(now.features[used[i]], 0u) << k;
      ASSERT_EQ(end_in(used[i], at), ends[i]) << k;
    }
  }
}

// Box, cylinder and capsule as surfaces have the least gap of their own gap functions.
TEST(SurfaceGap, SolidsHaveTheLeastGapOfTheirOwnGapFunctions) {
  RandomSolids random(7);
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"box", "sphere"}, {"cylinder", "sphere"}, {"capsule", "sphere"},
      {"box", "plane"},  {"cylinder", "plane"},  {"capsule", "plane"},
      {"box", "box"},    {"cylinder", "box"},    {"capsule", "cylinder"}};
  for (const auto& [type_a, type_b] : pairs) {
    int compared = 0;
    for (int i = 0; i < samples(100); ++i) {
      const ShapeGeometry a = random.shape(type_a), b = random.shape(type_b);
      const Frame at_a{random.rotation(), random.vector(1)}, at_b{random.rotation(), random.vector(1)};
      const double expected = nearest_of(evaluate(*make_spatial_gap(a, b), at_a, at_b)).gap;
      const SurfaceGap gap(surface_of(a), surface_of(b));
      const double least = nearest_of(evaluate(gap, at_a, at_b)).gap;
      // Beyond the reach nothing is said; deep overlaps may leave through another side.
      if (!(expected > 0) || !std::isfinite(least)) continue;
      ++compared;
      EXPECT_NEAR(least, expected, 1e-12) << type_a << ", " << type_b << " " << i;
    }
    EXPECT_GE(compared, samples(100) / 20) << type_a << ", " << type_b;
  }
}

TEST(SurfaceGap, ExchangedShapesHaveTheSamePointsWithOppositeDirections) {
  RandomSolids random(9);
  const ShapeGeometry torus = TorusShape{Vec3::Zero(), Vec3::UnitZ(), 0.7, 0.2},
                      cone = ConeShape{Vec3::Zero(), Vec3::UnitZ(), 0.5, 1}, box = BoxShape{Vec3::Zero(), Vec3::Ones()};
  for (const auto& [a, b] : {std::pair(torus, cone), std::pair(torus, torus), std::pair(cone, box)}) {
    const auto one = make_spatial_gap(a, b), other = make_spatial_gap(b, a);
    for (int i = 0; i < 20; ++i) {
      const Frame at_a{random.rotation(), random.vector(0.7)}, at_b{random.rotation(), random.vector(0.7)};
      const SpatialContactPoint p = nearest_of(evaluate(*one, at_a, at_b)),
                                q = nearest_of(evaluate(*other, at_b, at_a));
      if (!std::isfinite(p.gap)) continue;
      EXPECT_NEAR(p.gap, q.gap, 1e-12);
      EXPECT_LT((p.normal + q.normal).norm(), 1e-8);
      EXPECT_LT((p.tangent + q.tangent).norm(), 1e-8);
    }
  }
}

TEST(SurfaceGap, FollowingAllocatesNothing) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  const SurfaceGap gap(surface_of(ConeShape{Vec3::Zero(), Vec3::UnitZ(), 0.5, 1}), surface_of(PlaneShape{}));
  Followed now = nothing(gap);
  const Frame at = frame({0, 0, 0.1}, Vec3::UnitX(), 0.01);
  EXPECT_EQ(allocations_during([&] { gap.follow(at, kWorld, now.features, now.points, now.features); }), 0u);
}

// The picture is closed and has the volume of the body, by the divergence theorem: triangles are seen from outside.
TEST(SurfacePicture, IsClosedAndHasTheVolumeOfTheBody) {
  const auto volume = [](const ShapeGeometry& shape) {
    const SurfacePicture picture = surface_picture(shape);
    double six_volumes = 0;
    for (const auto& [a, b, c] : picture.triangles) {
      const auto x = [&](int i) { return picture.points[static_cast<std::size_t>(i)]; };
      six_volumes += x(a).dot(x(b).cross(x(c)));
    }
    return six_volumes / 6;
  };
  EXPECT_NEAR(volume(TorusShape{Vec3::Zero(), Vec3::UnitX(), 0.7, 0.2}) / (2 * kPi * kPi * 0.7 * 0.04), 1, 0.02);
  EXPECT_NEAR(volume(ConeShape{Vec3::Zero(), Vec3::UnitX(), 0.6, 1}) / (kPi * 0.36 / 3), 1, 0.02);
  EXPECT_NEAR(volume(ParaboloidShape{Vec3::Zero(), Vec3::UnitX(), 0.6, 1}) / (kPi * 0.36 / 2), 1, 0.02);
}

}  // namespace
}  // namespace freeplay::test::surface_gap_test
