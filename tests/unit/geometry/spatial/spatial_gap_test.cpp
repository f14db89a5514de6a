// Gaps, points and normals in closed form.
#include "freeplay/geometry/pairs/spatial_gap.h"

#include <gtest/gtest.h>

#include "spatial_gap_cases.h"

namespace freeplay::test {
namespace {

using Normal = SpatialContactPoint::Normal;

constexpr double kEps = std::numeric_limits<double>::epsilon();
const PlaneShape kFloor{};
const BoxShape kCube{{0, 0, 0}, {2, 2, 2}};

void expect_contact(const SpatialContactPoint& contact, double gap, const Vec3& point_a, const Vec3& point_b,
                    const Vec3& normal) {
  EXPECT_NEAR(contact.gap, gap, 8 * kEps);
  EXPECT_LT((contact.point_a - point_a).norm(), 16 * kEps) << contact.point_a.transpose();
  EXPECT_LT((contact.point_b - point_b).norm(), 16 * kEps) << contact.point_b.transpose();
  EXPECT_LT((contact.normal - normal).norm(), 8 * kEps) << contact.normal.transpose();
  EXPECT_NEAR(contact.tangent.dot(contact.normal), 0, 2 * kEps);
}

std::vector<SpatialContactPoint> used(const std::vector<SpatialContactPoint>& points) {
  std::vector<SpatialContactPoint> finite;
  for (const SpatialContactPoint& p : points) {
    if (std::isfinite(p.gap)) finite.push_back(p);
  }
  return finite;
}

// ---- spheres ----

TEST(SpatialGap, SphereAboveAFloor) {
  // Turned by 90 degrees about z at (3, 0, 2): the centre is at (2, 0, 2).
  const auto points = evaluate(SphereShape{{0, 1, 0}, 0.5}, frame({3, 0, 2}, Vec3::UnitZ(), kPi / 2), kFloor, kWorld);
  ASSERT_EQ(points.size(), 1u);
  expect_contact(points[0], 1.5, {2, 0, 1.5}, {2, 0, 0}, {0, 0, 1});
  EXPECT_EQ(points[0].tangent, Vec3(1, 0, 0));
}

TEST(SpatialGap, SwappedPairHasTheOppositeNormal) {
  const auto points = evaluate(kFloor, kWorld, SphereShape{{0, 0, 0}, 0.5}, frame({0, 0, 2}));
  expect_contact(points[0], 1.5, {0, 0, 0}, {0, 0, 1.5}, {0, 0, -1});
}

TEST(SpatialGap, SpheresThatOverlapHaveANegativeGap) {
  // Centres 5 apart along (0, 3, 4), radii 4 and 2.
  const auto points = evaluate(SphereShape{{0, 0, 0}, 4}, frame({0, 3, 4}), SphereShape{{0, 0, 0}, 2}, kWorld);
  expect_contact(points[0], -1, {0, 0.6, 0.8}, {0, 1.2, 1.6}, {0, 0.6, 0.8});
}

TEST(SpatialGap, CoincidentCentresHaveAnyNormal) {
  const SpatialContactPoint p = evaluate(SphereShape{{0, 0, 0}, 1}, kWorld, SphereShape{{0, 0, 0}, 2}, kWorld)[0];
  EXPECT_EQ(p.gap, -3);
  EXPECT_EQ(p.normal_is, Normal::kAny);
  EXPECT_EQ(p.normal.norm(), 1);
  EXPECT_EQ(p.normal.dot(p.point_a - p.point_b), -3);
}

TEST(SpatialGap, SphereAtAFaceAnEdgeAndACornerOfABox) {
  const SphereShape ball{{0, 0, 0}, 0.5};
  expect_contact(evaluate(ball, frame({0.3, 0.2, 2}), kCube, kWorld)[0], 0.5, {0.3, 0.2, 1.5}, {0.3, 0.2, 1},
                 {0, 0, 1});
  expect_contact(evaluate(ball, frame({1.3, 0.2, 1.4}), kCube, kWorld)[0], 0, {1, 0.2, 1}, {1, 0.2, 1}, {0.6, 0, 0.8});
  expect_contact(evaluate(ball, frame({2, 3, 3}), kCube, kWorld)[0], 2.5, Vec3(1, 1, 1) + 2.5 * Vec3(1, 2, 2) / 3,
                 {1, 1, 1}, Vec3(1, 2, 2) / 3);
}

TEST(SpatialGap, SphereInsideABoxIsPushedThroughTheNearestFace) {
  expect_contact(evaluate(SphereShape{{0, 0, 0}, 0.5}, frame({0.2, -0.75, 0.1}), kCube, kWorld)[0], -0.75,
                 {0.2, -0.25, 0.1}, {0.2, -1, 0.1}, {0, -1, 0});
}

TEST(SpatialGap, SphereAtTheSideTheEndAndTheRimOfACylinder) {
  const SphereShape ball{{0, 0, 0}, 0.5};
  const CylinderShape cylinder{{0, 0, 0}, {0, 0, 1}, 1, 4};
  expect_contact(evaluate(ball, frame({0, 3, 1}), cylinder, kWorld)[0], 1.5, {0, 2.5, 1}, {0, 1, 1}, {0, 1, 0});
  expect_contact(evaluate(ball, frame({0.5, 0, -3}), cylinder, kWorld)[0], 0.5, {0.5, 0, -2.5}, {0.5, 0, -2},
                 {0, 0, -1});
  expect_contact(evaluate(ball, frame({4, 0, 6}), cylinder, kWorld)[0], 4.5, {3.7, 0, 5.6}, {1, 0, 2}, {0.6, 0, 0.8});
  // Inside: 0.25 below the side, and on the axis nearer to an end than to the side.
  expect_contact(evaluate(ball, frame({0.75, 0, 0}), cylinder, kWorld)[0], -0.75, {0.25, 0, 0}, {1, 0, 0}, {1, 0, 0});
  expect_contact(evaluate(ball, frame({0, 0, 1.75}), cylinder, kWorld)[0], -0.75, {0, 0, 1.25}, {0, 0, 2}, {0, 0, 1});
}

TEST(SpatialGap, SphereOnTheAxisOfARodHasANormalAboutIt) {
  const Vec3 axis = Vec3(1, 2, 2) / 3;
  for (const ShapeGeometry& rod :
       {ShapeGeometry(CylinderShape{{0, 0, 0}, axis, 1, 4}), ShapeGeometry(CapsuleShape{{0, 0, 0}, axis, 1, 4})}) {
    const SpatialContactPoint p = evaluate(SphereShape{{0, 0, 0}, 0.5}, kWorld, rod, kWorld)[0];
    EXPECT_EQ(p.gap, -1.5);
    EXPECT_EQ(p.normal_is, Normal::kAboutTangent);
    EXPECT_EQ(p.tangent, axis);
    EXPECT_NEAR(p.normal.dot(axis), 0, kEps);
    EXPECT_NEAR(p.normal.dot(p.point_a - p.point_b), -1.5, 4 * kEps);
  }
}

TEST(SpatialGap, SphereBesideAndBeyondACapsule) {
  const SphereShape ball{{0, 0, 0}, 0.5};
  const CapsuleShape capsule{{0, 0, 0}, {0, 0, 1}, 1, 4};
  expect_contact(evaluate(ball, frame({0, 3, 1}), capsule, kWorld)[0], 1.5, {0, 2.5, 1}, {0, 1, 1}, {0, 1, 0});
  expect_contact(evaluate(ball, frame({3, 0, 6}), capsule, kWorld)[0], 3.5, {2.7, 0, 5.6}, {0.6, 0, 2.8},
                 {0.6, 0, 0.8});
}

// ---- on a plane ----

TEST(SpatialGap, BoxOnAPlaneHasItsCornersWithXFastest) {
  const auto points = evaluate(BoxShape{{0, 0, 0}, {2, 4, 6}}, frame({0, 0, 3}), kFloor, kWorld);
  ASSERT_EQ(points.size(), 8u);
  for (unsigned i = 0; i < 8; ++i) {
    const double x = (i & 1u) != 0 ? 1 : -1, y = (i & 2u) != 0 ? 2 : -2, z = (i & 4u) != 0 ? 6 : 0;
    expect_contact(points[i], z, {x, y, z}, {x, y, 0}, {0, 0, 1});
  }
}

TEST(SpatialGap, CapsuleOnAPlaneHasTwoEnds) {
  const auto points = evaluate(CapsuleShape{{0, 0, 0}, {0.6, 0, 0.8}, 0.5, 2}, frame({0, 0, 1}), kFloor, kWorld);
  ASSERT_EQ(points.size(), 2u);
  expect_contact(points[0], -0.3, {-0.6, 0, -0.3}, {-0.6, 0, 0}, {0, 0, 1});
  expect_contact(points[1], 1.3, {0.6, 0, 1.3}, {0.6, 0, 0}, {0, 0, 1});
}

TEST(SpatialGap, UprightCylinderStandsOnPointsAllAround) {
  const auto points = evaluate(CylinderShape{{0, 0, 0}, {0, 0, 1}, 2, 6}, frame({1, 0, 3}), kFloor, kWorld);
  ASSERT_EQ(points.size(), 8u);
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(points[i].gap, i < 4 ? 0 : 6, 8 * kEps);
    EXPECT_NEAR((points[i].point_b - Vec3(1, 0, 0)).norm(), 2, 8 * kEps);
    if (i % 4 != 0) sum += points[i].point_b - Vec3(1, 0, 0);
  }
  EXPECT_LT(sum.norm(), 16 * kEps) << "the fixed points are not evenly spaced";
  EXPECT_GT((points[0].point_b - points[1].point_b).norm(), 1) << "the placeholder falls on a fixed point";
}

// Where the axis is upright up to rounding, the lowest direction is that of rounding errors: it has to stay in the end.
TEST(SpatialGap, NearlyUprightCylinderHasALowestPointOnItsRim) {
  const CylinderShape cylinder{{0, 0, 0}, Vec3(1, 2, 2) / 3, 2, 6};
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomSolids random(seed);
    const Mat3 R = Eigen::Quaterniond::FromTwoVectors(cylinder.axis, Vec3::UnitZ()).toRotationMatrix();
    const Frame at{frame({}, Vec3::UnitZ(), random.uniform(-3, 3)).R * R, {0, 0, 3}};
    for (const SpatialContactPoint& p : evaluate(cylinder, at, kFloor, kWorld)) {
      EXPECT_LT(std::min(std::abs(p.gap), std::abs(p.gap - 6)), 1e-14) << "seed " << seed;
      EXPECT_NEAR(p.point_b.norm(), 2, 1e-14) << "seed " << seed;
    }
    // A ball on the axis, up to rounding: pushed out across it.
    const SpatialContactPoint ball = evaluate(SphereShape{{0, 0, 0}, 0.5}, frame({0, 0, 3}), cylinder, at)[0];
    EXPECT_NEAR(ball.gap, -2.5, 1e-14);
    EXPECT_NEAR(ball.normal.z(), 0, 1e-14) << "seed " << seed;
  }
}

