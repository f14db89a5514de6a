// Second order of all pairs of contours through the interface of gap functions, 1000 contacts each.
#include "freeplay/geometry/pairs/planar_rates.h"

#include <gtest/gtest.h>

#include "freeplay/geometry/contours/contour_gap.h"
#include "unit/geometry/contours/contour_cases.h"
#include "unit/geometry/rates_check.h"

namespace freeplay::test::slow_planar_rates_test {
namespace {

TEST(PlanarRatesOfContours, AgreeWithDifferencesForEveryPair) {
  RandomContours random(61);
  const ContourPool pool(random);
  const std::vector<std::string>& kinds = contour_kinds();
  // What has matter all around never touches the like of it, nor a half-plane.
  const auto is_around = [](const std::string& kind) { return kind == "bore" || kind == "ring" || kind == "line"; };
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    for (std::size_t k = i; k < kinds.size(); ++k) {
      const std::string &a = kinds[i], &b = kinds[k], name = a + " " + b;
      if ((is_around(a) && is_around(b)) || (a == "point" && b == "point")) continue;
      RatesCount count;
      for (int tries = 0; tries < 20'000 && count.compared < 1000; ++tries) {
        const ContourGap gap(pool.any(a, random).contour, pool.any(b, random).contour);
        check_rates(gap, random.motion(1.2), random.motion(1.2), 5e-4, name, count);
      }
      EXPECT_GE(count.compared, 1000) << name;
      EXPECT_LE(count.left_out, count.compared) << name;
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace freeplay::test::slow_planar_rates_test
