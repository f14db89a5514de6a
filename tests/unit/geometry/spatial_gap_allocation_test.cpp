// Evaluation allocates nothing.
#include <gtest/gtest.h>

#include "allocation/allocation_counter.h"
#include "spatial_gap_cases.h"

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

}  // namespace
}  // namespace freeplay::test
