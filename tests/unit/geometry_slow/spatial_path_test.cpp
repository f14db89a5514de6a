// Along random paths of every pair of solids that has a closed form: the least gap changes by no more than the motion
// allows.
#include <gtest/gtest.h>

#include "unit/geometry/spatial/spatial_gap_cases.h"

namespace freeplay::test::spatial_path_test {
namespace {

constexpr int kPaths = 1000, kSteps = 20;
constexpr double kStep_s = 0.02;
constexpr double kShallow_m = 0.02;  // deeper, what counts as the depth may go from one face to another

class PathsOfEverySpatialPair : public testing::TestWithParam<SpatialPair> {};

// No point of a solid is farther than this from its body's origin, and no contact farther from that of its partner.
double arm_of(const std::string& type) {
  return type == "plane" ? 8 : 3.5;
}

TEST_P(PathsOfEverySpatialPair, TheLeastGapDoesNotJump) {
  const auto& [type_a, type_b] = GetParam();
  RandomSolids random(71);
  int into_contact = 0;
  for (int path = 0; path < kPaths; ++path) {
    const ShapeGeometry a = random.shape(type_a), b = random.shape(type_b);
    const SpatialMotion move_a = random.motion(1.5), move_b = random.motion(1.5);
    const auto gap = make_spatial_gap(a, b);
    const double fastest =
        move_a.v.norm() + move_b.v.norm() + arm_of(type_a) * move_a.omega.norm() + arm_of(type_b) * move_b.omega.norm();
    double before = 0;
    for (int i = 0; i <= kSteps; ++i) {
      const double now = nearest_of(evaluate(*gap, move_a.at(i * kStep_s), move_b.at(i * kStep_s))).gap;
      if (i > 0 && std::min(now, before) > -kShallow_m) {
        ASSERT_LE(std::abs(now - before), fastest * kStep_s)
            << "path " << path << " step " << i << " from " << before << " to " << now;
      }
      if (i > 0 && (now > 0) != (before > 0)) ++into_contact;
      before = now;
    }
  }
  EXPECT_GE(into_contact, 50);
}

INSTANTIATE_TEST_SUITE_P(SpatialGap, PathsOfEverySpatialPair, testing::ValuesIn(all_spatial_pairs()),
                         [](const auto& pair) { return pair.param.name(); });

}  // namespace
}  // namespace freeplay::test::spatial_path_test
