#include "freeplay/math/rotation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace freeplay::test {
namespace {

TEST(RotationBetween, TakesOneVectorToTheOtherAboutTheirCommonNormal) {
  const Vec3 from = Vec3(1, 2, -2) / 3, to = Vec3(2, -3, 6) / 7;
  const Mat3 R = rotation_between(from, to);
  const Vec3 normal = from.cross(to);
  EXPECT_LT((R * from - to).norm(), 1e-15);
  EXPECT_LT((R * normal - normal).norm(), 1e-15);
  EXPECT_NEAR(R.determinant(), 1, 1e-15);
}

TEST(RotationBetween, OfEqualVectorsIsTheIdentity) {
  const Vec3 a = Vec3(2, -3, 6) / 7;
  EXPECT_LT((rotation_between(a, a) - Mat3::Identity()).norm(), 1e-15);
}

TEST(RotationBetween, OfOppositeVectorsIsHalfATurn) {
  for (const Vec3& a : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ()), Vec3(Vec3(2, -3, 6) / 7)}) {
    const Mat3 R = rotation_between(a, -a);
    EXPECT_LT((R * a + a).norm(), 1e-15);
    EXPECT_LT((R * R - Mat3::Identity()).norm(), 1e-15);
    EXPECT_NEAR(R.determinant(), 1, 1e-15);
  }
}

// Down to vectors that differ from opposite ones by rounding. A rotation that is off by d moves a point at the distance
// r by r d, so d must be rounding at every angle: sums of three products, each off by eps / 2, twice over.
TEST(RotationBetween, OfNearlyOppositeVectorsIsARotationToRounding) {
  const Vec3 a = Vec3(2, -3, 6) / 7, across = Vec3(3, 6, 2) / 7;
  for (double angle = 2; angle > 1e-17; angle /= 1.7) {
    SCOPED_TRACE(angle);
    const Vec3 b = -std::cos(angle) * a + std::sin(angle) * across;
    const Mat3 R = rotation_between(a, b);
    EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), 3e-15);
    EXPECT_LT((R * a - b).norm(), 2e-15);
    EXPECT_NEAR(R.determinant(), 1, 3e-15);
  }
}

}  // namespace
}  // namespace freeplay::test
