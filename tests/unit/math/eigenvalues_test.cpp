#include "freeplay/math/eigenvalues.h"

#include <gtest/gtest.h>

namespace freeplay::test {
namespace {

TEST(SymmetricEigenvalues, AreThoseOfATurnedDiagonalMatrixInAscendingOrder) {
  const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, -2, 3).normalized()).toRotationMatrix();
  const Mat3 A = R * Vec3(5, -1, 2).asDiagonal() * R.transpose();
  EXPECT_LT((symmetric_eigenvalues(A) - Vec3(-1, 2, 5)).norm(), 1e-14);
}

TEST(SymmetricEigenvalues, KeepTheirDigitsWhereTwoOfThemNearlyCoincide) {
  const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, -2, 3).normalized()).toRotationMatrix();
  const Mat3 A = R * Vec3(1, 1 + 1e-12, 2).asDiagonal() * R.transpose();
  EXPECT_LT((symmetric_eigenvalues(A) - Vec3(1, 1 + 1e-12, 2)).norm(), 5e-15);
}

}  // namespace
}  // namespace freeplay::test
