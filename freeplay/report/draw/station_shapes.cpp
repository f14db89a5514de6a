#include "freeplay/report/draw/station_shapes.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "freeplay/core/error.h"

namespace freeplay::report {

namespace {

using StationsJson = nlohmann::ordered_json;

constexpr std::size_t kMostStationModes = 400, kMostPlaces = 100000;  // more than freeplay writes
constexpr double kStationRounding = 1e-12;  // of the largest motion: below it, a file's numbers are rounding

std::vector<Vec3> places_of(const StationsJson& list) {
  std::vector<Vec3> places;
  for (const StationsJson& place : list)
    places.emplace_back(place.at(0).get<double>(), place.at(1).get<double>(), place.at(2).get<double>());
  return places;
}

}  // namespace

StationShapes::StationShapes(const nlohmann::ordered_json& stations)
    : is_axis_(stations.at("is_axis").get<bool>()), places_(places_of(stations.at("places"))) {
  const StationsJson& modes = stations.at("modes");
  for (const StationsJson& mode : modes) moves_.push_back(places_of(mode));
  const bool fits =
      !places_.empty() && places_.size() <= kMostPlaces && moves_.size() <= kMostStationModes &&
      std::all_of(moves_.begin(), moves_.end(), [&](const auto& moves) { return moves.size() == places_.size(); });
  if (!fits) throw IoError("cannot draw an elastic body: its stations are not as freeplay writes them");
  if (is_axis_) {  // files of modes name their nodes in any order
    std::vector<std::size_t> order(places_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return places_[a].x() < places_[b].x(); });
    const auto sorted = [&](const std::vector<Vec3>& list) {
      std::vector<Vec3> result;
      for (const std::size_t i : order) result.push_back(list[i]);
      return result;
    };
    places_ = sorted(places_);
    for (std::vector<Vec3>& moves : moves_) moves = sorted(moves);
  }
  for (std::size_t i = 0; i < places_.size(); ++i)
    along_.push_back(is_axis_ ? places_[i].x() - places_.front().x() : static_cast<double>(i));
}

bool StationShapes::moves_along(int axis) const {
  double most = 0, along = 0;
  for (const std::vector<Vec3>& moves : moves_) {
    for (const Vec3& move : moves) most = std::max(most, move.norm()), along = std::max(along, std::abs(move[axis]));
  }
  return along > kStationRounding * most;
}

// The place at or before s, not the last one if there are several.
std::size_t StationShapes::piece_of(double s) const {
  const auto after = std::upper_bound(along_.begin(), along_.end(), s);
  const auto index = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - along_.begin() - 1));
  return along_.size() < 2 ? 0 : std::min(index, along_.size() - 2);
}

Vec3 StationShapes::rest(double s) const {
  if (is_axis_) return places_.front() + Vec3(s, 0, 0);
  return places_[std::min(static_cast<std::size_t>(std::max(0.0, s)), places_.size() - 1)];
}

Vec3 StationShapes::shift(std::size_t place, std::span<const double> modal) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < moves_.size(); ++k) sum += modal[k] * moves_[k][place];
  return sum;
}

Vec3 StationShapes::slope(std::size_t place, std::span<const double> modal) const {
  const std::size_t before = place == 0 ? 0 : place - 1, after = std::min(place + 1, places_.size() - 1);
  const double distance = along_[after] - along_[before];
  return distance > 0 ? Vec3((shift(after, modal) - shift(before, modal)) / distance) : Vec3(Vec3::Zero());
}

StationShapes::Moved StationShapes::at(double s, std::span<const double> modal) const {
  const std::size_t i = piece_of(s), j = std::min(i + 1, places_.size() - 1);
  const double distance = along_[j] - along_[i];
  const double share = distance > 0 ? std::clamp((s - along_[i]) / distance, 0.0, 1.0) : 0;
  Moved moved;
  moved.shift = (1 - share) * shift(i, modal) + share * shift(j, modal);
  if (!is_axis_) return moved;
  const Vec3 slopes = (1 - share) * slope(i, modal) + share * slope(j, modal);
  moved.slope_y = slopes.y();
  moved.slope_z = slopes.z();
  return moved;
}

}  // namespace freeplay::report
