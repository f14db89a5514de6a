// Curved surfaces against boxes, cylinders and capsules, with which they have no closed form: what
// surface_pairs_test.cpp asks of surfaces among each other.
#include <gtest/gtest.h>

#include <cstdlib>

#include "unit/geometry/surfaces/surface_random_check.h"
#include "unit/geometry/surfaces/surface_rates_check.h"

namespace freeplay::test::surface_solids_test {
namespace {

// As in surface_pairs_test.cpp: with FREEPLAY_LONG_SURFACES the counts that every pair has to stand.
int times(int all, int some) {
  return std::getenv("FREEPLAY_LONG_SURFACES") != nullptr ? all : some;
}

TEST(SurfacesAndSolids, SatisfyTheirEquationsAndHaveTheSameContactsExchanged) {
  for_pairs(surface_solid_pairs(), times(1000, 20), 51,
            [](const auto& a, const auto& b, const auto& move_a, const auto& move_b, const auto& name) {
              for (const SurfaceContact& c : contacts_of(a, move_a.at(0), b, move_b.at(0), 0.5))
                check_equations(c, name);
              check_exchange(a, move_a.at(0), b, move_b.at(0), 0.5, name);
            });
}

// 24 pairs of kinds: 10 000 poses in the long form.
TEST(SurfacesAndSolids, HaveTheDistanceAsLeastGapAndAContactAtEveryMinimum) {
  int distances = 0, minima = 0;
  for_pairs(surface_solid_pairs(), times(417, 15), 52,
            [&](const auto& a, const auto& b, const auto& move_a, const auto& move_b, const auto& name) {
              check_minima(a, move_a.at(0), b, move_b.at(0), name, 0.05, distances, minima);
            });
  EXPECT_GE(distances, 50);
  EXPECT_GE(minima, 50);
}

TEST(SurfacesAndSolids, HaveALeastGapThatDoesNotJumpAlongPaths) {
  for_pairs(surface_solid_pairs(), times(1000, 5), 53,
            [](const auto& a, const auto& b, const auto& move_a, const auto& move_b, const auto& name) {
              check_path(a, b, move_a, move_b, name, 60);
            });
}

class EverySurfaceAndSolid : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(EverySurfaceAndSolid, HasTheRatesOfCentralDifferencesInManyPoses) {
  RandomSurfaces random(54);
  const SurfacePool pool(random, 10, true);
  check_pair_by_differences(pool, GetParam().first, GetParam().second, times(1000, 50), 55);
}

INSTANTIATE_TEST_SUITE_P(Surfaces, EverySurfaceAndSolid, testing::ValuesIn(surface_solid_pairs()),
                         [](const auto& one) { return one.param.first + "_" + one.param.second; });

}  // namespace
}  // namespace freeplay::test::surface_solids_test
