// Curves of results that are larger than the memory and than any picture: what falls into one column of pixels is
// reduced to its first, lowest, highest and last point, which draw the same.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::report {

struct PlotPoint {
  double x = 0, y = 0;
};
inline constexpr PlotPoint kCurveGap = {std::numeric_limits<double>::quiet_NaN(),
                                        std::numeric_limits<double>::quiet_NaN()};
bool is_gap(const PlotPoint& point);

// Takes points one by one, in the order of the curve; memory grows with the columns, not with the points. A point that
// is not finite leaves a gap, unless it is one within a column: that is narrower than a pixel.
class CurveEnvelope {
 public:
  // Every point as it is.
  static CurveEnvelope exact();
  // For a curve whose x never falls, such as one over time: columns of equal width between first_x and last_x.
  static CurveEnvelope by_x(double first_x, double last_x, int columns);
  // For any other curve: pieces of as many points each, of which the extremes in both directions stay.
  static CurveEnvelope by_count(std::int64_t points, int pieces);

  void add(PlotPoint point);
  std::vector<PlotPoint> finish();

 private:
  enum class Rule : std::uint8_t { kExact, kByX, kByCount };
  enum Kept : std::uint8_t { kFirst, kLowestY, kHighestY, kLowestX, kHighestX, kLast, kKeptCount };
  struct Numbered {
    PlotPoint point;
    std::int64_t number = -1;
  };

  std::int64_t column_of(const PlotPoint& point) const;
  void append(const PlotPoint& point);
  void close_column();

  Rule rule_ = Rule::kExact;
  double first_x_ = 0, width_ = 1;
  std::int64_t points_per_column_ = 1;
  std::int64_t count_ = 0;  // points so far
  std::int64_t column_ = -1;
  std::array<Numbered, kKeptCount> kept_;
  bool starts_with_gap_ = false, ends_with_gap_ = false, is_empty_ = true;
  std::vector<PlotPoint> points_;
};

// The curve without the points that lie nearer than the tolerances to a line between others: what no eye can see
// need not be in the file. Ends, gaps and turning points stay.
std::vector<PlotPoint> simplified(const std::vector<PlotPoint>& curve, double tolerance_x, double tolerance_y);

}  // namespace freeplay::report
