#include "freeplay/report/plot/plot_points.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace freeplay::report {

namespace {

// One dot per pixel is all that can be seen of a cloud, and one stem per half pixel: the longest.
std::vector<PlotPoint> thinned(const std::vector<PlotPoint>& points, Mark mark, double pixel_x, double pixel_y) {
  std::vector<PlotPoint> kept;
  std::set<std::pair<std::int64_t, std::int64_t>> taken;
  std::map<std::int64_t, std::size_t> stem_at;
  for (const PlotPoint& point : points) {
    if (is_gap(point)) continue;
    if (mark == Mark::kStem) {
      const auto [known, is_new] = stem_at.try_emplace(std::llround(2 * point.x / pixel_x), kept.size());
      if (is_new)
        kept.push_back(point);
      else if (std::abs(point.y) > std::abs(kept[known->second].y))
        kept[known->second] = point;
    } else if (taken.emplace(std::llround(point.x / pixel_x), std::llround(point.y / pixel_y)).second) {
      kept.push_back(point);
    }
  }
  return kept;
}

}  // namespace

std::vector<PlotPoint> drawn_points(const PlotPanel& panel, const PlotCurve& curve, const PanelPlace& place,
                                    const PanelScale& scale) {
  const auto bent = [](bool log, double value) { return log ? std::log(value) : value; };
  std::vector<PlotPoint> points;
  for (const PlotPoint& point : curve.points) {
    const bool is_visible = can_show(panel.x, point.x) && can_show(panel.y, point.y);
    points.push_back(is_visible ? PlotPoint{bent(panel.x.log, point.x / scale.x_unit.size),
                                            bent(panel.y.log, point.y / scale.y_unit.size)}
                                : kCurveGap);
  }
  const auto pixel = [&](bool log, const ValueRange& range, double length) {
    return (bent(log, range.high) - bent(log, range.low)) / length;
  };
  const double pixel_x = pixel(panel.x.log, scale.x, place.width());
  const double pixel_y = pixel(panel.y.log, scale.y, place.height());
  constexpr double kPartOfPixel = 0.08;
  points = curve.mark == Mark::kLine ? simplified(points, kPartOfPixel * pixel_x, kPartOfPixel * pixel_y)
                                     : thinned(points, curve.mark, pixel_x, pixel_y);
  for (PlotPoint& point : points) {
    if (panel.x.log) point.x = std::exp(point.x);
    if (panel.y.log) point.y = std::exp(point.y);
  }
  return points;
}

}  // namespace freeplay::report