TEST(SpatialGap, TiltedCylinderHasTheLowestPointsOfItsRims) {
  const CylinderShape coin{{0, 0, 0}, {0.6, 0, 0.8}, 5, 10};
  const auto points = evaluate(coin, frame({0, 0, 7}), kFloor, kWorld);
  // End centres (-3, 0, 3) and (3, 0, 11); downhill in the ends is (0.8, 0, -0.6).
  expect_contact(points[0], 0, {1, 0, 0}, {1, 0, 0}, {0, 0, 1});
  expect_contact(points[4], 8, {7, 0, 8}, {7, 0, 0}, {0, 0, 1});
  for (const SpatialContactPoint& p : points) EXPECT_GE(p.gap, -8 * kEps);
}

TEST(SpatialGap, CylinderOnItsSideTouchesWithBothRims) {
  const auto points = evaluate(CylinderShape{{0, 0, 0}, {1, 0, 0}, 2, 6}, frame({0, 0, 2}), kFloor, kWorld);
  expect_contact(points[0], 0, {-3, 0, 0}, {-3, 0, 0}, {0, 0, 1});
  expect_contact(points[4], 0, {3, 0, 0}, {3, 0, 0}, {0, 0, 1});
}

// ---- capsules ----

TEST(SpatialGap, CrossedCapsulesTouchBetweenTheirEnds) {
  const CapsuleShape along_x{{0, 0, 0}, {1, 0, 0}, 0.5, 4}, along_y{{0, 0, 0}, {0, 1, 0}, 0.25, 4};
  const auto points = evaluate(along_x, frame({0.5, 0, 2}), along_y, frame({0, 1, 0}));
  ASSERT_EQ(points.size(), 5u);
  expect_contact(points[4], 1.25, {0, 0, 1.5}, {0, 0, 0.25}, {0, 0, 1});
  // A's end at (-1.5, 0, 2), nearest to (0, 0, 0).
  expect_contact(points[0], 2.5 - 0.75, {-1.5 + 0.3, 0, 2 - 0.4}, {-0.15, 0, 0.2}, {-0.6, 0, 0.8});
}

