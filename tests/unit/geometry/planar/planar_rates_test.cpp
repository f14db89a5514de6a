// Second order of every planar pair that has a gap function of its own, and of some poses of all pairs of contours.
#include "freeplay/geometry/pairs/planar_rates.h"

#include <gtest/gtest.h>

#include "freeplay/geometry/contours/contour_gap.h"
#include "unit/geometry/contours/cam_shapes.h"
#include "unit/geometry/contours/contour_cases.h"
#include "unit/geometry/rates_check.h"

namespace freeplay::test::planar_rates_test {
namespace {

constexpr double kStep = 5e-4;

class PlanarRatesOfEveryPair : public testing::TestWithParam<PairCase> {};

TEST_P(PlanarRatesOfEveryPair, BiasIsTheRateOfTheVelocitiesAtConstantVelocitiesOfTheBodies) {
  RatesCount count;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomShapes random(seed);
    const ShapeGeometry a = random.shape(GetParam().a), b = random.shape(GetParam().b);
    const auto gap = make_planar_gap(a, b);
    check_rates(*gap, random.motion(1.5), random.motion(1.5), kStep, GetParam().name(), count);
  }
  EXPECT_GE(count.compared, 900);
  EXPECT_LE(count.left_out, count.compared / 20);
  EXPECT_GE(count.negative, 50);
}

INSTANTIATE_TEST_SUITE_P(PlanarRates, PlanarRatesOfEveryPair, testing::ValuesIn(all_pairs()),
                         [](const auto& pair) { return pair.param.name(); });

TEST(PlanarRates, OfCamsAndCurvesAreThoseOfDifferences) {
  CamShape lift = cam_by_lift(1, "0.1*(1 - cos(2*phi)) + 0.05*sin(phi)");
  lift.at_m = {0.3, -0.1, 0};
  lift.follower = {0.6, -0.8, 0};
  const CamShape contour = cam_by_radius("1 + 0.08*cos(2*phi) + 0.05*sin(phi)");
  const CircleShape roller{{0.1, 0.2, 0}, 0.2};
  const PointShape point{{0.1, 0.2, 0}};
  const LineShape face{{0.1, 0, 0}, Vec3(0.6, 0.8, 0)};
  const SplineShape spline = spline_through_circle(9, 1);
  const std::vector<std::pair<ShapeGeometry, ShapeGeometry>> pairs = {
      {point, lift},   {roller, lift},  {lift, face},     {point, contour}, {roller, contour},
      {contour, face}, {point, spline}, {roller, spline}, {spline, face}};
  for (const auto& [first, second] : pairs) {
    for (const bool swapped : {false, true}) {
      const ShapeGeometry &a = swapped ? second : first, &b = swapped ? first : second;
      const auto gap = make_planar_gap(a, b);
      RatesCount count;
      const std::string name = std::string(shape_type_name(a)) + " " + std::string(shape_type_name(b));
      for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        RandomShapes random(seed);
        check_rates(*gap, random.motion(1.5), random.motion(1.5), kStep, name, count);
      }
      EXPECT_GE(count.compared, 900) << name;
    }
  }
}

// A roller on a cam by its lift, with the accelerations of both bodies: they enter as n . (a_A - a_B) of the points.
TEST(PlanarRates, AccelerationsOfTheBodiesActOnTheMaterialPoints) {
  const auto gap = make_planar_gap(CircleShape{{0.1, 0.2, 0}, 0.2}, cam_by_lift(1, "0.1*sin(2*phi)"));
  const Motion a{1.1, 0.7, 0.3, 0.4, -0.5, 0.8}, b{-0.2, 0.1, 0.9, 0.2, 0.3, -1.1};
  const PlanarContactPoint at = evaluate(*gap, a.at(0), b.at(0))[0];
  const PlanarBodyMotion still_a = motion_at(a, 0), still_b = motion_at(b, 0);
  PlanarBodyMotion move_a = still_a, move_b = still_b;
  move_a.acceleration = {0.3, -0.8};
  move_a.alpha = 1.7;
  move_b.acceleration = {-0.6, 0.2};
  move_b.alpha = -0.9;
  const PlanarRates still = gap->rates(a.at(0), b.at(0), at, still_a, still_b);
  const PlanarRates moved = gap->rates(a.at(0), b.at(0), at, move_a, move_b);
  const auto left = [](const Vec2& v) { return Vec2(-v.y(), v.x()); };
  const Vec2 more = move_a.acceleration + move_a.alpha * left(at.point_a - move_a.origin) - move_b.acceleration -
                    move_b.alpha * left(at.point_b - move_b.origin);
  EXPECT_NEAR(moved.normal_bias - still.normal_bias, at.normal.dot(more), 1e-14);
  EXPECT_NEAR(moved.tangential_bias - still.tangential_bias, at.tangent.dot(more), 1e-14);
}

