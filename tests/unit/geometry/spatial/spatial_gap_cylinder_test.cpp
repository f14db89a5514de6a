// Cylinders on boxes and on each other, in closed form.
#include <gtest/gtest.h>

#include "spatial_gap_cases.h"

namespace freeplay::test {
namespace {

const BoxShape kTable{{0, 0, -1}, {4, 4, 2}};  // its top is z = 0
const CylinderShape kUpright{{0, 0, 0}, {0, 0, 1}, 1, 2};
const CylinderShape kLying{{0, 0, 0}, {1, 0, 0}, 1, 2};

// Points with no gap up to rounding; all of them have to point up.
std::vector<Vec3> closed_points(const std::vector<SpatialContactPoint>& points, const Vec3& up = Vec3::UnitZ()) {
  std::vector<Vec3> closed;
  for (const SpatialContactPoint& p : points) {
    EXPECT_GT(p.gap, -1e-12);
    if (p.gap > 1e-12) continue;
    EXPECT_LT((p.normal - up).norm(), 1e-12) << p.normal.transpose();
    closed.push_back(p.point_a);
  }
  return closed;
}

bool has_point(const std::vector<Vec3>& points, const Vec3& at) {
  return std::any_of(points.begin(), points.end(), [&](const Vec3& p) { return (p - at).norm() < 1e-12; });
}

TEST(SpatialGapOfCylinders, StandingOnABoxHasTheFourPointsOfItsEnd) {
  const auto points = evaluate(kUpright, frame({0.5, 0, 1}), kTable, kWorld);
  ASSERT_EQ(points.size(), 27u);
  EXPECT_EQ(closed_points(points).size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(points[i].gap, 0, 1e-15);
  for (std::size_t i = 4; i < 8; ++i) EXPECT_NEAR(points[i].gap, 2, 1e-15);
}

TEST(SpatialGapOfCylinders, StandingOverTheEdgeOfABoxIsHeldWhereItsRimCrosses) {
  // The centre is 0.6 inside the edge x = 2: the rim crosses it at y = +-0.8.
  const auto points = closed_points(evaluate(kUpright, frame({1.4, 0, 1}), kTable, kWorld));
  EXPECT_TRUE(has_point(points, {2, 0.8, 0}));
  EXPECT_TRUE(has_point(points, {2, -0.8, 0}));
  EXPECT_GE(points.size(), 3u);
  for (const Vec3& p : points) EXPECT_LT(p.x(), 2 + 1e-12);
}

TEST(SpatialGapOfCylinders, LyingOnABoxTouchesWithItsLowestLine) {
  const auto inside = closed_points(evaluate(kLying, frame({0, 0.5, 1}), kTable, kWorld));
  EXPECT_TRUE(has_point(inside, {-1, 0.5, 0}));
  EXPECT_TRUE(has_point(inside, {1, 0.5, 0}));
  EXPECT_EQ(inside.size(), 2u);
  const auto across = closed_points(evaluate(kLying, frame({1.5, 0.5, 1}), kTable, kWorld));
  EXPECT_TRUE(has_point(across, {0.5, 0.5, 0}));
  EXPECT_TRUE(has_point(across, {2, 0.5, 0}));
  EXPECT_EQ(across.size(), 2u);
}

TEST(SpatialGapOfCylinders, RollsOverAnEdgeAlongItsAxisWithBothRims) {
  const auto points = closed_points(evaluate(kLying, frame({0, 2.6, 0.8}), kTable, kWorld), {0, 0.6, 0.8});
  EXPECT_TRUE(has_point(points, {-1, 2, 0}));
  EXPECT_TRUE(has_point(points, {1, 2, 0}));
}

TEST(SpatialGapOfCylinders, BoxOnAnEndStandsOnItsCorners) {
  const BoxShape box{{0, 0, 0}, {0.5, 0.5, 0.5}};
  const auto points = evaluate(box, frame({0.3, 0.2, 1.25}, Vec3::UnitZ(), 0.4), kUpright, kWorld);
  EXPECT_EQ(closed_points(points).size(), 4u);
  for (std::size_t i = 8; i < 12; ++i) EXPECT_NEAR(points[i].gap, 0, 1e-15);
}

TEST(SpatialGapOfCylinders, BoxAcrossALyingOneTouchesWhereItsEdgesCross) {
  const BoxShape plank{{0, 0, 0}, {1, 6, 0.5}};
  const auto points = closed_points(evaluate(plank, frame({0.2, 0, 1.25}), kLying, kWorld));
  EXPECT_TRUE(has_point(points, {-0.3, 0, 1}));
  EXPECT_TRUE(has_point(points, {0.7, 0, 1}));
}

TEST(SpatialGapOfCylinders, StackedOnesHaveThePointsOfBothRimsAndUprightNormals) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomSolids random(seed);
    const double noise = seed % 2 == 0 ? 0 : 1e-13;
    const Frame whole{random.rotation(), random.vector(1)};
    const Frame upper{whole.R * frame(Vec3::Zero(), Vec3::UnitZ(), random.uniform(-3, 3)).R,
                      whole.point(Vec3(0, 0, 2) + random.vector(noise))};
    const auto points = evaluate(kUpright, upper, kUpright, whole);
    ASSERT_EQ(points.size(), 16u);
    EXPECT_GE(closed_points(points, whole.R.col(2)).size(), 3u) << "seed " << seed;
  }
}

TEST(SpatialGapOfCylinders, StackedBesideEachOtherAreHeldWhereTheRimsCross) {
  // Centres 1.2 apart, radii 1: the circles cross at x = 0.6, y = +-0.8.
  const auto points = closed_points(evaluate(kUpright, frame({1.2, 0, 2}), kUpright, kWorld));
  EXPECT_TRUE(has_point(points, {0.6, 0.8, 1}));
  EXPECT_TRUE(has_point(points, {0.6, -0.8, 1}));
  EXPECT_GE(points.size(), 3u);
}

TEST(SpatialGapOfCylinders, LyingAlongEachOtherTouchAtBothEndsOfTheirOverlap) {
  const auto points = evaluate(kLying, frame({1, 1.2, 1.6}), kLying, kWorld);
  const auto closed = closed_points(points, {0, 0.6, 0.8});
  EXPECT_TRUE(has_point(closed, {0, 0.6, 0.8}));
  EXPECT_TRUE(has_point(closed, {1, 0.6, 0.8}));
  EXPECT_NEAR(points[9].gap, 0, 1e-14);   // A's end at x = 0
  EXPECT_NEAR(points[12].gap, 0, 1e-14);  // B's end at x = 1
}

TEST(SpatialGapOfCylinders, CrossedSidesTouchInOnePoint) {
  const CylinderShape along_y{{0, 0, 0}, {0, 1, 0}, 1, 4};
  const auto points = evaluate(kLying, frame({0.25, 0.5, 2.5}), along_y, kWorld);
  const SpatialContactPoint& p = nearest_of(points);
  EXPECT_EQ(&p, &points[8]);
  EXPECT_NEAR(p.gap, 0.5, 1e-15);
  EXPECT_LT((p.point_a - Vec3(0, 0.5, 1.5)).norm(), 1e-15);
  EXPECT_LT((p.normal - Vec3::UnitZ()).norm(), 1e-15);
}

TEST(SpatialGapOfCylinders, RimOverAnEndHasItsHeight) {
  const CylinderShape leaning{{0, 0, 0}, {0.6, 0, 0.8}, 1, 2};
  // Lowest point of the lower end: (-0.6, 0, -0.8) + (0.8, 0, -0.6).
  const auto points = evaluate(leaning, frame({0, 0, 2.75}), kUpright, kWorld);
  EXPECT_NEAR(points[0].gap, 0.35, 1e-15);
  EXPECT_LT((points[0].point_a - Vec3(0.2, 0, 1.35)).norm(), 1e-15);
  EXPECT_EQ(&nearest_of(points), &points[0]);
}

TEST(SpatialGapOfCylinders, CoaxialOnesInsideEachOtherHaveFinitePoints) {
  for (const ShapeGeometry& other :
       {ShapeGeometry(kUpright), ShapeGeometry(kTable), ShapeGeometry(CapsuleShape{{0, 0, 0}, {0, 0, 1}, 0.5, 1})}) {
    for (const SpatialContactPoint& p : evaluate(kUpright, kWorld, other, kWorld)) {
      EXPECT_FALSE(std::isnan(p.gap));
      EXPECT_TRUE(p.point_a.allFinite() && p.point_b.allFinite() && p.normal.allFinite() && p.tangent.allFinite());
    }
    EXPECT_LT(nearest_of(evaluate(kUpright, kWorld, other, kWorld)).gap, 0);
  }
}

}  // namespace
}  // namespace freeplay::test
