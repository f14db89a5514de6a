#include "freeplay/math/rotation_measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "freeplay/math/rotation.h"

namespace freeplay::test {
namespace {

Mat3 turn(const Vec3& phi) {
  return rotation_from_quaternion(quaternion_from_rotation_vector(phi));
}

Vec3 random_vector(std::mt19937_64& generator, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  const double x = uniform(generator), y = uniform(generator);
  return {x, y, uniform(generator)};
}

// dphi/dt = A omega along  R(t) = exp([omega] t) R,  by central differences.
template <class Measure>
double worst_rate_error(Measure measure, double size) {
  constexpr double kStep = 1e-6;
  std::mt19937_64 generator(7);
  double worst = 0;
  for (int i = 0; i < 200; ++i) {
    const Vec3 phi = random_vector(generator, size), omega = random_vector(generator, 1);
    const Mat3 R = turn(phi);
    const Vec3 rate = (measure(turn(kStep * omega) * R).phi - measure(turn(-kStep * omega) * R).phi) / (2 * kStep);
    worst = std::max(worst, (rate - measure(R).A * omega).norm());
  }
  return worst;
}

TEST(RotationVector, MeasuresTheAngleAboutItsAxis) {
  const Vec3 phi(0.3, -1.2, 2.0);
  EXPECT_LT((rotation_vector_of(turn(phi)).phi - phi).norm(), 1e-14);
  EXPECT_LT((rotation_vector_of(turn(phi)).A * phi - phi).norm(), 1e-14) << "turning on about the same axis";
  EXPECT_EQ(rotation_vector_of(Mat3::Identity()).phi, Vec3::Zero());
  EXPECT_EQ(rotation_vector_of(Mat3::Identity()).A, Mat3::Identity());
}

TEST(RotationVector, RateIsThatOfFiniteDifferences) {
  for (const double size : {1e-6, 1e-4, 1e-2, 1.0, 1.7})  // sqrt(3) 1.7 < pi: no sign changes on the way
    EXPECT_LT(worst_rate_error(rotation_vector_of, size), 2e-9) << size;
}

TEST(TiltAndTurn, RateIsThatOfFiniteDifferences) {
  for (const double size : {1e-6, 1e-4, 1e-2, 1.0, 1.5}) EXPECT_LT(worst_rate_error(tilt_and_turn_of, size), 2e-9);
}

TEST(TiltAndTurn, TakesTheRotationApart) {
  for (const double angle : {-3.0, -0.5, 0.0, 1.0, 3.1}) {
    const Vec3 tilt(0.3, -0.9, 0);
    const RotationMeasure measure = tilt_and_turn_of(turn(tilt) * turn(Vec3(0, 0, angle)));
    EXPECT_LT((measure.phi - Vec3(tilt.x(), tilt.y(), angle)).norm(), 1e-14) << angle;
  }
}

TEST(TiltAndTurn, TiltStaysSmoothOverManyTurns) {
  constexpr double kTilt = 0.01;
  for (int i = 0; i <= 400; ++i) {
    const double angle = 0.1 * i;  // more than six turns
    const RotationMeasure measure = tilt_and_turn_of(turn(Vec3(kTilt, 0, 0)) * turn(Vec3(0, 0, angle)));
    EXPECT_NEAR(measure.phi.x(), kTilt, 1e-14);
    EXPECT_NEAR(measure.phi.y(), 0, 1e-14);
  }
}

TEST(TiltAndTurn, AgreesWithTheRotationVectorOfASmallRotation) {
  const Vec3 phi(1e-5, -2e-5, 3e-5);
  EXPECT_LT((tilt_and_turn_of(turn(phi)).phi - phi).norm(), 1e-9);
  EXPECT_LT((tilt_and_turn_of(turn(phi)).A - rotation_vector_of(turn(phi)).A).norm(), 1e-4);
}

TEST(TiltAndTurn, StaysFiniteWhereTheAxisIsTurnedOver) {
  for (const double angle : {std::numbers::pi, std::numbers::pi - 1e-9, std::numbers::pi - 1e-6}) {
    const RotationMeasure measure = tilt_and_turn_of(turn(Vec3(angle, 0, 0)));
    EXPECT_TRUE(measure.phi.allFinite() && measure.A.allFinite()) << angle;
  }
}

TEST(CrossAngles, RateIsThatOfFiniteDifferences) {
  for (const double size : {1e-6, 1e-4, 1e-2, 0.5, 0.7}) EXPECT_LT(worst_rate_error(cross_angles_of, size), 2e-9);
}

TEST(CrossAngles, TakesTheRotationApart) {
  for (const double first : {-3.0, -0.5, 0.0, 3.1}) {
    for (const double second : {-2.9, 0.0, 1.0}) {
      for (const double missing : {-1.2, 0.0, 0.01}) {
        const Mat3 R = turn(Vec3(first, 0, 0)) * turn(Vec3(0, 0, missing)) * turn(Vec3(0, second, 0));
        EXPECT_LT((cross_angles_of(R).phi - Vec3(first, second, missing)).norm(), 1e-14);
      }
    }
  }
}

TEST(CrossAngles, AgreeWithTheRotationVectorOfASmallRotation) {
  const Vec3 phi(1e-5, -2e-5, 3e-5);
  EXPECT_LT((cross_angles_of(turn(phi)).phi - phi).norm(), 1e-9);
  EXPECT_LT((cross_angles_of(turn(phi)).A - rotation_vector_of(turn(phi)).A).norm(), 1e-4);
}

TEST(CrossAngles, StayFiniteWhereTheArmsAreParallel) {
  const RotationMeasure measure = cross_angles_of(turn(Vec3(0, 0, std::numbers::pi / 2)));
  EXPECT_TRUE(measure.phi.allFinite() && measure.A.allFinite());
  EXPECT_NEAR(measure.phi.z(), std::numbers::pi / 2, 1e-14);
}

}  // namespace
}  // namespace freeplay::test
