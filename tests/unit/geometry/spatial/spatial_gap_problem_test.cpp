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

// All shapes in space have a surface, so what is left is a surface that is none.
TEST(SpatialPairProblem, NamesWhatIsWrongWithASurface) {
  expect_problem(EllipsoidShape{Vec3::Zero(), Vec3::Ones()}, BoxShape{}, "box: the edges must have a length",
                 "lengths");
  expect_problem(TorusShape{Vec3::Zero(), Vec3::UnitZ(), 1, 2}, PlaneShape{}, "smaller than the torus's", "a hole");
  EXPECT_TRUE(
      spatial_pair_problem(EllipsoidShape{Vec3::Zero(), Vec3::Ones()}, CapsuleShape{Vec3::Zero(), Vec3::UnitZ(), 1, 1})
          .empty());
}

TEST(SpatialPairProblem, PlanarShapesDoNotFitIntoSpace) {
  expect_problem(SphereShape{}, LineShape{}, "a line is a planar shape", "use spatial shapes");
  expect_problem(ArcShape{}, PlaneShape{}, "an arc is a planar shape", "use spatial shapes");
}

}  // namespace
}  // namespace freeplay::test