TEST(SpatialGap, CapsulesWithMeetingAxesHaveTheirCommonNormal) {
  const CapsuleShape along_x{{0, 0, 0}, {1, 0, 0}, 0.5, 4}, along_y{{0, 0, 0}, {0, 1, 0}, 0.25, 4};
  const SpatialContactPoint p = evaluate(along_x, kWorld, along_y, kWorld)[4];
  EXPECT_EQ(p.gap, -0.75);
  EXPECT_EQ(std::abs(p.normal.z()), 1);
  EXPECT_EQ(p.normal.dot(p.point_a - p.point_b), -0.75);
}

TEST(SpatialGap, ParallelCapsulesTouchAtBothEndsOfTheirOverlap) {
  const CapsuleShape capsule{{0, 0, 0}, {1, 0, 0}, 0.5, 4};
  const auto points = evaluate(capsule, frame({1, 0, 1}), capsule, kWorld);
  // A from -1 to 3, B from -2 to 2.
  expect_contact(points[0], 0, {-1, 0, 0.5}, {-1, 0, 0.5}, {0, 0, 1});
  expect_contact(points[3], 0, {2, 0, 0.5}, {2, 0, 0.5}, {0, 0, 1});
  EXPECT_NEAR(points[1].gap, std::sqrt(2) - 1, 4 * kEps);
  EXPECT_NEAR(points[2].gap, std::sqrt(2) - 1, 4 * kEps);
  EXPECT_EQ(points[4].gap, std::numeric_limits<double>::infinity());
}

