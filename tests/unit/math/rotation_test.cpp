#include "freeplay/math/rotation.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace freeplay::test
