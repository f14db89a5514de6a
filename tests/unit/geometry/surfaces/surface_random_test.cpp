// Random pairs of surfaces: a short form of tests/surfaces_slow.
#include <gtest/gtest.h>

#include "allocation/allocation_counter.h"
#include "surface_random_check.h"

namespace freeplay::test::surface_random_test {
namespace {

TEST(SurfacePairs, ContactsSatisfyTheirEquations) {
  for_every_pair(5, 11, [](const auto& a, const auto& b, const auto& move_a, const auto& move_b, const auto& name) {
    for (const SurfaceContact& c : contacts_of(a, move_a.at(0), b, move_b.at(0), 0.5)) check_equations(c, name);
  });
}

TEST(SurfacePairs, ExchangedPartnersHaveTheSameContacts) {
  for_every_pair(5, 12, [](const auto& a, const auto& b, const auto& move_a, const auto& move_b, const auto& name) {
    check_exchange(a, move_a.at(0), b, move_b.at(0), 0.5, name);
  });
}

TEST(SurfacePairs, HaveTheDistanceAsLeastGapAndAContactAtEveryMinimum) {
  int distances = 0, minima = 0;
  for_every_pair(3, 13, [&](const auto& a, const auto& b, const auto& move_a, const auto& move_b, const auto& name) {
    if (b.kind() == SpatialSurface::Kind::kPlane) return;
    check_minima(a, move_a.at(0), b, move_b.at(0), name, 0.08, distances, minima);
  });
  EXPECT_GE(distances, 20);
  EXPECT_GE(minima, 20);
}

TEST(SurfacePairs, TheLeastGapDoesNotJumpAlongPaths) {
  for_every_pair(1, 14, [](const auto& a, const auto& b, const auto& move_a, const auto& move_b, const auto& name) {
    check_path(a, b, move_a, move_b, name, 40);
  });
}

TEST(SurfacePairs, SearchingAllocatesNothing) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  std::vector<SurfaceContact> found(64);
  for_every_pair(1, 15, [&](const auto& a, const auto& b, const auto& move_a, const auto& move_b, const auto& name) {
    const SurfacePair pair(a, b);
    SurfaceContact again;
    EXPECT_EQ(allocations_during([&] {
                const int count = pair.find(move_a.at(0), move_b.at(0), 0.5, found);
                if (count > 0) pair.refine(move_a.at(0.01), move_b.at(0.01), found[0], again);
              }),
              0u)
        << name;
  });
}

}  // namespace
}  // namespace freeplay::test::surface_random_test
