// The tests of unit/geometry/surfaces/surface_random_test.cpp and surface_rates_test.cpp with the numbers of poses that
// are wanted of every pair of kinds.
#include <gtest/gtest.h>

#include <cstdlib>

#include "unit/geometry/surfaces/surface_random_check.h"
#include "unit/geometry/surfaces/surface_rates_check.h"

namespace freeplay::test {
namespace {

// With FREEPLAY_LONG_SURFACES in the environment the counts of poses and paths are those that every pair of kinds has
// to stand, which takes hours; without it a share of them.
bool all_of_them() {
  return std::getenv("FREEPLAY_LONG_SURFACES") != nullptr;
}

TEST(SurfacePairsInManyPoses, SatisfyTheirEquationsAndHaveTheSameContactsExchanged) {
  for_every_pair(all_of_them() ? 1000 : 20, 41,
                 [](const auto& a, const auto& b, const auto& move_a, const auto& move_b, const auto& name) {
                   for (const SurfaceContact& c : contacts_of(a, move_a.at(0), b, move_b.at(0), 0.5))
                     check_equations(c, name);
                   check_exchange(a, move_a.at(0), b, move_b.at(0), 0.5, name);
                 });
}

// 45 pairs of kinds: 10 000 poses in the long form.
TEST(SurfacePairsInManyPoses, HaveTheDistanceAsLeastGapAndAContactAtEveryMinimum) {
  int distances = 0, minima = 0;
  for_every_pair(all_of_them() ? 223 : 15, 42,
                 [&](const auto& a, const auto& b, const auto& move_a, const auto& move_b, const auto& name) {
                   if (b.kind() == SpatialSurface::Kind::kPlane) return;
                   check_minima(a, move_a.at(0), b, move_b.at(0), name, 0.05, distances, minima);
                 });
  EXPECT_GE(distances, 100);
  EXPECT_GE(minima, 100);
}

TEST(SurfacePairsInManyPoses, HaveALeastGapThatDoesNotJumpAlongPaths) {
  for_every_pair(all_of_them() ? 1000 : 5, 43,
                 [](const auto& a, const auto& b, const auto& move_a, const auto& move_b, const auto& name) {
                   check_path(a, b, move_a, move_b, name, 60);
                 });
}

// 100 poses of every pair, in the long form 1000.
class EverySurfacePair : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(EverySurfacePair, HasTheRatesOfCentralDifferencesInManyPoses) {
  RandomSurfaces random(44);
  const SurfacePool pool(random, 10);
  check_pair_by_differences(pool, GetParam().first, GetParam().second, all_of_them() ? 1000 : 100, 45);
}

INSTANTIATE_TEST_SUITE_P(Surfaces, EverySurfacePair, testing::ValuesIn(surface_kind_pairs()),
                         [](const auto& one) { return one.param.first + "_" + one.param.second; });

}  // namespace
}  // namespace freeplay::test
