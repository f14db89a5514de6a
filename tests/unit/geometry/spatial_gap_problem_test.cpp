// Pairs without a gap function in space are named, with a cure.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::test {
namespace {

using testing::HasSubstr;

void expect_problem(const ShapeGeometry& a, const ShapeGeometry& b, const std::string& message,
                    const std::string& hint) {
  for (const PairProblem& problem : {spatial_pair_problem(a, b), spatial_pair_problem(b, a)}) {
    EXPECT_FALSE(problem.empty());
    EXPECT_THAT(problem.message, HasSubstr(message));
    EXPECT_THAT(problem.hint, HasSubstr(hint));
  }
}

TEST(SpatialPairProblem, TwoPlanesAreImpossibleForGood) {
  expect_problem(PlaneShape{}, PlaneShape{}, "two planes never touch in a point", "spheres, boxes or cylinders");
}

TEST(SpatialPairProblem, AMissingPairSaysWhatEachTypeCanTouch) {
  expect_problem(EllipsoidShape{}, PlaneShape{}, "there is no gap function for", "an ellipsoid has no spatial gap");
  expect_problem(EllipsoidShape{}, SphereShape{}, "an ellipsoid",
                 "a sphere can touch: sphere, plane, box, cylinder, capsule");
}

TEST(SpatialPairProblem, PlanarShapesDoNotFitIntoSpace) {
  expect_problem(SphereShape{}, LineShape{}, "a line is a planar shape", "use spatial shapes");
  expect_problem(ArcShape{}, PlaneShape{}, "an arc is a planar shape", "use spatial shapes");
}

}  // namespace
}  // namespace freeplay::test