TEST(PlanarRates, OfSomePosesOfEveryPairOfContours) {
  RandomContours random(41);
  const ContourPool pool(random);
  RatesCount all;
  for (const std::string& kind_a : contour_kinds()) {
    for (const std::string& kind_b : contour_kinds()) {
      if (kind_a == kind_b && (kind_a == "line" || kind_a == "point")) continue;
      RatesCount count;
      for (int tries = 0; tries < 8; ++tries) {
        const ContourGap gap(pool.any(kind_a, random).contour, pool.any(kind_b, random).contour);
        check_rates(gap, random.motion(1.2), random.motion(1.2), kStep, kind_a + " " + kind_b, count);
      }
      all.compared += count.compared;
      all.left_out += count.left_out;
      all.negative += count.negative;
    }
  }
  EXPECT_GE(all.compared, 3000);
  EXPECT_LE(all.left_out, all.compared / 5);
  EXPECT_GE(all.negative, 200);
}

// Two edges that lie along each other do not say where they touch; as long as they stay parallel any place will do.
TEST(PlanarRates, StraightOnStraightIsFiniteAndExactWhileParallel) {
  PlanarContactPoint at;
  at.gap = 0.1;
  at.point_a = {0.4, 0.1};
  at.point_b = {0.4, 0};
  const PlanarBodyMotion a{{0.2, 0.5}, {0.7, -0.3}, 1.3, Vec2::Zero(), 0};
  const PlanarBodyMotion b{{-0.1, -0.2}, {0.1, 0.2}, 1.3, Vec2::Zero(), 0};
  const PlanarRates flat = planar_rates(at, a, b);
  EXPECT_FALSE(flat.is_regular);
  PlanarContactPoint corner = at;
  corner.curvature_a = std::numeric_limits<double>::infinity();
  const PlanarRates regular = planar_rates(corner, a, b);
  EXPECT_TRUE(regular.is_regular);
  EXPECT_NEAR(flat.normal_bias, regular.normal_bias, 1e-14);
  EXPECT_NEAR(flat.tangential_bias, regular.tangential_bias, 1e-14);
}

// A journal in the middle of its bearing.
TEST(PlanarRates, ConcentricCirclesAreFiniteAndTheSameForExchangedPartners) {
  PlanarContactPoint at;
  at.gap = 0.1;
  at.point_a = {0, -0.5};
  at.point_b = {0, -0.6};
  at.curvature_a = 1 / 0.5;
  at.curvature_b = -1 / 0.6;
  const PlanarBodyMotion a{{0, 0}, {0.7, -0.3}, 1.3, Vec2::Zero(), 0}, b{{0, 0}, {0.1, 0.2}, -0.4, Vec2::Zero(), 0};
  const PlanarRates rates = planar_rates(at, a, b), back = planar_rates(exchanged(at), b, a);
  EXPECT_FALSE(rates.is_regular);
  EXPECT_LT(std::abs(rates.normal_bias) + std::abs(rates.tangential_bias), 10);
  EXPECT_NEAR(rates.normal_bias, back.normal_bias, 1e-14);
  EXPECT_NEAR(rates.tangential_bias, back.tangential_bias, 1e-14);
}

}  // namespace
}  // namespace freeplay::test::planar_rates_test
