#include "freeplay/study/search/box_search.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "freeplay/math/philox.h"

namespace freeplay::study {

namespace {

constexpr std::size_t kMostCorners = 256;
constexpr std::size_t kInnerPointsPerParameter = 16;
constexpr std::size_t kMostStarts = 3;
constexpr double kFirstStep = 0.25, kApart = 0.25;  // lengths of the box

double box_distance(const BoxPoint& a, const BoxPoint& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

// One compass search.
struct Compass {
  BoxPoint at, before;
  double value = 0, step = kFirstStep;

  bool is_done(double precision) const { return step < precision; }

  std::vector<BoxPoint> neighbours() const {
    std::vector<BoxPoint> points;
    const auto add = [&](BoxPoint point) {
      for (double& z : point) z = std::clamp(z, 0.0, 1.0);
      if (point != at) points.push_back(std::move(point));
    };
    for (std::size_t k = 0; k < at.size(); ++k) {
      for (const double sign : {-1.0, 1.0}) {
        BoxPoint point = at;
        point[k] += sign * step;
        add(std::move(point));
      }
    }
    if (!before.empty()) {  // once more in the direction that was good: along ridges the axes are slow
      BoxPoint point = at;
      for (std::size_t k = 0; k < at.size(); ++k) point[k] += at[k] - before[k];
      add(std::move(point));
    }
    return points;
  }
};

class BoxSearch {
 public:
  BoxSearch(const BoxSearchOptions& options, const BoxFunction& function) : options_(options), function_(function) {}

  BoxOptimum run() {
    if (compute(first_points())) search_from_the_best();
    for (const auto& [point, value] : values_) {
      if (!is_better(value, best_.point.empty() ? -INFINITY : best_.value)) continue;
      best_.point = point;
      best_.value = value;
    }
    return best_;
  }

 private:
  static bool is_better(double value, double than) { return std::isfinite(value) && value > than; }

  double value_of(const BoxPoint& point) const {
    const auto found = values_.find(point);
    return found == values_.end() ? NAN : found->second;
  }

  // False if there are no more to be had.
  bool compute(const std::vector<BoxPoint>& points) {
    std::vector<BoxPoint> unknown;
    for (const BoxPoint& point : points) {
      if (values_.contains(point) || std::find(unknown.begin(), unknown.end(), point) != unknown.end()) continue;
      unknown.push_back(point);
    }
    const auto left = static_cast<std::size_t>(std::max<std::int64_t>(0, options_.most_points - best_.points));
    const bool is_cut = unknown.size() > left;
    if (is_cut) unknown.resize(left);
    if (unknown.empty()) return !is_cut;
    const std::vector<double> values = function_(unknown);
    for (std::size_t i = 0; i < values.size(); ++i) values_[unknown[i]] = values[i];
    best_.points += static_cast<std::int64_t>(values.size());
    return !is_cut && values.size() == unknown.size();
  }

  std::vector<BoxPoint> first_points() const {
    const std::size_t count = options_.nominal.size();
    std::vector<BoxPoint> points = {options_.nominal};
    const bool has_all = count < 32 && (std::size_t{1} << count) <= kMostCorners;
    const std::size_t corners = has_all ? std::size_t{1} << count : kMostCorners;
    for (std::size_t i = 0; i < corners; ++i) {
      BoxPoint corner(count);
      for (std::size_t k = 0; k < count; ++k)
        corner[k] = has_all ? static_cast<double>(i >> k & 1) : std::round(draw(count + k, i));
      points.push_back(std::move(corner));
    }
    for (std::size_t i = 0; i < kInnerPointsPerParameter * count; ++i) {
      BoxPoint point(count);
      for (std::size_t k = 0; k < count; ++k) point[k] = draw(k, i);
      points.push_back(std::move(point));
    }
    return points;
  }
  double draw(std::size_t stream, std::size_t index) const {
    return random_number(options_.seed, static_cast<std::uint32_t>(stream), index);
  }

  std::vector<Compass> starts() const {
    std::vector<std::pair<double, const BoxPoint*>> ranked;
    for (const auto& [point, value] : values_) {
      if (std::isfinite(value)) ranked.emplace_back(value, &point);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<Compass> chosen;
    for (const auto& [value, point] : ranked) {
      const auto is_near = [p = point](const Compass& other) { return box_distance(other.at, *p) < kApart; };
      if (std::any_of(chosen.begin(), chosen.end(), is_near)) continue;
      chosen.push_back({*point, {}, value});
      if (chosen.size() == kMostStarts) break;
    }
    return chosen;
  }

  // All searches take a step at a time, so that there is work for many cores.
  void search_from_the_best() {
    std::vector<Compass> searches = starts();
    for (;;) {
      std::vector<BoxPoint> wanted;
      for (const Compass& search : searches) {
        if (search.is_done(options_.precision)) continue;
        const std::vector<BoxPoint> neighbours = search.neighbours();
        wanted.insert(wanted.end(), neighbours.begin(), neighbours.end());
      }
      best_.is_converged = wanted.empty() && !searches.empty();
      if (wanted.empty() || !compute(wanted)) return;
      for (Compass& search : searches) {
        if (!search.is_done(options_.precision)) advance(search);
      }
      leave_out_twins(searches);
    }
  }

  void advance(Compass& search) const {
    const BoxPoint start = search.at;
    for (const BoxPoint& point : search.neighbours()) {
      if (!is_better(value_of(point), search.value)) continue;
      search.value = value_of(point);
      search.at = point;
    }
    if (search.at == start) {
      search.step /= 2;
      search.before.clear();
    } else {
      search.before = start;
    }
  }

  // Two searches on the same hill: the better one goes on.
  static void leave_out_twins(std::vector<Compass>& searches) {
    for (std::size_t i = 0; i < searches.size(); ++i) {
      for (std::size_t j = searches.size(); j-- > i + 1;) {
        if (box_distance(searches[i].at, searches[j].at) > std::max(searches[i].step, searches[j].step)) continue;
        if (searches[j].value > searches[i].value) std::swap(searches[i], searches[j]);
        searches.erase(searches.begin() + static_cast<std::ptrdiff_t>(j));
      }
    }
  }

  const BoxSearchOptions& options_;
  const BoxFunction& function_;
  std::map<BoxPoint, double> values_;
  BoxOptimum best_;
};

}  // namespace

BoxOptimum search_box(const BoxSearchOptions& options, const BoxFunction& function) {
  return BoxSearch(options, function).run();
}

}  // namespace freeplay::study
