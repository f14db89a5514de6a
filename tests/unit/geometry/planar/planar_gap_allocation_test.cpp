// Evaluation allocates nothing. This program counts with the counter of the allocation tests.
#include <gtest/gtest.h>

#include "allocation/allocation_counter.cpp"
#include "planar_gap_cases.h"

namespace freeplay::test {
namespace {

TEST(PlanarGapAllocation, EvaluationOfEveryPairAllocatesNothing) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  RandomShapes random(7);
  for (const PairCase& pair : all_pairs()) {
    const auto gap = make_planar_gap(random.shape(pair.a, pair.hollow_a), random.shape(pair.b, pair.hollow_b));
    std::vector<PlanarContactPoint> points(static_cast<std::size_t>(gap->point_count()));
    EXPECT_EQ(allocations_during([&] {
                for (int i = 0; i < 100; ++i) gap->evaluate(random.motion(2).at(0), random.motion(2).at(0), points);
              }),
              0u)
        << pair.name();
  }
}

}  // namespace
}  // namespace freeplay::test