TEST(SpatialGap, CapsuleAcrossABoxTouchesItsTwoEdges) {
  const CapsuleShape capsule{{0, 0, 0}, {1, 0, 0}, 0.5, 6};
  const auto points = evaluate(capsule, frame({0, 0.25, 1.5}), kCube, kWorld);
  ASSERT_EQ(points.size(), 13u);
  expect_contact(points[10], 0, {-1, 0.25, 1}, {-1, 0.25, 1}, {0, 0, 1});
  expect_contact(points[11], 0, {1, 0.25, 1}, {1, 0.25, 1}, {0, 0, 1});
  EXPECT_NEAR(points[0].gap, std::hypot(2, 0.5) - 0.5, 8 * kEps);
  EXPECT_NEAR(points[1].gap, points[0].gap, 8 * kEps);
}

TEST(SpatialGap, CapsuleAlongTheEdgeOfABoxTouchesBothCorners) {
  const CapsuleShape capsule{{0, 0, 0}, {1, 0, 0}, 0.5, 6};
  const auto points = evaluate(capsule, frame({0, 1.3, 1.4}), kCube, kWorld);
  expect_contact(points[2 + 6], 0, {-1, 1, 1}, {-1, 1, 1}, {0, 0.6, 0.8});
  expect_contact(points[2 + 7], 0, {1, 1, 1}, {1, 1, 1}, {0, 0.6, 0.8});
}

