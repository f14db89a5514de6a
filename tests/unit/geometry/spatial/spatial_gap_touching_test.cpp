// Solids a little before and a little after they touch, in very many positions: what a pile is full of. Corners beside
// corners and edges that pass the end of an edge are rare among random positions, and a pile finds them all the same.
#include <gtest/gtest.h>

#include "spatial_gap_cases.h"

namespace freeplay::test {
namespace {

class SolidsThatNearlyTouch : public testing::TestWithParam<SpatialPair> {
 protected:
  static constexpr std::uint64_t kDraws = 30000;
};

// Calls check(seed, a, frame of a, b, frame of b, normal) with shapes that are apart by `distance`.
template <class Check>
void for_nearly_touching(const SpatialPair& pair, std::uint64_t draws, double distance, Check check) {
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    RandomSolids random(seed);
    const ShapeGeometry a = random.shape(pair.a), b = random.shape(pair.b);
    Frame at_a = random.motion(2).start;
    const Frame at_b = random.motion(2).start;
    const auto gap = make_spatial_gap(a, b);
    const SpatialContactPoint nearest = nearest_of(evaluate(*gap, at_a, at_b));
    if (nearest.gap <= 0) continue;
    at_a.p -= (nearest.gap - distance) * nearest.normal;
    check(seed, a, at_a, b, at_b, nearest.normal);
  }
}

// Apart by d along n, and so by no less than d along any other way: the smallest gap is d, and none is negative.
TEST_P(SolidsThatNearlyTouch, ApartHaveTheirDistanceAsTheSmallestGap) {
  for (const double distance : {1e-6, 1e-3}) {
    for_nearly_touching(
        GetParam(), kDraws, distance,
        [&](auto seed, const auto& a, const Frame& at_a, const auto& b, const Frame& at_b, const Vec3&) {
          EXPECT_NEAR(nearest_of(evaluate(a, at_a, b, at_b)).gap, distance, 1e-12) << "seed " << seed;
        });
  }
}

// Overlapping by d along n, and so by no more than d along the shortest way: no gap is deeper than 2 d, as derived in
// spatial_features.h; and one is negative.
TEST_P(SolidsThatNearlyTouch, OverlappingHaveNoGapDeeperThanTwiceTheOverlap) {
  for (const double depth : {1e-6, 1e-3}) {
    for_nearly_touching(
        GetParam(), kDraws, -depth,
        [&](auto seed, const auto& a, const Frame& at_a, const auto& b, const Frame& at_b, const Vec3&) {
          const double gap = nearest_of(evaluate(a, at_a, b, at_b)).gap;
          EXPECT_LT(gap, 0) << "seed " << seed;
          EXPECT_GT(gap, -2 * depth - 1e-12) << "seed " << seed;
        });
  }
}

// Two cubes out of a pile, apart by 1.1e-6 m along the common normal of two edges (the best of the fifteen directions
// of the separating-axis test). Another two edges pass each other 1.5 mm lower, beside the cubes.
TEST(SolidsOfAPile, CubesThatHardlyTouchAreNotTakenForOverlapping) {
  const BoxShape cube{{0, 0, 0}, {0.1, 0.1, 0.1}};
  const Frame a{Eigen::Quaterniond(0.214867156637691, 0.00618216092486325, 0.05460593785151, 0.97509593242721)
                    .normalized()
                    .toRotationMatrix(),
                {-0.120522847686835, -0.0215693483570098, 0.104434291849054}};
  const Frame b{Eigen::Quaterniond(0.688482053081029, 0.194427163515398, -0.669137835651583, 0.201109665536498)
                    .normalized()
                    .toRotationMatrix(),
                {0, 0, 0}};
  EXPECT_NEAR(nearest_of(evaluate(cube, a, cube, b)).gap, 1.1e-6, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(SpatialGap, SolidsThatNearlyTouch,
                         testing::Values(SpatialPair{"box", "box"}, SpatialPair{"capsule", "box"},
                                         SpatialPair{"capsule", "cylinder"}, SpatialPair{"capsule", "capsule"},
                                         SpatialPair{"cylinder", "box"}, SpatialPair{"cylinder", "cylinder"}),
                         [](const auto& pair) { return pair.param.name(); });

}  // namespace
}  // namespace freeplay::test
