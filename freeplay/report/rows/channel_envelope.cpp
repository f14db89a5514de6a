#include "freeplay/report/rows/channel_envelope.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace freeplay::report {

bool is_gap(const PlotPoint& point) {
  return !std::isfinite(point.x) || !std::isfinite(point.y);
}

CurveEnvelope CurveEnvelope::exact() {
  return {};
}

CurveEnvelope CurveEnvelope::by_x(double first_x, double last_x, int columns) {
  CurveEnvelope envelope;
  envelope.rule_ = Rule::kByX;
  envelope.first_x_ = first_x;
  envelope.width_ = last_x > first_x ? (last_x - first_x) / columns : 1;
  return envelope;
}

CurveEnvelope CurveEnvelope::by_count(std::int64_t points, int pieces) {
  CurveEnvelope envelope;
  envelope.rule_ = Rule::kByCount;
  envelope.points_per_column_ = std::max<std::int64_t>(1, (points + pieces - 1) / pieces);
  return envelope;
}

std::int64_t CurveEnvelope::column_of(const PlotPoint& point) const {
  if (rule_ == Rule::kByCount) return count_ / points_per_column_;
  // Without a place on the axis a point stays in the column of the one before.
  return std::isfinite(point.x) ? static_cast<std::int64_t>((point.x - first_x_) / width_) : column_;
}

void CurveEnvelope::append(const PlotPoint& point) {
  const bool repeats_gap = is_gap(point) && (points_.empty() || is_gap(points_.back()));
  if (!repeats_gap) points_.push_back(is_gap(point) ? kCurveGap : point);
}

void CurveEnvelope::add(PlotPoint point) {
  if (rule_ == Rule::kExact) return append(point);
  const std::int64_t column = column_of(point);
  if (column != column_) {
    close_column();
    column_ = column;
  }
  const Numbered numbered{point, count_++};
  if (is_gap(point)) {
    if (is_empty_) starts_with_gap_ = true;
    ends_with_gap_ = true;
    return;
  }
  if (is_empty_) kept_.fill(numbered);
  is_empty_ = ends_with_gap_ = false;
  kept_[kLast] = numbered;
  if (point.y < kept_[kLowestY].point.y) kept_[kLowestY] = numbered;
  if (point.y > kept_[kHighestY].point.y) kept_[kHighestY] = numbered;
  if (rule_ == Rule::kByX) return;
  if (point.x < kept_[kLowestX].point.x) kept_[kLowestX] = numbered;
  if (point.x > kept_[kHighestX].point.x) kept_[kHighestX] = numbered;
}

void CurveEnvelope::close_column() {
  if (starts_with_gap_) append(kCurveGap);
  if (!is_empty_) {
    std::sort(kept_.begin(), kept_.end(), [](const Numbered& a, const Numbered& b) { return a.number < b.number; });
    std::int64_t last = -1;
    for (const Numbered& kept : kept_) {
      if (std::exchange(last, kept.number) != kept.number) append(kept.point);
    }
  }
  if (ends_with_gap_) append(kCurveGap);
  starts_with_gap_ = ends_with_gap_ = false;
  is_empty_ = true;
}

std::vector<PlotPoint> CurveEnvelope::finish() {
  close_column();
  if (!points_.empty() && is_gap(points_.back())) points_.pop_back();
  return std::move(points_);
}

std::vector<PlotPoint> simplified(const std::vector<PlotPoint>& curve, double tolerance_x, double tolerance_y) {
  if (!(tolerance_x > 0) || !(tolerance_y > 0)) return curve;
  constexpr double kTurn = 3.14159265358979323846;
  std::vector<PlotPoint> kept;
  // From the last kept point, the directions in which a straight line passes all points since within the tolerance.
  PlotPoint from = kCurveGap, before = kCurveGap;
  double lowest = 0, highest = 0, reached = 0, axis = 0;
  bool has_direction = false;
  const auto restart = [&](const PlotPoint& point) {
    from = point;
    has_direction = false;
    reached = 0;
  };
  for (const PlotPoint& point : curve) {
    if (is_gap(point) || is_gap(before)) {
      if (is_gap(point) && !is_gap(before) && has_direction) kept.push_back(before);
      kept.push_back(point);
      restart(point);
      before = point;
      continue;
    }
    for (int attempt = 0; attempt < 2; ++attempt) {
      const double dx = (point.x - from.x) / tolerance_x, dy = (point.y - from.y) / tolerance_y;
      const double distance = std::hypot(dx, dy);
      if (distance <= 1 && !has_direction) break;  // still within the first point
      double direction = std::atan2(dy, dx);
      if (!has_direction) {
        axis = direction;
        lowest = -kTurn, highest = kTurn;
      }
      direction = std::remainder(direction - axis, 2 * kTurn);
      const double half_width = distance > 1 ? std::asin(1 / distance) : kTurn;
      const bool fits = direction >= lowest && direction <= highest && distance >= reached;
      if (fits || !has_direction) {
        lowest = std::max(lowest, direction - half_width);
        highest = std::min(highest, direction + half_width);
        reached = distance;
        has_direction = true;
        break;
      }
      kept.push_back(before);
      restart(before);
    }
    before = point;
  }
  if (!curve.empty() && !is_gap(before) && (kept.empty() || kept.back().x != before.x || kept.back().y != before.y))
    kept.push_back(before);
  return kept;
}

}  // namespace freeplay::report