TEST(SpatialGap, CapsuleOverTheCornerOfABox) {
  // A cube that stands on a corner, below a level capsule: its top corner is at sqrt(3).
  const Eigen::Quaterniond up = Eigen::Quaterniond::FromTwoVectors(Vec3(1, 1, 1), Vec3::UnitZ());
  const CapsuleShape capsule{{0, 0, 0}, {1, 0, 0}, 0.5, 6};
  const auto points = evaluate(capsule, frame({0.5, 0, 3}), BoxShape{{0, 0, 0}, {2, 2, 2}, up}, kWorld);
  const double top = std::sqrt(3.0);
  expect_contact(nearest_of(points), 2.5 - top, {0, 0, 2.5}, {0, 0, top}, {0, 0, 1});
}

TEST(SpatialGap, CapsuleAlongACylinderTouchesBothRims) {
  const CapsuleShape capsule{{0, 0, 0}, {1, 0, 0}, 0.5, 6};
  const auto points = evaluate(capsule, frame({0, 0, 1.5}), CylinderShape{{0, 0, 0}, {1, 0, 0}, 1, 2}, kWorld);
  ASSERT_EQ(points.size(), 7u);
  double left = 1, right = 1;
  for (std::size_t i = 3; i < 7; ++i) {
    if (std::isinf(points[i].gap)) continue;
    (points[i].point_b.x() < 0 ? left : right) = points[i].gap;
    EXPECT_LT((points[i].normal - Vec3::UnitZ()).norm(), 1e-15);
  }
  EXPECT_NEAR(left, 0, 8 * kEps);
  EXPECT_NEAR(right, 0, 8 * kEps);
}

TEST(SpatialGap, CapsuleAcrossTheEndOfACylinderTouchesTheRimTwice) {
  const CapsuleShape capsule{{0, 0, 0}, {1, 0, 0}, 0.5, 6};
  // 0.6 beside the middle of an end of radius 1: the chord reaches from -0.8 to 0.8.
  const auto points = evaluate(capsule, frame({0, 0.6, 2.5}), CylinderShape{{0, 0, 0}, {0, 0, 1}, 1, 4}, kWorld);
  expect_contact(points[5], 0, {-0.8, 0.6, 2}, {-0.8, 0.6, 2}, {0, 0, 1});
  expect_contact(points[6], 0, {0.8, 0.6, 2}, {0.8, 0.6, 2}, {0, 0, 1});
}

// ---- boxes ----

TEST(SpatialGap, SmallBoxOnALargeOneStandsOnItsFourCorners) {
  const BoxShape small{{0, 0, 0}, {1, 1, 1}};
  const auto points = evaluate(small, frame({0.2, 0.1, 1.75}, Vec3::UnitZ(), 0.3), kCube, kWorld);
  ASSERT_EQ(points.size(), 17u);
  EXPECT_EQ(used(points).size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(points[i].gap, 0.25, 4 * kEps);
    EXPECT_EQ(points[i].normal, Vec3(0, 0, 1));
  }
}

TEST(SpatialGap, LargeBoxOnASmallOneStandsOnTheCornersOfTheSmallOne) {
  const BoxShape small{{0, 0, 0}, {1, 1, 1}};
  const auto points = evaluate(kCube, frame({0.2, 0.1, 1.75}, Vec3::UnitZ(), 0.3), small, kWorld);
  EXPECT_EQ(used(points).size(), 4u);
  for (std::size_t i = 4; i < 8; ++i) {
    EXPECT_NEAR(points[i].gap, 0.25, 4 * kEps);
    EXPECT_EQ(points[i].normal, Vec3(0, 0, 1));
  }
}

