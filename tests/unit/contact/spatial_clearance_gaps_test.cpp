// Gap functions of spatial joints with play: closed forms, rates against finite differences of the gap under any motion
// of both bodies, normals and contact points.
#include "freeplay/contact/play/spatial_clearance_gaps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "unit/contact/moving_pair.h"

namespace freeplay::test::spatial_clearance_gaps_test {
namespace {

using moving_pair::child_off;
using moving_pair::Draw;
using moving_pair::evaluate;
using moving_pair::expect_rates;
using moving_pair::TwoBodies;
using Normal = SpatialContactPoint::Normal;

SleevePlay::Size sleeve(bool has_collars = false) {
  return {.length_m = 0.2,
          .clearance_m = 0.01,
          .rod_radius_m = 0.05,
          .has_collars = has_collars,
          .axial_clearance_m = has_collars ? 0.02 : 0};
}

TEST(SleevePlay, GapsAreTheClearanceLessTheEccentricityOfEachEnd) {
  const SleevePlay gap({}, {}, sleeve());
  ASSERT_EQ(gap.point_count(), 2);
  // Tilted about x: the end at +z goes to -y.
  const double tilt = 0.03;
  const Frame child{Eigen::AngleAxisd(tilt, Vec3::UnitX()).toRotationMatrix(), Vec3(3e-3, 1e-3, 0.7)};
  const auto points = evaluate(gap, child, {});
  for (int i = 0; i < 2; ++i) {
    const SpatialContactPoint& at = points[static_cast<std::size_t>(i)];
    const double side = i == 0 ? -1 : 1;
    const Vec3 d(3e-3, 1e-3 - side * 0.1 * std::sin(tilt), 0);
    EXPECT_NEAR(at.gap, 0.01 - d.norm(), 1e-16);
    EXPECT_LT((at.normal + d.normalized()).norm(), 1e-12) << "the rod pushes the sleeve back";
    const Vec3 foot(0, 0, 0.7 + side * 0.1 * std::cos(tilt));
    EXPECT_LT((at.point_b - foot - 0.05 * at.normal).norm(), 1e-15) << "on the rod, on the side that is nearer";
    EXPECT_LT((at.point_a - (foot + d) - (0.05 + 0.01) * at.normal).norm(), 1e-15) << "on the bore";
    EXPECT_LT((at.tangent - Vec3::UnitZ()).norm(), 1e-16) << "along the rod";
    const SpatialGap::Round round = gap.round(i);
    EXPECT_EQ(round.clearance, 0.01);
    EXPECT_FALSE(round.is_ball);
    EXPECT_LT((at.point_a + round.to_centre * at.normal - (foot + d)).norm(), 1e-15) << "the centre of the end";
  }
}

// With the formula as printed in the paper (eq. 34), w = (0.1, 0, 60) mm would give 8.3e-5 mm.
TEST(SleevePlay, EccentricityIsPerpendicularToTheRod) {
  SleevePlay::Size size = sleeve();
  size.length_m = 0;
  size.clearance_m = 1e-3;
  const auto points = evaluate(SleevePlay({}, {}, size), {Mat3::Identity(), Vec3(1e-4, 0, 0.06)}, {});
  EXPECT_NEAR(points[0].gap, 1e-3 - 1e-4, 1e-17);
}

TEST(SleevePlay, CollarsHoldTheEndsOnEitherSide) {
  const SleevePlay gap({}, {}, sleeve(true));
  ASSERT_EQ(gap.point_count(), 4);
  const double z = 0.013;
  const auto points = evaluate(gap, {Mat3::Identity(), Vec3(1e-3, 0, z)}, {});
  EXPECT_NEAR(points[2].gap, 0.02 + z, 1e-16);
  EXPECT_NEAR(points[3].gap, 0.02 - z, 1e-16);
  EXPECT_LT((points[2].normal - Vec3::UnitZ()).norm(), 1e-16);
  EXPECT_LT((points[3].normal + Vec3::UnitZ()).norm(), 1e-16);
  EXPECT_NEAR(points[2].point_b.z(), -0.12, 1e-16);
  EXPECT_NEAR(points[3].point_b.z(), 0.12, 1e-16);
  EXPECT_EQ(gap.round(2).clearance, 0);
}

TEST(SleevePlay, ConcentricIsOpenByTheWholeClearanceWithoutDirection) {
  Draw draw;
  const Frame on_child = draw.frame(), on_parent = draw.frame(), parent = draw.frame();
  const SleevePlay gap(on_child, on_parent, sleeve());
  const Frame centred = child_off(parent, on_parent, on_child, Vec3(0, 0, 0.3), Mat3::Identity());
  for (const SpatialContactPoint& at : evaluate(gap, centred, parent)) {
    EXPECT_NEAR(at.gap, 0.01, 1e-15);
    EXPECT_EQ(at.normal_is, Normal::kAboutTangent);
    EXPECT_NEAR(at.normal.norm(), 1, 1e-14);
    EXPECT_NEAR(at.normal.dot(at.tangent), 0, 1e-14);
  }
  const Frame off = child_off(parent, on_parent, on_child, Vec3(1e-9, 0, 0.3), Mat3::Identity());
  for (const SpatialContactPoint& at : evaluate(gap, off, parent)) EXPECT_EQ(at.normal_is, Normal::kDefined);
}

TEST(SleevePlay, RatesMeetFiniteDifferences) {
  Draw draw;
  for (int i = 0; i < 200; ++i) {
    // An end close to the axis turns its normal fast; the differences follow no more.
    const TwoBodies bodies(draw, 0.2, 0.1);
    const SleevePlay gap(bodies.on_child, bodies.on_parent, sleeve(i % 2 == 1));
    expect_rates(gap, bodies.child, bodies.parent, 1e-6);
  }
}

TEST(SphericalPlay, GapIsTheClearanceLessTheDistance) {
  const SphericalPlay gap(Vec3(0.1, 0, 0), Vec3::Zero(), 1e-3, 0.02);
  const Vec3 d(2e-4, -3e-4, 6e-4);
  const auto points = evaluate(gap, {Mat3::Identity(), Vec3(-0.1, 0, 0) + d}, {});
  EXPECT_NEAR(points[0].gap, 1e-3 - 7e-4, 1e-17);
  EXPECT_LT((points[0].normal + d / 7e-4).norm(), 1e-12);
  EXPECT_LT((points[0].point_a - d + 0.02 * points[0].normal).norm(), 1e-16) << "on the ball";
  EXPECT_NEAR(points[0].point_b.norm(), 0.021, 1e-15) << "in the socket";
  const SpatialGap::Round round = gap.round(0);
  EXPECT_TRUE(round.is_ball);
  EXPECT_LT((points[0].point_a + round.to_centre * points[0].normal - d).norm(), 1e-16);
  EXPECT_EQ(evaluate(gap, {Mat3::Identity(), Vec3(-0.1, 0, 0)}, {})[0].normal_is, Normal::kAny);
}

TEST(SphericalPlay, RatesMeetFiniteDifferences) {
  Draw draw;
  for (int i = 0; i < 200; ++i) {
    const TwoBodies bodies(draw, 0.2, 0.1);
    const SphericalPlay gap(bodies.on_child.p, bodies.on_parent.p, 1e-3, 0.02);
    expect_rates(gap, bodies.child, bodies.parent, 1e-6);
  }
}

// The triangle of the paper: corner 1 at +y, 2 and 3 at -y, +z and -z of the joint.
const std::vector<Vec2> kTriangle = {{0.02, 0}, {-0.01, -0.017}, {-0.01, 0.017}};

TEST(ChannelPlay, WallsOfTheOwnEdgesComeFirst) {
  const double c = 1e-4;
  const ChannelPlay gap({}, {}, kTriangle, 0.04, c);
  ASSERT_EQ(gap.point_count(), 18);
  const auto points = evaluate(gap, {}, {});
  const Vec2 corner_of[] = {kTriangle[0], kTriangle[0], kTriangle[1], kTriangle[1], kTriangle[2], kTriangle[2]};
  // Walls 1-2, 1-3, 2-3; a corner and the walls it lies on.
  const int wall_of[] = {0, 1, 0, 2, 1, 2};
  const Vec2 other[] = {kTriangle[2], kTriangle[1], kTriangle[0]};
  const Vec3 normal_of_wall[] = {points[0].normal, points[1].normal, points[3].normal};
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_NEAR(points[i].gap, c, 1e-16) << "concentric: the clearance at every wall, " << i;
    EXPECT_LT((points[i].point_a - Vec3(i < 6 ? 0.02 : -0.02, corner_of[i % 6].x(), corner_of[i % 6].y())).norm(),
              1e-16);
    EXPECT_LT((points[i].tangent - Vec3::UnitX()).norm(), 1e-16) << "along the channel";
    const std::size_t wall = static_cast<std::size_t>(wall_of[i % 6]);
    EXPECT_LT((points[i].normal - normal_of_wall[wall]).norm(), 1e-15) << i;
    EXPECT_GT(points[i].normal.dot(Vec3(0, other[wall].x(), other[wall].y()) - points[i].point_a), 0) << "inwards";
  }
  for (std::size_t i = 12; i < 18; ++i) EXPECT_GT(points[i].gap, 0.02) << "the opposite wall is far";
}

TEST(ChannelPlay, DisplacementAndTiltChangeTheGapsAsTheyShould) {
  const double c = 1e-4, tilt = 0.01, dy = -3e-5;
  const ChannelPlay gap({}, {}, kTriangle, 0.04, c);
  // About z of the joint: the end at +x goes up, the section's y shrinks with the cosine.
  const auto points = evaluate(gap, {Eigen::AngleAxisd(tilt, Vec3::UnitZ()).toRotationMatrix(), Vec3(0.5, dy, 0)}, {});
  // The wall 2-3 has the normal +y.
  for (const std::size_t i : {3u, 5u})
    EXPECT_NEAR(points[i].gap, c + dy + 0.02 * std::sin(tilt) - 0.01 * (std::cos(tilt) - 1), 1e-16);
  for (const std::size_t i : {9u, 11u})
    EXPECT_NEAR(points[i].gap, c + dy - 0.02 * std::sin(tilt) - 0.01 * (std::cos(tilt) - 1), 1e-16);
}

TEST(ChannelPlay, EitherSenseOfTheCornersIsTheSame) {
  Draw draw;
  std::vector<Vec2> square = {{0.01, 0.02}, {-0.01, 0.02}, {-0.01, -0.02}, {0.01, -0.02}}, reversed = square;
  std::reverse(reversed.begin(), reversed.end());
  const TwoBodies bodies(draw, 1e-4, 0.1);
  const auto gaps = [&](const std::vector<Vec2>& section) {
    const ChannelPlay gap(bodies.on_child, bodies.on_parent, section, 0.04, 1e-4);
    std::vector<double> values;
    for (const SpatialContactPoint& at : evaluate(gap, bodies.child.start, bodies.parent.start))
      values.push_back(at.gap);
    std::sort(values.begin(), values.end());
    return values;
  };
  const std::vector<double> one = gaps(square), two = gaps(reversed);
  ASSERT_EQ(one.size(), 32u);
  ASSERT_EQ(two.size(), 32u);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], two[i], 1e-15);
}

TEST(ChannelPlay, RatesMeetFiniteDifferences) {
  Draw draw;
  for (int i = 0; i < 200; ++i) {
    const TwoBodies bodies(draw, 1e-3, 1e-3);
    const ChannelPlay gap(bodies.on_child, bodies.on_parent, kTriangle, 0.04, 1e-3);
    expect_rates(gap, bodies.child, bodies.parent, 1e-7);
  }
}

}  // namespace
}  // namespace freeplay::test::spatial_clearance_gaps_test
