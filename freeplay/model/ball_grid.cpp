#include "freeplay/model/ball_grid.h"

#include <algorithm>
#include <cmath>

namespace freeplay::model {

namespace {

constexpr double kMostCells = 512;  // of one ball

}  // namespace

std::size_t BallGrid::CellHash::operator()(const Cell& cell) const {
  std::uint64_t hash = 0;
  for (const std::int64_t index : cell)
    hash = (hash ^ static_cast<std::uint64_t>(index)) * 0x9E3779B97F4A7C15 + (hash >> 29);
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

double BallGrid::Range::count() const {
  double count = 1;
  for (std::size_t k = 0; k < 3; ++k) count *= static_cast<double>(last[k] - first[k] + 1);
  return count;
}

BallGrid::Range BallGrid::cells_of(const Vec3& centre, double radius) const {
  constexpr double kFarthest = 1e15;  // cells beyond share the last one
  Range range;
  const auto cell = [&](double x) {
    return static_cast<std::int64_t>(std::clamp(std::floor(x / edge_m_), -kFarthest, kFarthest));
  };
  for (int k = 0; k < 3; ++k) {
    range.first[static_cast<std::size_t>(k)] = cell(centre[k] - radius);
    range.last[static_cast<std::size_t>(k)] = cell(centre[k] + radius);
  }
  return range;
}

bool BallGrid::overlap(const Ball& a, const Vec3& centre, double radius) {
  const double reach = a.radius + radius;
  return (a.centre - centre).squaredNorm() < reach * reach;
}

void BallGrid::add(const Vec3& centre_m, double radius_m) {
  if (balls_.empty()) edge_m_ = 2 * radius_m;
  const int index = static_cast<int>(balls_.size());
  balls_.push_back({centre_m, radius_m});
  const Range range = cells_of(centre_m, radius_m);
  if (range.count() > kMostCells) {
    large_.push_back(index);
    return;
  }
  Cell cell;
  for (cell[0] = range.first[0]; cell[0] <= range.last[0]; ++cell[0]) {
    for (cell[1] = range.first[1]; cell[1] <= range.last[1]; ++cell[1]) {
      for (cell[2] = range.first[2]; cell[2] <= range.last[2]; ++cell[2]) in_cell_[cell].push_back(index);
    }
  }
}

bool BallGrid::is_free(const Vec3& centre_m, double radius_m, double gap_m) const {
  if (balls_.empty()) return true;
  const double radius = radius_m + gap_m;
  const auto meets = [&](int index) { return overlap(balls_[static_cast<std::size_t>(index)], centre_m, radius); };
  for (const int index : large_) {
    if (meets(index)) return false;
  }
  const Range range = cells_of(centre_m, radius);
  if (range.count() > kMostCells) {  // cheaper than to look into all cells
    for (std::size_t i = 0; i < balls_.size(); ++i) {
      if (meets(static_cast<int>(i))) return false;
    }
    return true;
  }
  Cell cell;
  for (cell[0] = range.first[0]; cell[0] <= range.last[0]; ++cell[0]) {
    for (cell[1] = range.first[1]; cell[1] <= range.last[1]; ++cell[1]) {
      for (cell[2] = range.first[2]; cell[2] <= range.last[2]; ++cell[2]) {
        const auto found = in_cell_.find(cell);
        if (found == in_cell_.end()) continue;
        for (const int index : found->second) {
          if (meets(index)) return false;
        }
      }
    }
  }
  return true;
}

}  // namespace freeplay::model