TEST(SpatialGap, CrossedPlanksTouchWhereTheirEdgesCross) {
  const BoxShape along_x{{0, 0, 0}, {4, 1, 1}}, along_y{{0, 0, 0}, {1, 4, 1}};
  const auto points = used(evaluate(along_x, frame({0, 0, 1}), along_y, kWorld));
  ASSERT_EQ(points.size(), 4u);
  Vec3 sum = Vec3::Zero();
  for (const SpatialContactPoint& p : points) {
    EXPECT_NEAR(p.gap, 0, 4 * kEps);
    EXPECT_EQ(p.normal, Vec3(0, 0, 1));
    EXPECT_NEAR(std::abs(p.point_a.x()), 0.5, 4 * kEps);
    EXPECT_NEAR(std::abs(p.point_a.y()), 0.5, 4 * kEps);
    sum += p.point_a;
  }
  EXPECT_LT((sum / 4 - Vec3(0, 0, 0.5)).norm(), 4 * kEps);
}

TEST(SpatialGap, EqualCubesTurnedByAnEighthTouchInAnOctagon) {
  const auto points = used(evaluate(kCube, frame({0, 0, 2}, Vec3::UnitZ(), kPi / 4), kCube, kWorld));
  ASSERT_EQ(points.size(), 8u);
  for (const SpatialContactPoint& p : points) {
    EXPECT_NEAR(p.gap, 0, 8 * kEps);
    // The octagon's circle: tan(pi / 8) beside the middle of an edge.
    EXPECT_NEAR(p.point_a.head<2>().norm(), std::hypot(1, std::tan(kPi / 8)), 8 * kEps);
  }
}

// Edges lie on edges and corners on corners: rounding decides what is inside, but no normal leans and all four corners
// are held.
TEST(SpatialGap, EqualCubesThatAreStackedHaveOnlyUprightNormals) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomSolids random(seed);
    const double noise = seed % 2 == 0 ? 0 : 1e-12;
    const Frame whole{random.rotation(), random.vector(1)};
    const Frame upper{whole.R * frame({}, random.direction(), noise).R,
                      whole.point(Vec3(0, 0, 2) + random.vector(noise))};
    int held = 0;
    Vec3 lowest = Vec3::Ones() * 9, highest = -lowest;
    for (const SpatialContactPoint& p : used(evaluate(kCube, upper, kCube, whole))) {
      if (std::abs(p.gap) > 1e-9) continue;
      ++held;
      EXPECT_LT((p.normal - whole.R.col(2)).norm(), 1e-10) << "seed " << seed;
      const Vec3 local = whole.R.transpose() * (p.point_a - whole.p);
      lowest = lowest.cwiseMin(local);
      highest = highest.cwiseMax(local);
    }
    EXPECT_GE(held, 4) << "seed " << seed;
    EXPECT_LT((highest.head<2>() - Vec2(1, 1)).norm(), 1e-9) << "seed " << seed;
    EXPECT_LT((lowest.head<2>() + Vec2(1, 1)).norm(), 1e-9) << "seed " << seed;
  }
}

TEST(SpatialGap, EdgeAcrossEdgeHasTheCommonNormal) {
  // Bars along x and y that show each other an edge: half the diagonal is 1.
  const double side = std::sqrt(2.0);
  const Eigen::Quaterniond about_x(Eigen::AngleAxisd(kPi / 4, Vec3::UnitX()));
  const Eigen::Quaterniond about_y(Eigen::AngleAxisd(kPi / 4, Vec3::UnitY()));
  const BoxShape along_x{{0, 0, 0}, {6, side, side}, about_x}, along_y{{0, 0, 0}, {side, 6, side}, about_y};
  for (const double gap : {0.5, -0.01}) {
    const auto points = evaluate(along_x, frame({0.5, 0.25, 2 + gap}), along_y, kWorld);
    expect_contact(nearest_of(points), gap, {0, 0.25, 1 + gap}, {0, 0.25, 1}, {0, 0, 1});
  }
}

