// Shapes of elastic bodies that have no formulas in a result: beams of changing section and bodies of nodes are known
// by some places and by how each mode moves them. Internal to freeplay/report.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "freeplay/math/types.h"

namespace freeplay::report {

class StationShapes {
 public:
  // `stations` is that of a body in the geometry. Throws nlohmann::json::exception if it lacks something, IoError if
  // its lists do not fit each other.
  explicit StationShapes(const nlohmann::ordered_json& stations);

  std::size_t mode_count() const { return moves_.size(); }
  // Whether the places lie on a line along x; they are then in this order.
  bool is_axis() const { return is_axis_; }
  // Of every place: how far along the axis it is, or its number where there is none.
  const std::vector<double>& along() const { return along_; }
  Vec3 rest(double s) const;
  // Whether some mode moves places along x, y or z (0, 1, 2).
  bool moves_along(int axis) const;

  // Between two places linearly; the slopes are those of the chord between their neighbours.
  struct Moved {
    Vec3 shift = Vec3::Zero();
    double slope_y = 0, slope_z = 0;
  };
  Moved at(double s, std::span<const double> modal) const;

 private:
  std::size_t piece_of(double s) const;
  Vec3 shift(std::size_t place, std::span<const double> modal) const;
  Vec3 slope(std::size_t place, std::span<const double> modal) const;

  bool is_axis_ = false;
  std::vector<Vec3> places_;
  std::vector<std::vector<Vec3>> moves_;  // mode by mode, place by place
  std::vector<double> along_;
};

}  // namespace freeplay::report
