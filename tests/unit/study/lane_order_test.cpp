#include "freeplay/study/sweep/points/lane_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace freeplay::test {
namespace {

TEST(LaneOrder, HasEveryPointOnce) {
  std::vector<std::vector<double>> points;
  for (int i = 0; i < 100; ++i) points.push_back({std::sin(i * 12.9898) * 3, std::cos(i * 78.233) * 1e-4});
  std::vector<std::size_t> order = order_of_likeness(points);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

// Neighbours of 4096 scattered points in the unit square are on average much nearer than those of a random order, whose
// mean distance is 0.52.
TEST(LaneOrder, BringsLikePointsTogether) {
  std::vector<std::vector<double>> points;
  for (int i = 0; i < 4096; ++i)
    points.push_back({std::fmod(i * 0.7548776662466927, 1.0), std::fmod(i * 0.5698402909980532, 1.0)});
  const std::vector<std::size_t> order = order_of_likeness(points);
  double sum = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::vector<double>&a = points[order[i - 1]], &b = points[order[i]];
    sum += std::hypot(a[0] - b[0], a[1] - b[1]);
  }
  EXPECT_LT(sum / 4095, 0.03);
}

TEST(LaneOrder, KeepsWhatIsEqual) {
  EXPECT_EQ(order_of_likeness({{1}, {1}, {1}}), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(order_of_likeness({{}, {}}), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(order_of_likeness({}).empty());
}

}  // namespace
}  // namespace freeplay::test