TEST(SpatialGap, CornerOnAFaceHasItsHeight) {
  const Eigen::Quaterniond down = Eigen::Quaterniond::FromTwoVectors(Vec3(-1, -1, -1), -Vec3::UnitZ());
  const BoxShape on_its_corner{{0, 0, 0}, {2, 2, 2}, down};
  for (const double gap : {0.5, -0.125}) {
    const auto points = evaluate(on_its_corner, frame({0.5, 0.25, 1 + std::sqrt(3.0) + gap}), kCube, kWorld);
    expect_contact(nearest_of(points), gap, {0.5, 0.25, 1 + gap}, {0.5, 0.25, 1}, {0, 0, 1});
  }
}

TEST(SpatialGap, BoxesDiagonallyApartHaveTheDistanceOfTheirCorners) {
  const auto points = evaluate(kCube, frame({3, 4, 4}), kCube, kWorld);
  expect_contact(nearest_of(points), 3, {2, 3, 3}, {1, 1, 1}, Vec3(1, 2, 2) / 3);
}

TEST(SpatialGap, IsAsAccurateFarFromTheOrigin) {
  const Vec3 far(1e6, -2e6, 3e6);
  const SphereShape ball{{0, 0, 0}, 0.5};
  EXPECT_EQ(evaluate(ball, frame(far + Vec3(0, 0, 1.75)), kCube, frame(far))[0].gap, 0.25);
  EXPECT_EQ(nearest_of(evaluate(kCube, frame(far + Vec3(0, 0, 2.25)), kCube, frame(far))).gap, 0.25);
}

// Along the axis of the cylinder the two never cross, and a slanted one may pass the other's axis beyond the cylinder.
TEST(CapsuleAndCylinder, OverlapWhereTheCapsuleGoesInThroughAnEndAndOutAgain) {
  const CylinderShape cylinder{{0, 0, 0}, {0, 0, 1}, 1, 2};
  const Frame tilted = frame({3, 2, 1}, {1, 2, 3}, 0.7);
  const auto nearest = [&](const CapsuleShape& capsule) {
    return nearest_of(evaluate(capsule, tilted, cylinder, tilted));
  };
  const SpatialContactPoint along = nearest({{0.5, 0, 0}, {0, 0, 1}, 0.1, 6});
  EXPECT_NEAR(along.gap, -0.6, 1e-13);  // half the radius to the side, and its own radius
  EXPECT_LT((along.normal - tilted.R * Vec3::UnitX()).norm(), 1e-13);
  // Across the rim at 45 degrees, 0.5 in from either face: the rim is sqrt(0.5)/2 away.
  const double half = std::sqrt(0.5);
  const SpatialContactPoint across = nearest({{0.75, 0, 0.75}, {half, 0, -half}, 0.1, 4});
  EXPECT_NEAR(across.gap, -half / 2 - 0.1, 1e-13);
  EXPECT_LT((across.normal - tilted.R * Vec3(half, 0, half)).norm(), 1e-12);
}

// A draw in which the axis passes no rim on the inside either: it only goes in through an end.
TEST(CapsuleAndCylinder, OverlapWhereTheCapsulePassesNoRim) {
  RandomSolids random(10657);
  const ShapeGeometry cylinder = random.shape("cylinder"), capsule = random.shape("capsule");
  const Frame at_a = random.motion(2).at(0), at_b = random.motion(2).at(0);
  ASSERT_LT(projected_distance(cylinder, at_a, capsule, at_b, 2000), 1e-4);
  const SpatialContactPoint nearest = nearest_of(evaluate(cylinder, at_a, capsule, at_b));
  EXPECT_LT(nearest.gap, 0);
  EXPECT_NEAR(separation(cylinder, at_a, capsule, at_b, nearest.normal), nearest.gap, 1e-13);
}

}  // namespace
}  // namespace freeplay::test
