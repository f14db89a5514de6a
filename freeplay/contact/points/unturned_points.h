#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::contact {

// Points as they were at this position, before anybody turned their normals.
template <class Point>
class UnturnedPoints {
 public:
  void reserve(std::size_t count) { kept_.reserve(count); }
  void clear() { kept_.clear(); }

  // The first call for a point keeps it as it is.
  const Point& at(int point, std::span<const Point> points) {
    for (const auto& [index, unturned] : kept_) {
      if (index == point) return unturned;
    }
    return kept_.emplace_back(point, points[static_cast<std::size_t>(point)]).second;
  }

 private:
  std::vector<std::pair<int, Point>> kept_;
};

}  // namespace freeplay::contact
