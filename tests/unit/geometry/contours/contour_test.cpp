#include "freeplay/geometry/curves/contour.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace freeplay::test {
namespace {

// A run that diverges asks for distances to points whose squares are no numbers.
TEST(Contour, AnswersForPointsThatAreTooFarForSquaresOrAreNoNumbers) {
  const std::vector<Vec3> square = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
  const Contour contour(std::make_shared<PeriodicSpline>(square));
  EXPECT_TRUE(std::isfinite(contour.distance({1e200, 0}).normal.norm()));
  EXPECT_TRUE(std::isnan(contour.distance({std::numeric_limits<double>::quiet_NaN(), 0}).gap))
      << "never a number that passes for a gap";
}

}  // namespace
}  // namespace freeplay::test
