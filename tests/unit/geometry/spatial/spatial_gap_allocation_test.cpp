// Evaluation allocates nothing.
#include <gtest/gtest.h>

#include "allocation/allocation_counter.h"
#include "freeplay/geometry/meshes/mesh_gap.h"
#include "spatial_gap_cases.h"
#include "unit/geometry/meshes/mesh_cases.h"

namespace freeplay::test {
namespace {

TEST(SpatialGapAllocation, EvaluationOfEveryPairAllocatesNothing) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  RandomSolids random(7);
  for (const SpatialPair& pair : all_spatial_pairs()) {
    const auto gap = make_spatial_gap(random.shape(pair.a), random.shape(pair.b));
    std::vector<SpatialContactPoint> points(static_cast<std::size_t>(gap->point_count()));
    EXPECT_EQ(allocations_during([&] {
                for (int i = 0; i < 100; ++i) gap->evaluate(random.motion(2).at(0), random.motion(2).at(0), points);
              }),
              0u)
        << pair.name();
  }
}

TEST(SpatialGapAllocation, FollowingTheContactsOfMeshesAllocatesNothing) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  RandomSolids random(8);
  const MeshShape torus{std::make_shared<const TriangleMesh>(built(torus_soup(0.4, 0.15, 12, 24))), ""};
  for (const std::string type : {"sphere", "plane", "box", "cylinder", "capsule", "mesh"}) {
    const auto gap = make_spatial_gap(type == "mesh" ? ShapeGeometry(torus) : random.shape(type), torus);
    const std::size_t count = static_cast<std::size_t>(gap->point_count());
    std::vector<SpatialContactPoint> points(count);
    std::vector<std::uint64_t> before(count, 0), now(count, 0);
    int found = 0;
    EXPECT_EQ(allocations_during([&] {
                for (int i = 0; i < 200; ++i) {
                  gap->follow(random.motion(1).at(0), random.motion(1).at(0), before, points, now);
                  found += points.front().gap < kInfinity ? 1 : 0;
                  before.swap(now);
                }
              }),
              0u)
        << type;
    EXPECT_GT(found, 5) << type;
  }
}

}  // namespace
}  // namespace freeplay::test
