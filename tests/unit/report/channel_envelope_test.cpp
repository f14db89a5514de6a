#include "freeplay/report/rows/channel_envelope.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace freeplay::test::channel_envelope_test {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

std::vector<PlotPoint> through(CurveEnvelope envelope, const std::vector<PlotPoint>& points) {
  for (const PlotPoint& point : points) envelope.add(point);
  return envelope.finish();
}

// Distance of a point from a polyline, in units of the tolerances.
double distance(const PlotPoint& p, const std::vector<PlotPoint>& line, double tolerance_x, double tolerance_y) {
  double least = kInf;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const double ax = (line[i].x - p.x) / tolerance_x, ay = (line[i].y - p.y) / tolerance_y;
    const double bx = (line[i + 1].x - line[i].x) / tolerance_x, by = (line[i + 1].y - line[i].y) / tolerance_y;
    const double length = bx * bx + by * by;
    const double part = length > 0 ? std::clamp(-(ax * bx + ay * by) / length, 0.0, 1.0) : 0;
    least = std::min(least, std::hypot(ax + part * bx, ay + part * by));
  }
  return least;
}

}  // namespace

TEST(CurveEnvelope, ExactKeepsEveryPointAndJoinsGaps) {
  const auto points = through(CurveEnvelope::exact(), {{0, 1}, {1, kNan}, {2, kInf}, {3, 4}, {4, kNan}});
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].y, 1);
  EXPECT_TRUE(is_gap(points[1]));
  EXPECT_EQ(points[2].x, 3);
}

TEST(CurveEnvelope, ColumnsKeepFirstLowestHighestAndLastInTheirOrder) {
  // One column from 0 to 10: first (0, 5), highest (2, 9), lowest (7, -3), last (9, 4).
  const auto points = through(CurveEnvelope::by_x(0, 10, 1), {{0, 5}, {1, 6}, {2, 9}, {5, 0}, {7, -3}, {8, 1}, {9, 4}});
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[0].x, 0);
  EXPECT_EQ(points[1].y, 9);
  EXPECT_EQ(points[2].y, -3);
  EXPECT_EQ(points[3].x, 9);
}

TEST(CurveEnvelope, AMillionPointsBecomeFourPerColumnAndNoSpikeIsLost) {
  constexpr int kRows = 1'000'000, kColumns = 500, kSpike = 654'321;
  CurveEnvelope envelope = CurveEnvelope::by_x(0, kRows, kColumns);
  for (int i = 0; i < kRows; ++i) envelope.add({double(i), i == kSpike ? 100 : std::sin(i * 1e-4)});
  const auto points = envelope.finish();
  EXPECT_LE(points.size(), 4u * (kColumns + 1));
  EXPECT_EQ(std::count_if(points.begin(), points.end(), [](const PlotPoint& p) { return p.y == 100; }), 1);
  EXPECT_EQ(points.front().x, 0);
  EXPECT_EQ(points.back().x, kRows - 1);
}

TEST(CurveEnvelope, AJumpStaysAJump) {
  // From -1 to 1 between two neighbouring rows: it takes place within one column of 1000 rows.
  CurveEnvelope envelope = CurveEnvelope::by_x(0, 1e5, 100);
  for (int i = 0; i < 100'000; ++i) envelope.add({double(i), i < 54'321 ? -1.0 : 1.0});
  const auto points = envelope.finish();
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    if (points[i].y == points[i + 1].y) continue;
    EXPECT_GE(points[i].x, 54'000);
    EXPECT_EQ(points[i + 1].x, 54'321);
  }
}

TEST(CurveEnvelope, AGapWiderThanAColumnIsAGap) {
  CurveEnvelope envelope = CurveEnvelope::by_x(0, 100, 10);
  for (int i = 0; i < 100; ++i) envelope.add({double(i), i >= 35 && i < 62 ? kNan : 1.0});
  const auto points = envelope.finish();
  const auto gaps = std::count_if(points.begin(), points.end(), [](const PlotPoint& p) { return is_gap(p); });
  EXPECT_EQ(gaps, 1);
}

TEST(CurveEnvelope, EveryOtherValueMissingStaysBounded) {
  CurveEnvelope envelope = CurveEnvelope::by_x(0, 1e6, 100);
  for (int i = 0; i < 1'000'000; ++i) envelope.add({double(i), i % 2 == 0 ? kInf : double(i)});
  EXPECT_LE(envelope.finish().size(), 6u * 101);
}

TEST(CurveEnvelope, NothingFiniteIsNothing) {
  EXPECT_TRUE(through(CurveEnvelope::by_x(0, 2, 2), {{0, kNan}, {1, kInf}, {2, kNan}}).empty());
  EXPECT_TRUE(through(CurveEnvelope::exact(), {}).empty());
}

TEST(CurveEnvelope, PiecesOfAClosedCurveKeepTheExtremesOfBothCoordinates) {
  constexpr int kRows = 100'000;
  CurveEnvelope envelope = CurveEnvelope::by_count(kRows, 10);
  for (int i = 0; i < kRows; ++i) envelope.add({std::cos(1e-3 * i), std::sin(1e-3 * i)});
  const auto points = envelope.finish();
  EXPECT_LE(points.size(), 60u);
  double left = 1, top = -1;
  for (const PlotPoint& p : points) left = std::min(left, p.x), top = std::max(top, p.y);
  EXPECT_LT(left, -1 + 1e-6);
  EXPECT_GT(top, 1 - 1e-6);
}

TEST(Simplified, AStraightLineIsTwoPoints) {
  std::vector<PlotPoint> line;
  for (int i = 0; i <= 1000; ++i) line.push_back({double(i), 3.0 * i});
  EXPECT_EQ(simplified(line, 0.1, 0.1).size(), 2u);
}

TEST(Simplified, StaysWithinTheToleranceOfEveryPoint) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 0.3);
  std::vector<PlotPoint> curve;
  for (int i = 0; i < 3000; ++i)
    curve.push_back({0.01 * i, std::sin(0.01 * i) + (i % 500 == 0 ? 5.0 : 0.002 * noise(random))});
  const auto kept = simplified(curve, 0.02, 0.01);
  EXPECT_LT(kept.size(), curve.size() / 4);
  for (const PlotPoint& point : curve) EXPECT_LE(distance(point, kept, 0.02, 0.01), 1.01) << point.x;
}

TEST(Simplified, KeepsGapsAndTheEndsBesideThem) {
  const std::vector<PlotPoint> curve = {{0, 0}, {1, 0}, {2, 0}, kCurveGap, {3, 0}, {4, 0}, {5, 0}};
  const auto kept = simplified(curve, 0.1, 0.1);
  ASSERT_EQ(kept.size(), 5u);
  EXPECT_EQ(kept[1].x, 2);
  EXPECT_TRUE(is_gap(kept[2]));
  EXPECT_EQ(kept[3].x, 3);
  EXPECT_EQ(kept[4].x, 5);
}

TEST(Simplified, AWayThereAndBackIsKept) {
  const auto kept = simplified({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {2, 0}, {1, 0}}, 0.1, 0.1);
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept[1].x, 3);
}

}  // namespace freeplay::test::channel_envelope_test
